"""The motion of a board since it was last located, estimated from its appearance: a jitter, a nudge or a relocation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.geometry.homography import Homography, through_corners, translation
from vision.geometry.rectify import CELLS_TO_VIEW, GRID_CORNERS, SIDE, cell_window, rectify
from vision.quilt.alignment import TRUSTED_SHARE, Alignment, align, far_move
from vision.quilt.look import look_at
from vision.quilt.thumbnail import is_alike, thumbnail

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from vision.quilt.look import Look

SLIPPED_PX: Final = 1.5
"""In view pixels; a board that moved further has slipped on its mat or on the table."""
_LEAST_SHIFT_PX: Final = 0.3
"""In view pixels; smaller motions are the noise of finding them."""
_DISTINCTIVE_CELLS: Final = 24
"""Every other one is looked for, and six at the least must be found again."""
_TURNS: Final = tuple(through_corners(GRID_CORNERS, np.roll(GRID_CORNERS, -quarters, axis=0)) for quarters in range(4))
"""A board's four quarter turns, because an outline does not show which of its corners is A1."""


def find_motion(image: NDArray[np.uint8], place: Homography, look: Look, expected: Look) -> Alignment | None:
    """Find how a board moved by up to a cell and a half.

    Args:
        image: the frame, shape (height, width, 3), uint8, BGR.
        place: where the board was placed; maps cell space to the frame.
        look: the look of the board at that place.
        expected: the look expected there.

    Returns:
        The motion in view space, or None if it cannot be determined.
    """
    near = align(look.luminance, expected.luminance)
    if isinstance(near, Alignment) and near.share >= TRUSTED_SHARE:
        return near
    far = _far_motion(image, place, look, expected)
    if far is None and isinstance(near, Alignment) and near.shift_px <= SLIPPED_PX:
        return near  # An arm covers most of it, and the rest has not moved.
    return far


def find_again(image: NDArray[np.uint8], candidates: Iterable[Homography], expected: Look) -> Homography | None:
    """Find which of several candidate poses a board has.

    Args:
        image: the frame, shape (height, width, 3), uint8, BGR.
        candidates: maps from cell space to the frame, off by at most a quarter of a cell.
        expected: the look expected of the board.

    Returns:
        The candidate that matches the expected look best, or None if the board is at none of them.
    """
    found: list[tuple[float, Homography]] = []
    for candidate in candidates:
        for turn in _TURNS:
            place = candidate.after(turn)
            fine = align(look_at(rectify(image, place)).luminance, expected.luminance)
            if isinstance(fine, Alignment) and fine.share >= TRUSTED_SHARE:
                found.append((fine.share, place.after(in_cells(fine.motion))))
    return max(found, key=lambda each: each[0])[1] if found else None


def in_cells(in_view: Homography) -> Homography:
    """Return a motion of view space as one of cell space."""
    return CELLS_TO_VIEW.inverse.after(in_view).after(CELLS_TO_VIEW)


def moves(motion: Alignment) -> bool:
    """Return whether a motion is more than the noise of finding it."""
    corners = CELLS_TO_VIEW(GRID_CORNERS)
    return float(motion.motion.residuals(corners, corners).max()) > _LEAST_SHIFT_PX


def moved_px(before: Homography, now: Homography) -> float:
    """Return how far a board's middle moved, in view pixels of the earlier pose; both map cell space to the frame."""
    in_view = CELLS_TO_VIEW.after(before.inverse)
    middle = [[SIDE / 2, SIDE / 2]]
    return float(in_view.residuals(now(middle), CELLS_TO_VIEW(middle))[0])


def without(look: Look, covered: NDArray[np.bool_]) -> Look:
    """Return an empty board's look without the cells that patches cover, to recognise the board by its other cells.

    Args:
        look: the look of the empty board.
        covered: shape (RING, RING), bool: the cells that patches cover.

    Returns:
        The look with those cells and the board's surroundings made flat, so that they are not matched.
    """
    mean = np.rint(look.view.mean(axis=(0, 1))).astype(np.uint8)
    flat = np.broadcast_to(mean, look.view.shape).copy()
    for row, column in np.argwhere(~covered[1:-1, 1:-1]):
        window = cell_window(int(row), int(column), 0)
        flat[window] = look.view[window]
    return look_at(flat)


def is_distinctive(covered: NDArray[np.bool_]) -> bool:
    """Return whether enough cells are bare to recognise a board by; `covered` is of shape (RING, RING)."""
    return SIDE * SIDE - int(np.count_nonzero(covered)) >= _DISTINCTIVE_CELLS


class Searches:
    """The rule for when to search the whole frame for a lost board, which takes a second: once for each new frame."""

    def __init__(self) -> None:
        self._searched: dict[int, NDArray[np.float32]] = {}

    def is_worth_one(self, seat: int, image: NDArray[np.uint8]) -> bool:
        """Return whether the frame, shape (height, width, 3), differs from the last one searched for a seat's board."""
        now, before = thumbnail(image), self._searched.get(seat)
        if before is not None and is_alike(now, before):
            return False
        self._searched[seat] = now
        return True


def _far_motion(image: NDArray[np.uint8], place: Homography, look: Look, expected: Look) -> Alignment | None:
    """Find the motion of a board that moved beyond the range of the usual search."""
    guess = far_move(look.luminance, expected.luminance)
    if guess is None:
        return None
    moved = translation(*guess)
    there = rectify(image, place.after(in_cells(moved)))
    fine = align(look_at(there).luminance, expected.luminance)
    if not isinstance(fine, Alignment) or fine.share < TRUSTED_SHARE:
        return None
    motion, middle = moved.after(fine.motion), CELLS_TO_VIEW([[SIDE / 2, SIDE / 2]])
    return replace(fine, motion=motion, shift_px=float(motion.residuals(middle, middle)[0]))
