"""Test finding boards in a picture without markers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.board import finding
from vision.board.candidates import outlines
from vision.board.finding import find_boards
from vision.geometry import CELLS_TO_VIEW, GRID_CORNERS, SIDE, Homography, through_corners

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes

BOARD_CELLS = 9.5
LEFT = ((90, 120), (370, 130), (362, 400), (80, 392))
RIGHT = ((560, 110), (850, 100), (862, 384), (570, 390))
FAR = ((330, 30), (600, 36), (606, 300), (326, 300))
NEAR = ((310, 380), (610, 376), (628, 680), (300, 676))


def _table(
    scenes: type[Scenes], places: list[tuple[tuple[int, int], ...]], size_px: tuple[int, int] = (960, 540)
) -> NDArray[np.uint8]:
    """A grey table with empty boards on it."""
    image = np.full((size_px[1], size_px[0], 3), 70, np.uint8)
    for seed, corners in enumerate(places):
        place = through_corners(GRID_CORNERS, corners)
        margin = (BOARD_CELLS - SIDE) / 2
        board = place(GRID_CORNERS + np.sign(GRID_CORNERS - 1) * margin)
        laid = cv2.warpPerspective(scenes.board(seed), place.after(CELLS_TO_VIEW.inverse).matrix, size_px)
        mask = cv2.fillConvexPoly(np.zeros(image.shape[:2], np.uint8), np.rint(board).astype(np.int32), 1)
        image[mask > 0] = laid[mask > 0]
    return scenes.noisy(image, seed=3, deviation=1.5)


def _off_cells(found: Homography, corners: tuple[tuple[int, int], ...]) -> float:
    return float(found.residuals(GRID_CORNERS, corners).max() / 31)


def test_two_boards_side_by_side_the_left_one_first(scenes: type[Scenes]) -> None:
    found = find_boards(_table(scenes, [RIGHT, LEFT]), BOARD_CELLS)
    assert len(found) == 2
    assert _off_cells(found[0], LEFT) < 0.06
    assert _off_cells(found[1], RIGHT) < 0.06


def test_two_boards_one_above_the_other_the_near_one_first(scenes: type[Scenes]) -> None:
    found = find_boards(_table(scenes, [FAR, NEAR], (960, 720)), BOARD_CELLS)
    assert len(found) == 2
    assert _off_cells(found[0], NEAR) < 0.06
    assert _off_cells(found[1], FAR) < 0.06


def test_a_board_alone_is_found_alone(scenes: type[Scenes]) -> None:
    found = find_boards(_table(scenes, [LEFT]), BOARD_CELLS)
    assert len(found) == 1
    assert _off_cells(found[0], LEFT) < 0.06


@pytest.mark.parametrize("what", ["nothing", "a sheet of paper", "noise"])
def test_no_board_is_found_where_none_lies(what: str) -> None:
    image = np.full((400, 600, 3), 70, np.uint8)
    if what == "a sheet of paper":
        image[100:330, 150:390] = 235
    if what == "noise":
        image = np.random.default_rng(1).integers(0, 255, (240, 360, 3)).astype(np.uint8)
    assert not find_boards(image, BOARD_CELLS)


def test_a_large_picture_gives_corners_in_its_own_pixels(scenes: type[Scenes]) -> None:
    image = _table(scenes, [LEFT, RIGHT])
    large = cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    found = find_boards(np.asarray(large, np.uint8), BOARD_CELLS)
    assert len(found) == 2
    assert _off_cells(found[0], tuple((2 * x, 2 * y) for x, y in LEFT)) < 0.12


def test_the_search_ends_with_two_boards_beyond_doubt(scenes: type[Scenes], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counted(image: NDArray[np.uint8]) -> Iterator[NDArray[np.float64]]:
        for quad in outlines(image):
            asked.append(quad)
            yield quad

    monkeypatch.setattr(finding, "outlines", counted)
    image = _table(scenes, [LEFT, RIGHT])
    assert len(find_boards(image, BOARD_CELLS)) == 2
    assert len(asked) < len(list(outlines(image)))
