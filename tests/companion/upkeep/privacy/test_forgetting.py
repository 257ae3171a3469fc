"""Test deleting single games and a player's name: what must remain, and what must not."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from companion.errors import CompanionError
from companion.games.patchwork.decisions import Advance, PlaceLeather
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, SHEET_NOTE, Journal, JournalError, UnknownGameError, table_lock
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs
from companion.upkeep.privacy.keeping import (
    being_played,
    count_games_with,
    delete_game,
    files_of,
    forget_name,
)
from tests.companion.kvilt_setups import own_setup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from companion.games.patchwork.decisions import Decision

SETUPS = (
    Setup(players=("Zacharias", "Boris")),
    Setup(players=("Anna", "Zacharias")),
    own_setup(("Zacharias", "Boris", "Anna")),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Games at two tables, with pictures; 1 and 12 share a digit."""
    path = tmp_path / "data" / JOURNAL_NAME
    with Journal(path, codecs()) as journal:
        for setup in SETUPS:
            number = journal.new_game(setup, "table" if number_of(setup) == 2 else "desk", {"colours": "red blue"})
            if isinstance(setup, Setup):
                journal.append(number, 1, Advance(1))
                journal.amend_setup(number, setup)
    for name in ("pictures/1-1.jpg", "pictures/12-1.jpg", "profiles/1.npz", "profiles/1.circle.jpg", "profiles/2.npz"):
        (path.parent / name).parent.mkdir(exist_ok=True)
        (path.parent / name).write_bytes(b"picture")
    return path


def number_of(setup: object) -> int:
    return SETUPS.index(setup) + 1


@pytest.fixture(scope="module")
def whole() -> Sequence[Decision]:
    """A whole game with the setup of those of `path`."""
    rng, history = random.Random(2), History(SETUPS[1])
    history.apply(Advance(1))
    while not history.state.finished:
        history.apply(legal_decisions(history.state).pick(rng))
    return history.decisions


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal(path, codecs()) as journal:
        yield journal


def _anywhere(path: Path, text: str) -> list[str]:
    files = [each for each in path.parent.rglob("*") if each.is_file()]
    return [each.name for each in files if text.encode() in each.read_bytes()]


def test_a_deleted_game_is_gone_and_does_not_come_back_from_anywhere(path: Path) -> None:
    with Journal(path, codecs()) as journal:
        delete_game(journal, 1, ())
        delete_game(journal, 3, ())
        with pytest.raises(UnknownGameError):
            delete_game(journal, 1, ())
    assert files_of(path.parent, 1) == []
    assert b"decision" not in (path.parent / "games" / "1.log").read_bytes()
    assert (path.parent / "pictures" / "12-1.jpg").exists()
    assert _anywhere(path, "Boris") == [], "both games of Boris are deleted"
    with Journal(path, codecs()) as journal:
        assert journal.findings == []
        assert [game.game_id for game in journal.games()] == [2]
        assert journal.decisions(2, PATCHWORK) == (Advance(1),)
        assert journal.check()
        assert journal.new_game(SETUPS[0]) == 4, "no number is given twice"


def test_a_game_whose_log_cannot_be_written_stays(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: Path, __: bytes) -> Path:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("companion.journal.logs.write_beside", full)
        with pytest.raises(JournalError, match=r"1\.log: cannot be written"):
            delete_game(journal, 1, ())
    assert journal.decisions(1, PATCHWORK) == (Advance(1),)
    journal.append(1, 2, Advance(2))


def test_a_name_is_forgotten_and_the_games_stay(path: Path) -> None:
    with Journal(path, codecs()) as journal:
        before = [(game.game_id, game.decisions, game.changed) for game in journal.games()]
        assert count_games_with(journal, "Zacharias") == 3
        assert forget_name(journal, "Zacharias", ()) == 3
        assert forget_name(journal, "Zacharias", ()) == 0
        assert "Zacharias" not in journal.players()
    assert _anywhere(path, "Zacharias") == []
    with Journal(path, codecs()) as journal:
        assert journal.findings == []
        assert [game.players for game in journal.games()] == [
            ("Seat 1", "Boris"),
            ("Anna", "Seat 2"),
            ("Seat 1", "Boris", "Anna"),
        ]
        assert [(game.game_id, game.decisions, game.changed) for game in journal.games()] == before
        assert journal.notes(1) == {"colours": "red blue"}
        journal.append(2, 2, Advance(2))
        assert journal.check()


def test_a_name_in_a_game_that_cannot_be_replayed_is_forgotten_too(path: Path) -> None:
    with Journal(path, codecs()) as journal:
        journal.append(1, 2, PlaceLeather(1, 1))
        assert journal.listed(1).error is not None
        assert forget_name(journal, "Zacharias", ()) == 3
        assert journal.names(1) == ("Seat 1", "Boris")


def test_the_game_on_a_table_is_neither_deleted_nor_renamed(path: Path, journal: Journal) -> None:
    with table_lock(path.parent, "desk"):
        played = being_played(journal)
        assert played == {3}, "the game that was changed last there"
        assert being_played(journal, apart_from="desk") == set()
        with pytest.raises(CompanionError, match="game 3 is on a table now"):
            delete_game(journal, 3, played)
        with pytest.raises(CompanionError, match="game 3 is on a table now"):
            forget_name(journal, "Zacharias", played)
        assert count_games_with(journal, "Zacharias") == 3, "none of them"
        delete_game(journal, 1, played)
    assert being_played(journal) == set()


def test_a_game_whose_score_sheet_was_closed_is_on_no_table(
    path: Path, journal: Journal, whole: Sequence[Decision]
) -> None:
    for number, decision in enumerate(whole[1:], start=2):
        journal.append(2, number, decision)
    assert journal.listed(2).finished
    with table_lock(path.parent, "table"):
        assert being_played(journal) == {2}, "its last decision can be taken back"
        journal.note(2, SHEET_NOTE, "shown")
        assert being_played(journal) == set()
        delete_game(journal, 2, being_played(journal))


def test_figures_of_finished_games_are_out_of_date_once_a_name_is_forgotten(
    path: Path, journal: Journal, whole: Sequence[Decision]
) -> None:
    for number, decision in enumerate(whole[1:], start=2):
        journal.append(2, number, decision)
    before = journal.finished_mark()
    with Journal(path, codecs()) as other:
        forget_name(other, "Zacharias", ())
    assert journal.finished_mark() != before


def test_a_companion_that_plays_meanwhile_goes_on(path: Path, journal: Journal) -> None:
    with Journal(path, codecs()) as other:
        delete_game(other, 1, ())
        forget_name(other, "Zacharias", ())
    journal.append(2, 2, Advance(2))
    with pytest.raises(JournalError):
        journal.append(1, 2, Advance(2))
    assert journal.players()[0] == "Anna"
