"""Test when a sheet counts as at rest: rendered pictures, one of them moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.kvilt.reading.finding import find_sheet
from companion.kvilt.sheets.layout import PageLayout
from companion.kvilt.sheets.layout_files import load_layout
from companion.kvilt.table import watch as watching
from companion.kvilt.table.watch import SheetWatch
from hardware.ports import Frame
from hardware.simulated.sheets.conditions import SheetConditions
from hardware.simulated.sheets.sheet import SimulatedSheet

if TYPE_CHECKING:
    from companion.kvilt.reading.finding import FoundSheet
    from companion.kvilt.reading.reader import SheetReading

Image = NDArray[np.uint8]


@pytest.fixture(scope="module")
def photograph() -> Image:
    return SimulatedSheet(3).photograph(SheetConditions(width_px=1280, height_px=960))


def moved(image: Image, by_px: float) -> Image:
    return np.asarray(cv2.warpAffine(image, np.array([[1, 0, by_px], [0, 1, 0.0]]), image.shape[1::-1]), np.uint8)


def frame(image: Image) -> Frame:
    return Frame(image, 0.0, "0.jpg")


def test_a_sheet_lies_still_once_two_frames_show_it_at_one_place(photograph: Image) -> None:
    watch = SheetWatch(load_layout())
    for image, settled in ((photograph, False), (moved(photograph, 1), True), (moved(photograph, 9), False)):
        watch.see(frame(image), looking=True)
        assert watch.settled is settled
    watch.see(frame(moved(photograph, 9)), looking=True)
    assert watch.settled
    watch.restart_rest()
    assert not watch.settled


def test_the_trouble_with_a_picture_is_explained(photograph: Image) -> None:
    watch = SheetWatch(load_layout())
    for image in (photograph, photograph, np.zeros_like(photograph)):
        watch.see(frame(image), looking=True)
    assert not watch.settled
    assert watch.found is None
    assert "no marker" in watch.trouble


def test_no_sheet_is_searched_without_a_look(photograph: Image) -> None:
    watch = SheetWatch(load_layout())
    watch.see(frame(photograph), looking=False)
    assert watch.found is None
    assert watch.frame is not None
    assert watch.trouble == ""


def test_a_coarse_frame_may_do_where_a_finer_picture_is_read(photograph: Image) -> None:
    small = np.asarray(cv2.resize(photograph, None, fx=0.45, fy=0.45, interpolation=cv2.INTER_AREA), np.uint8)
    strict, lenient = SheetWatch(load_layout(), 1), SheetWatch(load_layout(), 1, 1.5)
    for watch in (strict, lenient):
        watch.see(frame(small), looking=True)
    assert (strict.settled, lenient.settled) == (False, True)
    assert "too small" in strict.trouble
    assert "pixels per millimetre, but 3 are needed" in strict.trouble


class Search:
    """A search for the sheet that counts its calls."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times = 0
        monkeypatch.setattr(watching, "find_sheet", self)

    def __call__(self, image: Image, layout: PageLayout, least_px_per_mm: float) -> FoundSheet:
        self.times += 1
        return find_sheet(image, layout, least_px_per_mm)


def blank_picture(level: int = 90) -> Image:
    return np.full((480, 640, 3), level, np.uint8)


@pytest.mark.parametrize(
    ("second", "after_s", "searched"),
    [
        pytest.param(blank_picture(), 0.2, False, id="nothing has changed"),
        pytest.param(blank_picture(93), 0.2, False, id="a cloud"),
        pytest.param(blank_picture(), 1.6, True, id="after a pause"),
        pytest.param(
            cv2.rectangle(blank_picture(), (300, 200), (360, 260), (200, 200, 200), -1), 0.2, True, id="something new"
        ),
    ],
)
def test_a_changed_picture_without_a_sheet_is_searched_again(
    second: Image, after_s: float, searched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    search, watch = Search(monkeypatch), SheetWatch(load_layout())
    watch.see(Frame(blank_picture(), 5.0, "0.jpg"), looking=True)
    watch.see(Frame(second, 5.0 + after_s, "1.jpg"), looking=True)
    assert search.times == 1 + searched
    assert "no marker" in watch.trouble
    assert not watch.settled


def test_a_new_look_searches_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    search, watch = Search(monkeypatch), SheetWatch(load_layout())
    watch.see(Frame(blank_picture(), 5.0, "0.jpg"), looking=True)
    watch.restart_rest()
    watch.see(Frame(blank_picture(), 5.2, "1.jpg"), looking=True)
    assert search.times == 2


def test_a_picture_that_is_the_very_same_one_is_searched_once(
    photograph: Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    search, watch = Search(monkeypatch), SheetWatch(load_layout(), 3)
    for _ in range(3):
        watch.see(frame(photograph), looking=True)
    assert watch.settled
    assert search.times == 1


def test_a_hand_over_a_sheet_that_was_read_disturbs_it_until_the_next_reading(photograph: Image) -> None:
    watch, reading = SheetWatch(load_layout()), cast("SheetReading", None)
    with_hand = photograph.copy()
    with_hand[300:, 500:700] = (120, 150, 200)
    seen = []
    for image in (photograph, moved(photograph, 0), with_hand, photograph):
        watch.see(frame(image), looking=False)
        seen.append(watch.disturbed)
        if watch.reading is None:
            watch.keep_reading(frame(image), reading)
    assert seen == [False, False, True, True]
    watch.keep_reading(frame(photograph), reading)
    assert not watch.disturbed
