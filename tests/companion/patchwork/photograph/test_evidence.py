"""Test the network's output as evidence for comparing tilings."""

from __future__ import annotations

import numpy as np

from companion.patchwork.photograph.reading import Trust, looks_of
from vision.quilt.network import BARE, INSIDE, LINE, PATCH, RIM, QuiltLook

PLACES = 44


def _look() -> QuiltLook:
    """Return a look without any evidence."""
    spots = np.zeros((2, PLACES, PLACES))
    return QuiltLook(np.zeros((9, 9, 3)), np.zeros((9, 10, 4)), np.zeros((10, 9, 4)), spots[0], spots[1])


def test_the_outermost_edges_tell_of_the_cells_beside_them() -> None:
    look = _look()
    look.beside[3, 9, LINE] = -4.0
    look.below[0, 6, RIM] = -6.0
    looks = looks_of(look, Trust(cell=1.0, edge=0.5))
    cells = looks.cells.reshape(9, 9, 3)
    assert cells[3, 8, BARE] == -2.0
    assert cells[0, 6, PATCH] == -3.0
    assert np.count_nonzero(cells) == 3, "a rim tells of leather too"
    assert not looks.beside.any()


def test_inner_edges_stand_at_the_cell_to_their_left_and_above() -> None:
    look = _look()
    look.beside[2, 1, INSIDE] = -2.0
    look.below[5, 7, INSIDE] = -4.0
    looks = looks_of(look, Trust(cell=1.0, edge=0.5))
    assert looks.beside[2 * 9 + 0, INSIDE] == -1.0
    assert looks.below[4 * 9 + 7, INSIDE] == -2.0
    assert np.count_nonzero(looks.beside) == np.count_nonzero(looks.below) == 1


def test_nothing_counts_without_limit() -> None:
    look = _look()
    look.cells[4, 4, BARE] = -100.0
    assert looks_of(look, Trust(cell=0.5, edge=0.5, least=-8.0)).cells[40, BARE] == -4.0


def test_buttons_lie_on_one_cell_and_labels_on_those_around() -> None:
    look = _look()
    look.buttons[4 + 4 * 2 + 1, 4 + 4 * 3 + 3] = 0.9
    look.buttons[20, 30] = 0.01
    look.labels[4 + 4 * 5 + 1, 4 + 4 * 6 + 3] = 0.8
    looks = looks_of(look)
    assert np.flatnonzero(looks.buttons).tolist() == [2 * 9 + 3]
    assert looks.buttons.sum() == 0.9
    np.testing.assert_allclose(looks.labels.sum(), 0.8)
    assert looks.labels[5 * 9 + 6] > looks.labels[5 * 9 + 7] > 0.2


def test_the_kind_of_piece_in_a_cell_counts_by_itself() -> None:
    look = _look()
    look.cells[4, 4] = np.log([0.2, 0.6, 0.2])
    bare, patch, leather = looks_of(look, Trust(cell=0.5, kind=1.0)).cells[40]
    assert np.isclose(bare, 0.5 * np.log(0.2))
    assert np.isclose(patch, 0.5 * np.log(0.8) + np.log(0.75))
    assert np.isclose(leather, 0.5 * np.log(0.8) + np.log(0.25))
