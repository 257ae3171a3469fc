from __future__ import annotations

import numpy as np

from calibration.mat import load_mat
from hardware.simulated.scene.set_up import FRAMES_EACH, SettingUp
from vision.fiducials import FiducialDetector


def test_mats_come_first_then_boards_with_a_hand_then_nobody() -> None:
    stage, detector = SettingUp(1), FiducialDetector(load_mat().dictionary)
    pictures = [stage.picture(0.2 * index) for index in range(4 * FRAMES_EACH)]
    seen = [len(detector.detect(pictures[FRAMES_EACH * state + 1])) for state in range(4)]
    assert (seen[0], seen[1], seen[3]) == (0, 8, 8)
    corners = np.round(stage.table.grid_corners_px()[0]).astype(int)
    low, high = corners.min(axis=0) + 20, corners.max(axis=0) - 20
    boards = [picture[low[1] : high[1], low[0] : high[0]].astype(np.int16) for picture in pictures]
    paper, board = boards[FRAMES_EACH + 1], boards[-1]
    assert np.median(paper) > np.median(board) + 30
    other = [picture[:, 900:].astype(np.int16) for picture in pictures]
    with_hand, still = (np.abs(other[index] - other[-1]).max(axis=2).mean() for index in (2 * FRAMES_EACH, -2))
    assert with_hand > 2 * still
    assert not stage.over


def test_the_same_seed_gives_the_same_table() -> None:
    one, other = SettingUp(6), SettingUp(6)
    np.testing.assert_array_equal(one.picture(0.0), other.picture(0.0))
    np.testing.assert_array_equal(one.table.grid_corners_px(), other.table.grid_corners_px())
