from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.table import SimulatedTable
from tests.vision.timeboard.conftest import ABOVE, TRACK, boards_in, true_place
from vision.geometry import GRID_CORNERS, FailedFit
from vision.timeboard.board import known_layouts, load_layout
from vision.timeboard.finding import FoundBoard, find_time_board

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CELL_PX = 30.0


def test_a_board_is_found_with_its_printing_and_its_turn(laid: tuple[SimulatedTable, NDArray[np.uint8]]) -> None:
    table, image = laid

    found = find_time_board(image, boards_in(image), TRACK.income, TRACK.leather, known_layouts())

    assert isinstance(found, FoundBoard)
    assert found.layout.name == "even"
    away_px = found.place.residuals(GRID_CORNERS, true_place(table)(GRID_CORNERS))
    assert away_px.max() < 0.2 * _CELL_PX
    assert found.alikeness.income > 5
    assert found.alikeness.leather > 5


def test_no_time_board_is_found_without_one_in_view() -> None:
    image = SimulatedTable(ABOVE, Conditions()).frame(0.0)

    found = find_time_board(image, boards_in(image), TRACK.income, TRACK.leather, [load_layout("even")])

    assert isinstance(found, FailedFit)
    assert "no place looks like a time board" in found.reason


def test_a_quilt_that_fills_the_picture_leaves_no_room_for_one(laid: tuple[SimulatedTable, NDArray[np.uint8]]) -> None:
    image = np.full((300, 300, 3), 128, np.uint8)
    boards = boards_in(laid[1])

    assert isinstance(find_time_board(image, boards[:1], TRACK.income, TRACK.leather, known_layouts()), FailedFit)
