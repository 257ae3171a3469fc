"""Games of Kvilt among the others in the archive."""

from __future__ import annotations

import csv
import io
import json
import random
from dataclasses import replace
from shutil import copytree
from typing import TYPE_CHECKING

import pytest

from companion.games.kvilt.rules import History
from companion.games.patchwork import decisions as patchwork_decisions
from companion.games.patchwork import state as patchwork_state
from companion.journal import JOURNAL_NAME, Journal
from companion.languages import LANGUAGES
from companion.play.host import interrupted_game
from companion.registry import codecs, pages
from companion.web.archive import Archive, NoGameError
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def game() -> History:
    return play_game(own_setup(("Anna", "Boris", "Vera")), random.Random(4))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, game: History) -> Path:
    """The folder of a journal, written once: a finished game, an interrupted one, and one of Patchwork."""
    path = tmp_path_factory.mktemp("table") / JOURNAL_NAME
    with Journal(path, codecs()) as journal:
        for count in (None, 5):
            number = journal.new_game(game.setup, "table")
            for sequence, decision in enumerate(game.decisions[:count], start=1):
                journal.append(number, sequence, decision)
        number = journal.new_game(patchwork_state.Setup(players=("Anna", "Gleb")), "table")
        journal.append(number, 1, patchwork_decisions.Advance(1))
    return path.parent


@pytest.fixture
def path(written: Path, tmp_path: Path) -> Path:
    """A journal of these games, all at one table."""
    return copytree(written, tmp_path / "table") / JOURNAL_NAME


def test_they_are_listed_with_all_players_and_scores(path: Path, game: History) -> None:
    patchworks, cut, finished = Archive(path, pages()).games()
    assert [it["game"] for it in (patchworks, cut, finished)] == ["patchwork", "kvilt", "kvilt"]
    assert finished["players"] == ["Anna", "Boris", "Vera"]
    assert finished["scores"] == [game.state.score(seat).total for seat in (1, 2, 3)]
    assert finished["winner"] == game.state.winners[0]
    assert (cut["finished"], cut["scores"], cut["decisions"]) == (False, None, 5)


def test_their_records_can_be_taken_away(path: Path, game: History) -> None:
    header, *lines = [json.loads(line) for line in Archive(path, pages()).record(1).splitlines()]
    assert header["game"] == "kvilt"
    assert len(lines) == len(game.decisions)


def test_a_game_is_told_decision_by_decision_and_how_it_ended(path: Path, game: History) -> None:
    told, cut = Archive(path, pages()).game(1), Archive(path, pages()).game(2)
    assert (told["game"], told["rounds"], len(told["decisions_list"])) == (
        "kvilt", game.state.round, len(game.decisions),
    )  # fmt: skip
    assert all(each["says"] or each["move"] in ("done", "decline", "fill") for each in told["decisions_list"][:6])
    assert told["result"]["winners"] == list(game.state.winners)
    assert cut["result"] is None
    russian = Archive(path, pages()).game(1, language=LANGUAGES["ru"])
    assert russian["result"]["says"] != told["result"]["says"]


def test_the_themes_of_the_sheets_are_told(path: Path) -> None:
    with Journal(path, codecs()) as journal:
        journal.note(1, "theme 2", "plants")
    archive = Archive(path, pages())
    assert archive.replay(1)["themes"] == archive.game(1)["themes"] == ["", "plants", ""]
    assert archive.replay(2)["themes"] == ["", "", ""]


def test_a_replay_s_marks_come_to_what_was_coloured(path: Path, game: History) -> None:
    replay = Archive(path, pages()).replay(1)
    assert (replay["game"], len(replay["states"])) == ("kvilt", len(game.decisions) + 1)
    assert replay["sheet"]["id"] == replay["sheet_id"] == game.setup.sheet.id
    assert [seat["name"] for seat in replay["seats"]] == ["Anna", "Boris", "Vera"]
    sheets: dict[int, dict[str, str]] = {1: {}, 2: {}, 3: {}}
    for number, state in enumerate(replay["states"]):
        assert state["number"] == number
        if state["seat"]:
            assert not sheets[state["seat"]].keys() & state["marks"].keys()
            sheets[state["seat"]].update(state["marks"])
    assert sheets == {seat: game.state.seat(seat).marks.regions(game.setup.sheet) for seat in (1, 2, 3)}
    last = replay["states"][-1]
    assert [seat["score"]["total"] for seat in last["seats"]] == [game.state.score(seat).total for seat in (1, 2, 3)]
    assert json.dumps(replay)


def test_a_sheet_of_somebody_s_own_is_not_drawn_from_another_layout(path: Path, game: History) -> None:
    other = replace(game.setup, sheet=replace(game.setup.sheet, id="mine"))
    with Journal(path, codecs()) as journal:
        number = journal.new_game(other, "table")
    replay = Archive(path, pages()).replay(number)
    assert (replay["sheet_id"], replay["sheet"]) == ("mine", None)


def test_tables_for_a_spreadsheet(path: Path, game: History) -> None:
    archive = Archive(path, pages())
    heading, *rows = csv.reader(io.StringIO(archive.decisions_csv(1)))
    assert heading == ["number", "round", "seat", "player", "move", "what", "score_1", "score_2", "score_3"]
    assert len(rows) == len(game.decisions)
    assert rows[-1][6:] == [str(game.state.score(seat).total) for seat in (1, 2, 3)]
    assert len(archive.games_csv(pages()["patchwork"]).splitlines()) == 2
    heading, row = csv.reader(io.StringIO(archive.games_csv(pages()["kvilt"])))
    assert dict(zip(heading, row, strict=True))["player_3"] == "Vera"
    assert dict(zip(heading, row, strict=True))["player_4"] == ""


def test_figures_that_only_patchwork_has_are_refused(path: Path) -> None:
    with pytest.raises(NoGameError, match="a game of kvilt"):
        Archive(path, pages()).one(1, pages()["patchwork"])


def test_finished_games_alone_are_counted(path: Path, game: History) -> None:
    (played,) = Archive(path, pages()).finished(pages()["kvilt"])
    assert (played.game_id, played.players, played.rounds) == (1, game.setup.players, game.state.round)
    assert played.winners == game.state.winners
    assert Archive(None, pages()).finished(pages()["kvilt"]) == []


def test_patchwork_goes_on_with_none_of_them_and_a_service_with_any(path: Path) -> None:
    assert {it["id"]: it["game"] for it in Archive(path, pages()).under_way("table")} == {3: "patchwork", 2: "kvilt"}
    with Journal(path, codecs()) as journal:
        journal.append(2, 6, play_game(own_setup(("Anna", "Boris", "Vera")), random.Random(4)).decisions[5])
        found = interrupted_game(journal, "table", "patchwork")
        of_kvilt, of_any = interrupted_game(journal, "table", "kvilt"), interrupted_game(journal, "table", None)
    assert found is not None
    assert of_kvilt is not None
    assert found.game_id == 3
    assert of_kvilt.game_id == 2
    assert of_any == of_kvilt


def test_all_who_have_played_are_known_by_name(path: Path) -> None:
    assert set(Archive(path, pages()).names()) == {"Anna", "Boris", "Vera", "Gleb"}
