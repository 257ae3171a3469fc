from __future__ import annotations

import io
import random
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from companion.games.patchwork import PATCHES, Advance, History, Setup, TakePatch, legal_decisions, mask_of, new_game
from companion.patchwork.game import PATCHWORK
from companion.patchwork.naming import patch_name
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reason
from companion.patchwork.terminal.pictures import LEATHER, PRINTS, UNKNOWN
from companion.patchwork.terminal.view import TerminalView
from companion.play.events import (
    Asked,
    Complained,
    DecisionForeseen,
    DecisionTaken,
    DecisionUndone,
    Event,
    GameOpened,
    LookCalledOff,
    LookStarted,
)
from companion.terminal.viewing import PlainLines

if TYPE_CHECKING:
    from collections.abc import Iterable

CIRCLE = (*(patch for patch in PATCHES if patch != "domino"), "domino")
SETUP = Setup(players=("Anna", "Boris"), market=CIRCLE)
START = new_game(SETUP)
BAR = TakePatch(1, "bar3", mask_of(["A1", "B1", "C1"]))


def _taken_event(history: History, decision: object = BAR) -> DecisionTaken:
    assert isinstance(decision, TakePatch | Advance)
    outcome = history.apply(decision)
    return DecisionTaken(decision, tuple(outcome.facts), outcome.state)


def _game(seed: int) -> Iterable[Event]:
    """Yield all events of a random game."""
    history, rng = History(SETUP), random.Random(seed)
    yield GameOpened(7, history.state, 0)
    while not history.state.finished:
        decision = legal_decisions(history.state).pick(rng)
        outcome = history.apply(decision)
        yield LookStarted(outcome.state)
        yield DecisionTaken(decision, tuple(outcome.facts), outcome.state)


def _console(width: int = 100, height: int = 32) -> Console:
    return Console(file=io.StringIO(), width=width, height=height, force_terminal=True, color_system="truecolor")


def _shown(view: TerminalView, width: int = 100, height: int = 32) -> list[str]:
    """Return the picture's lines without colour."""
    plain = Console(file=io.StringIO(), width=width, height=height, color_system=None)
    with plain.capture() as captured:
        plain.print(view.picture(), height=height)
    return captured.get().splitlines()


def _text(view: TerminalView, width: int = 100, height: int = 32) -> str:
    return "\n".join(_shown(view, width, height))


@pytest.mark.parametrize(("width", "height"), [(100, 32), (80, 24), (140, 50), (92, 30)])
def test_the_picture_fills_the_terminal_and_no_more(width: int, height: int) -> None:
    view = TerminalView(_console(width, height))
    view.strip([(9, 9, 9)] * 60)
    for event in _game(4):
        view(event)
        if event.state.decisions_made % 6 == 0 or event.state.finished:
            lines = _shown(view, width, height)
            assert len(lines) == height
            assert max(map(len, lines)) <= width
            text = "\n".join(lines)
            assert all(word in text for word in ("Anna", "Boris", "A B C D E F G H I", "Time track", "█" * 60))


@pytest.mark.parametrize(("width", "height"), [(100, 32), (80, 24)])
def test_every_offer_fits_between_the_quilts(width: int, height: int) -> None:
    for index in range(0, 30, 3):
        circle = CIRCLE[index:-1] + CIRCLE[:index] + CIRCLE[-1:]
        view = TerminalView(_console(width, height))
        view(GameOpened(1, new_game(Setup(market=circle)), 0))
        text = _text(view, width, height)
        assert text.count("income ") >= 3
        assert all(patch_name(patch)[:9] in text for patch in circle[:3])


@pytest.mark.parametrize(("width", "height"), [(20, 5), (40, 12), (5, 40)])
def test_a_tiny_terminal_is_no_error(width: int, height: int) -> None:
    view = TerminalView(_console(width, height))
    for event in _game(4):
        view(event)
        view.strip([(9, 9, 9)] * 60)
    assert len(_shown(view, width, height)) == height


def test_a_patch_that_was_taken_shows_its_print_and_one_taken_back_does_not() -> None:
    history = History(SETUP)
    view = TerminalView(_console())
    view(GameOpened(1, history.state, 0))
    view(_taken_event(history))
    assert PRINTS["bar3"].weave * 3 in _shown(view)[8]
    history.undo()
    view(DecisionUndone(BAR, history.state))
    assert "1 · · · · · · · · ·" in _shown(view)[8]


def test_a_game_that_goes_on_shows_what_it_was_told_of() -> None:
    history = History(SETUP)
    history.apply(BAR)
    view = TerminalView(_console())
    view.remember(history.decisions)
    view(GameOpened(1, history.state, 1))
    assert PRINTS["bar3"].weave * 3 in _shown(view)[8]
    forgetful = TerminalView(_console())
    forgetful(GameOpened(1, history.state, 1))
    assert UNKNOWN.weave * 3 in _shown(forgetful)[8]


def test_a_new_game_begins_with_empty_quilts() -> None:
    history = History(SETUP)
    view = TerminalView(_console())
    view(_taken_event(history))
    view(GameOpened(2, START, 0))
    again = History(SETUP)
    view(_taken_event(again, TakePatch(1, "corner-b1", mask_of(["A1", "A2", "B2"]))))
    assert PRINTS["bar3"].weave not in _shown(view)[8]


def test_leather_is_drawn_as_leather() -> None:
    view = TerminalView(_console())
    for event in _game(4):
        view(event)
    assert LEATHER.weave in _text(view)


def test_whose_turn_it_is_stands_in_the_frame() -> None:
    view = TerminalView(_console())
    view(GameOpened(1, START, 0))
    assert "▶ ◎ Anna" in _text(view)
    assert "▶ ✸ Boris" not in _text(view)
    assert "Anna: buy, or advance for 1 button" in _text(view)


