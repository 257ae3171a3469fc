"""Test a table whose pieces are moved by hand on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Advance, PlaceLeather, TakePatch
from hardware.ports import Button
from hardware.simulated.evening import SimulatedEvening
from hardware.simulated.people.gestures import Accepted, Complaint, Proposed, Undone
from hardware.simulated.virtual.evening import LINGER_S, VirtualEvening
from hardware.simulated.virtual.moves import (
    Bump,
    Bumped,
    Circumstances,
    Forget,
    Lay,
    Lift,
    Move,
    Piece,
    Place,
    Shift,
    Tabletop,
    Turn,
)
from hardware.simulated.virtual.table import MoveBox, MoveRefusedError

if TYPE_CHECKING:
    from concurrent.futures import Future

CALM = Circumstances(exposure=1.0, gradient=0.18, hard_shadow=0.0, offset_mm=0.0, rotation_deg=0.0, arms=False)


class Sitting:
    """An evening and the moves at it."""

    def __init__(self, seed: int = 4, **more: Any) -> None:
        self.box: MoveBox[Move] = MoveBox()
        self.told = list[Tabletop]()
        self.evening = VirtualEvening(seed, self.box, publish=self.told.append, **more)

    def frames(self, count: int) -> None:
        """Advance by a number of frames without drawing them."""
        for _ in range(count):
            self.evening.clock.sleep(0.2)
            self.evening.step(self.evening.clock.now())

    def do(self, move: Move, frames: int = 20) -> Future[None]:
        """Make a move and wait until hands are away."""
        outcome = self.box.put(move)
        self.frames(frames)
        return outcome

    def calm(self) -> Sitting:
        """Make hands accurate and quick."""
        self.do(CALM, 1)
        return self

    @property
    def top(self) -> Tabletop:
        """The latest state of the tabletop."""
        return self.told[-1]

    def piece(self, name: str) -> Piece:
        """Return the piece of a name on the boards."""
        (piece,) = (piece for piece in self.top.pieces if piece.name == name)
        return piece


def covered(sitting: Sitting, seat: int) -> int:
    """Return the mask of a seat's covered cells."""
    rows = "".join(sitting.evening.table.quilts()[seat - 1])
    return sum(1 << bit for bit, mark in enumerate(rows) if mark == "X")


def test_the_seed_chooses_the_table_and_circle_of_the_simulated_evening() -> None:
    assert Sitting(7).evening.setup == SimulatedEvening(7).setup
    assert Sitting(7).evening.setup.market != Sitting(8).evening.setup.market


def test_a_patch_is_laid_turned_and_flipped_as_it_was_asked_for() -> None:
    sitting = Sitting()
    # A foot of three squares with a toe up at its left end: flipped the toe is at the right, turned it points right.
    sitting.do(Lay("hook-t2", Place(1, 1.0, 1.5, 1, flipped=True)))

    piece = sitting.piece("hook-t2")

    assert covered(sitting, 1) == mask_of(["A1", "A2", "A3", "B3"])
    assert sum(1 << row * 9 + column for row, column in piece.cells) == covered(sitting, 1)
    assert "hook-t2" not in sitting.top.circle
    assert piece.flipped
    assert round(piece.angle_deg / 90) == 1
    assert 0 < abs(piece.x_cells - 1.0) < 0.3


def test_an_arm_comes_before_the_patch_lies_and_leaves_it() -> None:
    sitting = Sitting(fps=5.0)
    outcome = sitting.box.put(Lay("square", Place(2, 4.0, 4.0)))
    seen = []
    for _ in range(14):
        sitting.frames(1)
        seen.append((bool(sitting.evening.table.hands), covered(sitting, 2) > 0, sitting.piece("square").in_hand))

    assert outcome.result(0) is None
    assert seen[0] == (True, False, True)
    assert (True, True, True) in seen
    assert seen[-1] == (False, True, False)


def test_without_arms_patches_jump() -> None:
    sitting = Sitting().calm()
    sitting.do(Lay("square", Place(2, 4.0, 4.0)), 1)

    assert sitting.evening.table.hands == ()
    assert sitting.piece("square").cells == ((3, 3), (3, 4), (4, 3), (4, 4))


