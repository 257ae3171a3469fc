"""Buttons that are counted when the game has ended."""

from __future__ import annotations

import random

import pytest

from companion.games.patchwork.decisions import CountButtons
from companion.games.patchwork.facts import ButtonsCounted, GameEnded
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup, score


@pytest.fixture
def ended() -> History:
    rng, history = random.Random(3), History(Setup(players=("Anna", "Boris")))
    while not history.state.finished:
        history.apply(legal_decisions(history.state).pick(rng))
    return history


def test_a_count_replaces_the_computed_buttons(ended: History) -> None:
    before = ended.state
    booked = before.seat(1).buttons
    outcome = ended.apply(CountButtons(1, booked + 3))

    assert ended.state.seat(1).buttons == booked + 3
    assert score(ended.state.seat(1)) == score(before.seat(1)) + 3
    assert ended.state.seat(2) == before.seat(2)
    assert ended.state.finished
    assert ended.state.decisions_made == before.decisions_made + 1
    assert outcome.facts == (ButtonsCounted(1, booked + 3, booked), GameEnded(ended.state.winner or 0))


def test_a_count_may_decide_who_wins(ended: History) -> None:
    winner = ended.state.winner
    assert winner is not None
    lead = score(ended.state.seat(winner)) - score(ended.state.seat(3 - winner))
    ended.apply(CountButtons(3 - winner, ended.state.seat(3 - winner).buttons + lead + 1))
    assert ended.state.winner == 3 - winner


def test_a_count_is_taken_back(ended: History) -> None:
    before = ended.state
    ended.apply(CountButtons(2, 0))
    ended.undo()
    assert ended.state == before


def test_a_count_is_no_move_to_choose_from(ended: History) -> None:
    assert CountButtons(1, 5) not in legal_decisions(ended.state)
