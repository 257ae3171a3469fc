"""Test the printed mats and the lens chart against the geometry that is searched for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import cv2
import numpy as np
import pytest

from calibration import lensfit
from calibration.mat import MATS, Mat, load_mat
from calibration.printing import PAPERS, chart_pdf, mats_pdf
from calibration.printing.mats import chart_corner_mm
from vision.fiducials import FiducialDetector

if TYPE_CHECKING:
    from numpy.typing import NDArray

Printer = Callable[[bytes], Sequence[Any]]


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_the_printed_corners_measure_what_the_chart_says(paper: str, printed: Printer) -> None:
    (page,) = printed(chart_pdf(paper))
    detector = cv2.aruco.CharucoDetector(lensfit.charuco_board())
    corners, ids, _, _ = detector.detectBoard(page.picture)
    assert sorted(np.asarray(ids).reshape(-1)) == list(range(lensfit.CORNERS))
    expected = lensfit.inner_corners_mm()[np.asarray(ids).reshape(-1)] + chart_corner_mm(paper)
    np.testing.assert_allclose(page.mm(np.asarray(corners, np.float64).reshape(-1, 2)), expected, atol=0.1)


def test_the_printed_markers_measure_what_the_chart_says(printed: Printer) -> None:
    (page,) = printed(chart_pdf("a4"))
    found = FiducialDetector(lensfit.DICTIONARY).detect(page.picture)
    markers = lensfit.markers_mm()
    assert sorted(found) == sorted(markers)
    for number, corners in markers.items():
        np.testing.assert_allclose(page.mm(found[number]), corners + chart_corner_mm("a4"), atol=0.1)


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_a_chart_is_never_taken_for_a_mat(paper: str, printed: Printer) -> None:
    (page,) = printed(chart_pdf(paper))
    small = cv2.resize(page.picture, None, fx=0.2, fy=0.2, interpolation=cv2.INTER_AREA)
    for file in MATS.values():
        assert not FiducialDetector(load_mat(file).dictionary).detect(np.asarray(small, np.uint8))


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_the_chart_keeps_clear_of_the_papers_edges(paper: str, printed: Printer) -> None:
    (page,) = printed(chart_pdf(paper))
    inked = page.picture < 250
    width_mm, height_mm = PAPERS[paper]
    across, down = page.x_mm[inked.any(axis=0)], page.y_mm[inked.any(axis=1)]
    for places_mm, size_mm in ((across, width_mm), (down, height_mm)):
        assert places_mm.min() > 6.5
        assert places_mm.max() < size_mm - 6.5


def test_another_paper_is_not_known() -> None:
    with pytest.raises(KeyError):
        chart_pdf("a3")


Printed: TypeAlias = Any
"""A printed page, see `Printed` of conftest."""
_WITHIN_MM = 0.1


@pytest.fixture(scope="module", params=sorted(MATS))
def paper(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def mat(paper: str) -> Mat:
    return load_mat(MATS[paper])


@pytest.fixture(scope="module")
def pages(paper: str, mat: Mat, printed: Callable[[bytes], Sequence[Printed]]) -> Sequence[Printed]:
    return printed(mats_pdf(mat, paper))


def test_there_is_a_page_of_the_papers_size_for_each_seat(paper: str, pages: Sequence[Printed]) -> None:
    assert len(pages) == 2
    for page in pages:
        np.testing.assert_allclose(page.size_mm, PAPERS[paper], atol=0.01)


@pytest.mark.parametrize("seat", [1, 2])
def test_the_printed_fiducials_measure_what_the_mat_says(seat: int, mat: Mat, pages: Sequence[Printed]) -> None:
    page = pages[seat - 1]
    found = FiducialDetector(mat.dictionary).detect(page.picture)
    assert sorted(found) == sorted(mat.seats[seat])
    for index, number in enumerate(mat.seats[seat]):
        corners_mm = page.mm(found[number])
        np.testing.assert_allclose(corners_mm, mat.marker_corners_mm(index), atol=_WITHIN_MM)
        np.testing.assert_allclose(corners_mm.mean(axis=0), mat.marker_centres_mm[index], atol=_WITHIN_MM / 2)


def _runs(dark: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the first and last place of each run of dark pixels, shape (n, 2)."""
    edges = np.flatnonzero(np.diff(np.pad(dark.astype(np.int8), 1)))
    return np.column_stack([edges[::2], edges[1::2] - 1])


