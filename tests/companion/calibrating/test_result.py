from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from calibration.stored import load_calibration, load_profile
from companion.calibrating.guide import Guide
from companion.calibrating.result import Calibrated, save_calibrated
from companion.errors import CompanionError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hardware.ports import Frame


@pytest.fixture(scope="module")
def found(frames: Sequence[Frame]) -> Calibrated:
    guide = Guide(rest_frames=1)
    guide.see(frames[13])
    return guide.result(datetime(2026, 5, 4, tzinfo=UTC))


def test_three_files_are_written_and_can_be_read(tmp_path: Path, found: Calibrated) -> None:
    path = tmp_path / "table" / "calibration.toml"
    assert save_calibrated(found, path) is None
    assert sorted(each.name for each in path.parent.iterdir()) == [
        "calibration.npz",
        "calibration.png",
        "calibration.toml",
    ]
    loaded = load_calibration(path)
    assert loaded.size_px == found.table.size_px
    empty = load_profile(path.with_suffix(".npz"))
    for seat in (1, 2):
        np.testing.assert_array_equal(empty.empty[seat], found.empty.empty[seat])
        np.testing.assert_array_equal(empty.places[seat].matrix, loaded.boards[seat].place.matrix)
    picture = cv2.imread(str(path.with_suffix(".png")))
    np.testing.assert_array_equal(picture, found.picture)


def test_the_older_one_is_kept(tmp_path: Path, found: Calibrated) -> None:
    path = tmp_path / "calibration.toml"
    save_calibrated(found, path)
    assert save_calibrated(found, path) == tmp_path / "calibration.1.toml"


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path, found: Calibrated) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CompanionError, match="cannot be written"):
        save_calibrated(found, tmp_path / "file" / "calibration.toml")
    (tmp_path / "calibration.png").mkdir()
    with pytest.raises(CompanionError, match=r"calibration\.png: cannot be written"):
        save_calibrated(found, tmp_path / "calibration.toml")


def test_the_picture_shows_the_grids_lines(found: Calibrated, frames: Sequence[Frame]) -> None:
    """Along a fitted line the picture is brighter than the board; in the middle of a cell it is unchanged."""
    before = frames[13].image
    for seat in (1, 2):
        corners = found.table.boards[seat].corners_px.astype(np.float32)
        to_image = cv2.getPerspectiveTransform(np.array([[0, 0], [9, 0], [9, 9], [0, 9]], np.float32), corners)
        for row in range(1, 9):
            along = np.array([[[x + 0.5, row]] for x in range(1, 8)], np.float64)
            on_line = cv2.perspectiveTransform(along, to_image).reshape(-1, 2)
            middles = along + np.array([0.0, 0.5 if row < 8 else -0.5])
            inside = cv2.perspectiveTransform(middles, to_image).reshape(-1, 2)
            for x, y in np.round(on_line).astype(int):
                assert found.picture[y, x].min() > before[y, x].min() + 25
            for x, y in np.round(inside).astype(int)[1:-1]:
                np.testing.assert_array_equal(found.picture[y, x], before[y, x])
