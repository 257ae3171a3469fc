"""Test the mat and the papers it is printed on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pypdfium2
import pytest

from calibration.locator import SEATS, MatLocator
from calibration.mat import MAT_FILE, MATS, Mat, MatError, load_mat, load_mats
from calibration.printing import mats_pdf
from vision.geometry import GRID_CORNERS, Homography, through_corners, translation

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

PAPERS = {paper: load_mat(path) for paper, path in MATS.items()}
_SCALE = 3.0
PLACES = {
    1: np.array([[62.0, 60.0], [482.0, 55.0], [500.0, 650.0], [50.0, 655.0]]),
    2: np.array([[580.0, 62.0], [985.0, 50.0], [1010.0, 660.0], [560.0, 640.0]]),
}
"""The pages' corners in the frame, clockwise from the printed top left."""


def _pages(paper: str) -> dict[int, NDArray[np.uint8]]:
    document = pypdfium2.PdfDocument(mats_pdf(PAPERS[paper], paper))
    pictures = [np.asarray(page.render(scale=_SCALE, grayscale=True).to_numpy()).squeeze() for page in document]
    document.close()
    return dict(zip(SEATS, pictures, strict=True))


@pytest.fixture(scope="module")
def pages() -> Mapping[str, Mapping[int, NDArray[np.uint8]]]:
    return {paper: _pages(paper) for paper in PAPERS}


def _frame(pages: Mapping[str, Mapping[int, NDArray[np.uint8]]], papers: Mapping[int, str]) -> NDArray[np.uint8]:
    frame = np.full((720, 1060), 80, np.uint8)
    for seat, paper in papers.items():
        page = np.maximum(pages[paper][seat], 1)
        height, width = page.shape
        corners = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]) - 0.5
        to_frame = through_corners(corners, PLACES[seat])
        seen = cv2.warpPerspective(page, to_frame.matrix, (1060, 720), flags=cv2.INTER_AREA, borderValue=0)
        frame[seen > 0] = seen[seen > 0]
    return np.asarray(cv2.cvtColor(cv2.GaussianBlur(frame, (0, 0), 0.6), cv2.COLOR_GRAY2BGR), np.uint8)


def _true_corners(mat: Mat, seat: int) -> NDArray[np.float64]:
    return through_corners(mat.page_corners_mm, PLACES[seat])(mat.grid_corners_mm)


@pytest.mark.parametrize("papers", [("a4", "a4"), ("letter", "letter"), ("a4", "letter"), ("letter", "a4")])
def test_the_markers_tell_which_paper_lies_on_the_table(
    pages: Mapping[str, Mapping[int, NDArray[np.uint8]]], papers: tuple[str, str]
) -> None:
    lying = dict(zip(SEATS, papers, strict=True))
    found = MatLocator(*load_mats()).locate(_frame(pages, lying))
    for seat, paper in lying.items():
        assert found[seat].residuals(GRID_CORNERS, _true_corners(PAPERS[paper], seat)).max() < 1.5


def test_another_paper_takes_the_place_of_the_first(pages: Mapping[str, Mapping[int, NDArray[np.uint8]]]) -> None:
    locator = MatLocator(*load_mats())
    locator.locate(_frame(pages, {1: "a4", 2: "a4"}))
    found = locator.locate(_frame(pages, {1: "letter", 2: "a4"}))
    assert found[1].residuals(GRID_CORNERS, _true_corners(PAPERS["letter"], 1)).max() < 1.5
    assert found[2].residuals(GRID_CORNERS, _true_corners(PAPERS["a4"], 2)).max() < 1.5


def test_a_board_lies_as_much_beside_its_frame_on_any_paper(
    pages: Mapping[str, Mapping[int, NDArray[np.uint8]]],
) -> None:
    off_frame = translation(0.1, -0.2)
    one, other = MatLocator(*load_mats()), MatLocator(*load_mats())
    frames = [_frame(pages, {1: paper, 2: paper}) for paper in ("a4", "letter")]
    by_outline = one.locate(frames[0])[1]
    one.adopt(1, by_outline.after(off_frame))
    other.put(1, one.place(1))
    plain = MatLocator(*load_mats()).locate(frames[1])[1]
    expected = plain.after(off_frame)(GRID_CORNERS)
    assert other.locate(frames[1])[1].residuals(GRID_CORNERS, expected).max() < 1e-3


def test_no_two_mats_share_a_marker() -> None:
    numbers = [number for mat in load_mats() for markers in mat.seats.values() for number in markers]
    assert len(set(numbers)) == len(numbers)
    assert load_mats()[0] == load_mat()


def test_mats_of_several_dictionaries_are_refused() -> None:
    with pytest.raises(ValueError, match="one dictionary"):
        MatLocator(load_mat(), replace(load_mat(), dictionary="DICT_5X5_50"))
    with pytest.raises(ValueError, match="0 mats"):
        MatLocator()


def test_a_mat_that_is_out_of_view_stays_where_it_was(pages: Mapping[str, Mapping[int, NDArray[np.uint8]]]) -> None:
    locator = MatLocator(*load_mats())
    before = locator.locate(_frame(pages, {1: "letter", 2: "letter"}))
    after: Mapping[int, Homography] = locator.locate(_frame(pages, {1: "letter"}))
    assert after[2].residuals(GRID_CORNERS, before[2](GRID_CORNERS)).max() < 1e-6


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


@pytest.mark.parametrize(
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
