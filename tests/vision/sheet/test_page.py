"""Test finding paper on a table by its outline."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry import Homography
from vision.sheet.page import FLAT_PX_PER_MM, Page, flatten, locate_page, page_mask, paper_outlines

CORNERS = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]])
PRINTED = {number: CORNERS + at for number, at in enumerate(([6, 6], [84, 6], [84, 44], [6, 44]))}
TILTED = Homography(np.array([[7.0, 0.5, 40.0], [-0.4, 6.5, 60.0], [2e-4, 3e-4, 1.0]]))


def _seen(place: Homography) -> dict[int, np.ndarray]:
    return {number: place(quad) for number, quad in PRINTED.items()}


@given(st.floats(-0.2, 0.2), st.floats(-0.2, 0.2), st.floats(0, 4e-4))
@settings(max_examples=25, deadline=None)
def test_a_flat_page_is_found_exactly(turn: float, skew: float, tilt: float) -> None:
    place = Homography(np.array([[7.0, turn, 40.0], [skew, 6.5, 60.0], [tilt, tilt / 2, 1.0]]))
    page = locate_page(_seen(place), PRINTED)
    assert page is not None
    assert page.misfit_mm < 1e-3
    assert page.place([50.0, 30.0]) == pytest.approx(place([50.0, 30.0]), abs=1e-2)


def test_a_page_that_bulges_does_not_fit() -> None:
    seen = _seen(TILTED)
    seen[0] = seen[0] + (0.0, 12.0)
    page = locate_page(seen, PRINTED)
    assert page is not None
    assert page.misfit_mm > 0.3


def test_one_marker_is_too_few() -> None:
    assert locate_page({0: _seen(TILTED)[0]}, PRINTED) is None
    assert locate_page({7: _seen(TILTED)[0], 8: _seen(TILTED)[1]}, PRINTED) is None


def test_fineness_is_told_where_the_page_is_coarsest() -> None:
    page = locate_page(_seen(TILTED), PRINTED)
    assert page is not None
    assert 5.9 < page.px_per_mm < 6.6


@pytest.mark.parametrize("scale", [4.0, 8.0, 20.0])
def test_print_is_flattened_to_its_place(scale: float) -> None:
    image = np.full((round(60 * scale), round(100 * scale), 3), 255, np.uint8)
    cv2.rectangle(image, (round(30 * scale), round(20 * scale)), (round(50 * scale) - 1, round(40 * scale) - 1), 0, -1)
    by_centres = Homography(np.array([[scale, 0, -0.5], [0, scale, -0.5], [0, 0, 1.0]]))
    flat = flatten(image, Page(by_centres, 0.0, scale), (100.0, 60.0))
    assert flat.shape == (480, 800, 3)
    rows, columns = np.nonzero(flat[..., 0] < 128)
    assert (columns.min(), columns.max() + 1) == pytest.approx((240, 400), abs=1)
    assert (rows.min(), rows.max() + 1) == pytest.approx((160, 320), abs=1)


def test_a_mask_covers_its_polygon() -> None:
    square = np.array([[1.0, 2.0], [5.0, 2.0], [5.0, 4.0], [1.0, 4.0]])
    whole = page_mask([square], (80, 60))
    assert np.count_nonzero(whole) == pytest.approx(8 * FLAT_PX_PER_MM**2, rel=0.1)
    part = page_mask([square], (30, 30), (4, 10))
    assert np.array_equal(part, whole[10:40, 4:34])


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
