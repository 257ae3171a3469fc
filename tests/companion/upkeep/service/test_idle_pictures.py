from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from companion.config import Config
from companion.lights import neutral_picture
from companion.patchwork.game import PATCHWORK
from companion.play.host import Host
from companion.play.session import DeviceFactory
from companion.registry import games
from companion.upkeep.service import IdleCamera
from hardware.drivers.simulated import SimulatedStripDriver
from hardware.ports import CameraError, EndOfFramesError, Frame
from hardware.simulated.devices import SimulatedClock

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class Shelf:
    """A camera that is opened and closed, and sometimes missing."""

    clock: SimulatedClock = field(default_factory=SimulatedClock)
    fault: Exception | None = None
    opened: int = 0
    closed: int = 0
    said: list[str] = field(default_factory=list)

    def devices(self) -> DeviceFactory:
        return DeviceFactory(self.clock, self._open, *(lambda *_: None,) * 2)  # type: ignore[arg-type]

    def _open(self, say: Callable[[str], None], idle: Callable[[], None]) -> Any:
        del say, idle
        if isinstance(self.fault, CameraError):
            raise self.fault
        self.opened += 1
        return self

    def capture(self) -> Frame:
        if self.fault is not None:
            raise self.fault
        return Frame(np.full((36, 64, 3), 128, np.uint8), self.clock.now(), "frame.jpg")

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def now_s(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The host's clock for requested pictures: it stands still, however long a picture takes."""
    now_s = [100.0]
    monkeypatch.setattr("companion.play.host.time.monotonic", lambda: now_s[0])
    return now_s


@pytest.fixture
def host(now_s: list[float]) -> Host:
    del now_s
    return Host(Config(), "table", PATCHWORK, games(), by_hand=False)


def test_the_camera_is_open_for_as_long_as_somebody_wants_pictures(host: Host, now_s: list[float]) -> None:
    shelf, shown = Shelf(), list[Frame]()
    host.show = shown.append
    idle_camera = IdleCamera(shelf.devices(), host, shelf.said.append, lambda: None)
    assert not idle_camera.step()
    host.want_pictures()
    assert idle_camera.step()
    assert idle_camera.step()
    assert (shelf.opened, shelf.closed, len(shown)) == (1, 0, 2)
    now_s[0] += 6.0
    assert not idle_camera.step()
    assert (shelf.opened, shelf.closed) == (1, 1)


@dataclass
class Desk:
    """A fake desk that wants a still, once."""

    wants_still: bool = True
    given: list[Frame | None] = field(default_factory=list)

    def refine(self, still: Frame | None) -> None:
        self.wants_still = False
        self.given.append(still)


class StillShelf(Shelf):
    """A shelf whose camera can take stills."""

    still_fault: Exception | None = None

    def still(self) -> Frame:
        if self.still_fault is not None:
            raise self.still_fault
        return Frame(np.full((72, 128, 3), 128, np.uint8), self.clock.now(), "still.jpg")


@pytest.mark.parametrize("fault", [None, CameraError("busy"), EndOfFramesError("no more")])
def test_a_calibration_is_given_the_largest_picture_that_the_camera_takes(host: Host, fault: Exception | None) -> None:
    desk, shelf = Desk(), StillShelf()
    shelf.still_fault = fault
    host.desk = desk  # type: ignore[assignment]  # all of it that counts here
    host.want_pictures()
    idle_camera = IdleCamera(shelf.devices(), host, shelf.said.append, lambda: None)
    assert idle_camera.step()
    assert idle_camera.step()
    assert [still and still.name for still in desk.given] == ["still.jpg" if fault is None else None]
    assert shelf.said == []


def test_a_camera_that_takes_no_stills_is_asked_for_none(host: Host) -> None:
    desk, shelf = Desk(), Shelf()
    host.desk = desk  # type: ignore[assignment]  # all of it that counts here
    host.take_still(shelf)
    assert desk.given == [], "nobody calibrates"
    host.want_pictures()
    host.take_still(shelf)
    assert desk.given == [None]


@pytest.mark.parametrize(
    ("fault", "said"), [(CameraError("no camera"), ["no camera."]), (EndOfFramesError("no more"), [])]
)
def test_a_camera_that_fails_is_tried_again_after_a_while(host: Host, fault: Exception, said: list[str]) -> None:
    shelf = Shelf(fault=fault)
    idle_camera = IdleCamera(shelf.devices(), host, shelf.said.append, lambda: None)
    host.want_pictures()
    for _ in range(3):
        assert not idle_camera.step()
    assert shelf.said == said
    shelf.fault = None
    shelf.clock.sleep(6.0)
    host.want_pictures()
    assert idle_camera.step()


def test_the_camera_stays_closed_without_a_host() -> None:
    shelf = Shelf()
    assert not IdleCamera(shelf.devices(), None, shelf.said.append, lambda: None).step()
    assert shelf.opened == 0


def test_the_light_is_even_and_leaves_dark_what_is_to_be_dark() -> None:
    pixels = neutral_picture(20, SimulatedStripDriver(pixels=20, first_pixel=4))
    assert pixels[:4] == [(0, 0, 0)] * 4
    assert len({*pixels[4:]}) == 1
    assert min(pixels[5]) > 0
