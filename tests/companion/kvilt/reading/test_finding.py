"""Test the messages about pictures in which no sheet can be read."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.kvilt.reading.evidence import printed_markers, sheet_places
from companion.kvilt.reading.finding import SheetPhotoError, find_sheet, lay_flat
from companion.kvilt.reading.reader import SheetReader
from companion.kvilt.sheets.layout_files import load_layout
from hardware.simulated.sheets.conditions import SheetConditions
from hardware.simulated.sheets.sheet import SimulatedSheet
from vision.fiducials import FiducialDetector

if TYPE_CHECKING:
    from numpy.typing import NDArray

LAYOUT = load_layout()


def _markers(ids: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return a white picture with these markers."""
    image = np.full((600, 800, 3), 240, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for place, number in enumerate(ids):
        at = 60 + 180 * place
        image[100:180, at : at + 80] = cv2.aruco.generateImageMarker(dictionary, number, 80)[..., None]
    return image


@pytest.mark.parametrize(
    ("image", "says"),
    [
        (np.full((600, 800, 3), 90, np.uint8), "no marker of the sheet companion-a"),
        (_markers((0, 1, 2, 3)), "Patchwork’s mats"),
        (_markers((20, 21)), "card of swatches"),
        (_markers((44, 45)), "“sheet” in the section"),
        (_markers((16, 17, 18)), "the bottom left marker is not seen"),
        (_markers((16,)), "the top right, bottom right and bottom left markers are not seen"),
    ],
)
def test_another_print_in_the_picture_is_named(image: NDArray[np.uint8], says: str) -> None:
    with pytest.raises(SheetPhotoError, match=says) as caught:
        find_sheet(image, LAYOUT)
    assert "\n" not in str(caught.value)


def test_a_page_cut_off_is_refused(photograph: NDArray[np.uint8]) -> None:
    with pytest.raises(SheetPhotoError, match="show the whole sheet"):
        find_sheet(np.ascontiguousarray(photograph[:, :1500]), LAYOUT)


def test_a_page_far_away_is_refused(photograph: NDArray[np.uint8]) -> None:
    small = np.asarray(cv2.resize(photograph, None, fx=0.33, fy=0.33, interpolation=cv2.INTER_AREA), np.uint8)
    with pytest.raises(SheetPhotoError, match="go closer"):
        find_sheet(small, LAYOUT)


def test_a_bent_page_is_refused(reader: SheetReader) -> None:
    bent = SimulatedSheet(3).photograph(SheetConditions(curl_mm=5.0))
    with pytest.raises(SheetPhotoError, match="the sheet is not flat"):
        reader.read(bent)


def test_a_sheet_is_found_where_it_lies(photograph: NDArray[np.uint8]) -> None:
    page = find_sheet(photograph, LAYOUT).page
    assert page.misfit_mm < 0.2
    flat = lay_flat(photograph, page, LAYOUT)
    assert flat.shape == (1184, 1680, 3)
    x, y = LAYOUT.fiducials.markers[0].at
    assert flat[round(y * 8) + 3 : round(y * 8) + 8, round(x * 8) + 10 : round(x * 8) + 70].max() < 110
    assert flat[round(y * 8) - 10 : round(y * 8) - 4, round(x * 8) : round(x * 8) + 80].min() > 110


def test_places_are_where_the_layout_has_them() -> None:
    places = sheet_places(LAYOUT)
    assert set(places.windows) == set(LAYOUT.regions())
    rows, columns = places.windows["e5.1"].box
    x, y = LAYOUT.parts["e5.1"]
    assert ((columns.start + columns.stop) / 16, (rows.start + rows.stop) / 16) == pytest.approx((x, y), abs=0.2)
    picture, background = places.windows["r1c1.picture"], places.windows["r1c1.background"]
    both = np.zeros(places.free.shape, np.uint8)
    for window in (picture, background):
        both[window.box] += window.mask
    assert both.max() == 1
    assert not (places.free & (both > 0)).any()
    for left, top, width, height in LAYOUT.white:
        part = places.free[round(top * 8) : round((top + height) * 8), round(left * 8) : round((left + width) * 8)]
        assert part.mean() > 0.9


def test_printed_markers_go_clockwise() -> None:
    quad = printed_markers(LAYOUT)[17]
    assert quad.tolist() == [[194.0, 6.0], [204.0, 6.0], [204.0, 16.0], [194.0, 16.0]]


def test_a_shadow_across_a_marker_does_not_hide_it(photograph: NDArray[np.uint8]) -> None:
    marker = FiducialDetector(LAYOUT.fiducials.dictionary).detect(photograph)[17]
    edge_px = marker[:, 0].mean() - 0.3 * np.ptp(marker[:, 0])
    dark = 1 - 0.65 * (0.5 + 0.5 * np.tanh((np.arange(photograph.shape[1]) - edge_px) / 8))
    shaded = np.round(photograph * dark[:, None]).astype(np.uint8)
    assert 17 not in FiducialDetector(LAYOUT.fiducials.dictionary).detect(shaded)
    page, lit = find_sheet(shaded, LAYOUT).page, find_sheet(photograph, LAYOUT).page
    assert page.place([105.0, 74.0]) == pytest.approx(lit.place([105.0, 74.0]), abs=1.0)


def test_two_sheets_are_one_too_many(photograph: NDArray[np.uint8]) -> None:
    both = np.hstack([photograph, np.rot90(photograph, 2)])
    with pytest.raises(SheetPhotoError, match="more than one sheet"):
        find_sheet(both, load_layout())


def test_a_mirrored_picture_is_known_for_one(photograph: NDArray[np.uint8]) -> None:
    with pytest.raises(SheetPhotoError, match="mirrored"):
        find_sheet(np.ascontiguousarray(photograph[:, ::-1]), load_layout())


@pytest.mark.parametrize(("sigma_mm", "readable"), [(0.2, True), (0.45, False)])
def test_a_blurred_picture_is_refused(photograph: NDArray[np.uint8], sigma_mm: float, readable: bool) -> None:
    page = find_sheet(photograph, load_layout()).page
    blurred = np.asarray(cv2.GaussianBlur(photograph, (0, 0), sigma_mm * page.px_per_mm), np.uint8)
    expected = nullcontext() if readable else pytest.raises(SheetPhotoError, match="blurred")
    with expected:
        lay_flat(blurred, find_sheet(blurred, load_layout()).page, load_layout())


@pytest.mark.parametrize(("haze", "readable"), [(0.2, True), (0.7, False)])
def test_a_hazy_picture_is_refused(photograph: NDArray[np.uint8], haze: float, readable: bool) -> None:
    hazy = ((1 - haze) * photograph + haze * 200).astype(np.uint8)
    expected = nullcontext() if readable else pytest.raises(SheetPhotoError, match="hazy")
    with expected:
        lay_flat(hazy, find_sheet(hazy, load_layout()).page, load_layout())
