from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from calibration.lens import Lens
from calibration.stored import BoardCalibration, TableCalibration, save_calibration
from companion.calibrating.configured import calibration_path
from companion.journal import TABLE_NAME
from tests.vendors.picamera2 import fake_module
from vision.geometry import translation

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(sys.modules, "picamera2", fake_module())
    path = tmp_path / "companion.toml"
    path.write_text('[camera]\ndriver = "pi"\nsize = [320, 320]\n')
    return path


@pytest.mark.parametrize("name", ["table.jpg", "table.PNG"])
def test_a_photograph_has_the_sensors_size_and_says_how_it_was_taken(
    run: Run, config: Path, tmp_path: Path, name: str
) -> None:
    status, out, err = run("photo", tmp_path / name, "--config", config)
    assert (status, err) == (0, "")
    assert out == f"{tmp_path / name}: 320x180 pixels, exposed for 20 ms at gain 1.2\n"
    picture = cv2.imread(str(tmp_path / name))
    assert picture is not None
    assert picture.shape == (180, 320, 3)
    assert float(np.mean(picture[..., 0])) == pytest.approx(100, abs=3)
    assert sys.modules["picamera2"].sensor.owner is None


def test_a_photograph_of_the_simulated_table_is_told_as_one(run: Run, tmp_path: Path) -> None:
    config = tmp_path / "none.toml"
    config.touch()
    status, out, _ = run("photo", tmp_path / "table.jpg", "--config", config, "--data", tmp_path)
    assert (status, out) == (0, f"{tmp_path / 'table.jpg'}: 1536x864 pixels, of the simulated table\n")


@pytest.mark.parametrize(
    ("name", "says"),
    [("table.gif", "does not end like a picture file"), ("none/table.jpg", "cannot be written: No such")],
)
def test_a_file_that_cannot_be_is_one_line_and_status_2(
    run: Run, config: Path, tmp_path: Path, name: str, says: str
) -> None:
    status, out, err = run("photo", tmp_path / name, "--config", config)
    assert (status, out) == (2, "")
    assert err.startswith(f"companion: {tmp_path / name}: {says}")


@pytest.fixture
def barrel(tmp_path: Path) -> Lens:
    """The lens that the table's own calibration has, in pixels of the frames: square ones, of the view's middle."""
    lens = Lens((320, 320), (260.0, 260.0), (159.5, 159.5), (-0.1, 0.0, 0.0, 0.0, 0.0))
    board = BoardCalibration("a4", translation(0.0, 0.0), np.zeros((4, 2)), 0.1, 0.1, 30.0, 1.0, 200.0)
    table = TableCalibration(datetime(2026, 5, 4, tzinfo=UTC), (320, 320), {1: board, 2: board}, lens)
    save_calibration(table, calibration_path(tmp_path / "data", TABLE_NAME))
    return lens


def test_the_lens_s_distortion_is_corrected_unless_the_raw_picture_is_wanted(
    run: Run, config: Path, tmp_path: Path, barrel: Lens
) -> None:
    at = ("--config", config, "--data", tmp_path / "data")
    status, out, err = run("photo", tmp_path / "straight.png", *at)
    assert (status, err) == (0, "")
    # Frames show 180 of the sensor's 320 columns at 320 pixels, the still shows all of them at one each.
    seen = Lens((320, 180), (146.25, 146.25), (159.5, 89.5), barrel.distortion)
    picture = cv2.imread(str(tmp_path / "straight.png"))
    assert picture is not None
    assert picture.shape[1::-1] == seen.straight_size_px
    width, height = seen.straight_size_px
    assert out.endswith(f"straight.png: {width}x{height} pixels, exposed for 20 ms at gain 1.2, straightened\n")
    flat = np.full((180, 320, 3), 255, np.uint8)
    inside = seen.straighten(flat)[..., 0] == 255
    assert float(picture[inside][:, 0].mean()) == pytest.approx(100, abs=3)
    assert picture[~inside].max(initial=0) < 100, "what the camera did not see is dark"
    status, out, _ = run("photo", tmp_path / "raw.png", *at, "--raw")
    assert (status, out) == (0, f"{tmp_path / 'raw.png'}: 320x180 pixels, exposed for 20 ms at gain 1.2\n")


@pytest.mark.usefixtures("barrel")
def test_a_lens_of_another_setting_is_one_line(run: Run, config: Path, tmp_path: Path) -> None:
    config.write_text('[camera]\ndriver = "pi"\nsize = [400, 400]\n')
    status, out, err = run("photo", tmp_path / "table.png", "--config", config, "--data", tmp_path / "data")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "the lens was calibrated at 320 x 320" in err
    assert not (tmp_path / "table.png").exists()