@pytest.mark.parametrize("arms", [True, False])
def test_a_patch_is_shifted_to_the_other_board_and_lifted_into_the_circle(arms: bool) -> None:
    sitting = Sitting()
    if not arms:
        sitting.calm()
    sitting.do(Lay("bar4", Place(1, 2.0, 0.5)))
    number = sitting.piece("bar4").number

    sitting.do(Shift(number, Place(2, 0.5, 2.0, 1)), 30)
    assert (covered(sitting, 1), covered(sitting, 2)) == (0, mask_of(["A1", "A2", "A3", "A4"]))
    assert sitting.piece("bar4").number == number

    sitting.do(Lift(number))
    assert covered(sitting, 2) == 0
    assert sitting.top.pieces == ()
    assert "bar4" in sitting.top.circle
    assert sitting.evening.table.circle == set(sitting.evening.table.market)


def test_a_patch_may_be_laid_back_over_its_own_squares() -> None:
    sitting = Sitting().calm()
    sitting.do(Lay("square", Place(1, 4.0, 4.0)), 1)
    sitting.do(Shift(sitting.piece("square").number, Place(1, 5.0, 4.0)), 1)

    assert sitting.piece("square").cells == ((3, 4), (3, 5), (4, 4), (4, 5))


def test_a_patch_is_turned_where_it_lies_and_stays_on_the_board() -> None:
    sitting = Sitting().calm()
    sitting.do(Lay("bar5", Place(1, 2.5, 0.5)), 1)
    number = sitting.piece("bar5").number

    sitting.do(Turn(number, 1), 1)

    assert {row for row, _ in sitting.piece("bar5").cells} == {0, 1, 2, 3, 4}
    assert len({column for _, column in sitting.piece("bar5").cells}) == 1


def test_flipping_mirrors_what_is_seen_however_it_was_turned() -> None:
    sitting = Sitting().calm()
    sitting.do(Lay("hook-t2", Place(1, 4.5, 4.0, 1)), 1)
    before = sitting.piece("hook-t2").cells

    sitting.do(Turn(sitting.piece("hook-t2").number, 0, flip=True), 1)

    columns = [column for _, column in before]
    mirrored = sorted((row, min(columns) + max(columns) - column) for row, column in before)
    assert sitting.piece("hook-t2").cells == tuple(mirrored)


def test_a_symmetric_piece_is_laid_in_the_requested_orientation() -> None:
    sitting = Sitting().calm()
    sitting.do(Lay("bar3", Place(1, 1.5, 0.5, 2, flipped=True)), 1)

    assert sitting.piece("bar3").flipped
    assert sitting.piece("bar3").angle_deg == pytest.approx(180.0)
    assert covered(sitting, 1) == mask_of(["A1", "B1", "C1"])


def test_an_unsnapped_piece_lies_exactly_where_it_was_dropped_and_on_top() -> None:
    sitting = Sitting().calm()
    sitting.do(Lay("square", Place(1, 4.0, 4.0)), 1)
    sitting.do(Lay("bar4", Place(1, 4.3, 4.4, 0, snapped=False)), 1)

    piece = sitting.piece("bar4")
    assert (piece.x_cells, piece.y_cells) == pytest.approx((4.3, 4.4))
    assert [lying.layer for lying in sitting.evening.table.pieces(1)] == [0, 1]


