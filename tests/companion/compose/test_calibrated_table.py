from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from calibration.boards import FoundLocator
from calibration.locator import MatLocator
from calibration.stored import CalibratedLocator
from companion.calibrating.configured import calibration_of, locator_by, seating_of
from companion.calibrating.guide import Progress
from companion.calibrating.result import save_calibrated
from companion.calibrating.running import calibrate_table
from companion.compose.playing import device_factory
from companion.compose.workbench import photographs
from companion.config import Config, TableConfig
from companion.config.text import ConfigError
from companion.configuration import parse_config
from companion.errors import CompanionError
from companion.patchwork.game import PATCHWORK
from companion.play.host import seen_by
from hardware.simulated.calibrating import SettingUp

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "calibration.toml"
    cv2.imwrite(str(path.with_name("table.jpg")), SettingUp(1).table.frame(0.0))
    source, told = photographs([path.with_name("table.jpg")], ()), list[Progress]()
    save_calibrated(calibrate_table(Config(), source, told.append), path)
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


def test_a_calibration_of_mats_does_not_count_if_boards_are_found_without_them(path: Path) -> None:
    table = TableConfig(boards="found", calibration=path)
    assert calibration_of(table) is None
    assert isinstance(locator_by(seating_of(table), calibration_of(table)), FoundLocator)


def test_a_missing_calibration_is_named_by_its_key(tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match=r"^\[table\] calibration: .*none\.toml: cannot be read"):
        calibration_of(TableConfig(calibration=tmp_path / "none.toml"))


def test_a_real_camera_comes_straightened_where_its_lens_was_calibrated(path: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "0.png"), np.full((864, 1536, 3), 90, np.uint8))
    lens = "[lens]\nfocal = [1180.0, 1180.0]\ncentre = [768.0, 432.0]\ndistortion = [-0.1, 0.0, 0.0, 0.0, 0.0]\n\n"
    wide = tmp_path / "wide.toml"
    wide.write_text(path.read_text().replace("[[board]]", lens + "[[board]]", 1))
    head = f"[camera]\ndriver = 'folder'\npath = '{tmp_path}'\n[table]\ncalibration = "
    for file, size in ((path, (864, 1536)), (wide, None)):
        config = parse_config(f"{head}'{file}'\n", "test")
        camera = seen_by(PATCHWORK, config, device_factory(config)).camera(print, lambda: None)
        shape = camera.capture().image.shape[:2]
        camera.close()
        assert (shape == size) is (size is not None)
        assert shape >= (864, 1536)


def test_a_calibration_must_be_a_path() -> None:
    with pytest.raises(ConfigError, match=r"\[table\] calibration: 5 is not valid; allowed: the path of a file"):
        parse_config("[table]\ncalibration = 5\n", "test")
