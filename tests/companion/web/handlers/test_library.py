"""Games on the page: listed, replayed and exported, from a journal on disk."""

from __future__ import annotations

import csv
import io
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork.state import Setup, score
from companion.journal import JOURNAL_NAME, Journal
from companion.patchwork.codec import PATCHWORK
from companion.record import replay_record
from companion.registry import codecs
from tests.companion.web.conftest import played

if TYPE_CHECKING:
    from tests.companion.web.conftest import MakeDesk

NAMES = Setup(players=("=SUM(A1)", 'Bo, "B"'))


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with a finished game, one in progress, and one with unusual names."""
    path = tmp_path_factory.mktemp("data") / JOURNAL_NAME
    with Journal(path, codecs()) as book:
        for decisions, setup in ((999, None), (12, None), (5, NAMES)):
            history, _ = played(decisions) if setup is None else played(decisions, setup)
            game = book.new_game(history.setup)
            for number, decision in enumerate(history.decisions, start=1):
                book.append(game, number, decision)
    return path


def test_the_games_are_listed_the_newest_first(desk: MakeDesk, journal: Path) -> None:
    opened = desk(journal)
    opened.open_game(2)
    games = opened.client.get("/api/games").json()["games"]
    state = played(999)[0].state
    assert [game["id"] for game in games] == [3, 2, 1]
    assert [game["live"] for game in games] == [False, True, False]
    assert games[2]["scores"] == [score(seat) for seat in state.seats]
    assert (games[2]["winner"], games[2]["finished"]) == (state.winner, True)
    assert games[2]["decisions"] == state.decisions_made
    assert (games[1]["scores"], games[1]["winner"], games[1]["players"]) == (None, None, ["Anna", "Boris"])


def test_an_answer_changes_with_the_games(desk: MakeDesk, journal: Path, tmp_path: Path) -> None:
    shutil.copytree(journal.parent, tmp_path / "data")
    client = desk(tmp_path / "data" / JOURNAL_NAME).client
    tags = {path: client.get(path).headers["etag"] for path in ("/api/games", "/api/games/3/replay", "/api/games.csv")}
    assert [client.get(path, headers={"if-none-match": tag}).status_code for path, tag in tags.items()] == [304] * 3
    with Journal(tmp_path / "data" / JOURNAL_NAME, codecs()) as book:
        book.undo(3, 5)
    assert [client.get(path, headers={"if-none-match": tag}).status_code for path, tag in tags.items()] == [200] * 3
    assert len(client.get("/api/games/3/replay").json()["states"]) == 5


def test_the_games_come_in_lots(desk: MakeDesk, journal: Path) -> None:
    client = desk(journal).client
    whole = client.get("/api/games").json()["games"]
    first = client.get("/api/games?limit=2").json()
    assert (first["games"], first["more"]) == (whole[:2], True)
    rest = client.get(f"/api/games?limit=2&before={first['games'][-1]['id']}").json()
    assert rest == {"ok": True, "games": whole[2:], "more": False}
    assert client.get("/api/games?limit=3").json() == {"ok": True, "games": whole, "more": False}


def test_with_the_first_lot_comes_what_all_games_tell(desk: MakeDesk, journal: Path) -> None:
    state = played(999)[0].state
    rows = desk(journal).client.get("/api/games?limit=1").json()["standings"]
    scores = {name: score(seat) for name, seat in zip(state.setup.players, state.seats, strict=True)}
    assert [(row["name"], row["best"], row["mean"]) for row in rows] == [
        (row["name"], scores[row["name"]], scores[row["name"]]) for row in rows
    ]
    assert {row["name"] for row in rows} == set(scores)
    assert [(row["game"], row["games"], row["wins"]) for row in rows] == [("patchwork", 1, 1), ("patchwork", 1, 0)]
    assert rows[0]["name"] == state.setup.players[(state.winner or 0) - 1]


@pytest.mark.parametrize(
    "query", ["before=0", "limit=0", "limit=201", "limit=x", "limit=2&before=0", "limit=2&before=-3"]
)
def test_a_lot_that_cannot_be_is_one_sentence(desk: MakeDesk, journal: Path, query: str) -> None:
    answer = desk(journal).client.get(f"/api/games?{query}")
    assert answer.status_code == 400
    assert "is a number from 1 to" in answer.json()["error"]


def test_a_game_is_told_decision_by_decision(desk: MakeDesk, journal: Path) -> None:
    history, happened = played(12)
    game = desk(journal).client.get("/api/games/2").json()["game"]
    assert (game["edition"], game["market_known"], game["result"]) == ("original", True, None)
    told = game["decisions_list"]
    assert [entry["number"] for entry in told] == list(range(1, 13))
    assert [entry["seat"] for entry in told] == [decision.seat for decision in history.decisions]
    assert all(entry["says"] for entry in told)
    assert len(happened) == 13


def test_a_replay_goes_from_the_start_to_the_end(desk: MakeDesk, journal: Path) -> None:
    states = desk(journal).client.get("/api/games/1/replay").json()["states"]
    history, _ = played(999)
    assert [state["number"] for state in states] == list(range(len(history.decisions) + 1))
    assert states[0]["says"] == []
    assert all(seat["pieces"] == [] for seat in states[0]["seats"])
    for state in states[1:]:
        assert sum(piece["new"] for seat in state["seats"] for piece in seat["pieces"]) <= 1
    assert [seat["score"] for seat in states[-1]["seats"]] == [score(seat) for seat in history.state.seats]
    assert states[-1]["turn"]["seat"] is None


def test_the_record_of_a_game_replays(desk: MakeDesk, journal: Path, tmp_path: Path) -> None:
    answer = desk(journal).client.get("/api/games/1/record.jsonl")
    assert answer.headers["content-disposition"] == 'attachment; filename="game-1.jsonl"'
    file = tmp_path / "game.jsonl"
    file.write_bytes(answer.content)
    replayed = replay_record(file, PATCHWORK)
    assert replayed.error is None
    assert replayed.state == played(999)[0].state


def test_a_game_s_table_has_a_row_a_decision(desk: MakeDesk, journal: Path) -> None:
    answer = desk(journal).client.get("/api/games/1/decisions.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    state = played(999)[0].state
    assert len(rows) == state.decisions_made
    assert [int(rows[-1][f"score_{seat}"]) for seat in (1, 2)] == [score(seat) for seat in state.seats]
    assert {row["move"] for row in rows} == {"patch", "advance", "leather"}


def test_no_name_is_a_formula_to_a_spreadsheet(desk: MakeDesk, journal: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(desk(journal).client.get("/api/games.csv").text)))
    assert [row["id"] for row in rows] == ["3", "2", "1"]
    assert (rows[0]["player_1"], rows[0]["player_2"]) == ("'=SUM(A1)", 'Bo, "B"')


@pytest.mark.parametrize("path", ["", "/replay", "/record.jsonl", "/decisions.csv"])
def test_a_game_that_is_not_there_is_one_sentence(desk: MakeDesk, journal: Path, path: str) -> None:
    opened = desk(journal)
    for number in (0, 99, "9" * 9, 1 << 63, 10**40, "9" * 4301):
        answer = opened.client.get(f"/api/games/{number}{path}")
        assert answer.status_code == 404
        assert "no" in answer.json()["error"]
        assert str(journal.parent) not in answer.text


def test_without_a_journal_there_are_no_games(desk: MakeDesk) -> None:
    client = desk().client
    assert client.get("/api/games").json() == {"ok": True, "games": []}
    assert client.get("/api/games/1").status_code == 404


def test_a_damaged_game_says_nothing_of_the_disk_and_hides_no_other(
    desk: MakeDesk, tmp_path: Path, journal: Path
) -> None:
    own = Path(shutil.copytree(journal.parent, tmp_path / "own")) / journal.name
    log = own.parent / "games" / "2.log"
    log.write_bytes(log.read_bytes().replace(b'"seat": 2', b'"Zeat": 3'))
    client = desk(own).client
    assert [game["error"] for game in client.get("/api/games").json()["games"]] == [
        None, "This game cannot be replayed.", None,
    ]  # fmt: skip
    for kind in ("", "/record.jsonl", "/decisions.csv", "/replay"):
        answer = client.get(f"/api/games/2{kind}")
        assert answer.status_code == 404
        assert str(tmp_path) not in answer.text


def test_games_and_names_are_deleted_with_the_key(desk: MakeDesk, tmp_path: Path, journal: Path) -> None:
    own = Path(shutil.copytree(journal.parent, tmp_path / "own")) / journal.name
    spectator = desk(own)
    assert spectator.client.post("/api/games/1/delete", json={}).status_code == 401
    opened = spectator.with_key()
    opened.open_game(2)
    live = opened.post("/api/games/2/delete", {})
    assert (live.status_code, live.json()["error"][:24]) == (409, "game 2 is on a table now")
    assert opened.post("/api/players/forget", {"name": "Anna"}).status_code == 409
    assert opened.post("/api/players/forget", {"name": "Nobody"}).status_code == 404
    assert opened.post("/api/players/forget", {"name": ""}).status_code == 400
    assert opened.client.get("/api/statistics?game=patchwork").json()["ok"]

    gone = opened.post("/api/games/1/delete", {})
    assert (gone.status_code, gone.json()["says"]) == (200, "Game 1 is deleted.")
    assert opened.post("/api/games/1/delete", {}).status_code == 404
    forgotten = opened.post("/api/players/forget", {"name": NAMES.players[0]})
    assert forgotten.json()["says"] == "=SUM(A1) was removed from 1 game."
    listed = opened.client.get("/api/games").json()["games"]
    assert [(game["id"], game["players"]) for game in listed] == [(3, ["Seat 1", 'Bo, "B"']), (2, ["Anna", "Boris"])]
