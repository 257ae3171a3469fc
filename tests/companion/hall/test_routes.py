"""Test the hall's interface as browsers use it, in process: permissions and results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from companion.hall.collector import Collector
from companion.hall.database import Database, DatabaseError
from companion.hall.hall import build_hall_app
from companion.hall.live import Live
from companion.hall.site import KEYED, HallSite, Role, Roles, stored_roles
from companion.web.access import RateLimit
from tests.companion.hall.standin import HALL, StandInTable

EIGHT = ["Anna", "Boris", "Cilla", "Dan", "Eva", "Finn", "Gala", "Hugo"]


@dataclass
class Stage:
    site: HallSite
    client: TestClient
    announced: list[int]

    def role(self, role: Role) -> None:
        self.client.cookies.clear()
        if role is not Role.GUEST:
            answer = self.client.get("/", params={"key": self.site.roles.keys[role].key}, follow_redirects=False)
            assert answer.status_code == 303

    def post(self, path: str, **body: Any) -> Any:
        return self.client.post(path, json=body)


@pytest.fixture
def stage(database: Database, tmp_path: Path) -> Iterator[Stage]:
    announced: list[int] = []
    unlimited = RateLimit(1e9, 1e9)
    roles = stored_roles(tmp_path / "keys", "hall_test")
    site = HallSite(roles, database, Live(), lambda: announced.append(1), unlimited, unlimited)
    with TestClient(build_hall_app(site), "http://localhost") as client:
        yield Stage(site, client, announced)


def test_every_role_has_a_key_of_its_own_that_stays(tmp_path: Path) -> None:
    roles = stored_roles(tmp_path, "c")
    assert [roles.of_key(roles.keys[role].key) for role in KEYED] == list(KEYED)
    assert roles.of_key("wrong") == roles.of_key(None) == Role.GUEST
    again: Roles = stored_roles(tmp_path, "c")
    assert [again.keys[role].key for role in KEYED] == [roles.keys[role].key for role in KEYED]
    assert all(path.stat().st_mode & 0o077 == 0 for path in tmp_path.rglob("*.key"))


MAY = {
    "/api/tournaments": Role.DIRECTOR,
    "/api/tournaments/1/players": Role.DIRECTOR,
    "/api/tournaments/1/present": Role.DIRECTOR,
    "/api/tournaments/1/pair": Role.DIRECTOR,
    "/api/tournaments/1/unpair": Role.DIRECTOR,
    "/api/tournaments/1/close": Role.DIRECTOR,
    "/api/tournaments/1/table": Role.DIRECTOR,
    "/api/tournaments/1/remove": Role.DIRECTOR,
    "/api/tournaments/1/reopen": Role.DIRECTOR,
    "/api/tournaments/1/result": Role.REFEREE,
    "/api/announcements": Role.REFEREE,
}


def test_each_command_needs_its_role(stage: Stage) -> None:
    for role in Role:
        stage.role(role)
        assert stage.client.get("/api/me").json()["role"] == role.name.lower()
        for path, needed in MAY.items():
            refused = stage.post(path).status_code == 401
            assert refused == (role < needed), (path, role)


def test_a_wrong_key_gives_no_role(stage: Stage) -> None:
    answer = stage.client.get("/", params={"key": "x" * 20}, follow_redirects=False)
    assert answer.status_code == 303
    assert "set-cookie" not in answer.headers


def test_a_tournament_is_begun_paired_decided_and_read_as_csv(stage: Stage) -> None:
    stage.role(Role.DIRECTOR)
    begun = stage.post("/api/tournaments", name="Cup", system="swiss", rounds=3, players=EIGHT).json()["tournament"]
    path = f"/api/tournaments/{begun['id']}"
    paired = stage.post(f"{path}/pair").json()["tournament"]["paired"]
    board = paired[0]["games"][0]
    assert (board["first"], board["second"]) == ("Anna", "Eva")
    stage.role(Role.REFEREE)
    decided = stage.post(f"{path}/result", round=1, board=1, score=1).json()["tournament"]
    assert decided["standings"][0]["name"] == "Anna"
    assert stage.announced
    stage.role(Role.GUEST)
    shown = stage.client.get(path).json()["tournament"]
    assert shown == decided
    standings = stage.client.get(f"/csv/tournaments/{begun['id']}/standings.csv")
    assert standings.headers["content-type"] == "text/csv; charset=utf-8"
    assert standings.text.splitlines()[1].startswith("1,Anna,1.0,1,1,")
    pairings = stage.client.get(f"/csv/tournaments/{begun['id']}/pairings.csv").text.splitlines()
    assert pairings[1] == "1,1,,Anna,Eva,1.0,"


def test_a_number_that_no_tournament_has_is_no_fault_of_the_page(stage: Stage) -> None:
    for number in ("99", "9" * 30, "9" * 4301):
        answer = stage.client.get(f"/api/tournaments/{number}")
        assert (answer.status_code, answer.json()["error"][:16]) == (404, "There is no such")


def test_an_impossible_command_is_refused_in_the_reader_s_language(stage: Stage) -> None:
    stage.role(Role.DIRECTOR)
    two = stage.post("/api/tournaments", name="Cup", system="swiss", rounds=1, players=EIGHT[:2]).json()["tournament"]
    path = f"/api/tournaments/{two['id']}/pair"
    stage.post(path)
    answer = stage.client.post(path, json={}, params={"language": "ru"})
    assert answer.status_code == 409
    assert answer.json()["error"] == "Сначала введите все результаты предыдущего тура."
    assert stage.client.get("/api/tournaments/99").status_code == 404
    assert stage.post("/api/tournaments", name="", system="swiss", players=EIGHT).status_code == 400
    assert stage.post("/api/tournaments", name="C", system="knockout", players=EIGHT).status_code == 400


def test_announcements_stand_until_they_are_removed(stage: Stage) -> None:
    stage.role(Role.REFEREE)
    stage.post("/api/announcements", text="Round 2 at eight")
    stage.post("/api/announcements", text="You have guests", table="table-3")
    told = stage.client.get("/api/announcements").json()["announcements"]
    texts = {each["table"]: each["text"] for each in told}
    assert texts == {"": "Round 2 at eight", "table-3": "You have guests"}
    stage.post("/api/announcements", text="")
    told = stage.client.get("/api/announcements").json()["announcements"]
    assert [each["table"] for each in told] == ["table-3"]


@pytest.mark.parametrize("table", ["x/#", "+", "a\0", "Table 3", "x" * 41])
def test_an_announcement_to_an_invalid_name_is_refused(stage: Stage, table: str) -> None:
    stage.role(Role.REFEREE)
    assert stage.post("/api/announcements", text="hello", table=table).status_code == 400
    assert stage.client.get("/api/announcements").json()["announcements"] == []


def test_names_with_null_characters_are_refused(stage: Stage) -> None:
    stage.role(Role.DIRECTOR)
    players = ["Anna", "Bo\0ris"]
    assert stage.post("/api/tournaments", name="Cup", system="swiss", players=players).status_code == 400


def test_a_database_that_is_away_is_said_and_the_tables_go_on(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(_: Database) -> Any:
        raise DatabaseError("away")

    monkeypatch.setattr(Database, "transaction", away)
    answer = stage.client.get("/api/results")
    assert answer.status_code == 503
    assert answer.json()["error"] == "The database does not answer. The tables continue without it."
    assert stage.client.get("/api/tables").status_code == 200


def test_results_and_players_are_there_for_everybody(stage: Stage, tmp_path: Path) -> None:
    from companion.hall.collector import Collector  # noqa: PLC0415
    from tests.companion.hall.standin import HALL  # noqa: PLC0415

    table = StandInTable(tmp_path)
    collector = Collector(stage.site.database, HALL, stage.site.live, lambda *_: None)
    collector.take([*table.arrived(table.play(2)), table.state()])
    (result,) = stage.client.get("/api/results").json()["results"]
    assert (result["table"], result["players"]) == ("table-3", ["Anna", "Boris"])
    assert "Anna; Boris" in stage.client.get("/csv/results.csv").text
    (shown,) = stage.client.get("/api/tables").json()["tables"]
    assert shown["state"]["phase"] == "finished"
    assert stage.client.get("/csv/players.csv").text.splitlines() == ["\ufeffname,rating,deviation,volatility"]


def test_foreign_pages_may_command_nothing(stage: Stage) -> None:
    stage.role(Role.DIRECTOR)
    answer = stage.client.post("/api/announcements", json={"text": "x"}, headers={"origin": "http://elsewhere.example"})
    assert answer.status_code == 403


def test_a_table_s_game_is_shown_as_its_decisions_stand(stage: Stage, tmp_path: Path) -> None:
    table = StandInTable(tmp_path)
    storing = Collector(stage.site.database, HALL, stage.site.live, lambda *_: None)
    # Two games, of which the second one is on the table, with its last decision taken back.
    storing.take(table.arrived([*table.play(2), *(played := table.play(3, game=2)), *table.undo(3, game=2)]))
    assert stage.client.get("/api/tables/table-3/game").status_code == 404
    storing.take([table.state()])
    shown = stage.client.get("/api/tables/table-3/game").json()["game"]
    decided = [each for each in played if each.kind == "decided"]
    assert (shown["game"], shown["decisions"]) == ("patchwork", len(decided) - 1)
    assert [each["says"][0] for each in shown["decisions_list"]] == [each.says[0] for each in decided[:-1]]


def test_a_game_of_which_the_hall_lacks_the_beginning_is_not_shown(stage: Stage, tmp_path: Path) -> None:
    table = StandInTable(tmp_path)
    table.play(2)
    Collector(stage.site.database, HALL, stage.site.live, lambda *_: None).take([table.state()])
    answer = stage.client.get("/api/tables/table-3/game")
    assert (answer.status_code, answer.json()["error"]) == (
        404, "The hall cannot show this game: it has not received all of it.",
    )  # fmt: skip
