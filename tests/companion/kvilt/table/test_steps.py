"""Test undo: it takes back as many decisions as the last press made."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from companion.games.kvilt.decisions import FillNeutral, PlacePencil, TakeCushion
from companion.games.kvilt.rules import History
from companion.kvilt.table.looks import last_step
from companion.kvilt.table.offering import AnyBag, RealBag, VirtualBag
from companion.play.events import DecisionUndone, TableNoticed
from hardware.ports import Button
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup

if TYPE_CHECKING:
    from collections.abc import Callable

Room = Any


@pytest.mark.parametrize(("bag", "count"), [(VirtualBag(5), 2), (RealBag(), 1)])
def test_the_neutral_pincushion_is_emptied_with_the_take_that_had_it_filled_by_itself(
    new_room: Callable[..., Room], shared_lines: list[dict[str, Any]], bag: AnyBag, count: int
) -> None:
    history = new_room(bag=bag).play(*shared_lines).table.history
    assert isinstance(history.decisions[-1], FillNeutral)
    assert last_step(history, bag) == count


def test_a_pencil_placed_after_a_cushion_was_taken_is_a_step_of_its_own() -> None:
    game = play_game(own_setup(("Anna", "Boris")), random.Random(4))
    history = History(game.setup)
    for decision in game.decisions:
        history.apply(decision)
        if isinstance(decision, PlacePencil):
            assert last_step(history, VirtualBag(5)) == 1
    pairs = pairwise(map(type, game.decisions))
    assert (TakeCushion, PlacePencil) in pairs


def test_after_the_end_confirm_says_so_and_undo_goes_back(new_room: Callable[..., Room]) -> None:
    game = play_game(own_setup(("Anna", "Boris")), random.Random(4))
    begun = new_room(game.setup)
    for number, decision in enumerate(game.decisions, start=1):
        begun.book.append(begun.number, number, decision)
    room = new_room(bag=VirtualBag(5), book=begun.book, game_id=begun.number)
    assert room.table.pending.question is None
    room.press(Button.CONFIRM)
    assert "The game has ended" in next(event.says for event in room.events if isinstance(event, TableNoticed))
    assert room.table.history.decisions == game.decisions
    room.press(Button.UNDO)
    assert isinstance(room.events[-2], DecisionUndone)
    assert room.table.history.decisions != game.decisions
