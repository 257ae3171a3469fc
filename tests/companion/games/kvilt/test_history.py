"""Undo, the bag, and the list of legal decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.games.history import NothingToUndoError
from companion.games.kvilt.decisions import TakeToken
from companion.games.kvilt.errors import IllegalDecisionError
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.rules import History, new_game
from companion.games.kvilt.sheet import Marks
from companion.games.kvilt.state import Bag, State
from tests.companion.kvilt_setups import own_setup

Made = Callable[..., State]
Makes = Callable[..., Marks]


def test_a_history_goes_on_and_back() -> None:
    history = History(own_setup(first_seat=2))
    start = history.state
    history.apply(TakeToken(2, "red"))
    with pytest.raises(IllegalDecisionError):
        history.apply(TakeToken(1, "red"))
    assert history.decisions == (TakeToken(2, "red"),)
    assert (history.state_after(0), history.state_after(1)) == (start, history.state)
    with pytest.raises(IndexError):
        history.state_after(2)
    assert history.undo() == TakeToken(2, "red")
    assert history.state == start
    assert history.setup.first_seat == 2
    with pytest.raises(NothingToUndoError):
        history.undo()


def test_the_bag_draws_each_pencil_alike() -> None:
    state = replace(new_game(own_setup()), bag=(3, 1, 0, 0, 0, 0))
    drawn = Counter(Bag(7).draw(replace(state, decisions_made=number))[0] for number in range(2000))
    assert set(drawn) == {"red", "yellow"}
    assert 0.72 < drawn["red"] / 2000 < 0.78


def test_the_bag_draws_again_what_it_drew_and_never_more_than_it_holds() -> None:
    state = replace(new_game(own_setup()), bag=(1, 1, 0, 0, 0, 0))
    assert Bag(1).draw(state, 2) == Bag(1).draw(state, 2)
    assert sorted(Bag(1).draw(state, 3)) == ["red", "yellow"]
    many = {Bag(seed).draw(new_game(own_setup()), 3) for seed in range(20)}
    assert len(many) > 10


def test_listed_decisions_are_indexed(colouring: Made) -> None:
    listed = legal_decisions(colouring(hand=["red"]))
    assert [listed[index] for index in range(listed.count())] == list(listed)
    assert "red" not in listed
    with pytest.raises(IndexError):
        listed[listed.count()]
