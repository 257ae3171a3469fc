from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from calibration.lens import Lens
from calibration.stored import BoardCalibration, TableCalibration, save_calibration
from companion.config import Config, PageConfig, TableConfig
from companion.upkeep.doctor.diagnosing import check_calibration, check_devices, check_file
from hardware.diagnosis import Level, Machine, ok
from hardware.drivers.gpio import GpioDriver
from hardware.drivers.neopixel import NeoPixelDriver
from hardware.drivers.none import NoControlsDriver, NoStripDriver
from hardware.drivers.pi import PiCameraDriver
from hardware.drivers.webcam import WebcamDriver
from tests.companion.upkeep.doctor.conftest import Plant, faults, levels
from vision.geometry import Homography

if TYPE_CHECKING:
    from pathlib import Path

PI = {"/proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0"}
REAL = Config(camera=PiCameraDriver(), controls=GpioDriver(), strip=NeoPixelDriver())


def titles(config: Config, machine: Machine) -> list[str]:
    return [finding.title for finding in check_devices(config, machine) if finding.level is Level.FAULT]


def test_simulated_devices_make_no_table(plant: Plant) -> None:
    assert titles(Config(), plant(PI)) == [
        "The camera is simulated.", "The push-buttons are simulated.", "The strip is simulated.",
    ]  # fmt: skip


def test_a_real_table_on_a_raspberry_pi(plant: Plant) -> None:
    board, *_ = check_devices(REAL, plant(PI))
    assert board == ok("board", "Raspberry Pi 4 Model B Rev 1.4.")


def test_drivers_for_a_pi_on_another_machine(plant: Plant) -> None:
    board, *_ = check_devices(REAL, plant())
    assert faults([board]) == ['This is not a Raspberry Pi, so "pi", "gpio", "neopixel" will not work.']
    board, *_ = check_devices(
        Config(camera=WebcamDriver(), controls=NoControlsDriver(), strip=NoStripDriver()), plant()
    )
    assert levels([board]) == ["note"]


def test_a_button_at_the_strips_pin(plant: Plant) -> None:
    assert "A push-button is at GPIO10." in titles(replace(REAL, controls=GpioDriver(undo_pins=(10,))), plant(PI))


def test_a_table_at_which_nobody_can_decide_anything(plant: Plant) -> None:
    mute = replace(REAL, controls=NoControlsDriver(), page=PageConfig(enabled=False))
    assert "There are no push-buttons and no page." in titles(mute, plant(PI))
    hands_free = replace(mute, reading=replace(mute.reading, hands_free=True))
    assert "There are no push-buttons and no page." not in titles(hands_free, plant(PI))


def test_a_calibration_that_is_not_there(tmp_path: Path) -> None:
    there = tmp_path / "calibration.toml"
    config = replace(REAL, table=TableConfig(calibration=there))
    assert faults(check_calibration(config)) == [f"The calibration {there} does not exist."]
    assert levels(check_calibration(REAL)) == ["note"]
    assert list(check_calibration(Config())) == []


LENS = Lens((1536, 864), (1180.0, 1180.0), (768.0, 432.0), (-0.1, 0.0, 0.0, 0.0, 0.0))


def calibrated(folder: Path, lens: Lens | None) -> Config:
    """Write a table's calibration and an empty file of its boards' pictures, and return the configuration."""
    flat = Homography(np.diag([20.0, 20.0, 1.0]))
    board = BoardCalibration("a4", flat, np.zeros((4, 2)), 0.1, 0.05, 33.0, 0.9, 200.0)
    path = folder / "calibration.toml"
    taken = datetime(2026, 3, 4, 12, tzinfo=UTC)
    save_calibration(TableCalibration(taken, (1536, 864), {1: board, 2: board}, lens), path)
    path.with_suffix(".npz").touch()
    return replace(REAL, table=TableConfig(calibration=path))


def test_a_calibration_that_fits_the_camera(tmp_path: Path) -> None:
    (finding,) = check_calibration(calibrated(tmp_path, LENS))
    assert (finding.level.value, finding.title) == ("ok", "The table was calibrated on 2026-03-04.")


def test_a_lens_that_was_calibrated_in_pictures_of_another_size(tmp_path: Path) -> None:
    pi, webcam = PiCameraDriver(size=(1280, 720)), WebcamDriver(size=(1280, 720))
    for lens, camera, expected in ((LENS, pi, 1), (None, pi, 0), (LENS, webcam, 0)):
        config = replace(calibrated(tmp_path, lens), camera=camera)
        said = faults(check_calibration(config))
        assert said == ["The lens was calibrated at 1536x864, but the camera is set to 1280x720."] * expected


def test_a_calibration_that_cannot_be_read(tmp_path: Path) -> None:
    config = calibrated(tmp_path, None)
    assert config.table.calibration is not None
    config.table.calibration.write_text("format = 7\n")
    (finding,) = check_calibration(config)
    assert "format: must be 1, not 7" in finding.title
    assert finding.do == "write a new one with companion calibrate"


def test_a_calibration_without_the_empty_boards(tmp_path: Path) -> None:
    config = calibrated(tmp_path, None)
    (tmp_path / "calibration.npz").unlink()
    assert levels(check_calibration(config)) == ["ok", "note"]


def test_the_configuration_s_file_is_named(tmp_path: Path) -> None:
    assert check_file(None).level.value == "note"
    assert check_file(tmp_path / "c.toml").title == f"{tmp_path / 'c.toml'} is valid."
