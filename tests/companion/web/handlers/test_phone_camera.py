"""The pictures of a phone that is the camera, and what it shows."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from companion.games.patchwork.rules import History
from companion.play.events import TableNoticed
from companion.play.page import Visibility
from companion.web.handlers import phone_camera
from hardware.handset import HANDSET
from hardware.ports import CameraError, Frame
from hardware.reconnecting import ReopeningCamera
from hardware.simulated.devices import SimulatedClock
from tests.companion.web.conftest import SETUP

if TYPE_CHECKING:
    from tests.companion.web.conftest import Desk, MakeDesk

JPEG = {"content-type": "image/jpeg"}
LAMP = "A lamp is reflected in seat 1’s board: move the lamp or the board a little."


class Away:
    """A camera that fails some times, and works then."""

    def __init__(self, times: int) -> None:
        self.times = times

    def capture(self) -> Frame:
        self.times -= 1
        if self.times >= 0:
            raise CameraError("the phone sends no pictures")
        return Frame(np.zeros((16, 16, 3), np.uint8), 0.0, "0.jpg")

    def close(self) -> None:
        """Do nothing."""


def corners(left: float, top: float, side: float) -> list[list[float]]:
    return [[left, top], [left + side, top], [left + side, top + side], [left, top + side]]


@pytest.fixture
def phone(desk: MakeDesk) -> Desk:
    return desk().changed(phone_size=lambda: (1920, 1080)).with_key()


def _sent(phone: Desk) -> Any:
    answer = phone.client.post("/api/camera/frame", content=b"picture", headers=JPEG)
    assert answer.status_code == 200
    return answer.json()


@pytest.mark.parametrize(
    ("boards", "grey", "says", "square"),
    [
        ({1: corners(100, 100, 405), 2: corners(700, 100, 400)}, 120, [], "44"),
        ({1: corners(100, 100, 400), 2: corners(900, 100, 400)}, 120, ["Board 2 is cut off: hold the phone a"], "44"),
        ({1: corners(100, 100, 200)}, 120, ["Board 1 is too small: hold the phone a little lower."], "22"),
        ({}, 20, ["It is too dark: turn the lamp to the table."], ""),
    ],
)
def test_the_phone_says_how_to_hold_it(
    phone: Desk, boards: dict[int, Any], grey: int, says: list[str], square: str
) -> None:
    phone.site.gallery.show(Frame(np.full((720, 1280, 3), grey, np.uint8), 1.0, "0.jpg"))
    answer = _sent(phone.changed(outlines=lambda: boards).with_key())
    assert answer["boards"] == {str(seat): corners for seat, corners in boards.items()}
    assert [one.startswith(other) for one, other in zip(answer["says"], says, strict=True)] == [True] * len(says)
    assert answer["table"] == ([f"A square is {square} pixels wide; 28 are enough."] if square else [])


def test_it_shows_what_the_table_waits_for_and_has_just_noticed(phone: Desk) -> None:
    assert _sent(phone)["table"] == []
    phone.open_game(1)
    phone.builder.set_visibility(Visibility(camera=True))
    assert _sent(phone)["table"] == ["Place both quilt boards in view, with nothing on them."]
    phone.builder.set_visibility(Visibility(camera=True, boards_seen=True, in_view=(1, 2)))
    assert _sent(phone)["table"] == ["The table sees this picture."]
    phone.builder(TableNoticed(LAMP, History(SETUP).state))
    assert _sent(phone)["table"] == [LAMP]


def test_a_phone_that_sends_again_is_not_told_that_it_sends_nothing(phone: Desk) -> None:
    camera = Away(times=1)
    said: list[str] = []
    ReopeningCamera(lambda: camera, SimulatedClock(), said.append).capture()
    assert len(said) == 2
    phone.open_game(1)
    phone.builder.set_visibility(Visibility(camera=True, boards_seen=True, in_view=(1, 2)))
    shown = []
    for says in (LAMP, *said, LAMP):
        phone.builder(TableNoticed(says, History(SETUP).state))
        shown.append(_sent(phone)["table"])
    assert shown == [[LAMP], ["The camera is starting."], ["The table sees this picture."], [LAMP]]


def test_a_photograph_is_asked_for_and_passed_on(phone: Desk) -> None:
    taken: list[bytes | None] = []
    asking = Thread(target=lambda: taken.append(HANDSET.still(20)))
    asking.start()
    while not _sent(phone)["wants_still"]:
        pass
    assert phone.client.post("/api/camera/still", content=b"photograph", headers=JPEG).json()["ok"]
    asking.join()
    assert taken == [b"photograph"]
    assert not _sent(phone)["wants_still"]


def test_other_cameras_other_files_and_too_large_ones_are_refused(
    phone: Desk, desk: MakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = phone.client.post
    assert post("/api/camera/frame", content=b"x", headers={"content-type": "text/plain"}).status_code == 415
    monkeypatch.setattr(phone_camera, "LARGEST_BYTES", 4)
    assert post("/api/camera/frame", content=b"picture", headers=JPEG).status_code == 413
    other = desk().with_key().client.post("/api/camera/frame", content=b"picture", headers=JPEG)
    assert (other.status_code, "another camera" in other.json()["error"]) == (409, True)
    phone.client.cookies.clear()
    assert post("/api/camera/still", content=b"picture", headers=JPEG).status_code == 401
