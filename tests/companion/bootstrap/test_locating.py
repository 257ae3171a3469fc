from __future__ import annotations

from pathlib import Path

import pytest

from calibration.boards import FoundLocator
from calibration.calibrated import CalibratedLocator
from calibration.locator import MatLocator
from companion.bootstrap.calibrating import calibrate_table, simulated_source
from companion.bootstrap.locating import TableCalibrationError, calibration_of, locator_by, seating_of
from companion.calibrating import keep_calibrated
from companion.config import Config, TableConfig


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "calibration.toml"
    source = simulated_source(Config(), 1)
    keep_calibrated(calibrate_table(Config(), source, [].append), path)
    return path


def test_a_calibration_places_the_boards_on_their_mats(path: Path) -> None:
    table = TableConfig(calibration=path)
    calibration = calibration_of(table)
    assert calibration is not None
    locator = locator_by(seating_of(table), calibration)
    assert isinstance(locator, CalibratedLocator)
    assert locator.place(1).matrix.tolist() == calibration.boards[1].place.matrix.tolist()


def test_without_one_the_frames_on_the_mats_count() -> None:
    assert calibration_of(TableConfig()) is None
    assert isinstance(locator_by(None), MatLocator)


def test_where_boards_are_found_by_themselves_mats_calibration_does_not_count(path: Path) -> None:
    table = TableConfig(boards="found", calibration=path)
    assert calibration_of(table) is None
    assert isinstance(locator_by(seating_of(table), calibration_of(table)), FoundLocator)


def test_a_calibration_that_is_missing_is_told_by_its_key(tmp_path: Path) -> None:
    with pytest.raises(TableCalibrationError, match=r"^\[table\] calibration: .*none\.toml: cannot be read"):
        calibration_of(TableConfig(calibration=tmp_path / "none.toml"))
