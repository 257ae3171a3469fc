"""Test what is printed of a game, at a terminal and into a log."""

import io
import random

import pytest
from rich.console import Console

from companion.config import Config
from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Advance, TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.languages import ENGLISH
from companion.patchwork.game import PATCHWORK
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reason
from companion.play.events import Asked, Complained, DecisionTaken, DecisionUndone, GameOpened, LookStarted
from companion.play.terminal import EventPrinter

CIRCLE = (*(patch for patch in PATCHES if patch != "domino"), "domino")
SETUP = Setup(players=("[bold]Anna", "Boris"), market=CIRCLE)
BAR = TakePatch(1, "bar3", mask_of(["A1", "B1", "C1"]))
COLUMNS = "A B C D E F G H I"
"""A line above each quilt, by which pictures are counted."""


def _taken(history: History, decision: TakePatch | Advance) -> DecisionTaken:
    outcome = history.apply(decision)
    return DecisionTaken(decision, tuple(outcome.facts), outcome.state)


@pytest.fixture
def console() -> Console:
    return Console(file=io.StringIO(), width=80, force_terminal=True, color_system="standard")


def _written(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_log_gets_the_sentences_alone(capsys: pytest.CaptureFixture[str]) -> None:
    history = History(SETUP)
    printer = EventPrinter(PATCHWORK.terminal, Config())
    for event in (GameOpened(7, history.state), LookStarted(history.state), _taken(history, BAR)):
        printer(event)
    assert capsys.readouterr().out.splitlines() == [
        "Game 7: [bold]Anna and Boris play. It is [bold]Anna’s turn.",
        "[bold]Anna takes the short bar at A1 B1 C1 for 2 buttons; 2 on the time track.",
        "It is Boris’s turn.",
    ]


def test_a_terminal_gets_both_quilts_whenever_one_of_them_changes(console: Console) -> None:
    history = History(SETUP)
    printer = EventPrinter(PATCHWORK.terminal, Config(), ENGLISH, console)
    printer(GameOpened(7, history.state))
    assert COLUMNS not in _written(console)
    printer(_taken(history, BAR))
    assert _written(console).count(COLUMNS) == 2
    printer(_taken(history, Advance(2)))
    assert _written(console).count(COLUMNS) == 2
    decision = legal_decisions(history.state).pick(random.Random(1))
    while not isinstance(decision, TakePatch):
        decision = legal_decisions(history.state).pick(random.Random(2))
    printer(_taken(history, decision))
    history.undo()
    printer(DecisionUndone(decision, history.state))
    assert _written(console).count(COLUMNS) == 6
    assert "[bold]Anna" in _written(console), "a name is no markup"


def test_a_resumed_game_begins_with_its_quilts(console: Console) -> None:
    history = History(SETUP)
    history.apply(BAR)
    printer = EventPrinter(PATCHWORK.terminal, Config(), ENGLISH, console)
    printer(GameOpened(7, history.state, history.decisions))
    assert _written(console).count(COLUMNS) == 2


def test_a_complaint_and_a_question_stand_out(console: Console) -> None:
    state = History(SETUP).state
    printer = EventPrinter(PATCHWORK.terminal, Config(), ENGLISH, console)
    printer(Complained(Complaint(Reason.OVERLAP, 1, ("D4",), "Two patches overlap at D4.", "f"), state))
    assert _written(console) == "\x1b[1;31mTwo patches overlap at D4.\x1b[0m\n"


def test_the_options_of_a_question_are_printed_only_for_a_user_who_answers(console: Console) -> None:
    state = History(SETUP).state
    question = Question(QuestionTopic.WHICH_PATCH, 1, (BAR, Advance(1)), (), "Which patch is it?", "f")
    for answering, expected in ((False, 1), (True, 3)):
        printer = EventPrinter(PATCHWORK.terminal, Config(), ENGLISH, console, answering=answering)
        printer(Asked(question, 0, state))
        printer(Asked(question, 1, state))
        assert _written(console).count("Which patch is it?") == expected
