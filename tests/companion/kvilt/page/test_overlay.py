"""Test what is drawn into the camera's picture of a sheet."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.kvilt.rules import History
from companion.kvilt.choices import SheetComplaint
from companion.kvilt.page.interface import WIDTH_PX, sheet_exposure
from companion.kvilt.page.table import SheetTable
from companion.kvilt.reading.reader import SheetReader, SheetReading
from companion.kvilt.sheets.files import load_sheet
from companion.kvilt.sheets.layout_files import load_layout
from companion.kvilt.table.watch import SheetWatch
from companion.play.events import Pending
from companion.web.account import Gallery
from hardware.ports import Frame
from hardware.simulated.sheets.conditions import SheetConditions
from hardware.simulated.sheets.sheet import SimulatedSheet
from tests.companion.kvilt_setups import own_setup

Image = NDArray[np.uint8]
LAYOUT = load_layout()


@pytest.fixture(scope="module")
def photograph() -> Image:
    sheet = SimulatedSheet(3)
    sheet.colour({"p7": "blue", "spool1.thread": "red"})
    return sheet.photograph(SheetConditions(width_px=1600, height_px=1200))


def drawn(watch: SheetWatch, image: Image) -> Image:
    """Return the picture with the reading drawn, with `image` as the newest frame."""
    watch.frame = Frame(image, 0.0, "0.jpg")
    exposure = sheet_exposure(watch, None)
    assert exposure is not None
    assert exposure.reading is not None
    return exposure.reading()


@pytest.fixture(scope="module")
def reading(photograph: Image) -> SheetReading:
    return SheetReader(load_sheet(), LAYOUT).read(photograph)


def watching(image: Image, reading: SheetReading | None = None) -> SheetWatch:
    watch = SheetWatch(LAYOUT)
    frame = Frame(image, 0.0, "0.jpg")
    watch.see(frame, looking=True)
    if reading is not None:
        watch.reading = frame, reading
        watch.restart_rest()
    return watch


def test_the_reading_is_drawn_in_its_picture(photograph: Image, reading: SheetReading) -> None:
    watch = watching(photograph, reading)
    assert watch.reading is not None
    picture = drawn(watch, photograph)
    outline = np.array(LAYOUT.regions()["p7"].outlines[0])
    place = watch.reading[1].page.place((outline.min(axis=0) + outline.max(axis=0)) / 2)
    x, y = np.round(place).astype(int)
    screen = next(colour.screen for colour in LAYOUT.colours if colour.key == "blue")
    assert picture[y, x].tolist() == [int(screen[at : at + 2], 16) for at in (5, 3, 1)]
    assert photograph[y, x].tolist() != picture[y, x].tolist()


def test_the_same_picture_again_is_drawn_alike(photograph: Image, reading: SheetReading) -> None:
    watch = watching(photograph, reading)
    again = photograph.copy()
    assert np.array_equal(drawn(watch, again), drawn(watch, photograph))
    assert (again != drawn(watch, again)).any()


def test_once_the_sheet_is_taken_away_nothing_is_drawn(photograph: Image, reading: SheetReading) -> None:
    watch = watching(photograph, reading)
    away = np.full_like(photograph, 90)
    assert drawn(watch, away) is away


def test_noise_alone_takes_nothing_away(photograph: Image, reading: SheetReading) -> None:
    noise = np.random.default_rng(1).normal(0, 4, photograph.shape)
    later = np.clip(photograph + noise, 0, 255).astype(np.uint8)
    assert (drawn(watching(photograph, reading), later) != later).any()


def test_while_it_is_looked_for_its_outline_is_drawn(photograph: Image) -> None:
    watch = watching(photograph)
    assert watch.found is not None
    picture = drawn(watch, photograph)
    changed = (picture != photograph).any(axis=2)
    ring = cv2.polylines(np.zeros(changed.shape, np.uint8),
                         [np.round(watch.found.page.place(np.array([[0, 0], [LAYOUT.size[0], 0], [*LAYOUT.size],
                                                              [0, LAYOUT.size[1]]]))).astype(np.int32)],
                         True, (255,), 11)  # fmt: skip
    assert changed.any()
    assert not changed[ring == 0].any()
    watch.restart_rest()
    assert drawn(watch, photograph) is photograph


def test_the_crop_of_a_question_stays_until_the_next_question(photograph: Image) -> None:
    watch, gallery = watching(photograph), Gallery()
    complaint = SheetComplaint(("unseen",), 1, ("p7",), "It is not seen.", "0.jpg")
    table = SheetTable(History(own_setup(("Anna", "Boris"))).state)
    for known in (replace(table, pending=Pending(complaint=complaint)), table):
        exposure = sheet_exposure(watch, known)
        assert exposure is not None
        gallery.keep(exposure)
        crop = cv2.imdecode(np.frombuffer(gallery.crop_jpeg(2), np.uint8), cv2.IMREAD_COLOR)
        assert crop is not None
        assert crop.shape[1] == WIDTH_PX


def test_before_a_question_there_is_nothing_to_see_straight_on(photograph: Image, reading: SheetReading) -> None:
    exposure = sheet_exposure(watching(photograph, reading), None)
    assert exposure is not None
    assert (exposure.crop(1), exposure.question) == (None, None)
    assert sheet_exposure(SheetWatch(LAYOUT), None) is None
