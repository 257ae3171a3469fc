"""Games of Kvilt in a journal, beside those of Patchwork."""

from __future__ import annotations

import random

import pytest

from companion.games import kvilt
from companion.games.patchwork import Advance, Setup
from companion.journal import Book, JournalError, MemoryJournal
from companion.journal.book import utc_now
from companion.journal.summary import StoredGame
from companion.kvilt.codec import KVILT
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs
from tests.companion.kvilt_setups import own_setup

SETUP = own_setup(("Anna", "Boris", "Vera"), 2, variants=frozenset([kvilt.Variant.ALL_COUNTED]))


@pytest.fixture(scope="module")
def played() -> kvilt.History:
    return kvilt.play_game(SETUP, random.Random(3))


def stored_game(book: Book, game: kvilt.History, count: int | None = None) -> int:
    number = book.new_game(game.setup, "table")
    for sequence, decision in enumerate(game.decisions[:count], start=1):
        book.append(number, sequence, decision)
    return number


def test_a_game_comes_back_with_every_draw(book: Book, played: kvilt.History) -> None:
    number = stored_game(book, played)
    assert book.game(number) is KVILT
    assert book.setup(number, KVILT) == SETUP
    assert book.decisions(number, KVILT) == played.decisions
    (listed,) = book.games()
    assert (listed.game, listed.players, listed.finished, listed.error) == ("kvilt", SETUP.players, True, None)


def test_a_game_that_was_cut_off_is_found_among_its_own_kind(book: Book, played: kvilt.History) -> None:
    patchwork = book.new_game(Setup(), "table")
    assert book.unfinished("table", "kvilt") is None
    number = stored_game(book, played, 7)
    found = book.unfinished("table", "kvilt")
    assert found is not None
    assert (found.game_id, found.decisions) == (number, 7)
    found = book.unfinished("table", "patchwork")
    assert found is not None
    assert found.game_id == patchwork


def test_nothing_is_read_as_another_game_than_it_is(book: Book, played: kvilt.History) -> None:
    number, other = stored_game(book, played, 3), book.new_game(Setup())
    book.append(other, 1, Advance(1))
    with pytest.raises(JournalError, match="a game of kvilt, not of patchwork"):
        book.setup(number, PATCHWORK)
    with pytest.raises(JournalError, match="decision 1 cannot be read"):
        book.decisions(number, PATCHWORK)
    with pytest.raises(JournalError, match="a game of patchwork, not of kvilt"):
        book.setup(other, KVILT)
    assert book.game(other) is PATCHWORK


def test_a_decision_that_the_rules_forbid_is_found(book: Book, played: kvilt.History) -> None:
    number = book.new_game(played.setup)
    book.append(number, 1, played.decisions[1])
    (listed,) = book.games()
    assert listed.error is not None
    assert "decision 1 does not follow from the rules" in listed.error


@pytest.mark.parametrize("text", ['{"game": "chess"}', '{"game": 3}', '{"game": "kvilt"}', "[]", "{"])
def test_a_game_that_cannot_be_read_does_not_hide_the_others(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    book = MemoryJournal(codecs())
    number = book.new_game(SETUP)
    now = utc_now()
    monkeypatch.setattr(book, "stored", lambda game_id: StoredGame(game_id, "", now, now, text, ()))
    (listed,) = book.games()
    assert (listed.game_id, listed.players) == (number, None)
    assert listed.error is not None
