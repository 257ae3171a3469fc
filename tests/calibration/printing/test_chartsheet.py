from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
import pytest

from calibration import chart
from calibration.mat import MATS, load_mat
from calibration.printing import PAPERS, chart_pdf
from calibration.printing.chartsheet import chart_corner_mm
from vision.fiducials import FiducialDetector

Printer = Callable[[bytes], Sequence[Any]]


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_the_printed_corners_measure_what_the_chart_says(paper: str, printed: Printer) -> None:
    (page,) = printed(chart_pdf(paper))
    detector = cv2.aruco.CharucoDetector(chart.charuco_board())
    corners, ids, _, _ = detector.detectBoard(page.picture)
    assert sorted(np.asarray(ids).reshape(-1)) == list(range(chart.CORNERS))
    expected = chart.inner_corners_mm()[np.asarray(ids).reshape(-1)] + chart_corner_mm(paper)
    np.testing.assert_allclose(page.mm(np.asarray(corners, np.float64).reshape(-1, 2)), expected, atol=0.1)


def test_the_printed_markers_measure_what_the_chart_says(printed: Printer) -> None:
    (page,) = printed(chart_pdf("a4"))
    found = FiducialDetector(chart.DICTIONARY).detect(page.picture)
    markers = chart.markers_mm()
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
