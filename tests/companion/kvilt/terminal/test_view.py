"""Test the terminal view of an evening of Kvilt."""

from __future__ import annotations

import io
import random
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from companion.games.kvilt import History, Phase, Setup, load_layout, new_game, play_game
from companion.kvilt.choices import Choice, ChoiceTopic, LetGo, Option, SheetComplaint
from companion.kvilt.game import KVILT
from companion.kvilt.table import VirtualBag
from companion.kvilt.table.offering import choice_of
from companion.kvilt.terminal.view import KviltTerminalView
from companion.kvilt.words import sentences
from companion.languages import ENGLISH, LANGUAGES
from companion.play.events import Asked, Complained, DecisionTaken, GameOpened, LookStarted
from companion.terminal.viewing import PlainLines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.kvilt.codec import Event

NAMES = ("Anna", "Boris", "Vera", "Gleb")


def events_of(seats: int) -> Iterator[Event]:
    """Yield the events of a game up to the colouring of its fifth round."""
    game = play_game(Setup(NAMES[:seats]), random.Random(3))
    history = History(game.setup)
    yield GameOpened(4, history.state, 0)
    for decision in game.decisions:
        if history.state.round == 5 and history.state.phase is Phase.COLOURING:
            break
        outcome = history.apply(decision)
        yield DecisionTaken(decision, outcome.facts, outcome.state)
    choice = choice_of(history.state, (), VirtualBag(1))
    assert choice is not None
    yield Asked(choice, 0, history.state)
    yield Asked(choice, 1, history.state)


def text(view: KviltTerminalView, console: Console) -> str:
    with console.capture() as captured:
        console.print(view.picture(), height=31)
    return captured.get()


@pytest.fixture
def console() -> Console:
    return Console(width=100, height=32, file=io.StringIO(), color_system=None)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_sheets_pincushions_and_options_fit_a_terminal(console: Console, seats: int) -> None:
    view = KviltTerminalView(console, load_layout(), "http://localhost:8080/")
    events = list(events_of(seats))
    for event in events:
        view(event)
    view.strip([(255, 0, 0)] * 60)
    shown = text(view, console)
    state = events[-1].state
    for seat, name in enumerate(NAMES[:seats], start=1):
        assert name in shown
        assert f"{ENGLISH.number(state.score(seat).total)} points" in shown
    assert f"round {state.round}" in shown
    assert f"in the bag: {sum(state.bag)}" in shown
    assert "› the bag is needed" in shown
    assert "game 4" in shown
    assert "█" * 40 in shown
    assert all(len(line) <= 100 for line in shown.splitlines())
    # The newest sentence is visible, however many precede it.
    assert f"› {sentences(events[-3])[-1]}" in shown


def test_the_option_on_display_is_visible_however_many_precede_it(console: Console) -> None:
    view = KviltTerminalView(console, load_layout())
    state = new_game(Setup(NAMES[:2]))
    options = tuple(Option("rows", LetGo(), f"pair {number}") for number in range(1, 11))
    for shown, expected in ((0, range(1, 8)), (6, range(1, 8)), (7, range(2, 9)), (9, range(4, 11))):
        view(Asked(Choice(ChoiceTopic.ROWS, 1, options, "Which rows?"), shown, state))
        lines = text(view, console)
        assert [number for number in range(1, 11) if f"pair {number} " in lines] == list(expected)
        assert f"› pair {shown + 1} " in lines


def test_a_look_and_a_complaint_are_shown(console: Console) -> None:
    view = KviltTerminalView(console, load_layout())
    *_, last = events_of(2)
    view(last)
    view(LookStarted(last.state))
    assert "The camera looks at the sheet." in text(view, console)
    view(Complained(SheetComplaint(("unseen",), 1, (), "No sheet is seen.", ""), last.state))
    shown = text(view, console)
    assert "› No sheet is seen." in shown
    assert "The camera looks" not in shown


def test_it_speaks_the_language_of_who_sits_there(console: Console) -> None:
    view = KviltTerminalView(console, load_layout(), language=LANGUAGES["ru"])
    for event in events_of(2):
        view(event)
    assert "Игольницы" in text(view, console)


def test_it_takes_the_screen_and_gives_it_back() -> None:
    stream = io.StringIO()
    console = Console(width=100, height=32, file=stream, force_terminal=True)
    opened, *_, asked = events_of(2)
    with KviltTerminalView(console, load_layout()) as view:
        for event in (opened, asked):
            view(event)
    assert "\x1b[?1049h" in stream.getvalue()
    assert "\x1b[?1049l" in stream.getvalue()
    assert "Boris" in stream.getvalue().partition("\x1b[?1049l")[2]


def test_a_log_has_a_line_a_sentence_and_none_for_what_is_merely_on_display() -> None:
    stream = io.StringIO()
    with PlainLines(stream, KVILT.terminal.lines) as view:
        for event in events_of(2):
            view(event)
    lines = stream.getvalue().splitlines()
    assert lines[0] == "Game 4: Anna and Boris play Kvilt."
    assert lines[-1].endswith("then places the sheet under the camera.")
    assert not any(line.startswith("Showing") for line in lines)
