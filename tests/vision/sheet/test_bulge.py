"""Test measuring a slight curl by the print alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.geometry import Homography
from vision.sheet.bulge import find_bulge
from vision.sheet.page import FLAT_PX_PER_MM, Page, flatten

SIZE = (150.0, 110.0)
OUTLINES = [
    [(x, y), (x + 12.0, y), (x + 12.0, y + 10.0), (x, y + 10.0)] for x in range(12, 130, 17) for y in range(12, 95, 15)
]
ANCHORS = np.array([[3.0, 3.0], [147.0, 3.0], [147.0, 107.0], [3.0, 107.0]])
AS_IT_IS = Page(Homography(np.array([[FLAT_PX_PER_MM, 0, -0.5], [0, FLAT_PX_PER_MM, -0.5], [0, 0, 1.0]])), 0.0, 8.0)


def _page(bulge_mm: float) -> np.ndarray:
    """Return the page whose print is shifted down in the middle by a bulge."""
    page = np.full((880, 1200, 3), 235, np.uint8)
    for outline in OUTLINES:
        points = np.round((np.array(outline) * FLAT_PX_PER_MM - 0.5) * 16).astype(np.int32)
        cv2.polylines(page, [points], True, (90, 90, 90), 3, cv2.LINE_AA, 4)
    y, x = np.mgrid[:880, :1200].astype(np.float32)
    moved = np.asarray(y - bulge_mm * FLAT_PX_PER_MM * _bump(x / 1200, y / 880), np.float32)
    return np.asarray(cv2.remap(page, x, moved, cv2.INTER_LINEAR, borderValue=(235, 235, 235)))


def _bump(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.asarray(1 - (2 * x - 1) ** 2 + 0 * y)


def test_a_flat_page_has_no_bulge() -> None:
    bulge = find_bulge(_page(0.0), OUTLINES, ANCHORS, SIZE)
    assert bulge is not None
    assert bulge.largest_mm < 0.06
    assert bulge.misfit_mm < 0.05


@pytest.mark.parametrize("bulge_mm", [0.8, -1.6])
def test_a_bulge_is_measured_and_taken_out(bulge_mm: float) -> None:
    page = _page(bulge_mm)
    bulge = find_bulge(page, OUTLINES, ANCHORS, SIZE)
    assert bulge is not None
    assert bulge.shifts(np.array([75.0, 55.0])) == pytest.approx([0.0, bulge_mm], abs=0.1)
    flat = flatten(page, AS_IT_IS, SIZE, bulge)
    again = find_bulge(flat, OUTLINES, ANCHORS, SIZE)
    assert again is not None
    assert again.largest_mm < 0.15


def test_paint_over_the_print_does_not_lead_astray() -> None:
    page = _page(0.8)
    page[200:420, 300:700] = np.minimum(page[200:420, 300:700], (40, 60, 210))
    bulge = find_bulge(page, OUTLINES, ANCHORS, SIZE)
    assert bulge is not None
    assert bulge.shifts(np.array([75.0, 55.0])) == pytest.approx([0.0, 0.8], abs=0.15)


def test_a_page_without_print_says_nothing() -> None:
    noise = np.random.default_rng(1).integers(200, 240, (880, 1200, 3)).astype(np.uint8)
    assert find_bulge(noise, OUTLINES, ANCHORS, SIZE) is None
    assert find_bulge(_page(0.0), [], ANCHORS, SIZE) is None
