"""The ground, learned from the cells that are likely bare."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.boardlook import LINES, look_at_board
from vision.ground import learn_ground, match_lines, sides
from vision.groundcues import cell_cues, edge_cues
from vision.rectify import SIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes

PATCH = [(2, 3), (2, 4), (3, 3), (3, 4), (4, 4)]


def _bare(covered: list[tuple[int, int]]) -> NDArray[np.float64]:
    bare = np.ones((SIDE, SIDE))
    bare[tuple(np.transpose(covered))] = 0.0
    return bare


def test_sides_of_an_edge() -> None:
    values = np.arange(81.0).reshape(9, 9) + 1
    before, behind = sides(values)
    assert before.shape == behind.shape == (2, LINES, SIDE)
    assert (before[0, 3, 5], behind[0, 3, 5]) == (values[5, 2], values[5, 3])
    assert (before[1, 3, 5], behind[1, 3, 5]) == (values[2, 5], values[3, 5])
    assert (before[:, 0] == 0).all()
    assert (behind[:, -1] == 0).all()


def test_a_patch_is_told_from_the_ground_around_it(scenes: type[Scenes]) -> None:
    look = look_at_board(scenes.lay(scenes.board(), PATCH))
    ground = learn_ground(look, _bare(PATCH))
    off = np.abs((look.colour - ground.colour) / ground.spread).max(axis=2)
    patch = _bare(PATCH) == 0
    assert off[patch].min() > off[~patch].max()


def test_a_cell_tells_nothing_of_itself(scenes: type[Scenes]) -> None:
    """A patch cell taken for bare is still expected to look like the others."""
    look = look_at_board(scenes.lay(scenes.board(), [(4, 4)]))
    told, untold = learn_ground(look, np.ones((SIDE, SIDE))), learn_ground(look, _bare([(4, 4)]))
    np.testing.assert_allclose(told.colour[4, 4], untold.colour[4, 4], atol=1e-6)
    assert told.known[4, 4] == pytest.approx(untold.known[4, 4])


def test_light_that_falls_off_is_followed(scenes: type[Scenes]) -> None:
    look = look_at_board(scenes.lit(scenes.board(), slope=0.5))
    ground = learn_ground(look, np.ones((SIDE, SIDE)))
    expected = ground.colour[..., 0]
    assert (np.diff(expected.mean(axis=0)) > 0).all()
    assert expected[:, 8].mean() - expected[:, 0].mean() > 0.1


@pytest.mark.parametrize("line", [0.72, 1.3])
def test_lines_are_matched_between_bare_cells_and_nowhere_else(scenes: type[Scenes], line: float) -> None:
    look = look_at_board(scenes.noisy(scenes.lay(scenes.board(line=line, speckle=0.03), PATCH), seed=1))
    match = match_lines(look, learn_ground(look, _bare(PATCH)))
    bare_pairs = np.zeros((2, LINES, SIDE), np.bool_)
    before, behind = sides(_bare(PATCH))
    bare_pairs[:, 1:-1] = (before * behind)[:, 1:-1] > 0
    assert np.median(match.strength[bare_pairs]) == pytest.approx(1.0, abs=0.1)
    inside = [(0, 4, 2), (0, 4, 3), (1, 3, 3), (1, 3, 4), (1, 4, 4)]
    assert min(match.oddity[edge] for edge in inside) > np.quantile(match.oddity[bare_pairs], 0.99)
    assert min(match.surprise[edge] for edge in inside) > 2.0
    assert match.gain[bare_pairs].min() > 0


def test_cues_are_finite_whatever_is_known(scenes: type[Scenes]) -> None:
    look = look_at_board(scenes.board())
    flat = look_at_board(np.full_like(scenes.board(), 128))
    for seen in (look, flat):
        for bare in (np.zeros((SIDE, SIDE)), np.ones((SIDE, SIDE)), _bare(PATCH)):
            ground = learn_ground(seen, bare)
            cells, edges = cell_cues(seen, ground), edge_cues(seen, ground)
            assert cells.shape[:2] == (SIDE, SIDE)
            assert edges.shape[:3] == (2, LINES, SIDE)
            assert np.isfinite(cells).all()
            assert np.isfinite(edges).all()


def test_cues_do_not_depend_on_which_way_round_a_board_lies(scenes: type[Scenes]) -> None:
    """Turned by half, each cell's cues turn with it; views are read from half pixels on, hence the tolerance."""
    view = scenes.lay(scenes.board(), PATCH)
    bare = _bare(PATCH)
    straight, turned = look_at_board(view), look_at_board(np.ascontiguousarray(view[::-1, ::-1]))
    one = cell_cues(straight, learn_ground(straight, bare))
    other = cell_cues(turned, learn_ground(turned, bare[::-1, ::-1]))[::-1, ::-1]
    assert np.median(np.abs(one - other)) < 0.02
