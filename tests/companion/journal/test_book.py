"""Test the behaviour that all journals share, on disk and in memory."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.patchwork import (
    PATCHES,
    Advance,
    Decision,
    Edition,
    PlaceLeather,
    RuleProfile,
    Setup,
    TakePatch,
    placements,
)
from companion.journal import Book, JournalError, MemoryJournal
from companion.languages import LANGUAGES, render
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs

Keep = Callable[[Book, tuple[Decision, ...]], int]
CIRCLE = (*(patch for patch in PATCHES if patch != "domino"), "domino")


def test_a_new_book_is_empty(book: Book) -> None:
    assert book.games() == []
    assert book.unfinished() is None


@pytest.mark.parametrize(
    "setup",
    [
        Setup(),
        Setup(RuleProfile.MARKER_ON_TOP, Edition.REVISED, ('Zoë "Z"', "李"), 2, CIRCLE),
    ],
)
def test_a_setup_comes_back_as_it_was(book: Book, setup: Setup) -> None:
    assert book.setup(book.new_game(setup), PATCHWORK) == setup


def test_a_circle_that_is_learnt_before_the_first_decision_is_kept(book: Book) -> None:
    number = book.new_game(Setup(), "table")
    book.amend_setup(number, Setup(market=CIRCLE))
    assert book.setup(number, PATCHWORK) == Setup(market=CIRCLE)
    assert book.unfinished("table") is not None


def test_a_circle_that_is_learnt_later_must_agree_with_what_was_decided(book: Book) -> None:
    number = book.new_game(Setup())
    decisions: tuple[Decision, ...] = (Advance(1), TakePatch(2, CIRCLE[5], placements(CIRCLE[5])[0]))
    for sequence, decision in enumerate(decisions, start=1):
        book.append(number, sequence, decision)
    with pytest.raises(
        JournalError, match=f"game {number} is in progress and cannot have started like this: decision 2"
    ):
        book.amend_setup(number, Setup(market=CIRCLE))
    assert book.setup(number, PATCHWORK) == Setup()
    book.undo(number, 2)
    book.amend_setup(number, Setup(market=CIRCLE))
    assert book.setup(number, PATCHWORK).market == CIRCLE
    assert book.decisions(number, PATCHWORK) == (Advance(1),)


def test_decisions_come_back_in_order(book: Book, game: tuple[Decision, ...], keep: Keep) -> None:
    assert book.decisions(keep(book, game), PATCHWORK) == game


def test_games_do_not_mix(book: Book, game: tuple[Decision, ...], keep: Keep) -> None:
    first, second = keep(book, game[:3]), keep(book, game[:7])
    assert (first, second) == (1, 2)
    assert (book.decisions(first, PATCHWORK), book.decisions(second, PATCHWORK)) == (game[:3], game[:7])


@pytest.mark.parametrize("sequence", [-1, 0, 1, 2, 4, 5])
def test_a_repeated_or_skipped_number_is_refused(
    book: Book, game: tuple[Decision, ...], keep: Keep, sequence: int
) -> None:
    game_id = keep(book, game[:2])
    with pytest.raises(JournalError, match="decision 3 is next"):
        book.append(game_id, sequence, game[2])
    assert book.decisions(game_id, PATCHWORK) == game[:2]


def test_undo_takes_back_the_last_decision_alone(book: Book, game: tuple[Decision, ...], keep: Keep) -> None:
    game_id = keep(book, game[:4])
    for wrong in (0, 3, 5):
        with pytest.raises(JournalError, match="the last one is 4"):
            book.undo(game_id, wrong)
    book.undo(game_id, 4)
    book.undo(game_id, 3)
    assert book.decisions(game_id, PATCHWORK) == game[:2]
    book.append(game_id, 3, Advance(1))
    assert book.decisions(game_id, PATCHWORK) == (*game[:2], Advance(1))


def test_undo_reaches_the_very_start_and_stops_there(book: Book, game: tuple[Decision, ...], keep: Keep) -> None:
    game_id = keep(book, game[:1])
    book.undo(game_id, 1)
    assert book.decisions(game_id, PATCHWORK) == ()
    with pytest.raises(JournalError, match="no decision to undo"):
        book.undo(game_id, 0)


def test_the_last_decision_alone_is_replaced(book: Book, game: tuple[Decision, ...], keep: Keep) -> None:
    game_id = keep(book, game[:2])
    with pytest.raises(JournalError, match="the last one is 2"):
        book.replace(game_id, 1, Advance(1))
    book.replace(game_id, 2, Advance(1))
    book.append(game_id, 3, Advance(2))
    assert book.decisions(game_id, PATCHWORK) == (game[0], Advance(1), Advance(2))
    assert book.listed(game_id).decisions == 3


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.one_of(st.integers(0, 80), st.none()), max_size=25))
def test_any_row_of_decisions_and_undos_stands_as_a_stack_would(book: Book, steps: list[int | None]) -> None:
    game_id = book.new_game(Setup())
    stack: list[Decision] = []
    for cell in steps:
        if cell is not None:
            stack.append(PlaceLeather(1, 1 << cell))
            book.append(game_id, len(stack), stack[-1])
        elif stack:
            book.undo(game_id, len(stack))
            stack.pop()
    assert book.decisions(game_id, PATCHWORK) == tuple(stack)


def test_a_summary_tells_when_and_how_far(book: Book, game: tuple[Decision, ...], keep: Keep) -> None:
    keep(book, game[:2])
    (summary,) = book.games()
    assert (summary.game_id, summary.players, summary.decisions, summary.finished) == (1, Setup().players, 2, False)
    assert summary.started_at == datetime(2026, 1, 2, 19, 1, tzinfo=UTC)
    assert summary.last_at == datetime(2026, 1, 2, 19, 3, tzinfo=UTC)


def test_a_game_is_finished_when_the_rules_say_so(book: Book, game: tuple[Decision, ...], keep: Keep) -> None:
    whole, lacking_one = keep(book, game), keep(book, game[:-1])
    assert [summary.finished for summary in book.games()] == [True, False]
    unfinished = book.unfinished()
    assert unfinished is not None
    assert unfinished.game_id == lacking_one
    book.append(lacking_one, len(game), game[-1])
    assert book.unfinished() is None
    book.undo(whole, len(game))
    unfinished = book.unfinished()
    assert unfinished is not None
    assert unfinished.game_id == whole


def test_the_game_changed_last_is_the_one_to_resume(book: Book, game: tuple[Decision, ...]) -> None:
    first, second = book.new_game(Setup()), book.new_game(Setup())
    assert _unfinished(book) == second
    book.append(first, 1, game[0])
    assert _unfinished(book) == first


def test_a_game_is_resumed_at_its_own_table(book: Book) -> None:
    simulated, real = book.new_game(Setup(), "simulated"), book.new_game(Setup(), "picamera2")
    assert (_unfinished(book, "simulated"), _unfinished(book, "picamera2")) == (simulated, real)
    assert _unfinished(book, "wled") is None
    assert [summary.table for summary in book.games()] == ["simulated", "picamera2"]


def test_a_game_that_breaks_the_rules_is_listed_and_not_resumed(book: Book, game: tuple[Decision, ...]) -> None:
    sound, broken = book.new_game(Setup()), book.new_game(Setup())
    book.append(broken, 1, game[0])
    book.append(broken, 2, PlaceLeather(1, 1))
    assert _unfinished(book) == sound
    listed = book.games()[1]
    assert listed.error is not None
    assert listed.error.startswith("decision 2 does not follow from the rules")


def test_notes_are_kept_by_game_and_replaced_by_key(book: Book) -> None:
    first, second = book.new_game(Setup()), book.new_game(Setup())
    book.note(first, "seed", "7")
    book.note(first, "seed", "8")
    book.note(first, "temper", "hasty")
    assert book.notes(first) == {"seed": "8", "temper": "hasty"}
    assert book.notes(second) == {}


def test_a_game_that_is_not_there_is_named(book: Book, game: tuple[Decision, ...]) -> None:
    calls: list[Callable[[], object]] = [
        lambda: book.setup(9, PATCHWORK),
        lambda: book.decisions(9, PATCHWORK),
        lambda: book.append(9, 1, game[0]),
        lambda: book.undo(9, 1),
        lambda: book.note(9, "seed", "1"),
        lambda: book.notes(9),
    ]
    for call in calls:
        with pytest.raises(JournalError, match="there is no game 9") as caught:
            call()
        assert render(caught.value.args[0], LANGUAGES["ru"]) == "игры 9 нет; список покажет `companion games`"


def test_closing_twice_is_allowed(book: Book) -> None:
    book.close()
    book.close()


def _unfinished(book: Book, table: str | None = None) -> int | None:
    summary = book.unfinished(table)
    return None if summary is None else summary.game_id


def test_the_twin_gives_out_no_handle_on_its_notes() -> None:
    journal = MemoryJournal(codecs())
    game_id = journal.new_game(Setup())
    assert journal.notes(game_id) is not journal.notes(game_id)