def _longest_px(lines: NDArray[np.bool_]) -> int:
    """Return the length of the longest run of dark pixels in any of the rows."""
    return max(int((runs[:, 1] - runs[:, 0] + 1).max()) for line in lines if len(runs := _runs(line)))


def test_both_rulers_are_100_mm_long(mat: Mat, pages: Sequence[Printed]) -> None:
    page = pages[0]
    x_mm, y_mm = page.x_mm, page.y_mm
    (left_mm, top_mm), _, (_, bottom_mm), _ = mat.board_corners_mm
    beside = (x_mm > left_mm + 3) & (x_mm < left_mm + 18)
    upright = page.picture[(y_mm > top_mm + 20) & (y_mm < bottom_mm - 20)][:, beside] < 190
    between = (x_mm > mat.marker_corners_mm(0)[1, 0] + 2) & (x_mm < mat.marker_corners_mm(1)[0, 0] - 2)
    lower = page.picture[y_mm > bottom_mm + 2][:, between] < 190
    # The lines' round ends add half their width, a pixel or two, at each end.
    assert _longest_px(lower) / page.px_per_mm[0] == pytest.approx(100.0, abs=0.4)
    assert _longest_px(upright.T) / page.px_per_mm[1] == pytest.approx(100.0, abs=0.4)


def test_nothing_is_printed_where_printers_cannot_or_in_a_markers_quiet_zone(
    mat: Mat, pages: Sequence[Printed]
) -> None:
    module_mm = mat.marker_size_mm / 6
    for page in pages:
        inked = page.picture < 250
        rows, columns = page.y_mm[inked.any(axis=1)], page.x_mm[inked.any(axis=0)]
        assert min(rows.min(), columns.min()) > 6.5
        assert columns.max() < mat.page_mm[0] - 6.5
        assert rows.max() < mat.page_mm[1] - 6.5
        for index in range(4):
            around = _window(page, mat, index, module_mm) & ~_window(page, mat, index, 0.1)
            assert not (inked & around).any()


def _window(page: Printed, mat: Mat, index: int, margin_mm: float) -> NDArray[np.bool_]:
    (left, top), (right, bottom) = mat.marker_corners_mm(index)[[0, 2]]
    across = (page.x_mm > left - margin_mm) & (page.x_mm < right + margin_mm)
    down = (page.y_mm > top - margin_mm) & (page.y_mm < bottom + margin_mm)
    return np.asarray(down[:, None] & across[None, :])


def test_the_boards_outline_is_printed_where_the_board_lies(mat: Mat, pages: Sequence[Printed]) -> None:
    page = pages[0]
    (left, top), _, (right, bottom), _ = mat.board_corners_mm
    across = _runs(page.picture[round((top + 40) * page.px_per_mm[1])] < 225).mean(axis=1)
    down = _runs(page.picture[:, round((left + 40) * page.px_per_mm[0])] < 225).mean(axis=1)
    for ends_px, axis, expected in ((across, 0, (left, right)), (down, 1, (top, bottom))):
        ends_mm = (ends_px + 0.5) / page.px_per_mm[axis]
        for edge_mm in expected:
            assert np.abs(ends_mm - edge_mm).min() < _WITHIN_MM


def test_the_two_seats_are_told_apart_by_more_than_their_markers(mat: Mat, pages: Sequence[Printed]) -> None:
    """The names and the marks' shapes differ; grey pictures show no colours."""
    top, bottom = (round(y * 300 / 25.4) for y in (9.0, 34.0))
    left, right = (round(x * 300 / 25.4) for x in (60.0, mat.page_mm[0] - 60.0))
    one, other = (page.picture[top:bottom, left:right].astype(np.int16) for page in pages)
    assert (np.abs(one - other) > 100).mean() > 0.01


def test_the_sheet_is_vectors_and_always_the_same(paper: str, mat: Mat) -> None:
    content = mats_pdf(mat, paper)
    assert content == mats_pdf(mat, paper)
    assert b"/Image" not in content.replace(b"/ImageB /ImageC /ImageI", b"")
    assert b"/PrintScaling /None" in content
