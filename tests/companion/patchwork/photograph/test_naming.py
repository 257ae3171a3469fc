"""Names of pieces of equal shape."""

from __future__ import annotations

import numpy as np
import pytest

from companion.patchwork.photograph.reading import LEATHER_NAME, QuiltReading, ReadPiece, name_pieces, name_twins
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.table import SimulatedTable
from vision.geometry import GRID_CORNERS, through_corners

CELLS = {"corner-b1": ((2, 2), (3, 2), (3, 3)), "corner-b3": ((6, 5), (7, 5), (7, 6))}
TWINS = ("corner-b1", "corner-b3")


@pytest.mark.parametrize("swapped", [False, True])
def test_labels_tell_twins_apart(swapped: bool) -> None:
    table = SimulatedTable(4, Conditions(camera_height_mm=600), mats=False)
    names = TWINS[::-1] if swapped else TWINS
    for seat, name, cells in zip((1, 2), names, CELLS.values(), strict=True):
        table.lay(seat, name, cells)
    places = {seat: through_corners(GRID_CORNERS, quad) for seat, quad in enumerate(table.grid_corners_px(), start=1)}
    readings = {
        seat: QuiltReading(np.zeros((9, 9)), (ReadPiece(TWINS, cells, 0.9), ReadPiece((), ((0, 0),), 0.8)), 0, 1.0)
        for seat, cells in zip((1, 2), CELLS.values(), strict=True)
    }
    named = name_pieces(table.frame(0.0), places, readings)
    assert [named[seat][0].patch for seat in (1, 2)] == list(names)
    assert named[1][0].cells == ("C3", "C4", "D4")
    assert [(piece.patch, piece.cells) for piece in named[2][1:]] == [(LEATHER_NAME, ("A1",))]


def test_more_twins_than_the_box_has_are_named_all_the_same() -> None:
    assert set(name_twins(np.zeros((3, 2)), TWINS)) == set(TWINS)


def test_twins_without_a_label_have_two_names() -> None:
    assert sorted(name_twins(np.zeros((2, 2)), TWINS)) == sorted(TWINS)


def test_the_surer_piece_gets_the_name() -> None:
    assert name_twins(np.array([[0.0, -1.0], [0.0, -4.0]]), TWINS) == ["corner-b3", "corner-b1"]
