"""What is drawn into the camera's picture of a sheet."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.kvilt import load_layout, load_sheet
from companion.kvilttable import SheetWatch
from companion.sheetreading import SheetReader
from companion.web.drawing import Exposure, draw_camera
from companion.web.kviltsight import sheet_exposure
from hardware.ports import Frame
from hardware.simulated.sheet import SimulatedSheet
from hardware.simulated.sheetconditions import SheetConditions

Image = NDArray[np.uint8]
LAYOUT = load_layout()


@pytest.fixture(scope="module")
def photograph() -> Image:
    sheet = SimulatedSheet(3)
    sheet.colour({"p7": "blue", "spool1.thread": "red"})
    return sheet.photograph(SheetConditions(width_px=1600, height_px=1200))


def exposed(watch: SheetWatch, image: Image) -> Exposure:
    return sheet_exposure(watch, Frame(image, 0.0, "0.jpg"), LAYOUT)


def watching(image: Image, *, read: bool) -> SheetWatch:
    watch = SheetWatch(LAYOUT)
    frame = Frame(image, 0.0, "0.jpg")
    watch.see(frame, looking=True)
    if read:
        watch.reading = frame, SheetReader(load_sheet(), LAYOUT).read(image, watch.page)
        watch.rest_anew()
    return watch


def test_what_was_read_is_drawn_where_it_was_read(photograph: Image) -> None:
    watch = watching(photograph, read=True)
    assert watch.reading is not None
    picture = draw_camera(exposed(watch, photograph), reading=True)
    outline = np.array(LAYOUT.regions()["p7"].outlines[0])
    place = watch.reading[1].page.place((outline.min(axis=0) + outline.max(axis=0)) / 2)
    x, y = np.round(place).astype(int)
    screen = next(colour.screen for colour in LAYOUT.colours if colour.key == "blue")
    assert picture[y, x].tolist() == [int(screen[at : at + 2], 16) for at in (5, 3, 1)]
    assert photograph[y, x].tolist() != picture[y, x].tolist()
    assert draw_camera(exposed(watch, photograph), reading=False) is photograph


def test_once_the_sheet_is_taken_away_nothing_is_drawn(photograph: Image) -> None:
    watch = watching(photograph, read=True)
    away = np.full_like(photograph, 90)
    assert draw_camera(exposed(watch, away), reading=True) is away


def test_noise_alone_takes_nothing_away(photograph: Image) -> None:
    noise = np.random.default_rng(1).normal(0, 4, photograph.shape)
    later = np.clip(photograph + noise, 0, 255).astype(np.uint8)
    assert (draw_camera(exposed(watching(photograph, read=True), later), reading=True) != later).any()


def test_while_it_is_looked_for_its_outline_is_drawn(photograph: Image) -> None:
    watch = watching(photograph, read=False)
    assert watch.page is not None
    picture = draw_camera(exposed(watch, photograph), reading=True)
    changed = (picture != photograph).any(axis=2)
    ring = cv2.polylines(np.zeros(changed.shape, np.uint8),
                         [np.round(watch.page.place(np.array([[0, 0], [LAYOUT.size[0], 0], [*LAYOUT.size],
                                                              [0, LAYOUT.size[1]]]))).astype(np.int32)],
                         True, (255,), 11)  # fmt: skip
    assert changed.any()
    assert not changed[ring == 0].any()
    watch.rest_anew()
    assert draw_camera(exposed(watch, photograph), reading=True) is photograph