def test_sloppiness_is_what_the_slider_says() -> None:
    sitting = Sitting(3)
    sitting.do(Circumstances(1.0, 0.18, 0.0, offset_mm=4.0, rotation_deg=2.0, arms=False), 1)
    names = ("square", "bar3", "bar4", "plus", "boot", "thorn")
    for index, name in enumerate(names):
        sitting.do(Lay(name, Place(1 + index % 2, 2.5 + 4 * (index // 4), 2.5 + 2.0 * (index // 2))), 1)

    off = [abs(piece.angle_deg % 90 - 90 * (piece.angle_deg % 90 > 45)) for piece in sitting.top.pieces]
    assert max(off) > 0.5
    assert sitting.top.circumstances.offset_mm == 4.0


@pytest.mark.parametrize(
    ("move", "says"),
    [
        (Lay("square", Place(1, 2.0, 2.0)), "That patch is no longer in the circle"),
        (Lay("nonsense", Place(1, 2.0, 2.0)), "That patch is no longer in the circle"),
        (Lift(99), "is no longer there"),
        (Shift(99, Place(1, 2.0, 2.0)), "is no longer there"),
        (Turn(99, 1), "is no longer there"),
    ],
)
def test_an_impossible_move_is_refused(move: Move, says: str) -> None:
    sitting = Sitting().calm()
    sitting.do(Lay("square", Place(1, 4.0, 4.0)), 1)
    before = sitting.top

    with pytest.raises(MoveRefusedError, match=says):
        sitting.do(move, 1).result(0)
    assert sitting.top == before


def test_a_patch_in_a_hand_is_not_taken_out_of_it() -> None:
    sitting = Sitting()
    sitting.do(Lay("square", Place(1, 4.0, 4.0)), 1)

    with pytest.raises(MoveRefusedError, match="hand already has it"):
        sitting.do(Lift(sitting.piece("square").number), 1).result(0)


def test_hands_do_one_thing_after_the_other() -> None:
    sitting = Sitting()
    sitting.box.put(Lay("square", Place(1, 4.0, 4.0)))
    sitting.do(Lay("bar3", Place(2, 4.5, 4.5)), 1)
    assert [piece.in_hand for piece in sitting.top.pieces] == [True, True]

    most = 0
    for _ in range(40):
        sitting.frames(1)
        most = max(most, len(sitting.evening.table.hands))
    assert most == 1
    assert [piece.in_hand for piece in sitting.top.pieces] == [False, False]


def test_leather_is_taken_off_the_time_board_and_there_is_no_more_than_in_the_box() -> None:
    sitting = Sitting().calm()
    assert sitting.top.leather == 5
    for column in range(5):
        sitting.do(Lay("leather", Place(1, column + 0.5, 0.5)), 1)

    assert covered(sitting, 1) == 0b11111
    assert sitting.evening.table.books.leather_out == ()
    with pytest.raises(MoveRefusedError, match="leather"):
        sitting.do(Lay("leather", Place(1, 8.5, 0.5)), 1).result(0)


def test_tokens_are_left_and_picked_up() -> None:
    sitting = Sitting()
    sitting.do(Forget(2, 4.5, 8.5))
    (token,) = sitting.top.tokens
    assert (token.seat, token.x_cells, token.y_cells) == pytest.approx((2, 4.5, 8.5))
    assert len(sitting.evening.table.strays) == 1

    sitting.do(Lift(token.number))
    assert sitting.top.tokens == ()
    assert sitting.evening.table.strays == []


def test_there_are_only_so_many_tokens() -> None:
    sitting = Sitting().calm()
    for index in range(12):
        sitting.do(Forget(1, index % 9 + 0.5, index // 9 + 0.5), 1)

    with pytest.raises(MoveRefusedError, match="enough button tokens"):
        sitting.do(Forget(1, 8.5, 8.5), 1).result(0)


def test_a_bumped_board_moves_with_all_its_pieces() -> None:
    sitting = Sitting().calm()
    sitting.do(Lay("square", Place(1, 4.0, 4.0)), 1)
    table = sitting.evening.table
    before, spot = table.board_pose(1), table.spot_mm(1, table.pieces(1)[0])
    sitting.do(Bump(Bumped.BOARD_1, 5.0), 1)

    after = table.board_pose(1)
    assert np.hypot(after.x_mm - before.x_mm, after.y_mm - before.y_mm) == pytest.approx(5.0, abs=0.01)
    assert table.spot_mm(1, table.pieces(1)[0]) != spot
    assert table.board_pose(2) == sitting.evening.table.layout.boards[1].on(table.layout.mats[1])


def test_a_bumped_camera_shifts_the_picture() -> None:
    sitting = Sitting().calm()
    corners = sitting.evening.table.grid_corners_px()[0]
    sitting.evening.picture(0.0)
    sitting.do(Bump(Bumped.CAMERA, 10.0), 1)

    moved = sitting.evening.table.grid_corners_px()[0]
    assert np.linalg.norm(moved - corners, axis=1).min() > 5


def test_light_changes_the_picture_and_changes_back() -> None:
    sitting = Sitting().calm()
    bright = sitting.evening.picture(0.0).mean()
    sitting.do(Circumstances(0.3, 0.18, 0.0, 0.0, 0.0, arms=False), 1)
    dim = sitting.evening.picture(0.0).mean()
    sitting.do(Circumstances(1.0, 0.18, 0.6, 0.0, 0.0, arms=False), 1)
    shadowed = sitting.evening.picture(0.0).mean()
    sitting.do(CALM, 1)

    assert dim < bright - 30
    assert shadowed < bright - 5
    assert sitting.evening.picture(0.0).mean() == pytest.approx(bright, abs=0.5)


def test_tokens_and_buttons_follow_what_the_companion_takes_down() -> None:
    sitting = Sitting()
    table, market = sitting.evening.table, sitting.evening.table.market
    cells = mask_of(["A1", "B1"])
    sitting.evening.on_feedback(Accepted(TakePatch(1, "domino", cells)))
    sitting.frames(1)
    assert table.books.first == market[0]  # The domino is last: the token moves once around.
    assert (table.books.times, table.books.buttons) == ((1, 0), (3, 5))

    sitting.evening.on_feedback(Accepted(Advance(2)))
    sitting.frames(1)
    assert (table.books.times, table.books.buttons) == ((1, 2), (3, 7))

    sitting.evening.on_feedback(Undone())
    sitting.evening.on_feedback(Complaint("overlap"))
    sitting.frames(1)
    assert (table.books.times, table.books.buttons) == ((1, 0), (3, 5))


def test_the_circle_begins_behind_the_last_purchase() -> None:
    sitting = Sitting().calm()
    market = sitting.evening.table.market
    place = Place(1, 4.0, 4.0)
    sitting.do(Lay(market[2], place), 1)
    cells = sum(1 << row * 9 + column for row, column in place.cells(market[2]))
    sitting.evening.on_feedback(Accepted(TakePatch(1, market[2], cells)))
    sitting.frames(1)

    assert sitting.top.circle == (*market[3:], *market[:2])
    assert sitting.evening.table.books.first == market[3]


def test_an_evening_that_was_cut_off_is_laid_as_decided() -> None:
    sitting = Sitting()
    first = sitting.evening.table.market[0]
    place = Place(1, 4.0, 4.0)
    cells = sum(1 << row * 9 + column for row, column in place.cells(first))
    sitting.evening.resume_from([TakePatch(1, first, cells)])
    sitting.frames(1)

    assert covered(sitting, 1) == cells
    assert not sitting.piece(first).in_hand
    assert first not in sitting.top.circle
    sitting.do(Lift(sitting.piece(first).number))
    assert covered(sitting, 1) == 0


def test_leather_that_is_won_leaves_the_time_board_once() -> None:
    sitting = Sitting().calm()
    evening = sitting.evening
    while not evening._history.state.leather_due:
        evening.on_feedback(Accepted(Advance(evening._history.state.turn or 0)))
    sitting.frames(1)
    assert len(evening.table.books.leather_out) == 4
    sitting.do(Lay("leather", Place(1, 0.5, 0.5)), 1)

    assert len(evening.table.books.leather_out) == 4
    assert sitting.top.leather == 4


def test_the_evening_ends_some_time_after_the_game() -> None:
    sitting = Sitting()
    while not sitting.evening._history.state.finished:
        state = sitting.evening._history.state
        seat = state.turn or 0
        free = ~state.seat(seat).quilt & -(~state.seat(seat).quilt)
        sitting.evening.on_feedback(Accepted(PlaceLeather(seat, free) if state.leather_due else Advance(seat)))

    ends = [sitting.evening.over]
    for seconds in (LINGER_S - 1, 2):
        sitting.evening.clock.sleep(seconds)
        ends.append(sitting.evening.over)
    sitting.evening.on_feedback(Undone())

    assert [*ends, sitting.evening.over] == [False, False, True, False]


def test_the_tabletop_is_published_on_changes_only() -> None:
    sitting = Sitting().calm()
    told = len(sitting.told)
    sitting.frames(5)
    assert len(sitting.told) == told


def test_a_partner_s_patch_is_taken_from_the_board_on_which_it_was_left() -> None:
    sitting = Sitting(partner=2).calm()
    sitting.do(Lay("domino", Place(1, 3.0, 2.5)))

    sitting.evening.on_feedback(Accepted(Advance(1)))
    sitting.evening.on_feedback(Proposed(TakePatch(2, "domino", mask_of(["B2", "C2"]))))
    sitting.frames(20)

    assert (covered(sitting, 1), covered(sitting, 2)) == (0, mask_of(["B2", "C2"]))
    assert [press.button for press in sitting.evening.controls.presses()] == [Button.CONFIRM]