def test_what_the_companion_does_stands_in_the_frame_until_it_is_done() -> None:
    view = TerminalView(_console())
    view(GameOpened(1, START, 0))
    view(LookStarted(START))
    assert "looking at the table" in _text(view)
    view(LookCalledOff(START))
    assert "looking at the table" not in _text(view)
    assert "The look was cancelled." in _text(view)


@pytest.mark.parametrize(("width", "height"), [(100, 32), (80, 24)])
def test_the_newest_sentence_is_whole_and_first(width: int, height: int) -> None:
    complaint = Complaint(Reason.OVERLAP, 1, ("D4",), "Two patches overlap at D4: move one, then press confirm.", "f")
    question = Question(QuestionTopic.WHICH_PATCH, 1, (BAR, Advance(1)), (), "Which patch is it?", "f")
    view = TerminalView(_console(width, height))
    for event in _game(4):
        view(event)
    view(Complained(complaint, START))
    assert f"› {complaint.says}" in _text(view, width, height)
    view(Asked(question, 0, START))
    text = " ".join(_text(view, width, height).replace("│", " ").split())
    assert "› Which patch is it? Showing 1 of 2: Anna takes the short bar at A1 B1 C1." in text
    assert "undo for none." in text


def test_an_unknown_circle_is_told() -> None:
    view = TerminalView(_console())
    view(GameOpened(1, new_game(Setup()), 0))
    assert "Any of the 33 patches left" in _text(view)


def test_leather_to_be_placed_is_told() -> None:
    view = TerminalView(_console())
    told = []
    for event in _game(4):
        view(event)
        if event.state.leather_due:
            told.append("sews a leather patch" in _text(view))
    assert told
    assert all(told)


def test_the_final_score_names_the_winner() -> None:
    view = TerminalView(_console())
    for event in _game(4):
        view(event)
    text = _text(view)
    assert "Final score" in text
    assert text.count("wins") == 2, "in the table and in the news"


def test_brackets_in_a_name_are_no_markup() -> None:
    view = TerminalView(_console())
    view(GameOpened(1, new_game(Setup(players=("[bold]A", "B[/]"))), 0))
    text = _text(view)
    assert "[bold]A" in text
    assert "B[/]" in text


def test_a_long_name_is_shortened() -> None:
    view = TerminalView(_console(80, 24))
    view(GameOpened(1, new_game(Setup(players=("A" * 40, "B" * 40))), 0))
    lines = _shown(view, 80, 24)
    assert max(map(len, lines)) <= 80
    assert "A B C D E F G H I" in lines[6]


def test_nothing_is_drawn_before_the_game_is_opened() -> None:
    console = _console()
    with TerminalView(console) as view:
        view.strip([(1, 2, 3)] * 8)
    assert view.picture() == ""


def test_the_terminal_is_given_back_and_the_last_picture_stays() -> None:
    console = _console()
    stream = console.file
    assert isinstance(stream, io.StringIO)
    with pytest.raises(ZeroDivisionError):
        _fail_in_the_middle(console)
    written = stream.getvalue()
    assert written.startswith("\x1b[?1049h")
    before, _, after = written.rpartition("\x1b[?1049l")
    assert "Quilt Companion" in before
    assert "Quilt Companion" in after
    assert "\x1b[?25h" in written, "the cursor is back"


def _fail_in_the_middle(console: Console) -> None:
    with TerminalView(console) as view:
        view(GameOpened(7, START, 0))
        raise ZeroDivisionError


def test_an_unchanged_strip_draws_nothing() -> None:
    console = _console()
    stream = console.file
    assert isinstance(stream, io.StringIO)
    with TerminalView(console) as view:
        view(GameOpened(7, START, 0))
        view.strip([(1, 2, 3)] * 8)
        written = len(stream.getvalue())
        view.strip([(1, 2, 3)] * 8)
        assert len(stream.getvalue()) == written
        view.strip([(200, 2, 3)] * 8)
        assert len(stream.getvalue()) > written


def test_plain_lines_are_the_sentences_and_are_there_at_once() -> None:
    class Log(io.StringIO):
        flushed = ""

        def flush(self) -> None:
            self.flushed = self.getvalue()

    log = Log()
    with PlainLines(log, PATCHWORK.terminal.lines) as view:
        view.remember([BAR])
        view(GameOpened(7, START, 0))
        view.strip([(1, 2, 3)])
        view(LookStarted(START))
        view(_taken_event(History(SETUP)))
        assert log.flushed.splitlines() == [
            "Game 7: Anna and Boris play. It is Anna’s turn.",
            "Anna takes the short bar at A1 B1 C1 for 2 buttons; 2 on the time track.",
            "It is Boris’s turn.",
        ]


def test_the_last_picture_leaves_a_line_for_the_prompt() -> None:
    console = _console(80, 24)
    with TerminalView(console) as view:
        view(GameOpened(7, START, 0))
    stream = console.file
    assert isinstance(stream, io.StringIO)
    assert stream.getvalue().rpartition("\x1b[?1049l")[2].count("\n") == 23


def test_what_is_foreseen_says_how_to_stop_it_until_it_is_taken() -> None:
    history = History(SETUP)
    view = TerminalView(_console())
    view(GameOpened(1, history.state, 0))
    view(DecisionForeseen(BAR, 2.0, 9.0, history.state))
    assert "News · undo stops it" in _text(view)
    assert "In 2 s: Anna takes the short bar at A1 B1 C1. Lift it off, or press undo, to stop it." in _text(view)
    view(_taken_event(history))
    assert "undo stops it" not in _text(view).split("News")[1].split("─")[0]
