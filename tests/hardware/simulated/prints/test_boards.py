"""Test the boards, and grounds of other printings."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from calibration.mat import load_mat
from companion.games.patchwork.components import TIME_TRACKS, Edition
from hardware.simulated.prints.boards import (
    BOARD_PX_PER_MM,
    GROUNDS,
    TIME_GRID_MM,
    Ground,
    board_picture,
    mat_sprite,
    quilt_board_sprite,
    random_ground,
    space_mm,
    spiral,
    time_board_sprite,
)

BEIGE = np.array([150.0, 180.0, 200.0], np.float32)


def _columns(ground: Ground) -> np.ndarray:
    picture = board_picture(ground, 191.0, 181.0, 3.0, np.random.default_rng(2)).astype(np.float64)
    return np.asarray(picture.mean(axis=2)[30:-30].mean(axis=0))


@pytest.mark.parametrize("sewn", [False, True])
def test_dark_lines_run_where_the_cells_meet(sewn: bool) -> None:
    mean = _columns(Ground(BEIGE, thread=1.0, stains=0.0, line=0.4, line_mm=1.0, sewn=sewn))
    for index in range(1, 9):
        line, middle = round((5 + index * 181 / 9) * 3), round((5 + (index + 0.5) * 181 / 9) * 3)
        assert mean[line - 1 : line + 2].min() < mean[middle] - 20


def test_a_line_of_factor_one_is_not_there() -> None:
    mean = _columns(Ground(BEIGE, thread=0.0, stains=0.0, line=1.0, sewn=True))
    assert np.ptp(mean[20:-20]) < 1.5


def test_stains_are_soft_and_make_a_board_uneven() -> None:
    plain, stained = (
        board_picture(Ground(BEIGE, thread=0, stains=stains, line=1.0), 191.0, 181.0, 2.0, np.random.default_rng(4))
        for stains in (0.0, 0.1)
    )
    assert stained[40:-40, 40:-40].std() > 4 * plain[40:-40, 40:-40].std(axis=(0, 1)).max() + 1


def test_random_boards_differ() -> None:
    rng = np.random.default_rng(1)
    bases = np.array([random_ground(rng).base for _ in range(12)])
    assert (bases.std(axis=0) > 15).all()


@pytest.mark.parametrize("seat", [1, 2])
def test_a_printed_mat_carries_its_seats_markers_where_they_belong(seat: int) -> None:
    mat = load_mat()
    sprite = mat_sprite(mat, seat)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(sprite.picture)
    found = {int(i): np.asarray(c).reshape(4, 2) for i, c in zip(np.ravel(ids), corners, strict=True)}
    assert set(found) == set(mat.seats[seat])
    for index, marker in enumerate(mat.seats[seat]):
        np.testing.assert_allclose((found[marker] + 0.5) / sprite.px_per_mm, mat.marker_corners_mm(index), atol=0.35)


@pytest.mark.parametrize("ground", range(len(GROUNDS)))
def test_a_boards_grid_has_ten_lines_at_its_size(ground: int) -> None:
    sprite = quilt_board_sprite(ground, 191.0, 181.0)
    assert sprite.mask.shape[0] == round(191 * BOARD_PX_PER_MM)
    # Lines are where the profile differs most from its surroundings.
    profile = sprite.picture[100:-100].astype(float).mean(axis=(0, 2))
    contrast = np.abs(profile - cv2.blur(profile.reshape(1, -1), (21, 1))[0])
    for index in range(1, 9):
        at = (5 + index * 181 / 9) * BOARD_PX_PER_MM
        near = contrast[round(at) - 2 : round(at) + 3].max()
        assert near > 2.5 * np.median(contrast)


def test_the_spiral_visits_53_spaces_one_step_at_a_time_and_never_twice() -> None:
    track = spiral()
    assert len(track) == len(set(track)) == 53
    for (row, column), (row2, column2) in itertools.pairwise(track):
        assert abs(row - row2) + abs(column - column2) == 1


def test_every_space_and_mark_is_on_the_time_board() -> None:
    for half in range(107):
        assert max(map(abs, space_mm(half / 2))) <= TIME_GRID_MM / 2


def test_the_time_board_shows_its_income_marks() -> None:
    picture = time_board_sprite(Edition.ORIGINAL, (60, 66, 150)).picture
    middle = picture.shape[0] / 2
    for mark in TIME_TRACKS[Edition.ORIGINAL].income:
        x_mm, y_mm = space_mm(mark - 0.5)
        x, y = (round(middle + value * BOARD_PX_PER_MM) for value in (x_mm, y_mm))
        blue, _, red = picture[y - 5 : y + 6, x - 5 : x + 6].reshape(-1, 3).mean(axis=0)
        assert blue > red + 40
