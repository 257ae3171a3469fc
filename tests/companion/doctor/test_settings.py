from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from companion.config import CameraConfig, Config, ControlsConfig, StripConfig
from companion.config.settings import PageConfig, TableConfig
from companion.doctor.settings import check_calibration, check_drivers, check_file
from tests.companion.doctor.conftest import faults, levels

PI = "Raspberry Pi 4 Model B Rev 1.4"
REAL = Config(
    camera=CameraConfig("pi"), controls=ControlsConfig("gpio"), strip=StripConfig("neopixel")
)


def test_simulated_devices_make_no_table() -> None:
    assert faults(check_drivers(Config(), PI)) == [
        "The camera is a simulated one.", "The push-buttons are simulated ones.", "The strip is a simulated one.",
    ]  # fmt: skip


def test_a_real_table_on_a_raspberry_pi() -> None:
    assert levels(check_drivers(REAL, PI)) == ["ok"]


def test_a_pis_drivers_elsewhere_are_told() -> None:
    (title,) = faults(check_drivers(REAL, None))
    assert title == 'This is no Raspberry Pi, and "pi", "gpio", "neopixel" will not work.'
    webcam = Config(
        camera=CameraConfig("webcam"), controls=ControlsConfig("none"), strip=StripConfig("wled", wled_host="w")
    )
    assert levels(check_drivers(webcam, None)) == ["note"]


def test_a_table_at_which_nobody_can_decide_anything() -> None:
    mute = replace(REAL, controls=ControlsConfig("none"), page=PageConfig(enabled=False))
    assert faults(check_drivers(mute, PI)) == ["There are no push-buttons, and no page."]
    hands_free = replace(mute, reading=replace(mute.reading, hands_free=True))
    assert faults(check_drivers(hands_free, PI)) == []


def test_a_calibration_that_is_not_there(tmp_path: Path) -> None:
    there = tmp_path / "calibration.toml"
    config = replace(REAL, table=TableConfig(calibration=there))
    assert faults(check_calibration(config)) == [f"The calibration {there} is not there."]
    there.touch()
    assert list(check_calibration(config)) == []
    assert levels(check_calibration(REAL)) == ["note"]
    assert list(check_calibration(Config())) == []


def test_where_the_configuration_comes_from(tmp_path: Path) -> None:
    assert check_file(None).level.value == "note"
    assert check_file(tmp_path / "c.toml").title == f"{tmp_path / 'c.toml'} is sound."
