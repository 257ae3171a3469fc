"""Test games of kinds that this companion does not have: kept, listed, and resumed once their kind is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork.state import Setup
from companion.journal import GameFilter, Journal, JournalError, MemoryJournal, Status
from companion.record import AnyCodec, ForeignGameError, Games
from companion.registry import codecs
from tests.companion.journal.conftest import unfinished
from tests.companion.record.pebbles import PEBBLES, Heap, Take

if TYPE_CHECKING:
    from pathlib import Path

MORE = Games((*codecs().own, PEBBLES), unnamed=codecs().unnamed)
HEAP = Heap(("Anna", "Boris"), 3)


def _played(book: Journal, *decisions: Take) -> int:
    number = book.new_game(HEAP, "table")
    for sequence, decision in enumerate(decisions, start=1):
        book.append(number, sequence, decision)
    return number


def test_a_game_of_any_kind_is_kept_and_summed_up() -> None:
    with MemoryJournal(MORE) as book:
        number, open_one = _played(book, Take(2), Take(1)), _played(book, Take(1))
        assert (book.game(number), book.setup(number, PEBBLES)) == (PEBBLES, HEAP)
        assert book.decisions(open_one, PEBBLES) == (Take(1),)
        (figures,) = book.figures(PEBBLES)
        assert figures.winner == "Boris"
        found = unfinished(book, "table", "pebbles")
        assert found is not None
        assert found.game_id == open_one
        with pytest.raises(
            JournalError, match="decision 2 does not follow from the rules: so many pebbles are not left"
        ):
            book.amend_setup(number, Heap(HEAP.players, 2))


def test_a_game_of_an_unknown_kind_is_listed_and_hides_no_other(path: Path) -> None:
    with Journal(path, MORE) as journal:
        journal.new_game(Setup())
        foreign = _played(journal, Take(1))
        journal.append(foreign, 2, Take(1))
    # A summary stored where the kind was known is used here too, unless the game has changed since.
    with Journal(path, codecs()) as journal:
        assert [game.game for game in journal.games()] == ["patchwork", "pebbles"]
        (broken,) = [game for game in journal.check() if game.error is not None]
        with pytest.raises(JournalError, match="the game 'pebbles' is not known here"):
            journal.game(foreign)
    assert (broken.game_id, broken.game, broken.players, broken.decisions) == (foreign, "pebbles", None, 2)
    assert broken.error == (
        "the game’s setup cannot be read: the game 'pebbles' is not known here; known: patchwork and kvilt"
    )


def test_a_game_is_gone_on_with_once_its_kind_is_known(path: Path) -> None:
    with Journal(path, MORE) as journal:
        foreign = _played(journal, Take(1))
    _outdate(path)
    for _ in range(2):
        with Journal(path, codecs()) as journal:
            (listed,) = journal.find(GameFilter(game="pebbles", status=Status.BROKEN))
            assert listed.game_id == foreign
            assert unfinished(journal, game="pebbles") is None
    with Journal(path, MORE, read_only=True) as journal:
        found = unfinished(journal, game="pebbles")
        assert found is not None
        assert found.game_id == foreign
    with Journal(path, MORE) as journal:
        journal.append(foreign, 2, Take(2))
        (figures,) = journal.figures(PEBBLES)
        assert figures.winner == "Boris"


def test_a_package_whose_game_is_broken_breaks_no_other_game(path: Path) -> None:
    def broken() -> list[AnyCodec]:
        raise ForeignGameError("the game pebbles of the package stones cannot be used")

    with Journal(path, MORE) as journal:
        number = journal.new_game(Setup())
        _played(journal)
    _outdate(path)
    with Journal(path, Games(codecs().own, codecs().unnamed, broken)) as journal:
        sound, foreign = journal.games()
        assert (sound.game_id, sound.error) == (number, None)
        assert foreign.error is not None
        assert "of the package stones cannot be used" in foreign.error


def _outdate(path: Path) -> None:
    """Remove the index, so that every game is summarised anew."""
    path.unlink()
