from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from companion.patchwork.page.interface import exposure_of
from companion.patchwork.page.snapshot import PatchworkAccount
from companion.pictures import jpeg as encode
from companion.play.events import Asked, Complained
from companion.web import account as module
from companion.web.account import Gallery, NoPictureError
from tests.companion.web.conftest import Watch, account_after, frame, played

if TYPE_CHECKING:
    from companion.patchwork.reading.verdict import Complaint, Question


def _grey(content: bytes) -> float:
    picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return float(np.median(picture))


def _look(gallery: Gallery, watch: Any, *happened: Any) -> None:
    table = account_after(*happened).table
    assert table is None or isinstance(table, PatchworkAccount)
    exposure = exposure_of(watch, table)
    if exposure is not None:
        gallery.keep(exposure)


def test_the_frame_of_a_question_is_kept_while_newer_ones_come(question: Question) -> None:
    history, happened = played(0)
    gallery, watch = Gallery(), Watch()
    _look(gallery, watch, *happened)
    watch.frame = frame("000002.jpg", 150)
    asked = Asked(question, 0, history.state)
    _look(gallery, watch, *happened, asked)
    watch.frame = frame("000003.jpg", 220)
    _look(gallery, watch, *happened, asked)
    assert abs(_grey(gallery.camera_jpeg(reading=False)) - 220) < 2
    assert abs(_grey(gallery.crop_jpeg(1)) - 150) < 2


def test_the_next_complaint_has_a_frame_of_its_own(overlap: Complaint) -> None:
    history, happened = played(0)
    gallery, watch = Gallery(), Watch()
    complained = Complained(overlap, history.state)
    for count, grey in ((1, 60), (2, 180)):
        watch.frame = frame(f"{grey}.jpg", grey)
        _look(gallery, watch, *happened, *[complained] * count)
        assert abs(_grey(gallery.crop_jpeg(1)) - grey) < 2


def test_before_any_question_the_crop_is_of_the_newest_frame() -> None:
    gallery = Gallery()
    _look(gallery, Watch(), *played(0)[1])
    assert abs(_grey(gallery.crop_jpeg(2)) - 90) < 2


def test_without_a_frame_or_a_board_there_is_no_picture() -> None:
    gallery, watch = Gallery(), Watch()
    watch.frame = None
    _look(gallery, watch)
    with pytest.raises(NoPictureError, match="There is no picture yet"):
        gallery.camera_jpeg(reading=False)
    watch.frame, watch.places = frame(), {}
    _look(gallery, watch)
    with pytest.raises(NoPictureError, match="seat 1 has not been in view"):
        gallery.crop_jpeg(1)


def test_a_picture_is_drawn_once_for_all_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def jpeg(picture: Any, quality: int) -> bytes:
        drawn.append("one")
        return encode(picture, quality)

    monkeypatch.setattr(module, "jpeg", jpeg)
    gallery, watch = Gallery(), Watch()
    for number in range(20):
        watch.frame = frame(f"{number}.jpg")
        _look(gallery, watch)
        assert len({gallery.camera_jpeg(reading=False) for _ in range(5)}) == 1
    assert len(drawn) == 20
    assert len(gallery._drawn) <= module._KEPT
