"""Test the camera's picture of a region in question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.kvilt.page.interface import WIDTH_PX, draw_regions
from companion.kvilt.reading.finding import find_sheet
from companion.kvilt.sheets.layout import PageLayout
from companion.kvilt.sheets.layout_files import load_layout
from hardware.simulated.sheets.conditions import SheetConditions
from hardware.simulated.sheets.sheet import SimulatedSheet

if TYPE_CHECKING:
    from numpy.typing import NDArray


@pytest.fixture(scope="module")
def layout() -> PageLayout:
    return load_layout()


@pytest.fixture(scope="module")
def picture() -> NDArray[np.uint8]:
    sheet = SimulatedSheet(3)
    sheet.colour({"r3c4.picture": "red", "p7": "blue"})
    return sheet.photograph(SheetConditions(width_px=1280, height_px=960))


def share(crop: NDArray[np.uint8], channel: int) -> float:
    """Return the share of pixels with much more of one channel than of both others."""
    others = [other for other in range(3) if other != channel]
    pixels = crop.astype(int)
    return float((pixels[..., channel] > pixels[..., others].max(axis=2) + 45).mean())


def test_the_region_is_in_the_picture_and_its_surroundings_are(layout: PageLayout, picture: NDArray[np.uint8]) -> None:
    page = find_sheet(picture, layout).page
    red = draw_regions(picture, page, layout, ["r3c4.picture"])
    blue = draw_regions(picture, page, layout, ["p7"])
    white = draw_regions(picture, page, layout, ["spool2.thread"])
    assert red.shape[1] == blue.shape[1] == WIDTH_PX
    assert share(red, 2) > 0.01 + share(white, 2)
    assert share(blue, 0) > 0.01 + share(white, 0)


def test_a_region_at_the_edge_is_shown_within_the_page(layout: PageLayout, picture: NDArray[np.uint8]) -> None:
    page = find_sheet(picture, layout).page
    crop = draw_regions(picture, page, layout, ["spool1.body", "e5.3"])
    assert crop.shape[0] <= round(WIDTH_PX * 148 / 180)
    # Nothing of the table: paper everywhere at the rim.
    rim = np.concatenate([crop[0], crop[-1], crop[:, 0], crop[:, -1]]).astype(int).mean(axis=1)
    assert (rim > 90).mean() > 0.95
