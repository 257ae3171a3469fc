"""Test that cells that players vouch for count as expected while their look is unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.patchwork.cells import mask_of
from companion.patchwork.reading.observer import Beliefs, Observation
from companion.patchwork.watching.watch import lattice_of, mask_of_lattice
from vision.geometry import VIEW_PX
from vision.quilt.changes import SHIFTS
from vision.quilt.look import RING, SQUARES, WINDOWS, look_at
from vision.table.plane import PlacedPicture

if TYPE_CHECKING:
    from numpy.typing import NDArray

CELLS = mask_of(["D4", "E4"])
ELSEWHERE = mask_of(["A9"])
PLAIN = np.zeros((SQUARES, SQUARES, 3), np.float32)
PICTURE = PlacedPicture(np.zeros((1, 1, 3), np.uint8), {})
_LOOK = look_at(np.full((VIEW_PX, VIEW_PX, 3), 120, np.uint8))


def _observation(changed: int) -> Observation:
    """Return the observation of a quilt on which only these cells look changed."""
    core = np.where(lattice_of(changed), 6.0, -6.0)
    ratios = np.repeat(core[None], len(SHIFTS), axis=0)
    windows = np.zeros((WINDOWS, WINDOWS))
    return Observation(ratios, core, windows, lattice_of(0), _LOOK, _LOOK, 0.0, "f", PICTURE)


def _changed(observation: Observation) -> int:
    return mask_of_lattice(observation.ratios[0] > 0)


def _with_squares(shade: float, row: int = 3, column: int = 3) -> NDArray[np.float32]:
    """Return the quilt with a cell of another brightness, D4 by default."""
    look = PLAIN.copy()
    look[3 + 2 * row : 5 + 2 * row, 3 + 2 * column : 5 + 2 * column] += shade
    return look


def test_only_confirmed_cells_count_as_expected() -> None:
    beliefs = Beliefs()
    beliefs.add(1, CELLS, 0, PLAIN, made=3)
    observation = beliefs.applied(1, _observation(CELLS | ELSEWHERE), 0, PLAIN, made=7)
    assert (_changed(observation), observation.is_shaken) == (ELSEWHERE, False)
    assert observation.core.shape == (RING, RING)
    other = beliefs.applied(2, _observation(CELLS), 0, PLAIN, made=7)
    assert _changed(other) == CELLS, "the other player's quilt is another"


def test_a_cell_that_looks_otherwise_now_is_believed_no_longer() -> None:
    beliefs = Beliefs()
    beliefs.add(1, CELLS, 0, PLAIN, made=3)
    observation = beliefs.applied(1, _observation(CELLS), 0, _with_squares(0.4), made=4)
    assert _changed(observation) == mask_of(["D4"])


def test_a_cell_that_was_covered_since_is_another_matter() -> None:
    beliefs = Beliefs()
    beliefs.add(1, CELLS, 0, PLAIN, made=3)
    observation = beliefs.applied(1, _observation(CELLS), mask_of(["E4"]), PLAIN, made=4)
    assert _changed(observation) == mask_of(["E4"])


@pytest.mark.parametrize(("made", "shaken"), [(2, True), (3, False)])
def test_an_undo_shakes_the_beliefs_of_its_decision(made: int, shaken: bool) -> None:
    beliefs = Beliefs()
    beliefs.add(1, CELLS, 0, PLAIN, made=3)
    observation = beliefs.applied(1, _observation(CELLS), 0, PLAIN, made=made)
    assert (_changed(observation), observation.is_shaken) == (0, shaken)
    elsewhere = beliefs.applied(1, _observation(ELSEWHERE), 0, PLAIN, made=made)
    assert not elsewhere.is_shaken, "where it makes no difference nobody needs to know"


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.integers(min_value=1, max_value=(1 << 81) - 1),
    st.integers(min_value=0, max_value=(1 << 81) - 1),
    st.floats(min_value=-0.05, max_value=0.05),
    st.integers(min_value=0, max_value=9),
)
def test_the_same_look_is_never_changed_where_it_is_believed(cells: int, quilt: int, lamp: float, later: int) -> None:
    """In any light, and after any number of decisions."""
    beliefs = Beliefs()
    beliefs.add(1, cells, quilt, PLAIN, made=1)
    observation = beliefs.applied(1, _observation((1 << 81) - 1), quilt, PLAIN + np.float32(lamp), made=1 + later)
    assert _changed(observation) & cells == 0
    assert _changed(observation) | cells == (1 << 81) - 1
