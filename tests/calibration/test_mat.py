from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from calibration.mat import MAT_FILE, MatError, load_mat
from tests.cases import each

if TYPE_CHECKING:
    from pathlib import Path


def test_the_shipped_mat_is_an_a4_page_with_eight_markers() -> None:
    mat = load_mat()
    assert mat.page_mm == (210.0, 297.0)
    assert mat.seats == {1: (0, 1, 2, 3), 2: (4, 5, 6, 7)}
    assert hasattr(cv2.aruco, mat.dictionary)


def test_marker_corners_run_clockwise_from_the_top_left() -> None:
    mat = load_mat()
    np.testing.assert_allclose(mat.marker_corners_mm(0), [[9, 9], [45, 9], [45, 45], [9, 45]])
    np.testing.assert_allclose(mat.marker_corners_mm(2), [[165, 252], [201, 252], [201, 288], [165, 288]])


@pytest.mark.parametrize("index", [-1, 4])
def test_there_are_four_markers(index: int) -> None:
    with pytest.raises(IndexError, match=str(index)):
        load_mat().marker_corners_mm(index)


def test_grid_and_board_share_their_centre_and_have_their_sizes() -> None:
    mat = load_mat()
    for corners, size in [(mat.grid_corners_mm, 181.0), (mat.board_corners_mm, 191.0)]:
        assert corners.shape == (4, 2)
        np.testing.assert_allclose(corners.mean(axis=0), [105.0, 148.5])
        np.testing.assert_allclose(corners[1] - corners[0], [size, 0])
        np.testing.assert_allclose(corners[2] - corners[1], [0, size])
    assert mat.cell_mm == pytest.approx(181 / 9)


def test_no_marker_lies_under_the_board_or_off_the_page() -> None:
    mat = load_mat()
    top_mm, bottom_mm = mat.board_corners_mm[0, 1], mat.board_corners_mm[2, 1]
    for index in range(4):
        corners = mat.marker_corners_mm(index)
        assert corners[:, 1].max() < top_mm or corners[:, 1].min() > bottom_mm
        assert (corners >= 0).all()
        assert (corners <= mat.page_mm).all()
    np.testing.assert_allclose(mat.page_corners_mm[2], mat.page_mm)


def _changed(tmp_path: Path, old: str, new: str) -> Path:
    text = MAT_FILE.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "mat.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


@each(
    ("old", "new", "says"),
    [
        ("format = 1", "format = 2", "format: must be 1"),
        ("marker_size = 36.0", "marker_size = 'big'", "marker_size: must be a length"),
        ("marker_size = 36.0", "marker_size = true", "marker_size: must be a length"),
        ("size = 191.0", "size = -1", r"\[board\] size: must be a length"),
        ("[board]", "[bord]", r"\[board\]: is missing"),
        ("page = [210.0, 297.0]", "page = [210.0]", "page: must be two lengths"),
        ("[27.0, 270.0]]", "]", "marker_centres: must list four points"),
        ('dictionary = "DICT_4X4_50"', "dictionary = 4", "dictionary: must be a name"),
        ("seat = 2", "seat = 1", "appears twice"),
        ("[4, 5, 6, 7]", "[3, 5, 6, 7]", "appears twice"),
        ("[4, 5, 6, 7]", "[4, 5, 6]", "four `marker_ids`"),
        ("format = 1", "format = ", "is not TOML"),
    ],
)
def test_a_wrong_mat_is_refused_in_one_line(tmp_path: Path, old: str, new: str, says: str) -> None:
    path = _changed(tmp_path, old, new)
    with pytest.raises(MatError, match=says) as caught:
        load_mat(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(MatError, match="cannot be read"):
        load_mat(tmp_path / "none.toml")


def test_a_mat_without_seats_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mat.toml"
    path.write_text(MAT_FILE.read_text(encoding="utf-8").replace("[[seat]]", "[[chair]]"), encoding="utf-8")
    with pytest.raises(MatError, match="seat"):
        load_mat(path)
