"""Test finding a sheet without markers by its print."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.geometry import Homography
from vision.sheet.blank import ALIKE, BlankSheet, features_of, likeness, matched_places, place_blank
from vision.sheet.bulge import dark_lines
from vision.sheet.page import flatten
from vision.sheet.pencil import print_mask

SIZE = (150.0, 100.0)
PLACE = Homography(np.array([[5.2, 0.35, 95.0], [-0.2, 5.0, 90.0], [1e-4, 5e-5, 1.0]]))


def _sheet(seed: int) -> np.ndarray:
    """Return a blank sheet in flat space: a grid, as sheets have, with a different drawing in every cell."""
    rng = np.random.default_rng(seed)
    flat = np.full((800, 1200, 3), 238, np.uint8)
    for x in range(8, 130, 20):
        for y in range(8, 80, 16):
            cv2.rectangle(flat, (8 * x, 8 * y), (8 * x + 130, 8 * y + 100), (95, 95, 95), 3)
            points = rng.integers([8 * x + 15, 8 * y + 15], [8 * x + 115, 8 * y + 85], (5, 2)).astype(np.int32)
            cv2.polylines(flat, [points], True, (90, 90, 90), 3, cv2.LINE_AA)
    return flat


BLANK = BlankSheet(_sheet(1), SIZE)


def _photograph(flat: np.ndarray, table: int = 90, size: tuple[int, int] = (1000, 760)) -> np.ndarray:
    to_picture = PLACE.matrix @ np.array([[1 / 8, 0, 1 / 16], [0, 1 / 8, 1 / 16], [0, 0, 1]])
    seen = cv2.warpPerspective(flat, to_picture, size, flags=cv2.INTER_AREA, borderValue=(table, table, table))
    noise = np.random.default_rng(3).normal(0, 3, seen.shape)
    return np.asarray(np.clip(0.9 * seen + noise, 0, 255), np.uint8)


def _off_px(found: Homography) -> float:
    return float(np.abs(found(BLANK.corners_mm) - PLACE(BLANK.corners_mm)).max())


def test_a_sheet_is_found_to_a_fraction_of_a_pixel_coloured_or_not() -> None:
    flat = _sheet(1)
    for corner in ((80, 80), (400, 330), (720, 200)):
        part = flat[corner[1] : corner[1] + 100, corner[0] : corner[0] + 130]
        part[:] = np.minimum(part, (70, 50, 205))
    placed = place_blank(_photograph(flat), BLANK)
    assert placed is not None
    assert placed.is_sure
    assert _off_px(placed.page.place) < 0.8
    assert placed.page.misfit_mm < 0.2


def test_it_may_lie_the_other_way_round() -> None:
    picture = _photograph(_sheet(1))
    turned = place_blank(np.ascontiguousarray(np.rot90(picture, 2)), BLANK)
    assert turned is not None
    assert turned.is_sure
    expected = np.array([999.0, 759.0]) - PLACE(BLANK.corners_mm)
    assert np.abs(turned.page.place(BLANK.corners_mm) - expected).max() < 0.8


def test_without_an_outline_it_is_recognised_by_its_print() -> None:
    placed = place_blank(_photograph(_sheet(1), table=238), BLANK)
    assert placed is not None
    assert placed.is_sure
    assert _off_px(placed.page.place) < 0.8


@pytest.mark.parametrize(("seed", "alike"), [(1, True), (2, False)])
def test_another_sheet_on_the_same_grid_is_told_from_it(seed: int, alike: bool) -> None:
    picture = _photograph(_sheet(seed))
    placed = place_blank(picture, BLANK)
    assert placed is not None
    flat = flatten(picture, placed.page, SIZE)
    assert (likeness(dark_lines(flat), BLANK) > ALIKE) is alike


def test_a_page_without_print_is_like_nothing() -> None:
    bare = np.full((800, 1200, 3), 240, np.uint8)
    assert likeness(dark_lines(bare), BLANK) < ALIKE
    assert likeness(dark_lines(bare), BlankSheet(bare, SIZE)) == 0.0


def test_an_empty_table_has_none() -> None:
    assert place_blank(np.full((400, 600, 3), 90, np.uint8), BLANK) is None


def test_features_speak_for_the_place_first() -> None:
    picture = features_of(_photograph(_sheet(1)), 1.0)
    first = next(matched_places(BLANK.features, picture))
    assert _off_px(first) < 3.0
    nothing = features_of(np.full((300, 400, 3), 90, np.uint8), 1.0)
    assert list(matched_places(BLANK.features, nothing)) == []


@pytest.mark.parametrize(("at", "printed"), [((64, 100), True), ((64 + 60, 64 - 40), False)])
def test_print_is_marked_and_paper_is_not(at: tuple[int, int], printed: bool) -> None:
    assert bool(print_mask(_sheet(1))[at[1], at[0]]) is printed


def test_dark_areas_are_print_as_a_whole() -> None:
    flat = np.full((400, 400, 3), 235, np.uint8)
    flat[100:200, 100:200] = 60
    flat[250:350, 250:350] = (150, 200, 225)
    mask = print_mask(flat)
    assert mask[150, 150]
    # A light tint is taken off with the blank sheet: pencil shows on it.
    assert not mask[300, 300]
    assert mask[300, 250]
