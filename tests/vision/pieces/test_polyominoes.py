"""Test shapes of unit squares in all their orientations."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each
from vision.pieces.polyominoes import CELL_SLOTS, LEFT_SLOTS, UPPER_SLOTS, Cells, all_ways, outline_of, ways_of

DOMINO: Cells = ((0, 0), (0, 1))
HOOK: Cells = ((0, 0), (1, 0), (1, 1), (1, 2))
SQUARE: Cells = ((0, 0), (0, 1), (1, 0), (1, 1))
PROPELLER: Cells = ((0, 1), (1, 0), (1, 1), (1, 2), (1, 3), (2, 2))

STEPS = st.lists(st.tuples(st.integers(0, 30), st.sampled_from([(0, 1), (1, 0), (0, -1), (-1, 0)])), max_size=7)


def grown(steps: list[tuple[int, tuple[int, int]]]) -> Cells:
    """Return a connected shape, no longer than five cells, built by steps of adding cells."""
    cells = [(0, 0)]
    for at, (down, right) in steps:
        row, column = cells[at % len(cells)]
        longer = [*cells, (row + down, column + right)]
        if (row + down, column + right) not in cells and all(max(a) - min(a) < 5 for a in zip(*longer, strict=True)):
            cells = longer
    return tuple(cells)


@each(("shape", "count"), [(DOMINO, 2), (SQUARE, 1), (HOOK, 8), (PROPELLER, 4)])
def test_how_many_ways_there_are(shape: Cells, count: int) -> None:
    assert len(ways_of(shape)) == count


@given(STEPS)
def test_ways_are_of_one_shape(steps: list[tuple[int, tuple[int, int]]]) -> None:
    ways = ways_of(grown(steps))
    for way in ways:
        assert way[0] == (0, 0)
        assert set(ways_of(way)) == set(ways)


@given(STEPS)
def test_an_outline_encloses_the_shape(steps: list[tuple[int, tuple[int, int]]]) -> None:
    cells = grown(steps)
    outline = outline_of(cells).astype(np.float32)
    if _has_a_hole(cells):
        return
    assert abs(cv2.contourArea(outline)) == pytest.approx(len(cells))
    for row, column in cells:
        assert cv2.pointPolygonTest(outline, (column + 0.5, row + 0.5), False) > 0


def _has_a_hole(cells: Cells) -> bool:
    canvas = np.zeros((13, 13), np.uint8)
    for row, column in cells:
        canvas[row + 6, column + 6] = 1
    parts, _ = cv2.connectedComponents(1 - canvas, connectivity=4)
    corners = any(  # two cells that meet in a corner only: the outline crosses itself there
        canvas[r : r + 2, c : c + 2].tolist() in ([[1, 0], [0, 1]], [[0, 1], [1, 0]])
        for r in range(12)
        for c in range(12)
    )
    return parts > 2 or corners


def test_an_outline_runs_clockwise_through_its_bends_alone() -> None:
    outline = outline_of(HOOK)
    assert outline.tolist() == [[0, 0], [1, 0], [1, 1], [3, 1], [3, 2], [0, 2]]


def test_weights_count_cells_outline_and_inner_edges() -> None:
    ways = all_ways((HOOK, SQUARE))
    assert len(ways.cells) == 9
    edges = len(CELL_SLOTS)
    for cells, weights, size in zip(ways.cells, ways.weights.T, ways.sizes, strict=True):
        assert weights[:edges].sum() == len(cells) == size
        assert (weights[edges:] > 0).sum() == _outline_length(cells)
        assert (weights[edges:] < 0).sum() == (4 * len(cells) - _outline_length(cells)) / 2
    assert ways.weights.shape == (len(CELL_SLOTS) + len(UPPER_SLOTS) + len(LEFT_SLOTS), 9)
    assert ways.shapes.tolist() == [0] * 8 + [1]


def _outline_length(cells: Cells) -> int:
    around = ((0, 1), (1, 0), (0, -1), (-1, 0))
    return sum((row + down, column + right) not in cells for row, column in cells for down, right in around)
