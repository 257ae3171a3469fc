"""Test the tilings of a quilt that explain what is seen of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.components import PATCHES, placements
from companion.patchwork.photograph.tiling import (
    CELLS,
    MOST_LEATHER,
    Looks,
    Tilings,
    all_kinds,
    all_placements,
    best_tilings,
    most_weight,
)
from vision.quilt.network import BARE, INSIDE, LEATHER, LINE, PATCH, RIM, SEAM

if TYPE_CHECKING:
    from numpy.typing import NDArray

SQUARE = mask_of(["B2", "C2", "B3", "C3"])
BAR = mask_of(["E5", "F5", "G5", "H5", "I5"])
CROSS_SHAPED = next(mask for mask in placements("plus") if mask >> 40 & 1 and mask >> 31 & 1 and mask >> 39 & 1)
INCOMES = {SQUARE: 2, BAR: 1, CROSS_SHAPED: 2}


def _units(*masks: int) -> NDArray[np.intp]:
    """Return the number of the piece in each cell, 0 for none."""
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
    if step == 1:
        edges[8::9] = 0.0
    return edges


def _looks(*masks: int, cells: float = 2.0, edges: float = 2.0, spots: float = 1.0) -> Looks:
    """Return clear evidence of these pieces, each with its buttons and its label on its first cell."""
    units = _units(*masks)
    own, buttons, labels = np.zeros((CELLS, 3)), np.zeros(CELLS), np.zeros(CELLS)
    own[np.arange(CELLS), np.where(units > 0, PATCH, BARE)] = cells
    for mask in masks:
        first = (mask & -mask).bit_length() - 1
        buttons[first], labels[first] = spots * INCOMES.get(mask, 0), spots
    return Looks(own, _edges(units, 1, edges), _edges(units, 9, edges), buttons, labels)


def _patches(tilings: Tilings) -> list[tuple[str, ...]]:
    best = tilings.placed[0]
    return [all_kinds()[all_placements().kinds[number]].patches for number in best[best >= 0]]


def _covered(tilings: Tilings) -> NDArray[np.float64]:
    shares = np.exp(tilings.log_weights - tilings.log_weights[0])
    return np.asarray(shares @ tilings.covered / shares.sum())


@pytest.mark.parametrize("masks", [(), (SQUARE,), (SQUARE, BAR), (SQUARE, CROSS_SHAPED)])
def test_clear_looks_are_read_as_they_are(masks: tuple[int, ...]) -> None:
    tilings = best_tilings(_looks(*masks), widths=(60,))
    np.testing.assert_array_equal(tilings.covered[0], _units(*masks) > 0)
    assert len(_patches(tilings)) == len(masks)
    assert (np.diff(tilings.log_weights) <= 0).all()


def test_a_patch_in_the_board_s_own_colour_shows_by_its_edges() -> None:
    looks = _looks(SQUARE, edges=3.0)
    looks.cells[_units(SQUARE) > 0] = [1.5, 0.0, 0.0]
    tilings = best_tilings(looks, widths=(60,))
    np.testing.assert_array_equal(tilings.covered[0], _units(SQUARE) > 0)
    assert _covered(tilings)[_units(SQUARE) > 0].min() > 0.9


def test_buttons_and_a_label_tell_a_patch_from_the_board() -> None:
    """Neither its cells nor its edges give evidence."""
    looks = _looks(BAR, edges=1.0)
    looks.cells[_units(BAR) > 0] = 0.0
    looks.beside[:] = looks.below[:] = 0.0
    plain = Looks(looks.cells, looks.beside, looks.below, np.zeros(CELLS), np.zeros(CELLS))
    first = (BAR & -BAR).bit_length() - 1
    assert _covered(best_tilings(looks))[first] > 0.9 > _covered(best_tilings(plain))[first]


@pytest.mark.parametrize(("buttons", "patch"), [(1.0, "hook-t2"), (2.0, "hook-t6")])
def test_printed_buttons_tell_twins_apart(buttons: float, patch: str) -> None:
    mask = placements("hook-t2")[0]
    looks = _looks(mask)
    looks.buttons[(mask & -mask).bit_length() - 1] = buttons
    assert _patches(best_tilings(looks, widths=(60,))) == [(patch,)]


def test_a_patch_is_in_the_box_once() -> None:
    other = mask_of(["F7", "G7", "F8", "G8"])
    looks = _looks(SQUARE, other)
    looks.buttons[:] = 0.0
    tilings = best_tilings(looks, widths=(120,))
    assert _patches(tilings).count(("square",)) == 1
    assert (tilings.used <= [kind.copies for kind in all_kinds()]).all()


def test_one_dark_cell_is_leather() -> None:
    lone = mask_of(["D4"])
    looks = _looks(lone)
    looks.cells[_units(lone) > 0] = 0.0
    looks.cells[_units(lone) > 0, LEATHER] = 3.0
    looks.labels[:] = 0.0
    tilings = best_tilings(looks, widths=(60,))
    np.testing.assert_array_equal(tilings.covered[0], _units(lone) > 0)
    assert _patches(tilings) == [()]


def test_every_placement_of_every_piece_is_known_once() -> None:
    placed, kinds = all_placements(), all_kinds()
    assert sorted(patch for kind in kinds for patch in kind.patches) == sorted(PATCHES)
    assert [kind.patches for kind in kinds if len(kind.patches) > 1] == [("corner-b1", "corner-b3")]
    assert len(placed.masks) == sum(len(placements(kind.patches[0])) for kind in kinds[:-1]) + CELLS
    assert sum(kind.copies for kind in kinds[:-1]) == len(PATCHES)
    assert kinds[-1].copies == MOST_LEATHER == 5
    for cell in range(CELLS):
        here = placed.masks[placed.starts[cell] : placed.starts[cell + 1]]
        assert here[:, cell].all()
        assert not here[:, :cell].any()


@pytest.mark.parametrize("seed", range(4))
def test_no_tiling_exceeds_the_best_one_found_or_the_bound_on_those_left_out(seed: int) -> None:
    rng = np.random.default_rng(seed)
    looks = _looks(*(each[0] for each in (placements("bar4"), placements("plus"))), SQUARE, cells=1.5, edges=1.5)
    for evidence in (looks.cells, looks.beside[:-9], looks.below[:-9]):
        np.add(evidence, rng.normal(0, 0.8, evidence.shape), out=evidence)
    looks.beside[8::9] = 0.0
    narrow, wide = (best_tilings(looks, widths=(width,)) for width in (60, 1500))
    assert wide.log_weights[0] <= max(narrow.log_weights[0], narrow.missed) + 1e-9
    assert wide.missed <= narrow.missed
    assert wide.log_weights[0] <= most_weight(looks)
    if narrow.missed < narrow.log_weights[0]:
        np.testing.assert_array_equal(narrow.placed[0], wide.placed[0])


def test_clear_looks_leave_no_likelier_tiling_out() -> None:
    tilings = best_tilings(_looks(SQUARE, BAR))
    assert tilings.missed < tilings.log_weights[0] - 3
