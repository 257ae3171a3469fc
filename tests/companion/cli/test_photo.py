from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vendors.picamera2 import fake_module

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
    assert out == f"{tmp_path / name}: 320x180 pixels, exposed for 20.0 ms at gain 1.2\n"
    picture = cv2.imread(str(tmp_path / name))
    assert picture is not None
    assert picture.shape == (180, 320, 3)
    assert float(np.mean(picture[..., 0])) == pytest.approx(100, abs=3)
    assert sys.modules["picamera2"].sensor.owner is None


@pytest.mark.parametrize(
    ("name", "says"), [("table.gif", "has no ending of a picture"), ("none/table.jpg", "cannot be written: No such")]
)
def test_a_file_that_cannot_be_is_one_line_and_status_2(
    run: Run, config: Path, tmp_path: Path, name: str, says: str
) -> None:
    status, out, err = run("photo", tmp_path / name, "--config", config)
    assert (status, out) == (2, "")
    assert err.startswith(f"companion: {tmp_path / name}: {says}")
