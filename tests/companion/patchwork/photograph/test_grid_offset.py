"""Test grids that were found one line beside their true place."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from companion.patchwork.photograph import photo
from companion.patchwork.photograph.photo import _overhangs, put_right
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.table import SimulatedTable
from vision.board.grid import fit_covered_grid
from vision.geometry import GRID_CORNERS, through_corners, translation


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    table = SimulatedTable(8, Conditions(ground_seed=1, creep_mm=0.5), mats=False)
    table.lay(1, "square", [(4, 4), (4, 5), (5, 4), (5, 5)])
    table.lay(1, "bar4", [(0, 0), (1, 0), (2, 0), (3, 0)])
    return table


@pytest.mark.parametrize(("right", "down"), [(0, 0), (0, 1), (-1, 0)])
def test_a_grid_a_line_beside_its_place_is_put_right(table: SimulatedTable, right: int, down: int) -> None:
    image, corners = table.frame(0.0), table.grid_corners_px()[0]
    beside, _ = fit_covered_grid(image, through_corners(GRID_CORNERS, corners).after(translation(right, down)))
    found = put_right(image, beside)
    assert found.clear
    cell_px = float(np.hypot(*(corners[1] - corners[0]))) / 9
    assert found.place.residuals(GRID_CORNERS, corners).max() < 0.25 * cell_px


@pytest.mark.parametrize(
    ("cells", "right", "down", "is_across"),
    [
        ([(8, 0), (7, 0)], 0, -1, True),
        ([(7, 0), (6, 0)], 0, -1, False),
        ([(8, 0), (8, 1)], 0, -1, False),
        ([(4, 0), (4, 1)], 1, 0, True),
        ([(4, 7), (4, 8)], 1, 0, False),
    ],
)
def test_a_piece_lies_across_the_edge_of_a_grid_shifted_by_a_line(
    cells: list[tuple[int, int]], right: int, down: int, is_across: bool
) -> None:
    assert _overhangs(np.array(cells), translation(right, down)) is is_across


def _as_sure_everywhere(monkeypatch: pytest.MonkeyPatch, cells: list[tuple[int, int]], confidence: float) -> None:
    """Let the views one line beside be as certain as a board, which holds one piece."""
    tilings = SimpleNamespace(log_weights=np.zeros(1))
    reading = SimpleNamespace(pieces=[SimpleNamespace(cells=tuple(cells), confidence=confidence)])
    monkeypatch.setattr(photo, "_sureness", lambda _: 1.9)
    monkeypatch.setattr(photo, "best_tilings", lambda _: tilings)
    monkeypatch.setattr(photo, "most_weight", lambda _: 0.0)
    monkeypatch.setattr(photo, "looks_of", lambda look: look)
    monkeypatch.setattr(photo, "read_together", lambda _: [reading])


AROUND = [(row, column) for row in range(9) for column in range(9) if row in (0, 8) or column in (0, 8)]
BOTH_SIDES = [(0, 4), (1, 4), (4, 0), (4, 1), (7, 4), (8, 4), (4, 7), (4, 8)]


@pytest.mark.parametrize(
    ("cells", "confidence", "is_clear"), [(BOTH_SIDES, 0.99, True), (BOTH_SIDES, 0.9, False), (AROUND[:9], 0.99, False)]
)
def test_a_tightly_cropped_board_is_clear_if_pieces_would_overhang_any_other_place(
    monkeypatch: pytest.MonkeyPatch, cells: list[tuple[int, int]], confidence: float, is_clear: bool
) -> None:
    _as_sure_everywhere(monkeypatch, cells, confidence)
    image = np.full((940, 940, 3), 120, np.uint8)
    place = through_corners(GRID_CORNERS, [[10, 10], [930, 10], [930, 930], [10, 930]])
    assert put_right(image, place).clear is is_clear


def test_pieces_beyond_the_picture_are_no_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    _as_sure_everywhere(monkeypatch, BOTH_SIDES, 0.99)
    image = np.full((940, 940, 3), 120, np.uint8)
    place = through_corners(GRID_CORNERS, [[10, 110], [930, 110], [930, 1030], [10, 1030]])
    assert not put_right(image, place).clear


def test_the_place_of_a_missing_quilt_is_not_clear(table: SimulatedTable) -> None:
    image = np.full_like(table.frame(0.0), 120)
    place = through_corners(GRID_CORNERS, table.grid_corners_px()[0])
    assert not put_right(image, place).clear


@pytest.mark.parametrize("lines", [10, 9])
def test_an_empty_board_is_clear_if_none_of_its_lines_is_missing(monkeypatch: pytest.MonkeyPatch, lines: int) -> None:
    _as_sure_everywhere(monkeypatch, [], 0.0)
    image = np.full((940, 940, 3), 120, np.uint8)
    for number in range(lines):
        at = 10 + round(number * 920 / 9)
        image[at - 1 : at + 1, 10:931] = 200
    for number in range(10):
        at = 10 + round(number * 920 / 9)
        image[10:931, at - 1 : at + 1] = 200
    place = through_corners(GRID_CORNERS, [[10, 10], [930, 10], [930, 930], [10, 930]])
    assert put_right(image, place).clear is (lines == 10)
