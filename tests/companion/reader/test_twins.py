"""Which of two patches of one shape lies there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.games.patchwork import PATCHES, orientations, twins_of
from companion.reader.twins import label_likelihoods, twin_likelihoods
from vision.homography import through_corners
from vision.rectify import GRID_CORNERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.companion.reader.conftest import Scene
    from vision.homography import Homography

TWINS = [patch for patch in PATCHES if twins_of(patch)]
ENOUGH = 2.0
"""The reader asks where the lead is less."""


def likelihoods_of(opening: Scene, patch: str, way: int, *orders: list[str]) -> list[list[float]]:
    """Of each order of candidates, while a patch lies in one of its ways in the middle of seat 1's board."""
    ways = orientations(patch)
    cells = [(row + 3, column + 3) for row, column in ways[way % len(ways)].cells]
    lying = opening.lay(1, patch, cells)
    image = opening.table.frame(9.0)
    opening.table.lift(1, lying)
    place = through_corners(GRID_CORNERS, opening.table.grid_corners_px()[0])
    mask = sum(1 << (row * 9 + column) for row, column in cells)
    return [twin_likelihoods(image, place, mask, order).tolist() for order in orders]


@pytest.mark.parametrize("way", [0, 3, 6])
@pytest.mark.parametrize("patch", TWINS)
def test_a_twin_is_told_by_its_print(opening: Scene, patch: str, way: int) -> None:
    [[own, other]] = likelihoods_of(opening, patch, way, [patch, *twins_of(patch)])
    assert own - other > ENOUGH


def test_the_order_of_the_candidates_does_not_matter(opening: Scene) -> None:
    one, other = likelihoods_of(opening, "hook-t2", 1, ["hook-t2", "hook-t6"], ["hook-t6", "hook-t2"])
    assert other == one[::-1]


def test_a_picture_without_print_tells_nothing(opening: Scene) -> None:
    """Twins without income differ there by less than is needed to tell them."""
    grey = np.full((864, 1536, 3), 128, np.uint8)
    place = through_corners(GRID_CORNERS, opening.table.grid_corners_px()[0])
    one, other = twin_likelihoods(grey, place, 0b11 | 1 << 9, ["corner-b1", "corner-b3"])
    assert abs(one - other) < ENOUGH


@pytest.fixture
def domino(opening: Scene) -> tuple[NDArray[np.uint8], Homography]:
    """A picture in which the smallest patch lies on D4 and E4, and where seat 1's board is in it."""
    lying = opening.lay(1, "domino", [(3, 3), (3, 4)])
    image = opening.table.frame(9.0)
    opening.table.lift(1, lying)
    return image, through_corners(GRID_CORNERS, opening.table.grid_corners_px()[0])


def test_a_label_tells_patches_of_different_shapes_apart(domino: tuple[NDArray[np.uint8], Homography]) -> None:
    """Whatever cells are thought to be covered: a token beside the smallest patch may look like a third one."""
    for mask in (0b11 << 30, 0b11 << 30 | 1 << 39):
        told = label_likelihoods(*domino, mask, ["corner-b1", "domino", "corner-b3"])
        assert told[1] == 0
        assert (told[[0, 2]] < -ENOUGH).all()


def test_a_label_of_two_digits_is_not_read(domino: tuple[NDArray[np.uint8], Homography]) -> None:
    assert label_likelihoods(*domino, 0b11 << 30, ["domino", "stairs"]).tolist() == [0, 0]


def test_where_no_label_is_none_is_likelier(opening: Scene) -> None:
    grey = np.full((864, 1536, 3), 128, np.uint8)
    place = through_corners(GRID_CORNERS, opening.table.grid_corners_px()[0])
    assert label_likelihoods(grey, place, 0b11, ["domino", "corner-b1"]).tolist() == [0, 0]
