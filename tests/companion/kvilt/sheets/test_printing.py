"""The printed Kvilt sheet and swatch card, measured on pictures of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from companion.kvilt.sheets.files import own_sheet
from companion.kvilt.sheets.layout import Fiducials
from companion.kvilt.sheets.layout_files import load_layout, swatch_card
from companion.kvilt.sheets.printing import LANDSCAPES, kvilt_sheet_pdf, kvilt_swatches_pdf

if TYPE_CHECKING:
    from numpy.typing import NDArray

Print = Callable[[bytes], Sequence[Any]]
LAYOUT = load_layout()
CARD = swatch_card()
PX_PER_MM = 10


@pytest.fixture(scope="module", params=["a5", "a4", "letter"])
def paper(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def sheet_page(printed: Print, paper: str) -> Any:
    (page,) = printed(kvilt_sheet_pdf([LAYOUT], own_sheet(), paper))
    return page


@pytest.fixture(scope="module")
def rectified(sheet_page: Any, paper: str) -> NDArray[np.uint8]:
    """The sheet's page at 10 pixels per millimetre of its file, cropped out of the paper by the known scale."""
    return _rectified(sheet_page, paper)


def _scale(paper: str) -> tuple[float, tuple[float, float]]:
    width, height = LANDSCAPES[paper]
    scale = min(width / 210, height / 148, 1.4142)
    return scale, ((width - 210 * scale) / 2, (height - 148 * scale) / 2)


def _rectified(page: Any, paper: str) -> NDArray[np.uint8]:
    scale, (left, top) = _scale(paper)
    x, y = page.px_per_mm
    corners_mm = np.array([(0, 0), (210, 0), (210, 148), (0, 148)], np.float32)
    there = (corners_mm * scale + (left, top)) * (x, y) - 0.5
    matrix = cv2.getPerspectiveTransform(there.astype(np.float32), corners_mm * PX_PER_MM - 0.5)
    size = (210 * PX_PER_MM, 148 * PX_PER_MM)
    return np.asarray(cv2.warpPerspective(page.picture, matrix, size, flags=cv2.INTER_AREA), np.uint8)


def _cut(picture: NDArray[np.uint8], rect: tuple[float, float, float, float]) -> NDArray[np.uint8]:
    x, y, width, height = (round(value * PX_PER_MM) for value in rect)
    return picture[y : y + height, x : x + width]


def _found(picture: NDArray[np.uint8], fiducials: Fiducials) -> dict[int, NDArray[np.float64]]:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, fiducials.dictionary))
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(picture)
    return {int(number): np.asarray(quad[0], float) for number, quad in zip(ids.ravel(), corners, strict=True)}


def test_markers_are_found_where_the_file_says(rectified: NDArray[np.uint8]) -> None:
    found = _found(rectified, LAYOUT.fiducials)
    assert sorted(found) == [16, 17, 18, 19]
    for marker in LAYOUT.fiducials.markers:
        (x, y), side = marker.at, LAYOUT.fiducials.side
        expected = np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])
        assert np.abs((found[marker.id] + 0.5) / PX_PER_MM - expected).max() < 0.15


def test_bare_paper_stays_bare_and_so_does_the_room_round_the_markers(rectified: NDArray[np.uint8]) -> None:
    for rect in LAYOUT.white:
        assert _cut(rectified, rect).min() > 250, rect
    side, quiet = LAYOUT.fiducials.side, LAYOUT.fiducials.quiet
    for marker in LAYOUT.fiducials.markers:
        x, y = marker.at
        window = _cut(rectified, (x - quiet, y - quiet, side + 2 * quiet, side + 2 * quiet)).copy()
        inner = round(quiet * PX_PER_MM) - 2
        window[inner:-inner, inner:-inner] = 255
        assert window.min() > 250


