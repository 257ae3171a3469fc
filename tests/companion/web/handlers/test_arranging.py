"""Test setting up games over the page's interface, at a table that a test drives."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from starlette.testclient import TestClient

from companion.config import Config
from companion.games.kvilt.decisions import TakeToken
from companion.games.kvilt.rules import History as KviltHistory
from companion.games.kvilt.state import Setup as KviltSetup
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Advance
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.kvilt.game import KVILT
from companion.kvilt.settings import KviltSettings
from companion.kvilt.sheets.files import own_sheet
from companion.patchwork.arrangement import dealt_market
from companion.patchwork.game import PATCHWORK
from companion.patchwork.settings import PatchworkSettings
from companion.play.friend import Friend, friend_of
from companion.play.host import Host
from companion.play.inbox import Inbox
from companion.registry import codecs, games, pages
from companion.web.archive import Archive
from companion.web.page import build_app

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TOKEN = TakeToken(1, "red")
WANTED: dict[str, Any] = {
    "players": ["Clara", "Dmitri"],
    "colours": ["blue", "rose"],
    "first_seat": 2,
    "edition": "revised",
    "rules": "official",
    "circle": "unknown",
}


class Table:
    """A host whose games are opened as soon as they are requested."""

    def __init__(self, desk: Any, path: Path) -> None:
        self.journal = Journal(path, codecs())
        self.host = Host(Config(), "table", PATCHWORK, games(), by_hand=False)
        self.opened: list[tuple[Setup, int | None]] = []
        self.friends: list[Friend | None] = []
        self.kvilts: list[KviltSettings] = []
        desk.site = replace(desk.site, host=self.host, archive=Archive(path, pages()), opens_in_s=2.0)
        desk.client = TestClient(build_app(desk.site), "http://localhost:8080", client=("127.0.0.1", 50000))
        desk.with_key()

    def turn(self) -> None:
        sitting = self.host.next(self.journal, 0.02)
        if sitting is not None and sitting.game is KVILT:
            self.kvilts.append(sitting.config.of(KviltSettings))
            history = KviltHistory(sitting.config.of(KviltSettings).setup())
            self.host.opened(KVILT, sitting.game_id or 1, history, Inbox())
        elif sitting is not None:
            setup = sitting.config.of(PatchworkSettings).setup()
            self.friends.append(friend_of(sitting.config))
            self.opened.append((setup, sitting.game_id))
            self.host.opened(PATCHWORK, sitting.game_id or 1, History(setup), Inbox())


@pytest.fixture
def laid(desk: Callable[..., Any], tmp_path: Path) -> Iterator[tuple[Any, Table]]:
    made = desk()
    table = Table(made, tmp_path / JOURNAL_NAME)
    yield made, table
    table.journal.close()


def test_a_game_begins_as_it_was_wished_for(laid: tuple[Any, Table]) -> None:
    desk, table = laid
    answer = desk.at_table(table.turn, lambda: desk.post("/api/setup/begin", WANTED))

    assert (answer.status_code, answer.json()["ok"]) == (200, True)
    ((setup, game_id),) = table.opened
    assert (setup.players, setup.first_seat, setup.edition, game_id) == (("Clara", "Dmitri"), 2, "revised", None)
    shown = desk.client.get("/api/setup").json()["patchwork"]["next"]
    assert {**shown, "language": None} == {**WANTED, "language": None, "robot": None, "friend": None}


def test_a_game_on_the_table_is_deleted_once_another_has_taken_its_place(laid: tuple[Any, Table]) -> None:
    desk, table = laid
    number = table.journal.new_game(Setup(players=("Clara", "Dmitri")), "table")
    table.journal.append(number, 1, Advance(1))
    table.host.opened(PATCHWORK, number, History(Setup()), Inbox())
    desk.open_game(number)
    assert desk.post(f"/api/games/{number}/delete", {}).status_code == 409

    answer = desk.at_table(table.turn, lambda: desk.post(f"/api/games/{number}/delete", {"leave": True}))
    assert (answer.status_code, answer.json()["says"]) == (200, f"Game {number} is deleted.")
    # The new game does not have the deleted one's names.
    assert [setup.players for setup, _ in table.opened] == [("Anna", "Boris")]
    assert table.journal.games() == []


def test_a_game_that_cannot_be_taken_off_the_table_is_not_deleted(laid: tuple[Any, Table]) -> None:
    desk, table = laid
    number = table.journal.new_game(Setup(), "table")
    table.journal.append(number, 1, Advance(1))
    desk.open_game(number)
    table.host.close()
    assert desk.post(f"/api/games/{number}/delete", {"leave": True}).status_code == 503
    assert [game.game_id for game in table.journal.games()] == [number]


def test_the_circle_is_dealt_in_handfuls_and_taken_as_it_was_dealt(laid: tuple[Any, Table]) -> None:
    desk, table = laid
    dealt = desk.post("/api/setup/deal", {}).json()
    assert [len(step["patches"]) for step in dealt["steps"]] == [12, 12, 9]
    assert [patch["patch"] for step in dealt["steps"] for patch in step["patches"]] == dealt["market"]
    assert sorted(dealt["market"]) == sorted(PATCHES)

    wanted = {**WANTED, "circle": "dealt", "market": dealt["market"]}
    assert desk.at_table(table.turn, lambda: desk.post("/api/setup/begin", wanted)).status_code == 200
    assert table.opened[0][0].market == tuple(dealt["market"])


@pytest.mark.parametrize(("typed", "code"), [("", ""), ("kq7x m4pd", "KQ7XM4PD")])
def test_a_friend_at_another_table_has_a_seat_with_a_code_or_without_one(
    laid: tuple[Any, Table], typed: str, code: str
) -> None:
    desk, table = laid
    wanted = {**WANTED, "friend": {"seat": 2, "code": typed}}
    assert desk.at_table(table.turn, lambda: desk.post("/api/setup/begin", wanted)).status_code == 200
    assert table.friends == [Friend(2, code)]
    # Both tables lay the same circle.
    assert table.opened[0][0].market is not None
    assert desk.client.get("/api/setup").json()["patchwork"]["next"]["friend"] == {"seat": 2, "code": ""}


def test_a_friend_without_a_right_code_and_a_robot_beside_a_friend_are_refused(laid: tuple[Any, Table]) -> None:
    desk, _ = laid
    refused = desk.post("/api/setup/begin", {**WANTED, "friend": {"seat": 2, "code": "KQ7X"}})
    assert (refused.status_code, refused.json()["error"]) == (409, "“KQ7X” is no code; a code looks like KQ7X-M4PD.")
    robot = {"seat": 1, "level": "child"}
    both = desk.post("/api/setup/begin", {**WANTED, "circle": "dealt", "friend": {"seat": 2}, "robot": robot})
    assert (both.status_code, both.json()["error"][:9]) == (409, "The robot")


def test_a_request_is_answered_while_the_friend_is_awaited(laid: tuple[Any, Table]) -> None:
    desk, table = laid

    def wait_for_friend() -> None:
        if table.host.next(table.journal, 0.02) is not None:
            table.host.accepted()

    wanted = {**WANTED, "friend": {"seat": 2}}
    assert desk.at_table(wait_for_friend, lambda: desk.post("/api/setup/begin", wanted)).status_code == 200
    assert not table.host.wants_no_wait
    table.host.close()
    assert table.host.wants_no_wait


def test_the_circle_of_the_other_table_is_laid_out_as_it_is(laid: tuple[Any, Table]) -> None:
    desk, _ = laid
    market = list(dealt_market(3))
    dealt = desk.post("/api/setup/deal", {"market": market}).json()
    assert [patch["patch"] for step in dealt["steps"] for patch in step["patches"]] == dealt["market"] == market


def test_a_deleted_game_with_a_friend_leaves_nothing_at_the_broker_or_that_is_told(laid: tuple[Any, Table]) -> None:
    desk, table = laid
    withdrawn: list[Friend] = []
    for confirms, says in ((True, "Game 1 is deleted."), (False, "Game 2 is deleted. The broker cannot be reached")):
        number = table.journal.new_game(Setup(), "table", {"partner": "2 friend KQ7XM4PD"})

        def withdraw(friend: Friend, *, confirms: bool = confirms) -> bool:
            withdrawn.append(friend)
            return confirms

        desk.site = replace(desk.site, withdraw=withdraw)
        desk.client = TestClient(build_app(desk.site), "http://localhost:8080", client=("127.0.0.1", 50000))
        answer = desk.with_key().post(f"/api/games/{number}/delete", {}).json()
        assert answer["says"].startswith(says)
        assert answer["left"] is not confirms
    assert withdrawn == [Friend(2, "KQ7XM4PD")] * 2


def test_the_set_up_offers_its_choices(laid: tuple[Any, Table]) -> None:
    desk, _ = laid
    shown = desk.client.get("/api/setup").json()

    options = shown["patchwork"]
    assert options["circles"] == ["dealt", "seen", "unknown"]
    assert {colour["name"] for colour in options["palette"]} >= {"yellow", "green"}
    assert (shown["games"], shown["names"], shown["under_way"], options["lies_there"]) == ([], [], False, False)
    assert options["next"]["players"] == ["Anna", "Boris"]


def test_the_usual_names_are_offered_in_the_reader_s_script_and_chosen_ones_as_they_are(
    laid: tuple[Any, Table],
) -> None:
    desk, table = laid
    offered = desk.client.get("/api/setup?language=ru").json()
    assert [offered[game]["next"]["players"] for game in ("patchwork", "kvilt")] == [["Анна", "Борис"]] * 2
    desk.at_table(table.turn, lambda: desk.post("/api/setup/begin", WANTED))
    assert desk.client.get("/api/setup?language=ru").json()["patchwork"]["next"]["players"] == WANTED["players"]


@pytest.mark.parametrize(
    ("change", "status", "says"),
    [
        ({"players": ["Clara", " "]}, 409, "Both players need a name"),
        ({"players": ["Clara", "CLARA"]}, 409, "different names"),
        ({"colours": ["blue", "blue"]}, 409, "different colours"),
        ({"colours": ["blue", "mauve"]}, 400, "colours"),
        ({"first_seat": 3}, 400, "first_seat"),
        ({"market": ["domino"]}, 400, "market"),
        ({"circle": "dealt", "market": [*PATCHES]}, 409, "The game cannot start like this"),
        ({"language": "xx"}, 400, "language"),
        ({"leave": 1}, 400, "leave"),
    ],
)
def test_an_impossible_set_up_is_refused_in_a_sentence(
    laid: tuple[Any, Table], change: dict[str, Any], status: int, says: str
) -> None:
    desk, table = laid
    answer = desk.post("/api/setup/begin", {**WANTED, **change})
    assert answer.status_code == status
    assert says in answer.json()["error"]
    assert not table.host.has_request


def test_only_games_that_were_cut_off_can_be_gone_on_with(laid: tuple[Any, Table]) -> None:
    desk, table = laid
    for name in ("table", "table", "another"):
        game = table.journal.new_game(Setup(players=("Eva", "Fritz")), name)
        if game != 2:
            table.journal.append(game, 1, Advance(1))
    assert [game["id"] for game in desk.client.get("/api/setup").json()["games"]] == [1]
    assert desk.client.get("/api/setup").json()["names"] == ["Eva", "Fritz"]

    assert desk.post("/api/setup/resume", {"game": 3}).status_code == 409
    answer = desk.at_table(table.turn, lambda: desk.post("/api/setup/resume", {"game": 1}))
    assert answer.status_code == 200
    assert [game_id for _, game_id in table.opened] == [1]


def test_the_table_s_language_is_told_to_every_page(laid: tuple[Any, Table]) -> None:
    desk, table = laid
    assert desk.client.get("/api/me").json()["language"] is None
    desk.at_table(table.turn, lambda: desk.post("/api/setup/begin", {**WANTED, "language": "fa"}))
    assert desk.client.get("/api/me").json()["language"] == "fa"


SHEETS: dict[str, Any] = {
    "players": ["Clara", "Dmitri", "Eva"], "first_seat": 3, "bag": "real", "variants": ["all-counted"],
    "robot": {"seat": 2, "level": "expert"},
}  # fmt: skip


def test_kvilt_begins_as_it_was_wished_for_and_is_offered_like_that_again(laid: tuple[Any, Table]) -> None:
    desk, table = laid
    offered = desk.client.get("/api/setup").json()
    assert (offered["game"], offered["kvilt"]["seats"], offered["kvilt"]["bags"]) == (
        "patchwork", [2, 3, 4], ["virtual", "real"],
    )  # fmt: skip
    answer = desk.at_table(table.turn, lambda: desk.post("/api/setup/begin-kvilt", {**SHEETS, "language": "ru"}))

    assert (answer.status_code, answer.json()["ok"]) == (200, True)
    (kvilt,) = table.kvilts
    assert (kvilt.players, kvilt.first_seat, kvilt.bag) == (("Clara", "Dmitri", "Eva"), 3, "real")
    assert kvilt.setup().variants == {"all-counted"}
    offered = desk.client.get("/api/setup").json()
    assert (offered["game"], offered["kvilt"]["next"]) == ("kvilt", SHEETS)
    assert offered["patchwork"]["next"]["language"] == "ru"


@pytest.mark.parametrize(
    ("change", "status", "says"),
    [
        ({"players": ["Clara"], "first_seat": 1}, 409, "two to four"),
        ({"players": ["Clara", " ", "Eva"]}, 409, "All players need a name"),
        ({"players": ["Clara", "Eva", "CLARA"]}, 409, "different names"),
        ({"players": ["Clara", "Eva"]}, 409, "no player at the seat"),
        ({"players": ["A", "B", "C", "D", "E"]}, 400, "players"),
        ({"variants": ["kviltomania"]}, 409, "for four players"),
        ({"variants": ["solo"]}, 400, "variants"),
        ({"variants": ["all-counted", "all-counted"]}, 400, "variants"),
        ({"bag": "paper"}, 400, "bag"),
        ({"first_seat": 5}, 400, "first_seat"),
        ({"circle": "dealt"}, 400, "circle"),
    ],
)
def test_an_impossible_set_up_of_kvilt_is_refused_in_a_sentence(
    laid: tuple[Any, Table], change: dict[str, Any], status: int, says: str
) -> None:
    desk, table = laid
    answer = desk.post("/api/setup/begin-kvilt", {**SHEETS, **change})
    assert answer.status_code == status
    assert says in answer.json()["error"]
    assert not table.host.has_request


def test_games_of_both_kinds_can_be_gone_on_with(laid: tuple[Any, Table]) -> None:
    desk, table = laid
    for setup, decision in (
        (Setup(players=("Eva", "Fritz")), Advance(1)),
        (KviltSetup(own_sheet(), ("A", "B", "C")), TOKEN),
    ):
        table.journal.append(table.journal.new_game(setup, "table"), 1, decision)
    games = desk.client.get("/api/setup").json()["games"]
    assert {(game["id"], game["game"], tuple(game["players"])) for game in games} == {
        (1, "patchwork", ("Eva", "Fritz")), (2, "kvilt", ("A", "B", "C")),
    }  # fmt: skip
    assert desk.at_table(table.turn, lambda: desk.post("/api/setup/resume", {"game": 2})).status_code == 200
    assert table.host.game is KVILT


def test_a_table_that_does_not_answer_is_no_endless_wait(laid: tuple[Any, Table]) -> None:
    desk, table = laid
    desk.site = replace(desk.site, opens_in_s=0.05)
    desk.client = TestClient(build_app(desk.site), "http://localhost:8080", client=("127.0.0.1", 50000))
    desk.with_key()
    assert desk.post("/api/setup/begin", WANTED).status_code == 503
    table.host.close()
    assert desk.post("/api/setup/begin", WANTED).json()["error"] == "Play has ended."


def test_it_needs_the_key_and_a_table_of_many_games(desk: Callable[..., Any]) -> None:
    made = desk()
    assert made.client.get("/api/setup").status_code == 401
    assert made.post("/api/setup/begin", WANTED).status_code == 401
    made.with_key()
    answers = (made.client.get("/api/setup"), made.post("/api/setup/begin", WANTED))
    assert {answer.status_code for answer in answers} == {404}
    assert made.client.get("/api/me").json()["sets_up"] is False
