"""Test finding empty boards among everything on a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.board.candidates import grids_in_plane
from vision.board.finding import colour_variety, find_empty_boards, is_empty_board
from vision.geometry import (
    CELL_PX,
    CELLS_TO_VIEW,
    GRID_CORNERS,
    MARGIN_CELLS,
    SIDE,
    VIEW_PX,
    Homography,
    through_corners,
    translation,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes

    View = NDArray[np.uint8]

BOARD_CELLS = 9.5
SIZE_PX = (960, 540)
LEFT = through_corners(GRID_CORNERS, [[60, 130], [340, 140], [332, 410], [50, 402]])
RIGHT = through_corners(GRID_CORNERS, [[620, 120], [910, 110], [922, 394], [630, 400]])
BETWEEN = through_corners(GRID_CORNERS, [[370, 150], [590, 150], [594, 372], [366, 370]])
TABLE = 70


def _table() -> View:
    return np.full((SIZE_PX[1], SIZE_PX[0], 3), TABLE, np.uint8)


def _lay(image: View, view: View, place: Homography, edge_cells: float = BOARD_CELLS) -> View:
    """Return the picture with a view drawn on it, a square of `edge_cells` cells a side."""
    outline = place(SIDE / 2 + (GRID_CORNERS - SIDE / 2) * edge_cells / SIDE)
    laid = cv2.warpPerspective(view, place.after(CELLS_TO_VIEW.inverse).matrix, SIZE_PX)
    mask = cv2.fillConvexPoly(np.zeros(image.shape[:2], np.uint8), np.rint(outline).astype(np.int32), 1)
    return np.asarray(np.where(mask[:, :, None] > 0, laid, image), np.uint8)


def _squares(count: int, tones: list[tuple[int, int, int]], line: float = 1.0) -> View:
    """Return a view with `count` squares a side across the grid, in alternating tones, with lines between them."""
    rng = np.random.default_rng(5)
    first, side = round(MARGIN_CELLS * CELL_PX), SIDE * CELL_PX
    view = np.full((VIEW_PX, VIEW_PX, 3), 190.0)
    edges = first + np.linspace(0, side, count + 1).round().astype(int)
    for row, column in np.ndindex(count, count):
        tone = np.array(tones[(row + column) % len(tones)]) + rng.normal(0, 2, 3)
        view[edges[row] : edges[row + 1], edges[column] : edges[column + 1]] = tone
    for edge in edges:
        view[edge - 1 : edge + 1, first : first + side] *= line
        view[first : first + side, edge - 1 : edge + 1] *= line
    return np.asarray(np.clip(view, 0, 255).astype(np.uint8), np.uint8)


def _off_cells(found: Homography, place: Homography) -> float:
    return float(place.inverse.after(found).residuals(GRID_CORNERS, GRID_CORNERS).max())


def _seen(scenes: type[Scenes], image: View) -> View:
    return scenes.noisy(np.asarray(cv2.GaussianBlur(image, (0, 0), 0.6), np.uint8), seed=3, deviation=1.5)


DECOYS = {
    "a time board": _squares(8, [(190, 210, 225), (150, 200, 175), (120, 170, 235)], 0.7),
    "a chequered cloth": _squares(9, [(200, 200, 200), (150, 90, 80), (230, 160, 150)]),
    "grey squares without lines": _squares(9, [(90, 90, 90), (200, 200, 200)]),
    "a sheet of paper": np.full((VIEW_PX, VIEW_PX, 3), 235, np.uint8),
    "a grid of eight": _squares(8, [(90, 120, 150)], 0.7),
}


def test_the_boards_are_found_and_what_lies_between_them_is_none(scenes: type[Scenes]) -> None:
    image = _lay(_lay(_table(), scenes.board(1), LEFT), scenes.board(2), RIGHT)
    found = find_empty_boards(_seen(scenes, _lay(image, DECOYS["a grid of eight"], BETWEEN)), BOARD_CELLS)
    assert len(found) == 2
    assert min(_off_cells(place, LEFT) for place in found) < 0.06
    assert min(_off_cells(place, RIGHT) for place in found) < 0.06


@pytest.mark.parametrize("decoy", DECOYS)
def test_other_objects_are_no_board_at_any_guess(scenes: type[Scenes], decoy: str) -> None:
    image = _seen(scenes, _lay(_lay(_table(), scenes.board(1), LEFT), DECOYS[decoy], RIGHT))
    assert is_empty_board(image, LEFT)
    assert not any(is_empty_board(image, RIGHT.after(guess)) for guess in (translation(0, 0), translation(0.15, -0.1)))


def test_another_object_is_not_taken_for_an_absent_board(scenes: type[Scenes]) -> None:
    laid = scenes.lay(scenes.board(2), [(row, column) for row in range(2, 6) for column in range(1, 6)])
    image = _lay(_lay(_table(), scenes.board(1), LEFT), laid, RIGHT)
    image = _seen(scenes, _lay(image, DECOYS["a time board"], BETWEEN))
    (found,) = find_empty_boards(image, BOARD_CELLS)
    assert _off_cells(found, LEFT) < 0.06
    assert is_empty_board(image, LEFT)
    assert not is_empty_board(image, RIGHT)


def test_a_board_of_the_table_s_own_colour_is_found_by_its_grid(scenes: type[Scenes]) -> None:
    around = scenes.board(2, line=None, speckle=0.02)
    image = np.asarray(cv2.resize(around, SIZE_PX, interpolation=cv2.INTER_LINEAR), np.uint8)
    image = _lay(image, scenes.board(4, speckle=0.02), RIGHT, edge_cells=9.1)
    image = _lay(image, DECOYS["a sheet of paper"], BETWEEN)
    both = _seen(scenes, _lay(image, np.asarray(scenes.board(1) * 0.5, np.uint8), LEFT))
    guesses = grids_in_plane(both, LEFT)
    assert min(_off_cells(guess, RIGHT) for guess in guesses[:5]) < 0.5
    found = find_empty_boards(both, BOARD_CELLS)
    assert len(found) == 2
    assert min(_off_cells(place, RIGHT) for place in found) < 0.06


def test_nothing_is_found_on_a_bare_table(scenes: type[Scenes]) -> None:
    assert not find_empty_boards(_seen(scenes, _table()), BOARD_CELLS)


@pytest.mark.parametrize(("shift", "there"), [(0.0, True), (0.1, True), (0.4, False), (1.0, False)])
def test_a_board_lies_where_it_was_found_or_it_does_not(scenes: type[Scenes], shift: float, there: bool) -> None:
    image = _seen(scenes, _lay(_table(), scenes.board(1), LEFT))
    assert is_empty_board(image, LEFT.after(translation(shift, 0.0))) is there


def test_light_and_shadow_do_not_make_a_board_motley(scenes: type[Scenes]) -> None:
    image = _lay(_table(), scenes.board(1), LEFT)
    shadowed = image.copy()
    shadowed[:, 180:] = (shadowed[:, 180:] * 0.5).astype(np.uint8)
    assert colour_variety(_seen(scenes, image), LEFT) < 0.03
    assert colour_variety(_seen(scenes, shadowed), LEFT) < 0.03
    assert colour_variety(_lay(_table(), DECOYS["a time board"], LEFT), LEFT) > 0.1
