"""Sheets without markers: found by the picture of the blank one, and read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.errors import CompanionError
from companion.kvilt.reading.finding import SheetPhotoError, blank_of, find_sheet, lay_flat
from companion.kvilt.reading.reader import SheetReader
from companion.kvilt.sheets.files import load_sheet
from companion.kvilt.sheets.layout import CellLayout, Fiducials
from companion.kvilt.sheets.layout_files import load_layout
from companion.languages import LANGUAGES, render
from hardware.simulated.sheets.conditions import LIGHTS, STYLES
from hardware.simulated.sheets.sheet import SimulatedSheet
from tests.companion.kvilt.reading.conftest import MARKS
from vision.geometry import through_corners
from vision.sheet.page import Page, flatten, paper_outlines

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from companion.kvilt.sheets.layout import PageLayout

SHEET = load_sheet()
BARE = replace(load_layout(), fiducials=Fiducials("corners", blank="blank.png"))
SMALL = LIGHTS["normal"].but(width_px=1344, height_px=1008)
"""Little more than the pixels that a sheet needs."""


def _flat(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a photograph of a sheet, rectified by the paper's outline."""
    width, height = BARE.size
    corners = [[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]
    place = through_corners(corners, paper_outlines(picture)[0])
    return flatten(picture, Page(place, 0.0, 8.0), BARE.size)


@dataclass(frozen=True)
class Owned:
    """An owner's sheet: its layout and its reader."""

    layout: PageLayout
    reader: SheetReader


@pytest.fixture(scope="module")
def owned(tmp_path_factory: pytest.TempPathFactory) -> Owned:
    path = tmp_path_factory.mktemp("sheet") / "blank.png"
    blank = SimulatedSheet(99, layout=BARE, sheet=SHEET, swatched=False).photograph(LIGHTS["normal"].but(tilt_deg=6.0))
    cv2.imwrite(str(path), _flat(blank))
    # An owner need not enter where tags are printed: the picture shows that.
    cells = {
        cell: CellLayout(it.frame, it.picture, (*it.points[:2], 0.0, 0.0), (*it.bonus[:2], 0.0, 0.0))
        for cell, it in BARE.cells.items()
    }
    layout = replace(BARE, fiducials=Fiducials("corners", blank=str(path)), cells=cells, white=())
    return Owned(layout, SheetReader(SHEET, layout))


def _coloured(seed: int, style: str = "even") -> SimulatedSheet:
    sheet = SimulatedSheet(seed, STYLES[style], SHEET, BARE)
    sheet.colour(MARKS)
    return sheet


@pytest.mark.parametrize(("light", "style"), [("normal", "even"), ("harsh", "careless")])
def test_it_is_read_right_or_in_doubt(owned: Owned, light: str, style: str) -> None:
    reading = owned.reader.read(_coloured(7, style).photograph(LIGHTS[light]))
    wrong = [name for name, colour in reading.seen.items() if colour != MARKS.get(name)]
    assert [name for name in wrong if name not in reading.doubtful] == []
    assert len(reading.doubtful) <= 4
    assert "spool1.body" not in reading.seen


def test_without_room_for_samples_pencils_are_guessed(owned: Owned) -> None:
    sheet = SimulatedSheet(8, None, SHEET, BARE, swatched=False)
    sheet.colour(MARKS)
    reading = SheetReader(SHEET, replace(owned.layout, swatches={})).read(sheet.photograph())
    wrong = [name for name, colour in reading.seen.items() if colour != MARKS.get(name)]
    assert [name for name in wrong if name not in reading.doubtful] == []
    assert "guessed" in reading.notes[0]


def test_a_sheet_cut_off_bent_or_absent_is_explained(owned: Owned) -> None:
    sheet = _coloured(10)
    picture = sheet.photograph(SMALL)
    with pytest.raises(SheetPhotoError, match="cut off on the left"):
        find_sheet(np.ascontiguousarray(picture[:, 330:]), owned.layout)
    with pytest.raises(SheetPhotoError, match="sheet companion-a is not found"):
        find_sheet(sheet.table(SMALL), owned.layout)
    with pytest.raises(SheetPhotoError, match="go closer"):
        find_sheet(np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5), np.uint8), owned.layout)
    with pytest.raises(SheetPhotoError, match="lay it flat"):
        owned.reader.read(sheet.photograph(SMALL.but(curl_mm=6.0)))


def test_a_sheet_with_other_pictures_is_another_one(owned: Owned) -> None:
    cells = {}
    for (row, cell), place in BARE.cells.items():
        lent = BARE.cells[row % 5 + 1, cell]
        off = place.frame[1] - lent.frame[1]
        cells[row, cell] = replace(place, picture=tuple((x, y + off) for x, y in lent.picture))
    other = SimulatedSheet(3, None, SHEET, replace(BARE, cells=cells)).photograph(SMALL)
    with pytest.raises(SheetPhotoError, match="its print does not fit"):
        lay_flat(other, find_sheet(other, owned.layout).page, owned.layout)


def test_the_systems_reason_is_in_the_readers_language(tmp_path: Path) -> None:
    with pytest.raises(CompanionError) as caught:
        blank_of(replace(BARE, fiducials=Fiducials("corners", blank=str(tmp_path / "blank.png"))))
    says = render(caught.value.args[0], LANGUAGES["ru"])
    assert says.endswith("blank.png: снимок чистого листа не читается: нет такого файла или папки")


@pytest.mark.parametrize(
    ("content", "says"),
    [(None, "cannot be read"), (b"no picture", "is not a picture"), (np.zeros((300, 300, 3), np.uint8), "do not have")],
)
def test_an_unusable_blank_picture_is_explained(
    tmp_path: Path, content: bytes | NDArray[np.uint8] | None, says: str
) -> None:
    path = tmp_path / "blank.png"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        cv2.imwrite(str(path), content)
    with pytest.raises(CompanionError, match=says) as caught:
        blank_of(replace(BARE, fiducials=Fiducials("corners", blank=str(path))))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