def _inside(picture: NDArray[np.uint8], name: str, erode_mm: float) -> NDArray[np.uint8]:
    """Return the pixels of a region, reduced by some millimetres at its outlines."""
    region = LAYOUT.regions()[name]
    every = np.concatenate([np.array(polygon) for polygon in region.outlines])
    left, top = np.floor(every.min(axis=0) - 1) * PX_PER_MM
    width, height = np.ceil(np.ptp(every, axis=0) + 3) * PX_PER_MM
    mask = np.zeros((int(height), int(width)), np.uint8)
    for polygons, value in ((region.outlines, 255), (region.holes, 0)):
        for polygon in polygons:
            points = np.round(np.array(polygon) * PX_PER_MM - (left, top)).astype(np.int32)
            cv2.fillPoly(mask, [points], value)
    side = 2 * round(erode_mm * PX_PER_MM) + 1
    eroded = cv2.erode(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))
    crop = picture[int(top) : int(top + height), int(left) : int(left + width)]
    return np.asarray(crop[eroded[: crop.shape[0], : crop.shape[1]] > 0], np.uint8)


def test_hardly_anything_is_printed_inside_what_is_coloured(rectified: NDArray[np.uint8]) -> None:
    """Print must stay far below the share above which the reader asks; flanges of open spools are never read."""
    for name in LAYOUT.regions():
        if name in ("spool1.body", "spool2.body"):
            continue
        inside = _inside(rectified, name, LAYOUT.reading["erode"])
        assert inside.size > 300, name
        assert (inside < 208).mean() < 0.6 * LAYOUT.reading["empty"], name


def test_outlines_are_drawn_where_the_file_says_in_one_grey(rectified: NDArray[np.uint8]) -> None:
    for name, region in LAYOUT.regions().items():
        for polygon in region.outlines:
            points = np.array(polygon)
            middles = (points + np.roll(points, -1, axis=0)) / 2
            for x, y in middles:
                spot = _cut(rectified, (x - 0.25, y - 0.25, 0.5, 0.5))
                assert spot.min() < 150, (name, x, y)
    assert _inside(rectified, "r1c1.background", 0.0).min() > 90


def test_it_is_as_large_as_the_paper_allows(sheet_page: Any, paper: str) -> None:
    scale, _ = _scale(paper)
    assert sheet_page.size_mm == pytest.approx(LANDSCAPES[paper], abs=0.1)
    found = _found(sheet_page.picture, LAYOUT.fiducials)
    sides = [np.linalg.norm(quad[1] - quad[0]) / sheet_page.px_per_mm[0] for quad in found.values()]
    assert np.mean(sides) == pytest.approx(10 * scale, abs=0.1)
    assert {"a5": 1.0, "a4": 1.4142, "letter": 1.3305}[paper] == pytest.approx(scale, abs=0.001)


def test_the_other_language_keeps_to_the_same_fields(printed: Print) -> None:
    (page,) = printed(kvilt_sheet_pdf([LAYOUT], own_sheet(), "a5", "ru"))
    picture = _rectified(page, "a5")
    assert all(_cut(picture, rect).min() > 250 for rect in LAYOUT.white)
    (english,) = printed(kvilt_sheet_pdf([LAYOUT], own_sheet(), "a5", "en"))
    assert (page.picture != english.picture).sum() > 1000


def test_the_same_sheet_has_the_same_bytes() -> None:
    assert kvilt_sheet_pdf([LAYOUT], own_sheet(), "a5") == kvilt_sheet_pdf([LAYOUT], own_sheet(), "a5")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_card_has_its_markers_its_bare_paper_and_empty_boxes(printed: Print, language: str) -> None:
    (page,) = printed(kvilt_swatches_pdf(CARD, LAYOUT.colours, "a5", language))
    picture = _rectified(page, "a5")
    assert sorted(_found(picture, CARD.fiducials)) == [20, 21, 22, 23]
    assert all(_cut(picture, rect).min() > 250 for rect in CARD.white)
    for x, y, width, height in (*CARD.firm, *CARD.light):
        assert _cut(picture, (x + 0.5, y + 0.5, width - 1, height - 1)).min() > 250
        assert _cut(picture, (x - 0.1, y + 5, 0.2, 5)).max() < 150


def test_the_cards_boxes_go_by_colour_and_pressure() -> None:
    regions = CARD.regions(own_sheet().colours)
    assert list(regions)[::6] == ["firm.red", "light.red"]
    assert regions["light.yellow"].outlines[0][0] == (49.5, 84.0)
    assert len(regions) == 12
