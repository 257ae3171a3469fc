"""Test a drawn page with outlines, some of them hidden by objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.sheet.lines import PrintedLines
from vision.sheet.page import FLAT_PX_PER_MM

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIZE_MM = (60.0, 40.0)
BOXES = [
    np.array([[x, y], [x + 12, y], [x + 12, y + 10], [x, y + 10]], np.float64)
    for y in (5.0, 22.0)
    for x in (5.0, 22.0, 40.0)
]


def _page(ink: int = 120, boxes: list[NDArray[np.float64]] | None = None) -> NDArray[np.uint8]:
    """Return grainy paper with the boxes printed on it."""
    shape = (round(SIZE_MM[1] * FLAT_PX_PER_MM), round(SIZE_MM[0] * FLAT_PX_PER_MM))
    page = np.full((*shape, 3), 220, np.uint8)
    for box in BOXES if boxes is None else boxes:
        points = np.round((box * FLAT_PX_PER_MM - 0.5) * 16).astype(np.int32)
        cv2.polylines(page, [points], True, (ink,) * 3, 3, cv2.LINE_AA, 4)
    noise = np.random.default_rng(3).normal(0, 3, page.shape)
    return np.clip(page + noise, 0, 255).astype(np.uint8)


def _laid(page: NDArray[np.uint8], corner_mm: tuple[float, float], size_mm: tuple[float, float]) -> NDArray[np.uint8]:
    """Return the page with a grey object on it."""
    (left, top), (width, height) = ([round(value * FLAT_PX_PER_MM) for value in pair] for pair in (corner_mm, size_mm))
    page = page.copy()
    page[top : top + height, left : left + width] = 170
    return page


@pytest.fixture(scope="module")
def lines() -> PrintedLines:
    return PrintedLines(BOXES, SIZE_MM)


def test_outlines_are_seen_all_round(lines: PrintedLines) -> None:
    assert lines.seen(_page()).min() > 0.7


def test_faint_print_is_held_against_itself(lines: PrintedLines) -> None:
    assert lines.seen(_page(ink=185)).min() > 0.6


def test_an_object_across_an_outline_hides_it(lines: PrintedLines) -> None:
    seen = lines.seen(_laid(_page(), (20.0, 25.0), (16.0, 5.0)))
    assert seen[4] < 0.15
    assert np.delete(seen, 4).min() > 0.7


def test_an_object_inside_an_outline_hides_none(lines: PrintedLines) -> None:
    assert lines.seen(_laid(_page(), (25.0, 25.0), (5.0, 4.0))).min() > 0.7


def test_a_page_that_is_a_little_off_is_seen_all_the_same(lines: PrintedLines) -> None:
    assert lines.seen(np.roll(_page(), (2, -2), axis=(0, 1))).min() > 0.6


def test_pencil_over_an_outline_hides_nothing(lines: PrintedLines) -> None:
    page = _page().astype(np.float64)
    page[: 12 * round(FLAT_PX_PER_MM), : 20 * round(FLAT_PX_PER_MM)] *= (0.45, 0.5, 0.9)
    assert lines.seen(page.astype(np.uint8)).min() > 0.6


def test_a_page_without_print_tells_nothing(lines: PrintedLines) -> None:
    assert np.isinf(lines.seen(_page(boxes=[]))).all()
    assert PrintedLines([], SIZE_MM).seen(_page()).shape == (0,)


def test_an_outline_that_the_blank_page_has_not_is_not_missed() -> None:
    printed = BOXES[:5]
    lines = PrintedLines(BOXES, SIZE_MM, _page(boxes=printed))
    seen = lines.seen(_page(boxes=printed))
    assert np.isinf(seen[5])
    assert seen[:5].min() > 0.7
