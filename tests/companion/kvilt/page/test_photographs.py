"""Coloured sheets in photographs that people send."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.config import Config
from companion.errors import CompanionError
from companion.kvilt.page.photographs import PHOTOGRAPHS, EnteredSheet, EnteredSheets
from companion.kvilt.reading.evidence import printed_markers
from companion.kvilt.reading.finding import find_sheet
from companion.kvilt.settings import KviltSettings
from companion.kvilt.sheets.layout_files import load_layout
from companion.languages import ENGLISH
from companion.play.photographs import NotFoundError
from hardware.simulated.sheets.sheet import SimulatedSheet
from vision.sheet.page import page_corners_mm

if TYPE_CHECKING:
    from numpy.typing import NDArray

(KVILT,) = PHOTOGRAPHS
MARKS = {"r1c1.picture": "red", "r1c2.picture": "red", "p3": "green", "spool3.body": "green"}
LAYOUT = load_layout()


@pytest.fixture(scope="module")
def coloured() -> NDArray[np.uint8]:
    sheet = SimulatedSheet(4)
    sheet.colour(MARKS)
    return sheet.photograph()


@pytest.fixture(scope="module")
def corners(coloured: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The corners of the paper, shape (4, 2)."""
    return find_sheet(coloured, LAYOUT).page.place(page_corners_mm(LAYOUT.size))


@pytest.fixture(scope="module")
def covered(coloured: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The same sheet, with something on two of its markers."""
    place, image = find_sheet(coloured, LAYOUT).page.place, coloured.copy()
    for quad in list(printed_markers(LAYOUT).values())[:2]:
        (left, top), (right, bottom) = (end(place(quad), axis=0).astype(int) for end in (np.min, np.max))
        image[top - 4 : bottom + 4, left - 4 : right + 4] = (40, 60, 90)
    return image


def _read(image: NDArray[np.uint8], corners: NDArray[np.float64] | None = None) -> dict[str, str]:
    reading = KVILT.read(image, None if corners is None else [corners], Config(), lambda _: None)
    (sheet,) = KVILT.sheet([reading], EnteredSheets(), ENGLISH)["sheets"]
    assert np.asarray(sheet["corners"]).shape == (4, 2)
    return {region["region"]: region["colour"] for region in sheet["regions"] if region["colour"]}


def test_a_sheet_whose_markers_are_covered_is_read_where_people_show_its_corners(
    covered: NDArray[np.uint8], corners: NDArray[np.float64]
) -> None:
    with pytest.raises(NotFoundError, match=r"markers are not seen: .*; or show the sheet’s corners"):
        _read(covered)
    # Two or three millimetres beside them, beginning with the last one.
    shown = corners + np.array([[14.0, -12.0], [-10.0, 15.0], [12.0, 12.0], [-15.0, -9.0]])
    assert _read(covered, np.roll(shown, 1, axis=0)) == MARKS


def test_corners_beside_the_sheet_can_be_shown_again(coloured: NDArray[np.uint8], corners: NDArray[np.float64]) -> None:
    beside = corners + (corners[2] - corners[0]) / 18
    with pytest.raises(NotFoundError):
        _read(coloured, beside)


def test_corners_without_a_sheet_between_them_are_refused(
    covered: NDArray[np.uint8], corners: NDArray[np.float64]
) -> None:
    with pytest.raises(NotFoundError, match="its print does not fit"):
        _read(covered, corners * 0.6)


@pytest.mark.parametrize(("counts", "total"), [(True, 28), (False, 56)])
def test_empty_rows_count_as_the_table_s_settings_say(
    coloured: NDArray[np.uint8], corners: NDArray[np.float64], counts: bool, total: int
) -> None:
    config = Config().with_game(KviltSettings(empty_row_counts=counts))
    reading = KVILT.read(coloured, [corners], config, lambda _: None)
    row = {f"r1c{cell}.{part}": "red" for cell in range(1, 8) for part in ("picture", "background")}
    entered = EnteredSheets((EnteredSheet("Anna", {"p3": "", "spool3.body": "", **row}),))
    assert KVILT.sheet([reading], entered, ENGLISH)["sheets"][0]["total"] == total
    result = KVILT.result([reading], entered)
    assert result is not None
    assert result.scores == (total,)


def test_a_dark_picture_is_said() -> None:
    with pytest.raises(CompanionError, match="The picture is dark: switch a lamp on"):
        _read(np.full((600, 800, 3), 20, np.uint8))
