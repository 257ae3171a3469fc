"""Test that moves wait for the table in the order of their arrival."""

from __future__ import annotations

import pytest

from hardware.simulated.virtual.box import MoveBox, MoveRefusedError
from hardware.simulated.virtual.moves import Forget, Lift, Move


def test_moves_are_taken_in_order_and_once() -> None:
    box: MoveBox[Move] = MoveBox()
    box.put(Lift(1))
    box.put(Forget(1, 2.0, 3.0))

    assert [move for move, _ in box.take()] == [Lift(1), Forget(1, 2.0, 3.0)]
    assert box.take() == []


def test_who_has_sent_a_move_hears_of_it_after_the_table_is_shown() -> None:
    box: MoveBox[Move] = MoveBox()
    done, refused = box.put(Lift(1)), box.put(Lift(2))
    begun: list[Move] = []

    def begin(move: Move) -> None:
        if move == Lift(2):
            raise MoveRefusedError("nothing lies there")
        begun.append(move)

    def show() -> None:
        assert begun == [Lift(1)]
        assert not done.done()
        assert not refused.done()

    box.carry_out(begin, show)

    assert done.result(0) is None
    with pytest.raises(MoveRefusedError, match="nothing lies there"):
        refused.result(0)


def test_nobody_moves_for_who_has_gone() -> None:
    box: MoveBox[Move] = MoveBox()
    box.put(Lift(1)).cancel()

    assert box.take() == []


def test_a_full_box_refuses_and_so_does_a_closed_one() -> None:
    box: MoveBox[Move] = MoveBox()
    waiting = [box.put(Lift(number)) for number in range(32)]

    with pytest.raises(MoveRefusedError, match="hands are busy"):
        box.put(Lift(99)).result(0)
    box.close()
    for outcome in (*waiting, box.put(Lift(100))):
        with pytest.raises(MoveRefusedError, match="no longer a table"):
            outcome.result(0)
    assert box.take() == []
