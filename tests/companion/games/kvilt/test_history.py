"""Undo, the bag, and regions as decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.games.kvilt import (
    AmbiguousDecisionError,
    Bag,
    ColourBackgrounds,
    ColourCell,
    ColourPatch,
    ColourThread,
    History,
    IllegalDecisionError,
    Marks,
    NothingToUndoError,
    Setup,
    State,
    Stitch,
    TakeToken,
    apply,
    legal_decisions,
    new_game,
    resolve,
)

Made = Callable[..., State]
Makes = Callable[..., Marks]


def test_a_history_goes_on_and_back() -> None:
    history = History(Setup(first_seat=2))
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
    state = replace(new_game(Setup()), bag=(3, 1, 0, 0, 0, 0))
    drawn = Counter(Bag(7).draw(replace(state, decisions_made=number))[0] for number in range(2000))
    assert set(drawn) == {"red", "yellow"}
    assert 0.72 < drawn["red"] / 2000 < 0.78


def test_the_bag_draws_again_what_it_drew_and_never_more_than_it_holds() -> None:
    state = replace(new_game(Setup()), bag=(1, 1, 0, 0, 0, 0))
    assert Bag(1).draw(state, 2) == Bag(1).draw(state, 2)
    assert sorted(Bag(1).draw(state, 3)) == ["red", "yellow"]
    many = {Bag(seed).draw(new_game(Setup()), 3) for seed in range(20)}
    assert len(many) > 10


def test_a_region_tells_the_decision(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({1: ("red", 1)}), ["red", "blue"])
    assert resolve(state, 1, "r1c2.picture") == ColourCell(1, "red", 1)
    assert resolve(state, 1, "r2c1.picture") == ColourCell(1, "blue", 2)
    assert resolve(state, 1, "p5", "red") == ColourPatch(1, "red", "p5")
    assert resolve(state, 1, "spool1.thread", "blue") == ColourThread(1, "blue")
    with pytest.raises(AmbiguousDecisionError) as caught:
        resolve(state, 1, "p5")
    assert caught.value.candidates == (ColourPatch(1, "red", "p5"), ColourPatch(1, "blue", "p5"))
    refused = [("r1c3.picture", None), ("r1c2.picture", "blue"), ("spool3.thread", None), ("nothing", None)]
    for region, colour in refused:
        with pytest.raises(IllegalDecisionError):
            resolve(state, 1, region, colour)


def test_a_region_tells_a_stitch_and_a_background(colouring: Made, marks: Makes) -> None:
    state = colouring(marks(parts={"e2a": 1}), ["red"])
    state = apply(state, ColourCell(1, "red", 1)).state
    assert resolve(state, 1, "e5.4") == Stitch(1, "e5.4")
    state = apply(state, resolve(state, 1, "e2a.2")).state
    assert resolve(state, 1, "r1c1.background") == ColourBackgrounds(1, ((1, 1),))


def test_listed_decisions_are_indexed(colouring: Made) -> None:
    listed = legal_decisions(colouring(hand=["red"]))
    assert [listed[index] for index in range(listed.count())] == list(listed)
    assert "red" not in listed
    with pytest.raises(IndexError):
        listed[listed.count()]
