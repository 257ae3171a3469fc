"""Test estimating a lens's distortion from pieces that look smaller, the farther they are from the picture's middle."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.patchwork.circle.naming import SHAPES
from companion.patchwork.circle.seeing import lens_of, lens_seen, straightened
from tests.vision.pieces.test_fit import drawn
from vision.geometry import GRID_CORNERS, Homography, through_corners
from vision.pieces.fit import Fit, PiecePose, clipped, outline_of, ways_of
from vision.pieces.maps import CELL_PX
from vision.pieces.poses import settle
from vision.pieces.search import FirstLook
from vision.pieces.sightings import Sighting
from vision.table.plane import OverheadView, view_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from vision.pieces.maps import PieceMaps

SIZE_PX = (1600, 1200)
CELL_IN_PICTURE_PX = 32.0
PIECES = 18
CORNERS = np.array(GRID_CORNERS, np.float64)


@dataclass(frozen=True)
class Bent:
    """A table with pieces around two boards, as a lens shows it."""

    seen: FirstLook
    view: OverheadView
    boards: list[Homography]


def table(bend: float) -> Bent:
    lens = lens_of(bend, SIZE_PX)
    middle = lens.to_straight([[SIZE_PX[0] / 2, SIZE_PX[1] / 2]])[0]

    def to_picture(cells: NDArray[np.float64]) -> NDArray[np.float64]:
        """Convert cells about the picture's middle to pixels."""
        return lens.to_camera(middle + cells * CELL_IN_PICTURE_PX)

    boards = [through_corners(CORNERS, to_picture(CORNERS + np.array([left, -4.5]))) for left in (-12.0, 3.0)]
    view = view_table(np.full((*SIZE_PX[::-1], 3), 90, np.uint8), boards, CELL_PX)
    pieces = [_around(number) for number in range(PIECES)]

    def seen_at(cells: NDArray[np.float64]) -> NDArray[np.float64]:
        return view.to_image.inverse(to_picture(cells))

    height, width = (side // CELL_PX for side in view.picture.shape[:2])
    maps = drawn([seen_at(fit.pose.place(outline_of(fit.cells) - 0.5)) for fit in pieces], (width, height))
    found = [_found(fit, maps, seen_at) for fit in pieces]
    return Bent(FirstLook(maps, tuple(_sighting(fit) for fit in found)), view, boards)


def _around(number: int) -> Fit:
    """Return one of the pieces on an ellipse that nearly reaches the picture's corners."""
    angle = 2 * np.pi * number / PIECES
    x, y = 21 * np.cos(angle), 15 * np.sin(angle)
    shape = number % len(SHAPES)
    return Fit(shape, 0, ways_of(SHAPES[shape])[0], PiecePose(float(x), float(y), 17.0 * number % 90 - 45), 0.0)


def _found(fit: Fit, maps: PieceMaps, seen_at: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> Fit:
    """Return a piece at its apparent place."""
    first, second = seen_at(fit.middles[:2])
    step = fit.middles[1] - fit.middles[0]
    turn = np.arctan2(*(second - first)[::-1]) - np.arctan2(*step[::-1])
    pose = PiecePose(0.0, 0.0, fit.pose.angle_deg + float(np.degrees(turn)))
    x, y = seen_at(fit.centre[None])[0] - replace(fit, pose=pose).centre
    return settle([replace(fit, pose=replace(pose, x=float(x), y=float(y)))], *clipped(maps), (1.0, 1.0))[0]


def _sighting(fit: Fit) -> Sighting:
    return Sighting((fit,), 9.0, 3.0, 3.0, 3.0, 0.0, whole=True, at_edge=False, touching=())


@pytest.mark.parametrize("bend", [-0.4, -0.25])
def test_a_bent_picture_tells_its_lens(bend: float) -> None:
    bent = table(bend)
    lens = lens_seen(bent.seen, bent.view, bent.boards, SIZE_PX)
    assert lens is not None
    assert lens.distortion[0] == pytest.approx(bend, abs=0.15)


def test_a_straight_picture_is_left_alone() -> None:
    straight = table(0.0)
    assert lens_seen(straight.seen, straight.view, straight.boards, SIZE_PX) is None


def test_a_few_pieces_tell_no_lens() -> None:
    bent = table(-0.4)
    few = replace(bent.seen, pieces=bent.seen.pieces[:7])
    assert lens_seen(few, bent.view, bent.boards, SIZE_PX) is None


def test_boards_are_straightened_with_their_picture() -> None:
    """A lens's picture of a straight grid, undistorted, shows the grid."""
    bent, lens = table(-0.4), lens_of(-0.4, SIZE_PX)
    for board, straight in zip(bent.boards, straightened(bent.boards, lens), strict=True):
        assert lens.to_camera(straight(CORNERS)) == pytest.approx(board(CORNERS), abs=1e-3)
        sides = np.hypot(*(straight(np.roll(CORNERS, 1, axis=0)) - straight(CORNERS)).T)
        assert sides == pytest.approx(9 * CELL_IN_PICTURE_PX, abs=0.01)
