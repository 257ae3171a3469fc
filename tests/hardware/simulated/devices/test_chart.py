from __future__ import annotations

import cv2
import numpy as np

from calibration.lensfit import CORNERS, charuco_board
from hardware.simulated.conditions import normal
from hardware.simulated.devices.camera import SimulatedCamera
from hardware.simulated.devices.chart import SimulatedChart, chart_picture
from hardware.simulated.devices.clock import SimulatedClock
from hardware.simulated.drawing.pinhole import pinhole_for


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
