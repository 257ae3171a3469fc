"""Test how well cells are seen, and what evidence from there is worth."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CELL_PX, VIEW_PX, cell_window
from vision.quilt.changes import corner_light, light_of_cells, lone_light, visibility, worth
from vision.quilt.look import RING, look_at

ALL = np.ones((RING, RING), np.bool_)


def _board(seed: int, noise: float = 1.0) -> NDArray[np.uint8]:
    """Return a view of a board with printed lines and stains, with noise of its own."""
    view = np.full((VIEW_PX, VIEW_PX), 150.0, np.float32)
    view += 25 * cv2.GaussianBlur(np.random.default_rng(0).standard_normal(view.shape, np.float32), (0, 0), 3) * 10
    view[CELL_PX // 2 :: CELL_PX] = view[:, CELL_PX // 2 :: CELL_PX] = 60
    view += noise * np.random.default_rng(seed).standard_normal(view.shape, np.float32)
    return np.repeat(np.clip(view, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


def _seen(current: NDArray[np.uint8], expected: NDArray[np.uint8]) -> NDArray[np.float64]:
    return visibility(look_at(expected), look_at(current), ALL)


def test_a_board_that_looks_as_expected_is_seen_well() -> None:
    assert _seen(_board(1), _board(2)).min() > 0.9


def test_noise_blur_and_a_veil_lower_what_is_seen() -> None:
    blurred = [np.asarray(cv2.GaussianBlur(_board(seed), (0, 0), 20), np.uint8) for seed in (1, 2)]
    veiled = [(0.03 * _board(seed) + 130).astype(np.uint8) for seed in (1, 2)]
    for one, other in ((_board(1, 90.0), _board(2, 90.0)), blurred, veiled):
        assert _seen(one, other).max() < 0.5


def test_only_the_cells_under_a_smear_are_seen_badly() -> None:
    views = [_board(1), _board(2)]
    for view in views:
        view[: 5 * CELL_PX, : 5 * CELL_PX] = 140
    seen = _seen(*views)
    assert seen[1, 1] < 0.3
    assert seen[7:, 7:].min() > 0.9


def test_changed_cells_do_not_count_as_seen_badly() -> None:
    as_expected = ALL.copy()
    as_expected[3:7, 3:7] = False
    current = _board(1)
    current[cell_window(3, 3, 0)] = current[cell_window(4, 4, 0)] = (20, 90, 30)
    assert visibility(look_at(_board(2)), look_at(current), as_expected)[4:6, 4:6].min() > 0.8


def test_a_pale_patch_changes_the_light_by_one_step_at_its_outline_also_in_noise_and_under_another_lamp() -> None:
    expected, current = _board(1, 40.0), _board(2, 40.0).astype(np.float32) * np.linspace(0.6, 0.9, VIEW_PX)[:, None]
    for column in (3, 4, 5):
        current[cell_window(4, column, 0)] += (0.0, 8.0, 14.0)
    light = light_of_cells(look_at(expected), look_at(current.astype(np.uint8)))
    colour = light[..., 1]
    assert np.abs(np.diff(colour[5, 4:7])).max() < 3
    assert min(colour[5, 4] - colour[5, 3], colour[5, 6] - colour[5, 7]) > 3
    assert (colour[5, 4:7] - colour[4, 4:7]).min() > 3


def test_the_light_of_a_single_cell_differs_from_all_beside_it_but_a_shadow_does_not_end_with_a_cell() -> None:
    expected, current = _board(1, 40.0), _board(2, 40.0).astype(np.float32) * np.linspace(0.5, 0.9, VIEW_PX)[:, None]
    current[cell_window(6, 6, 0)] *= 0.8
    # A patch's shadow over one side of a cell, and a hand's over many.
    current[cell_window(1, 1, 0)][:, : CELL_PX // 2] *= 0.6
    current[: 5 * CELL_PX, 7 * CELL_PX :] *= 0.6
    light = lone_light(look_at(expected), look_at(current.astype(np.uint8)))
    assert light[6, 6] < -0.12
    light[6, 6] = 0.0
    assert np.abs(light).max() < 0.05


def test_a_round_thing_leaves_a_corner_of_its_cell_as_it_was_and_a_square_one_does_not() -> None:
    expected, current = _board(1, 40.0), _board(2, 40.0) * np.array([0.7, 0.8, 0.9])
    current[cell_window(2, 6, 0)] = (20, 90, 30)
    rows, columns = cell_window(6, 2, 0)
    middle = ((columns.start + columns.stop) // 2, (rows.start + rows.stop) // 2)
    cv2.circle(current, middle, round(0.35 * CELL_PX), (20, 90, 30), -1)
    # A patch beside it reaches into two corners.
    current[rows, columns][:, :5] = (20, 90, 30)
    light = corner_light(look_at(expected), look_at(current.astype(np.uint8)))
    assert light[2, 6] > 0.3
    light[2, 6] = 0.0
    assert light.max() < 0.1


def test_a_cell_that_cannot_be_seen_is_not_held_to_be_bare() -> None:
    ratios, seen = np.full((RING, RING), -12.0), np.zeros((RING, RING))
    assert worth(ratios, seen).min() > -0.5
    np.testing.assert_array_equal(worth(ratios, np.ones((RING, RING))), ratios)


def test_evidence_is_worth_more_the_better_a_cell_is_seen() -> None:
    for stated in (-12.0, -4.0, 3.0, 12.0):
        values = [float(worth(np.full((1, 1), stated), np.full((1, 1), seen))[0, 0]) for seen in np.linspace(0, 1, 21)]
        assert (np.diff(np.abs(values)) >= -1e-9).all()
        assert all(np.sign(value) == np.sign(stated) for value in values)
