"""Test distinguishing two patches of one shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES, orientations, twins_of
from companion.patchwork.reading.twins import twin_likelihoods
from vision.geometry import GRID_CORNERS, through_corners

if TYPE_CHECKING:
    from tests.companion.patchwork.conftest import Scene

TWINS = [patch for patch in PATCHES if twins_of(patch)]
ENOUGH = 2.0
"""The lead in log-likelihood below which the reader asks."""


def likelihoods_of(opening: Scene, patch: str, way: int, *orders: list[str], blur_px: float = 0.0) -> list[list[float]]:
    """Return the likelihoods for each order of candidates, with a patch in one orientation in seat 1's middle."""
    ways = orientations(patch)
    cells = [(row + 3, column + 3) for row, column in ways[way % len(ways)].cells]
    lying = opening.lay(1, patch, cells)
    image = opening.table.frame(9.0)
    image = image if blur_px == 0 else np.asarray(cv2.GaussianBlur(image, (0, 0), blur_px), np.uint8)
    opening.table.lift(1, lying)
    place = through_corners(GRID_CORNERS, opening.table.grid_corners_px()[0])
    mask = sum(1 << (row * 9 + column) for row, column in cells)
    return [twin_likelihoods(image, place, mask, order).tolist() for order in orders]


@pytest.mark.parametrize("way", [0, 3, 6])
@pytest.mark.parametrize("patch", TWINS)
def test_a_twin_is_told_by_its_print(opening: Scene, patch: str, way: int) -> None:
    [[own, other]] = likelihoods_of(opening, patch, way, [patch, *twins_of(patch)])
    assert own - other > ENOUGH


@pytest.mark.parametrize("way", [0, 3])
@pytest.mark.parametrize("patch", ["hook-t2", "hook-t6", "zig-b3", "zig-b7"])
def test_out_of_focus_its_buttons_tell_it(opening: Scene, patch: str, way: int) -> None:
    [[own, other]] = likelihoods_of(opening, patch, way, [patch, *twins_of(patch)], blur_px=2.5)
    assert own > other


def test_a_button_for_which_the_label_leaves_no_room_is_not_missed(opening: Scene) -> None:
    """Four cells, two of them under the label, and three buttons: two are seen, and are enough to be 99 % sure."""
    [[own, other]] = likelihoods_of(opening, "zig-b7", 0, ["zig-b7", "zig-b3"])
    assert own - other > np.log(99)


def test_a_label_out_of_focus_tells_little(opening: Scene) -> None:
    [[own, other]] = likelihoods_of(opening, "corner-b1", 0, ["corner-b1", "corner-b3"], blur_px=1.5)
    assert abs(own - other) < ENOUGH


def test_a_sharp_label_of_another_printing_tells_nothing(opening: Scene) -> None:
    specks = np.random.default_rng(5).integers(90, 160, (864, 1536), np.uint8)
    grey = np.ascontiguousarray(np.repeat(specks[..., None], 3, axis=2))
    place = through_corners(GRID_CORNERS, opening.table.grid_corners_px()[0])
    one, other = twin_likelihoods(grey, place, 0b11 | 1 << 9, ["corner-b1", "corner-b3"])
    assert one == other


def test_the_order_of_the_candidates_does_not_matter(opening: Scene) -> None:
    one, other = likelihoods_of(opening, "hook-t2", 1, ["hook-t2", "hook-t6"], ["hook-t6", "hook-t2"])
    assert other == one[::-1]


def test_a_picture_without_print_tells_nothing(opening: Scene) -> None:
    """Twins without income differ there by less than the required lead."""
    grey = np.full((864, 1536, 3), 128, np.uint8)
    place = through_corners(GRID_CORNERS, opening.table.grid_corners_px()[0])
    one, other = twin_likelihoods(grey, place, 0b11 | 1 << 9, ["corner-b1", "corner-b3"])
    assert abs(one - other) < ENOUGH
