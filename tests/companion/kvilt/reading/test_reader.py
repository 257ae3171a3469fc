"""Test reading simulated sheets that were coloured."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.kvilt.reading.drawing import draw_reading
from companion.kvilt.reading.finding import SheetPhotoError
from companion.kvilt.reading.reader import SheetReader, SheetReading
from companion.kvilt.sheets.files import load_sheet
from companion.kvilt.sheets.layout_files import load_layout
from hardware.simulated.sheets.conditions import LIGHTS, STYLES, SheetConditions
from hardware.simulated.sheets.sheet import SimulatedSheet
from tests.companion.kvilt.reading.conftest import MARKS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


def _coloured(reading: SheetReading) -> dict[str, str]:
    return {name: colour for name, colour in reading.seen.items() if colour}


def _silent(reading: SheetReading, marks: Mapping[str, str]) -> list[str]:
    wrong = [name for name, colour in reading.seen.items() if colour != marks.get(name)]
    return [name for name in wrong if name not in reading.doubtful]


def test_a_sheet_is_read_as_it_was_coloured(reading: SheetReading) -> None:
    assert _coloured(reading) == MARKS
    assert reading.doubtful == ()
    assert reading.notes == ()
    assert min(reading.likely.values()) > 0.99
    # The printed hatching of spools that are open from the start is no mark.
    assert "spool1.body" not in reading.seen


def test_another_reader_of_the_same_sheet_starts_without_preparing_it_again(
    photograph: NDArray[np.uint8], reading: SheetReading, monkeypatch: pytest.MonkeyPatch
) -> None:
    def places(*_: object) -> object:
        raise AssertionError("the sheet's places are known")

    SheetReader(load_sheet(), load_layout())
    monkeypatch.setattr("companion.kvilt.reading.reader.sheet_places", places)
    assert SheetReader(load_sheet(), load_layout()).read(photograph).weights.keys() == reading.weights.keys()
    with pytest.raises(AssertionError, match="are known"):
        SheetReader(load_sheet(), replace(load_layout(), radius=3.0))


def test_the_json_contains_what_was_read(reading: SheetReading) -> None:
    told = json.loads(json.dumps(reading.to_json("anna.jpg")))
    assert list(told) == [
        "game", "image", "sheet", "rows", "patches", "spools", "embroideries", "score", "doubtful", "errors"
    ]  # fmt: skip
    assert (told["game"], told["image"], told["sheet"]) == ("kvilt", "anna.jpg", "companion-a")
    assert told["rows"][0] == {"colour": "red", "cells": 2, "full": [2]}
    assert told["rows"][2] == {"colour": None, "cells": 0, "full": []}
    assert told["spools"] == {"open": 3, "threads": ["violet", "yellow", "brown"]}
    assert told["patches"] == ["p3"]
    assert told["embroideries"] == {"e5": 1, "e3a": 0, "e3b": 0, "e2a": 1, "e2b": 0}
    assert told["errors"] == []


@pytest.mark.parametrize(("light", "style"), [("harsh", "careless"), ("hard-shadow", "faint"), ("dim", "hatched")])
def test_nothing_is_wrong_in_silence(reader: SheetReader, light: str, style: str) -> None:
    sheet = SimulatedSheet(12, STYLES[style])
    sheet.colour(MARKS)
    reading = reader.read(sheet.photograph(LIGHTS[light]))
    assert _silent(reading, MARKS) == []
    assert len(reading.doubtful) <= 6


@pytest.mark.parametrize("light", [LIGHTS["normal"].but(noise=10.0), LIGHTS["dim"]], ids=["noisy", "dim"])
def test_a_noisy_camera_that_does_not_smooth_its_pictures_leaves_few_doubts(
    reader: SheetReader, light: SheetConditions
) -> None:
    sheet = SimulatedSheet(13, STYLES["faint"])
    sheet.colour(MARKS)
    reading = reader.read(sheet.photograph(light))
    assert _silent(reading, MARKS) == []
    assert len(reading.doubtful) <= 2


def test_mistakes_are_reported_and_not_smoothed_away(reader: SheetReader) -> None:
    """Also on a sheet that curls slightly and lies upside down in the picture."""
    marks = {**MARKS, "r1c2.picture": "green", "r2c4.picture": "blue", "r3c1.background": "violet"}
    sheet = SimulatedSheet(5)
    sheet.colour(marks)
    photograph = sheet.photograph(LIGHTS["normal"].but(curl_mm=1.5))
    reading = reader.read(np.ascontiguousarray(np.rot90(photograph, 2)))
    assert _coloured(reading) == marks
    codes = {str(error.code): error.regions for error in reading.verdict().errors}
    assert codes["E_ORDER"] == ("r2c4.picture",)
    assert "E_BACKGROUND" in codes
    assert "E_ROW_COLOUR" in codes


def test_without_samples_pencils_are_guessed_and_a_note_says_so(reader: SheetReader) -> None:
    sheet = SimulatedSheet(6, swatched=False)
    sheet.colour(MARKS)
    reading = reader.read(sheet.photograph())
    assert _silent(reading, MARKS) == []
    assert "red" in reading.notes[0]
    assert reading.to_json("a.jpg")["notes"] == list(reading.notes)


def test_an_overexposed_picture_is_trusted_less(reader: SheetReader, photograph: NDArray[np.uint8]) -> None:
    burnt = np.clip(photograph * 1.35, 0, 255).astype(np.uint8)
    reading = reader.read(burnt)
    assert "overexposed" in reading.notes[-1]
    assert _silent(reading, MARKS) == []


def test_the_reading_is_drawn_into_the_picture(reading: SheetReading, photograph: NDArray[np.uint8]) -> None:
    picture = draw_reading(photograph, reading)
    assert picture.shape == photograph.shape
    changed = np.abs(picture.astype(int) - photograph).max(axis=2) > 60
    x, y = np.round(reading.page.place(reading.layout.parts["e5.1"])).astype(int)
    assert changed[y - 12 : y + 13, x - 12 : x + 13].mean() > 0.25
    blank_x, blank_y = np.round(reading.page.place(reading.layout.parts["e5.2"])).astype(int)
    assert not changed[blank_y - 12 : blank_y + 13, blank_x - 12 : blank_x + 13].any()
    small = np.asarray(cv2.resize(photograph, (800, 600)), np.uint8)
    assert draw_reading(small, reading).shape == (1200, 1600, 3)


def _brighter(image: NDArray[np.uint8], times: float) -> NDArray[np.uint8]:
    levels = np.minimum((np.arange(256) / 255) ** 2.2 * times, 1) ** (1 / 2.2)
    return np.asarray(cv2.LUT(image, np.round(levels * 255).astype(np.uint8)), np.uint8)


def test_samples_that_are_washed_out_refuse_the_picture(reader: SheetReader, photograph: NDArray[np.uint8]) -> None:
    assert _silent(reader.read(_brighter(photograph, 1.5)), MARKS) == []
    with pytest.raises(SheetPhotoError, match="washed out"):
        reader.read(_brighter(photograph, 6.0))


def test_the_edge_of_a_shadow_is_no_grey_pencil(reader: SheetReader) -> None:
    """A brown that is nearly grey, and a shadow as sharp as that of a phone over the sheet, in little light."""
    sheet = SimulatedSheet(41, STYLES["firm"])
    sheet.colour(MARKS)
    light = LIGHTS["dim"].but(shadow=0.6, softness_mm=2.0)
    assert _silent(reader.read(sheet.photograph(light)), MARKS) == []


def test_a_picture_without_colours_is_refused(reader: SheetReader, photograph: NDArray[np.uint8]) -> None:
    grey = cv2.cvtColor(cv2.cvtColor(photograph, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    with pytest.raises(SheetPhotoError, match="no colours"):
        reader.read(np.asarray(grey, np.uint8))


def test_regions_hidden_by_a_reflection_are_doubtful(
    reader: SheetReader, photograph: NDArray[np.uint8], reading: SheetReading
) -> None:
    """No rule determines whether a patch is coloured."""
    outline = np.array(reading.layout.regions()["p3"].outlines[0])
    glaring = photograph.copy()
    middle = tuple(np.round(reading.page.place(outline).mean(axis=0)).astype(int).tolist())
    cv2.circle(glaring, middle, round(12 * reading.page.px_per_mm), (255, 255, 255), -1)
    again = reader.read(glaring)
    assert again.seen["p3"] is None
    assert "p3" in again.doubtful
    assert len(again.doubtful) < 12
    assert _silent(again, MARKS) == []


def test_faint_strokes_of_a_greyish_pencil_are_no_certain_white(reader: SheetReader) -> None:
    """Few of its pixels are coloured enough to count, but the paper is not as rough and dark as that."""
    brown = {"r5c1.picture": "brown", "r5c2.picture": "brown", "r5c3.picture": "brown", "p3": "brown"}
    faint = replace(STYLES["faint"], pressure=0.3)
    sheet = SimulatedSheet(6, faint)
    sheet.colour(brown)
    assert _silent(reader.read(sheet.photograph(LIGHTS["normal"])), brown) == []
