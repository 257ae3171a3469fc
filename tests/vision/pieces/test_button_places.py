"""Test finding buttons on a table, and the evidence they give about the pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tests.vision.pieces.test_fit import laid
from vision.geometry.homography import Homography
from vision.pieces.button_places import Buttons, find_buttons
from vision.table.plane import OverheadView

if TYPE_CHECKING:
    from numpy.typing import NDArray

CELL_PX = 24
BLUE, WOOD = (180, 120, 30), (110, 140, 170)


def table(cells: int = 10) -> NDArray[np.uint8]:
    return np.full((cells * CELL_PX, cells * CELL_PX, 3), WOOD, np.uint8)


def found(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    seen = np.ones(picture.shape[:2], np.bool_)
    return find_buttons(OverheadView(picture, seen, CELL_PX, Homography(np.eye(3)), ())).places


def draw(picture: NDArray[np.uint8], x: float, y: float, radius: float = 0.3) -> None:
    cv2.circle(picture, (round(x * CELL_PX), round(y * CELL_PX)), round(radius * CELL_PX), BLUE, -1, cv2.LINE_AA)


def test_buttons_are_found_in_their_places() -> None:
    picture = table()
    true = np.array([[2.5, 3.5], [3.5, 3.5], [7.2, 6.1]])
    for x, y in true.tolist():
        draw(picture, x, y)
    places = found(np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5), np.uint8))
    assert len(places) == len(true)
    assert np.hypot(*np.moveaxis(places[:, None] - true[None], -1, 0)).min(axis=0).max() < 0.1


def test_a_blue_piece_and_a_labels_small_button_are_none() -> None:
    picture = table()
    picture[2 * CELL_PX : 5 * CELL_PX, 2 * CELL_PX : 4 * CELL_PX] = BLUE
    draw(picture, 7.5, 7.5, radius=0.1)
    assert len(found(picture)) == 0


def test_a_cloth_with_blue_checks_has_none() -> None:
    picture = table(30)
    for row in range(0, 30, 2):
        for column in range(0, 30, 2):
            draw(picture, column + 0.5, row + 0.5, 0.32)
    assert len(found(picture)) == 0


def test_a_table_smaller_than_a_button_has_none() -> None:
    assert len(found(table()[:10, :10])) == 0


@pytest.mark.parametrize("angle_deg", [0.0, 30.0, -80.0])
def test_a_piece_has_its_buttons_in_the_middles_of_its_cells(angle_deg: float) -> None:
    bar = laid("bar4", 4.0, 5.0, angle_deg)
    first, second = bar.middles[:2]
    assert Buttons(bar.middles[[0, 3]]).worth(bar) == pytest.approx(2 * Buttons(first[None]).worth(bar))
    assert Buttons(first[None]).worth(bar) > 0 > Buttons((first + second)[None] / 2).worth(bar)
    assert Buttons(first[None] + 5.0).worth(bar) == Buttons(np.zeros((0, 2))).worth(bar) == 0.0
