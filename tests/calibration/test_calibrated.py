from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
import pytest

from calibration.calibrated import CalibratedLocator, straightened
from calibration.lens import Lens
from calibration.locator import MatLocator
from calibration.mat import load_mats
from calibration.stored import BoardCalibration, TableCalibration
from calibration.straightened import StraightenedCamera
from hardware.simulated.conditions import normal
from hardware.simulated.devices.camera import SimulatedCamera
from hardware.simulated.devices.clock import SimulatedClock
from hardware.simulated.scene.set_up import SettingUp
from hardware.simulated.scene.table import SimulatedTable
from vision.geometry import GRID_CORNERS, Homography, translation

if TYPE_CHECKING:
    from numpy.typing import NDArray

LENS = Lens((1536, 864), (1182.6, 1182.6), (767.5, 431.5), (-0.035, 0.0, 0.0, 0.0, 0.0))


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    return SimulatedTable(3, normal())


@pytest.fixture(scope="module")
def frame(table: SimulatedTable) -> NDArray[np.uint8]:
    return table.frame(0.0)


def _calibration(table: SimulatedTable, place: Homography, lens: Lens | None = None) -> TableCalibration:
    boards = {
        seat: BoardCalibration("a4", place, corners, 0.1, 0.06, 33.0, 0.9, 210.0)
        for seat, corners in enumerate(table.grid_corners_px(), start=1)
    }
    return TableCalibration(datetime(2026, 5, 4, tzinfo=UTC), (1536, 864), boards, lens)


def test_boards_are_where_they_lay_on_their_mats(table: SimulatedTable, frame: NDArray[np.uint8]) -> None:
    mats = MatLocator(*load_mats())
    moved = translation(3.0, -2.0).after(mats.place(1))
    locator = CalibratedLocator(_calibration(table, moved))
    for seat in (1, 2):
        mats.put(seat, moved)
    expected = mats.locate(frame)
    found = locator.locate(frame)
    for seat in (1, 2):
        assert found[seat].residuals(GRID_CORNERS, expected[seat](GRID_CORNERS)).max() < 1e-6
        assert locator.place(seat) is moved
    assert not locator.is_held


@pytest.mark.parametrize("lens", [None, LENS], ids=["no-lens", "lens"])
def test_without_mats_the_written_corners_are_held(table: SimulatedTable, lens: Lens | None) -> None:
    locator = CalibratedLocator(_calibration(table, MatLocator(*load_mats()).place(1), lens))
    bare = np.full((864, 1536, 3), 100, np.uint8)
    found = locator.locate(bare)
    for seat, corners in enumerate(table.grid_corners_px(), start=1):
        expected = corners if lens is None else lens.to_straight(corners)
        assert found[seat].residuals(GRID_CORNERS, expected).max() < 0.01
    assert locator.is_held
    better = found[1].after(translation(0.1, 0.0))
    locator.adopt(1, better)
    assert locator.locate(bare)[1] is better


def test_mats_that_are_covered_later_do_not_change_the_way(table: SimulatedTable, frame: NDArray[np.uint8]) -> None:
    locator = CalibratedLocator(_calibration(table, MatLocator(*load_mats()).place(1)))
    before = locator.locate(frame)
    after = locator.locate(np.full_like(frame, 100))
    assert after[1].residuals(GRID_CORNERS, before[1](GRID_CORNERS)).max() < 1e-6
    assert not locator.is_held


def test_a_camera_is_straightened_only_where_its_lens_is_known(table: SimulatedTable) -> None:
    camera = SimulatedCamera(SettingUp(1), SimulatedClock(), 5.0)
    place = MatLocator(*load_mats()).place(1)
    assert straightened(camera, None) is camera
    assert straightened(camera, _calibration(table, place)) is camera
    assert isinstance(straightened(camera, _calibration(table, place, LENS)), StraightenedCamera)
