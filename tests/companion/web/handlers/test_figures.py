"""Statistics, courses and final pictures over the page's interface."""

from __future__ import annotations

import csv
import io
import random
from typing import TYPE_CHECKING, Any

import pytest

from companion.games.patchwork.rules import History
from companion.games.patchwork.state import score
from companion.journal import JOURNAL_NAME, Journal
from companion.patchwork.watching.profiles import PICTURES, quilt_path
from companion.registry import codecs
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup
from tests.companion.web.conftest import SETUP, whole_game

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.games.patchwork.decisions import Decision


def keep(journal: Journal, decisions: tuple[Decision, ...]) -> int:
    number = journal.new_game(SETUP, "table")
    for place, decision in enumerate(decisions, start=1):
        journal.append(number, place, decision)
    return number


@pytest.fixture
def desk_of_games(desk: Callable[..., Any], tmp_path: Path) -> Any:
    """A desk with two finished games and an interrupted one."""
    path = tmp_path / "data" / JOURNAL_NAME
    with Journal(path, codecs()) as journal:
        keep(journal, whole_game(seed=4))
        keep(journal, whole_game(seed=5))
        keep(journal, whole_game(seed=6)[:9])
    return desk(path)


def test_statistics_are_of_finished_games(desk_of_games: Any) -> None:
    told = desk_of_games.client.get("/api/statistics").json()
    assert [game["id"] for game in told["games"]] == [1, 2]
    history = History(SETUP)
    for decision in whole_game(seed=4):
        history.apply(decision)
    assert told["games"][0]["scores"] == [score(seat) for seat in history.state.seats]
    assert told["games"][0]["winner"] == history.state.winner
    assert {player["name"]: player["games"] for player in told["players"]} == {"Anna": 2, "Boris": 2}
    assert {record["kind"] for record in told["records"]} == {"score", "margin", "income", "buttons", "quilt"}
    assert all(patch["bought"] <= 2 for patch in told["patches"])


def test_kvilt_has_statistics_of_its_own(desk: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "data" / JOURNAL_NAME
    game = play_game(own_setup(("Anna", "Vera", "Gleb")), random.Random(3))
    with Journal(path, codecs()) as journal:
        keep(journal, whole_game(seed=4))
        number = journal.new_game(game.setup, "table")
        for place, decision in enumerate(game.decisions, start=1):
            journal.append(number, place, decision)
    client = desk(path).client
    told = client.get("/api/statistics?game=kvilt").json()
    assert (told["game"], told["played"]) == ("kvilt", {"patchwork": 1, "kvilt": 1})
    assert [each["id"] for each in told["games"]] == [number]
    assert {each["name"] for each in told["players"]} == {"Anna", "Vera", "Gleb"}
    rows = list(csv.DictReader(io.StringIO(client.get("/api/players.csv?game=kvilt").text)))
    assert {int(row["best"]) for row in rows} == {game.state.score(seat).total for seat in (1, 2, 3)}
    assert client.get("/api/games.csv?game=kvilt").text.count("\n") == 2
    assert client.get("/api/statistics?game=chess").status_code == 400
    assert client.get("/api/games/2/replay").json()["sheet"]["id"] == game.setup.sheet.id


def test_without_games_there_are_none(desk: Callable[..., Any], tmp_path: Path) -> None:
    told = desk(tmp_path / "none" / JOURNAL_NAME).client.get("/api/statistics").json()
    assert (told["games"], told["players"], told["patches"], told["records"]) == ([], [], [], [])


def test_tables_have_a_row_each(desk_of_games: Any) -> None:
    for name, first in (("patches", "patch"), ("players", "name")):
        answer = desk_of_games.client.get(f"/api/{name}.csv")
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        figures = desk_of_games.client.get("/api/statistics").json()[name]
        assert [row[first] for row in rows] == [each[first] for each in figures]
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}.csv"'


def test_a_game_s_course(desk_of_games: Any) -> None:
    told = desk_of_games.client.get("/api/games/3/course").json()
    assert [len(seat) for seat in told["seats"]] == [10, 10]
    assert told["players"] == ["Anna", "Boris"]
    assert all({"patch", "seat", "space", "worth"} <= purchase.keys() for purchase in told["purchases"])
    assert desk_of_games.client.get("/api/games/99/course").status_code == 404


def test_final_quilts_are_shown_to_who_may_see_the_camera(
    desk_of_games: Any, tmp_path: Path, desk: Callable[..., Any]
) -> None:
    assert desk_of_games.client.get("/api/games/1/quilts/1.jpg").status_code == 401
    assert desk_of_games.with_key().client.get("/api/games/1/quilts/1.jpg").status_code == 404
    for seat in (1, 2):
        path = quilt_path(tmp_path / "data" / PICTURES, 1, seat)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"\xff\xd8picture")
    shown = desk_of_games.with_key().client.get("/api/games/1/quilts/2.jpg")
    assert (shown.content, shown.headers["content-type"]) == (b"\xff\xd8picture", "image/jpeg")
    games = {game["id"]: game["pictures"] for game in desk_of_games.client.get("/api/games").json()["games"]}
    assert games == {1: True, 2: False, 3: False}
    for address in ("/api/games/1/quilts/3.jpg", "/api/games/0/quilts/1.jpg"):
        assert desk_of_games.client.get(address).status_code == 404
    stranger = desk(tmp_path / "data" / JOURNAL_NAME, client=("192.168.1.7", 50000), lan=True)
    assert stranger.client.get("/api/games/1/quilts/1.jpg").status_code == 401
