"""Test finding paper on a table by its outline."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.sheet.outline import paper_outlines

QUAD = np.array([[120.0, 90.0], [690.0, 130.0], [660.0, 520.0], [100.0, 470.0]])


def _picture(quad: np.ndarray = QUAD, table: tuple[int, int, int] = (70, 100, 135), seed: int = 1) -> np.ndarray:
    """A sheet with some print on a table with some grain."""
    image = np.full((600, 800, 3), table, np.uint8)
    cv2.fillConvexPoly(image, np.round(quad * 16).astype(np.int32), (236, 240, 238), cv2.LINE_AA, 4)
    middle = quad.mean(axis=0)
    for share in (0.3, 0.6):
        inner = np.round((middle + share * (quad - middle)) * 16).astype(np.int32)
        cv2.polylines(image, [inner], True, (90, 90, 90), 2, cv2.LINE_AA, 4)
    noise = np.random.default_rng(seed).normal(0, 4, image.shape)
    return np.asarray(np.clip(image + noise, 0, 255), np.uint8)


def test_the_corners_are_found_to_half_a_pixel() -> None:
    found = paper_outlines(_picture())
    assert np.abs(found[0] - QUAD).max() < 0.7


def test_in_a_large_picture_too() -> None:
    large = np.asarray(cv2.resize(_picture(), (2400, 1800), interpolation=cv2.INTER_CUBIC), np.uint8)
    assert np.abs(paper_outlines(large)[0] - (QUAD + 0.5) * 3 + 0.5).max() < 3.0


@pytest.mark.parametrize("table", [(40, 50, 60), (200, 120, 60), (120, 150, 180)])
def test_on_tables_of_other_colours(table: tuple[int, int, int]) -> None:
    assert np.abs(paper_outlines(_picture(table=table))[0] - QUAD).max() < 1.0


def test_colour_on_the_sheet_makes_no_hole() -> None:
    picture = _picture()
    cv2.circle(picture, (300, 250), 60, (60, 40, 200), -1)
    assert np.abs(paper_outlines(picture)[0] - QUAD).max() < 1.0


def test_a_sheet_over_the_edge_of_the_picture_is_none() -> None:
    found = paper_outlines(np.ascontiguousarray(_picture()[:, 200:]))
    # Its print may contain quadrilaterals, too.
    assert all(cv2.contourArea(quad.astype(np.float32)) < 100_000 for quad in found)


def test_an_empty_table_holds_none() -> None:
    noise = np.random.default_rng(2).normal(0, 6, (600, 800, 3))
    assert paper_outlines(np.asarray(np.clip(100 + noise, 0, 255), np.uint8)) == []
