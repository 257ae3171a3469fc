"""Test a recording whose quilts are located by the calibration that `companion calibrate` wrote."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
import pytest

from calibration.lens import Lens
from calibration.locator import CornerLocator
from calibration.stored import BoardCalibration, CalibratedLocator, TableCalibration, calibration_text
from companion.patchwork.recording import read_head
from companion.record import RecordError
from vision.geometry import Homography

if TYPE_CHECKING:
    from pathlib import Path

HEAD = 'format = 1\ngame = "patchwork"\nrules = "official"\nplayers = ["Anna", "Boris"]\nfirst_seat = 1\n'
CORNERS = np.array([[100.0, 110.0], [400.0, 112.0], [402.0, 410.0], [98.0, 408.0]])
PLACE = Homography(np.array([[20.1, 0.0, 15.0], [0.0, 20.1, 58.0], [0.0, 0.0, 1.0]]))


def _calibration(lens: Lens | None = None) -> str:
    boards = {
        seat: BoardCalibration("letter", PLACE, CORNERS + 600.0 * (seat - 1), 0.1, 0.06, 33.0, 0.9, 210.0)
        for seat in (1, 2)
    }
    return calibration_text(TableCalibration(datetime(2026, 5, 4, tzinfo=UTC), (1536, 864), boards, lens))


def _recording(folder: Path, calibration: str, name: str = "calibration.toml") -> Path:
    (folder / "recording.toml").write_text(f'{HEAD}[calibration]\nfile = "{name}"\n')
    (folder / "calibration.toml").write_text(calibration)
    return folder


def test_boards_are_looked_for_where_they_were_calibrated(tmp_path: Path) -> None:
    head = read_head(_recording(tmp_path, _calibration()))
    assert head.corners is None
    assert head.calibration is not None
    locator = head.locator()
    assert isinstance(locator, CalibratedLocator)
    np.testing.assert_array_equal(locator.place(2).matrix, PLACE.matrix)


def test_the_lens_comes_with_it(tmp_path: Path) -> None:
    lens = Lens((1536, 864), (1180.0, 1180.0), (768.0, 432.0), (-0.05, 0.0, 0.0, 0.0, 0.0))
    head = read_head(_recording(tmp_path, _calibration(lens)))
    assert head.calibration is not None
    assert head.calibration.lens is not None
    assert head.calibration.lens.distortion == lens.distortion


def test_a_file_with_nothing_but_corners_will_do(tmp_path: Path) -> None:
    text = f"corners = [{CORNERS.tolist()}, {(CORNERS + 600).tolist()}]\n"
    head = read_head(_recording(tmp_path, text))
    assert head.calibration is None
    assert isinstance(head.locator(), CornerLocator)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("format = 1", "format = 7", "format: must be 1, not 7"),
        ("place = [[20.1", "place = [[nan", "place: must be numbers"),
    ],
)
def test_a_calibration_that_cannot_be_used_is_named(tmp_path: Path, old: str, new: str, says: str) -> None:
    with pytest.raises(RecordError, match=says) as refused:
        read_head(_recording(tmp_path, _calibration().replace(old, new)))
    assert "calibration.toml" in str(refused.value)
    assert str(refused.value).count("calibration.toml") == 1
