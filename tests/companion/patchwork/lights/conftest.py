"""States and events from a whole random game."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from companion.games.patchwork.decisions import Advance
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History, new_game
from companion.games.patchwork.state import Setup, State
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reason
from companion.play.events import Asked, Complained, DecisionTaken, Event

Told = Callable[..., Event]


@pytest.fixture(scope="session")
def taken() -> tuple[DecisionTaken, ...]:
    """Every decision of a random game as its event."""
    history, rng, events = History(Setup()), random.Random(11), []
    while not history.state.finished:
        decision = legal_decisions(history.state).pick(rng)
        outcome = history.apply(decision)
        events.append(DecisionTaken(decision, tuple(outcome.facts), outcome.state))
    return tuple(events)


@pytest.fixture
def start() -> State:
    return new_game(Setup())


@pytest.fixture
def complained() -> Callable[[State, int], Complained]:
    """A function that returns a complaint to a seat."""
    return lambda state, seat: Complained(Complaint(Reason.OVERLAP, seat, ("D4",), "overlap", "f"), state)


@pytest.fixture
def asked() -> Callable[[State, int, int], Asked]:
    """A function that returns a question with a number of options, one of which is displayed."""

    def asked(state: State, options: int, choice: int) -> Asked:
        question = Question(QuestionTopic.CELLS, 1, tuple(Advance(1) for _ in range(options)), ("C4",), "?", "f")
        return Asked(question, choice, state)

    return asked
