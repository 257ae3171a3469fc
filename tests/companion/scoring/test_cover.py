"""Layings of the box's pieces that explain what a quilt looks like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.games.patchwork import PATCHES, mask_of, placements
from companion.scoring.cover import Looks, best_layings
from companion.scoring.shapes import CELLS, all_placements
from vision.bareness import INSIDE, LINE, RIM, SEAM
from vision.quiltfield import BARE, COVERED

if TYPE_CHECKING:
    from numpy.typing import NDArray

SQUARE = mask_of(["B2", "C2", "B3", "C3"])
BAR = mask_of(["E5", "F5", "G5", "H5", "I5"])
CROSS_SHAPED = next(mask for mask in placements("plus") if mask >> 40 & 1 and mask >> 31 & 1 and mask >> 39 & 1)


def _units(*masks: int) -> NDArray[np.intp]:
    """The number of the piece in each cell, 0 where there is none."""
    units = np.zeros(CELLS, np.intp)
    for number, mask in enumerate(masks, start=1):
        units[[cell for cell in range(CELLS) if mask >> cell & 1]] = number
    return units


def _edges(units: NDArray[np.intp], step: int, strength: float) -> NDArray[np.float64]:
    edges = np.zeros((CELLS, 4))
    for cell in range(CELLS - step):
        one, other = units[cell], units[cell + step]
        kind = INSIDE if one == other else SEAM
        if not one or not other:
            kind = LINE if not one and not other else RIM
        edges[cell, kind] = strength
    return edges


def _looks(units: NDArray[np.intp], cells: float = 2.0, edges: float = 2.0) -> Looks:
    """Clear looks of these pieces."""
    own = np.zeros((CELLS, 2))
    own[np.arange(CELLS), np.where(units > 0, COVERED, BARE)] = cells
    return Looks(own, _edges(units, 1, edges), _edges(units, 9, edges))


@pytest.mark.parametrize("masks", [(), (SQUARE,), (SQUARE, BAR), (SQUARE, BAR, CROSS_SHAPED)])
def test_clear_looks_are_read_as_they_are(masks: tuple[int, ...]) -> None:
    units = _units(*(mask for number, mask in enumerate(masks) if not any(mask & other for other in masks[:number])))
    layings = best_layings(_looks(units), units > 0, width=60)
    np.testing.assert_array_equal(layings.covered[0], units > 0)
    assert (np.diff(layings.log_weights) <= 0).all()


def test_a_patch_in_the_board_s_own_colour_shows_by_its_edges() -> None:
    """Its cells look bare, and one by one they were read so; but no line runs through it."""
    units = _units(SQUARE)
    looks = _looks(units, edges=3.0)
    looks.cells[units > 0] = [1.5, 0.0]
    layings = best_layings(looks, np.zeros(CELLS, np.bool_), width=60)
    np.testing.assert_array_equal(layings.covered[0], units > 0)
    assert layings.probability[units > 0].min() > 0.9


def test_what_no_piece_can_cover_is_not_covered_at_once() -> None:
    """Nine cells in a row without a seam are no patch: edges that say so are not believed all of them."""
    row = _units(mask_of(f"{letter}5" for letter in "ABCDEFGHI"))
    layings = best_layings(_looks(row, cells=0.5, edges=1.0), row > 0, width=60)
    clear = best_layings(_looks(_units(BAR), cells=0.5, edges=1.0), _units(BAR) > 0, width=60)
    assert layings.log_weights[0] < clear.log_weights[0] - 1.0


def test_what_nothing_tells_is_left_open() -> None:
    units = _units(SQUARE, BAR)
    looks = _looks(units)
    corner = 8
    looks.cells[corner] = 0.0
    looks.beside[corner - 1] = 0.0
    looks.below[corner] = 0.0
    chance = best_layings(looks, units > 0, width=200).probability[corner]
    assert 0.0 < chance < 0.5, "a leather patch may lie there, but need not"


def test_every_placement_of_every_piece_is_known_once() -> None:
    placed = all_placements()
    shapes = {placements(patch) for patch in PATCHES}
    assert len(placed.masks) == sum(map(len, shapes)) + CELLS
    assert placed.copies[:-1].sum() == len(PATCHES)
    assert placed.copies[-1] == 5, "leather patches"
    for cell in range(CELLS):
        here = placed.masks[placed.starts[cell] : placed.starts[cell + 1]]
        assert here[:, cell].all()
        assert not here[:, :cell].any()
