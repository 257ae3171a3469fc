"""Test the places of laid pieces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.components import PATCHES, orientations, quarter_turned
from hardware.simulated.conditions import normal
from hardware.simulated.scene.placing import piece_shape, turned_to
from hardware.simulated.virtual.moves import Circumstances, Forget, Lift, Move, Place
from hardware.simulated.virtual.table import MoveBox, MoveRefusedError


def test_moves_are_taken_in_order_and_once() -> None:
    box: MoveBox[Move] = MoveBox()
    box.put(Lift(1))
    box.put(Forget(1, 2.0, 3.0))

    assert [move for move, _ in box.take()] == [Lift(1), Forget(1, 2.0, 3.0)]
    assert box.take() == []


def test_a_move_is_answered_after_the_table_is_published() -> None:
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


@given(st.sampled_from(sorted(PATCHES)), st.integers(0, 3), st.booleans(), st.integers(0, 4), st.integers(0, 4))
def test_a_piece_covers_its_shape_round_its_middle(
    name: str, quarters: int, flipped: bool, top: int, left: int
) -> None:
    shape = quarter_turned(piece_shape(name, flipped), quarters)
    high, wide = 1 + max(row for row, _ in shape), 1 + max(column for _, column in shape)

    cells = Place(1, left + wide / 2, top + high / 2, quarters, flipped).cells(name)

    assert cells == tuple(sorted((top + row, left + column) for row, column in shape))
    turned_to(name, cells)  # It has the patch's shape, or this raises.


@given(st.sampled_from(sorted(PATCHES)), st.floats(-0.49, 0.49), st.floats(-0.49, 0.49))
def test_a_piece_goes_to_the_nearest_squares(name: str, dx: float, dy: float) -> None:
    high, wide = (1 + max(cell[axis] for cell in PATCHES[name].cells) for axis in (0, 1))

    assert Place(1, wide / 2 + dx, high / 2 + dy).cells(name) == tuple(sorted(PATCHES[name].cells))


@given(st.sampled_from(sorted(PATCHES)))
def test_turning_and_flipping_gives_the_orientations_of_the_rules(name: str) -> None:
    ways = {
        sum(1 << row * SIDE + column for row, column in quarter_turned(piece_shape(name, flipped), quarters))
        for flipped in (False, True)
        for quarters in range(4)
    }

    assert ways == {way.mask for way in orientations(name)}


def test_four_quarters_are_a_whole_turn() -> None:
    shape = piece_shape("hook-t2", flipped=False)

    assert quarter_turned(shape, 4) == quarter_turned(shape, 0) == tuple(sorted(shape))
    assert quarter_turned(shape, 1) != quarter_turned(shape, 0)


def test_circumstances_change_what_they_name_and_nothing_else() -> None:
    before = normal()
    harsh = Circumstances(exposure=0.4, gradient=0.6, hard_shadow=0.5, offset_mm=3.0, rotation_deg=2.0)

    after = harsh.on(before)

    assert Circumstances.of(after) == harsh
    assert Circumstances.of(before).on(after) == before
