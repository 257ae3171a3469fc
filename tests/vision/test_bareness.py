"""Bare and covered cells, read from one view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.bareness import INSIDE, LINE, Evidence, Trust, field_of, networks, read_bareness
from vision.quiltfield import BARE, COVERED, posterior
from vision.rectify import SIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes

PATCHES = ([(0, 0), (0, 1), (1, 0), (1, 1)], [(4, 4), (4, 5), (5, 4), (6, 4)], [(8, 6), (8, 7), (8, 8)])


def _covered(*patches: list[tuple[int, int]]) -> NDArray[np.bool_]:
    covered = np.zeros((SIDE, SIDE), np.bool_)
    for patch in patches:
        covered[tuple(np.transpose(patch))] = True
    return covered


@pytest.mark.parametrize("light", [{}, {"gain": 0.6}, {"slope": 0.5}])
@pytest.mark.parametrize("line", [0.72, 1.3])
def test_patches_on_a_board_never_seen_empty(scenes: type[Scenes], line: float, light: dict[str, float]) -> None:
    view = scenes.board(line=line)
    for seed, cells in enumerate(PATCHES, start=1):
        view = scenes.lay(view, cells, seed)
    found = read_bareness(scenes.noisy(scenes.lit(view, **light), seed=1)).covered
    np.testing.assert_array_equal(found > 0.5, _covered(*PATCHES))


def test_an_empty_board_is_empty(scenes: type[Scenes]) -> None:
    assert read_bareness(scenes.noisy(scenes.board(), seed=2)).covered.max() < 0.5


def _evidence() -> Evidence:
    return Evidence(np.zeros((SIDE, SIDE, 2)), np.zeros((2, SIDE - 1, SIDE, 4)), np.zeros((2, 2, SIDE, 2)))


def test_the_border_tells_of_the_cells_beside_it() -> None:
    evidence = _evidence()
    evidence.border[0, 1, 3, COVERED] = 5.0  # the last line between columns, row 3
    evidence.border[1, 0, 6, BARE] = 5.0  # the first line between rows, column 6
    cells = evidence.cells_with_border(Trust(1.0, 1.0, 0.5))
    assert cells[3, 8, COVERED] == 2.5
    assert cells[0, 6, BARE] == 2.5
    assert np.count_nonzero(cells) == 2


def test_edges_tell_of_the_cells_to_both_sides() -> None:
    evidence = _evidence()
    evidence.edges[0, 2, 5, INSIDE] = 6.0  # between columns 2 and 3, row 5
    evidence.edges[1, 6, 1, LINE] = 6.0  # between rows 6 and 7, column 1
    covered = posterior(field_of(evidence, Trust(1.0, 1.0, 1.0))).covered
    assert covered[5, 2] > 0.9
    assert covered[5, 3] > 0.9
    assert covered[6, 1] < 0.1
    assert covered[7, 1] < 0.1
    assert covered[0, 0] == pytest.approx(0.5)


def test_the_networks_are_those_that_the_cues_were_made_for() -> None:
    for round_ in networks().values():
        assert [part.usual.shape for part in (round_.cell, round_.edge, round_.border)] == [(2,), (4,), (2,)]
        assert round_.edge.middle.shape == round_.border.middle.shape
