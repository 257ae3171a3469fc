"""Games of Kvilt among the others in the archive."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from companion.bootstrap.host import cut_off
from companion.games import patchwork
from companion.games.kvilt import History, Setup, play_game
from companion.journal import JOURNAL_NAME, Journal
from companion.web.archive import Archive, NoGameError


@pytest.fixture
def game() -> History:
    return play_game(Setup(("Anna", "Boris", "Vera")), random.Random(4))


@pytest.fixture
def path(tmp_path: Path, game: History) -> Path:
    """A finished game, one that was cut off, and one of Patchwork, all at one table."""
    path = tmp_path / JOURNAL_NAME
    with Journal(path) as journal:
        for count in (None, 5):
            number = journal.new_game(game.setup, "table")
            for sequence, decision in enumerate(game.decisions[:count], start=1):
                journal.append(number, sequence, decision)
        number = journal.new_game(patchwork.Setup(players=("Anna", "Gleb")), "table")
        journal.append(number, 1, patchwork.Advance(1))
    return path


def test_they_are_listed_with_all_players_and_scores(path: Path, game: History) -> None:
    patchworks, cut, finished = Archive(path).games()
    assert [it["game"] for it in (patchworks, cut, finished)] == ["patchwork", "kvilt", "kvilt"]
    assert finished["players"] == ["Anna", "Boris", "Vera"]
    assert finished["scores"] == [game.state.score(seat).total for seat in (1, 2, 3)]
    assert finished["winner"] == game.state.winners[0]
    assert (cut["finished"], cut["scores"], cut["decisions"]) == (False, None, 5)


def test_their_records_can_be_taken_away(path: Path, game: History) -> None:
    header, *lines = [json.loads(line) for line in Archive(path).record(1).splitlines()]
    assert header["game"] == "kvilt"
    assert len(lines) == len(game.decisions)


def test_what_only_patchwork_has_is_refused(path: Path) -> None:
    archive = Archive(path)
    for ask in (archive.game, archive.replay, archive.decisions_csv):
        with pytest.raises(NoGameError, match="one of kvilt"):
            ask(1)
    assert len(archive.games_csv().splitlines()) == 2


def test_patchwork_goes_on_with_none_of_them_and_a_service_with_any(path: Path) -> None:
    assert {it["id"]: it["game"] for it in Archive(path).under_way("table")} == {3: "patchwork", 2: "kvilt"}
    with Journal(path) as journal:
        journal.append(2, 6, play_game(Setup(("Anna", "Boris", "Vera")), random.Random(4)).decisions[5])
        found = cut_off(journal, "table")
        of_kvilt, of_any = cut_off(journal, "table", "kvilt"), cut_off(journal, "table", None)
    assert found is not None
    assert of_kvilt is not None
    assert found.game_id == 3
    assert of_kvilt.game_id == 2
    assert of_any == of_kvilt


def test_all_who_have_played_are_known_by_name(path: Path) -> None:
    assert set(Archive(path).names()) == {"Anna", "Boris", "Vera", "Gleb"}
