"""Test sheets in other themes, coloured and photographed: the reader identifies each by its markers."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.kvilt.reading.finding import SheetPhotoError, find_sheet
from companion.kvilt.reading.reader import SheetReader, SheetReading
from companion.kvilt.sheets.layout_files import load_layout, theme_names
from hardware.simulated.sheets.conditions import SheetConditions
from hardware.simulated.sheets.sheet import SimulatedSheet

if TYPE_CHECKING:
    from numpy.typing import NDArray

LAYOUT = load_layout()
MARKS = {
    "r1c1.picture": "red",
    "r1c1.background": "red",
    "r1c2.picture": "red",
    "r2c1.picture": "blue",
    "r3c1.picture": "green",
    "r4c1.picture": "violet",
    "r4c1.background": "violet",
    "r5c1.picture": "brown",
    "spool1.thread": "yellow",
}
"""The marks: a picture of each row, some with their backgrounds."""


@cache
def _photograph(theme: str) -> NDArray[np.uint8]:
    sheet = SimulatedSheet(3, layout=LAYOUT.in_theme(theme))
    sheet.colour(MARKS)
    return sheet.photograph(SheetConditions(width_px=1344, height_px=1008))


@pytest.mark.parametrize("theme", theme_names())
def test_a_sheet_in_a_theme_is_read_as_any_other(reader: SheetReader, theme: str) -> None:
    reading = reader.read(_photograph(theme))
    assert {region: colour for region, colour in reading.seen.items() if colour} == MARKS
    assert (reading.layout.theme, reading.doubtful) == (theme, ())
    assert reading.to_json("anna.jpg")["theme"] == theme


def test_the_usual_sheet_has_no_theme(reading: SheetReading) -> None:
    assert "theme" not in reading.to_json("anna.jpg")


def test_two_sheets_in_one_picture_are_refused_whatever_their_themes() -> None:
    both = np.vstack([_photograph("jewels"), _photograph("plants")])
    with pytest.raises(SheetPhotoError, match="more than one sheet"):
        find_sheet(both, LAYOUT)


def test_the_missing_markers_of_a_themed_sheet_are_named() -> None:
    picture = np.ascontiguousarray(_photograph("jewels")[:, :1040])
    with pytest.raises(SheetPhotoError, match="the top right and bottom right markers are not seen"):
        find_sheet(picture, LAYOUT)
