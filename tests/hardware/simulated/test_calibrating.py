"""Test the stages for a calibration."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.lensfit import CORNERS, charuco_board
from calibration.mat import load_mat
from hardware.simulated.calibrating import FRAMES_EACH, SettingUp, SimulatedChart, chart_picture
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import normal
from hardware.simulated.devices import SimulatedClock
from hardware.simulated.drawing.pinhole import pinhole_for
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


def _stage(seed: int = 1, hold_frames: int = 1) -> SimulatedChart:
    camera = pinhole_for(normal(), np.random.default_rng(seed))
    return SimulatedChart(camera, normal(), np.random.default_rng(seed), hold_frames)


def test_the_picture_is_the_chart() -> None:
    corners, ids, _, _ = cv2.aruco.CharucoDetector(charuco_board()).detectBoard(chart_picture())
    assert len(np.asarray(ids).reshape(-1)) == CORNERS
    assert np.asarray(corners).size == 2 * CORNERS


def test_a_camera_sees_it_held_in_another_way_each_time() -> None:
    camera = SimulatedCamera(_stage(hold_frames=2), SimulatedClock(), 5.0)
    one, again, other = (camera.capture().image.astype(np.int16) for _ in range(3))
    assert one.shape == (864, 1536, 3)
    assert np.abs(one - again).mean() < 4
    assert np.abs(one - other).mean() > 15


def test_the_same_seed_holds_it_the_same_way() -> None:
    np.testing.assert_array_equal(_stage(4).picture(0.0), _stage(4).picture(0.0))
