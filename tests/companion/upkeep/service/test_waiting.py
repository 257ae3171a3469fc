"""Test the service over the twins: only the loop feeds the watchdog, and games begin on request."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.config import Config
from companion.patchwork.arrangement import PatchworkArrangement
from companion.patchwork.game import PATCHWORK
from companion.patchwork.watching.clearing import BoardClearing
from companion.play.host import Host
from companion.play.inbox import Answer, Inbox, PressButton, TableAwayError
from companion.play.session import DeviceFactory
from companion.registry import games
from companion.upkeep.service import DeviceRetry, Notifier, await_start, waiting_picture, watched
from hardware.drivers.none import NoControls
from hardware.drivers.simulated import SimulatedStripDriver
from hardware.ports import Button, Camera, Frame, HardwareError, StillCamera
from hardware.reconnecting import ReopeningCamera
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.devices import SimulatedClock, SimulatedControls, SimulatedLightStrip
from hardware.strips import ResilientStrip

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


class Told(Notifier):
    """A notifier that records its messages."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__({"WATCHDOG_USEC": "40000000"}, clock)
        self.messages: list[str] = []

    def _send(self, message: str) -> None:
        self.messages.append(message)


class Grey:
    """A stage on which nothing happens and nothing is to be drawn."""

    over = False

    def step(self, now_s: float) -> None:
        """Do nothing."""

    def picture(self, now_s: float) -> NDArray[np.uint8]:
        # With noise: a picture without any is one of a hung sensor.
        return np.random.default_rng(round(1000 * now_s)).integers(120, 136, (36, 64, 3), np.uint8)


class Table:
    """The clock, the camera and the buttons of a table on which nothing lies."""

    def __init__(self) -> None:
        self.clock = SimulatedClock()
        self.camera = SimulatedCamera(Grey(), self.clock, 5.0)
        self.controls = SimulatedControls(self.clock)


@dataclass
class Shop:
    """The devices of a table."""

    evening: Table = field(default_factory=Table)
    strip: SimulatedLightStrip = field(default_factory=lambda: SimulatedLightStrip(60))
    said: list[str] = field(default_factory=list)

    def devices(self) -> DeviceFactory:
        clock = self.evening.clock
        return DeviceFactory(
            clock,
            lambda say, idle: ReopeningCamera(lambda: Lent(self.evening), clock, say, idle),
            lambda: self.evening.controls,
            lambda say: ResilientStrip(lambda: self.strip, 60, clock, say),
        )


class Lent:
    """The evening's camera, which stays open when this one is closed."""

    def __init__(self, evening: Table) -> None:
        self.capture = evening.camera.capture

    def close(self) -> None:
        """Do nothing: the same camera is opened again later."""


@pytest.fixture
def shop() -> Shop:
    return Shop()


def opened(shop: Shop, told: Told, idle: Callable[[], None] = lambda: None) -> Camera:
    return watched(shop.devices(), told).camera(shop.said.append, idle)


def test_each_frame_that_is_asked_for_feeds_the_watchdog_and_the_first_one_is_the_start(shop: Shop) -> None:
    told = Told(shop.evening.clock.now)
    camera = opened(shop, told)
    assert "READY=1" not in told.messages
    for _ in range(4):
        camera.capture()
    assert told.messages.count("READY=1") == 1
    assert told.messages.count("STATUS=A game is on the table.") == 1
    assert told.messages.count("WATCHDOG=1") == 1, "no more often than it is asked for"
    shop.evening.clock.sleep(10)
    camera.capture()
    assert told.messages.count("WATCHDOG=1") == 2


def test_a_still_is_the_camera_s_own(shop: Shop) -> None:
    camera = opened(shop, Told(shop.evening.clock.now))
    assert isinstance(camera, StillCamera)
    taken = camera.capture()
    assert camera.still().image.shape == taken.image.shape


def test_a_loop_that_hangs_feeds_nothing(shop: Shop) -> None:
    told = Told(shop.evening.clock.now)
    camera = opened(shop, told)
    camera.capture()
    told.messages.clear()
    shop.evening.clock.sleep(300)
    assert told.messages == []


def test_a_camera_that_is_waited_for_is_no_hang(shop: Shop) -> None:
    told = Told(shop.evening.clock.now)
    idled: list[float] = []

    def idle() -> None:
        idled.append(shop.evening.clock.now())
        if idled[-1] > 60:
            shop.evening.camera.plug_in()

    camera = opened(shop, told, idle)
    camera.capture()
    shop.evening.camera.unplug()
    camera.capture()
    assert told.messages.count("WATCHDOG=1") >= 6
    assert told.messages[-1] == "STATUS=A game is on the table."
    assert "STATUS=The camera is away; the game waits for it." in told.messages


def test_a_game_begins_when_somebody_presses_confirm(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(shop.evening.clock.now)
    presses = {3.0: Button.UNDO, 5.0: Button.ADVANCE, 30.0: Button.CONFIRM}

    def sleep(seconds: float) -> None:
        SimulatedClock.sleep(shop.evening.clock, seconds)
        for at_s in [at_s for at_s in presses if at_s <= shop.evening.clock.now()]:
            shop.evening.controls.press(presses.pop(at_s))

    monkeypatch.setattr(shop.evening.clock, "sleep", sleep)
    await_start(shop.devices(), SimulatedStripDriver(), None, shop.said.append, told, PATCHWORK.begin_says)
    assert shop.evening.clock.now() == pytest.approx(30.0, abs=0.2)
    assert shop.said == [PATCHWORK.begin_says]
    assert told.messages[:2] == ["READY=1", "STATUS=Waits for confirm to begin a new game."]
    assert told.messages.count("WATCHDOG=1") == 3
    lit = [pixels for pixels in shop.strip.history if any(map(sum, pixels))]
    assert len(set(lit)) > 10, "the lights show_waiting"
    assert set(shop.strip.pixels) == {(0, 0, 0)}, "and let go of the strip"


def test_the_pages_confirm_counts_too(shop: Shop) -> None:
    page = Inbox()
    answered, pressed = page.put(Answer(0)), page.put(PressButton(Button.CONFIRM))
    await_start(shop.devices(), SimulatedStripDriver(), page, shop.said.append, Told(shop.evening.clock.now), "Begin.")
    assert pressed.result(0) == ()
    with pytest.raises(TableAwayError, match="No game"):
        answered.result(0)


class Cleared:
    """A fake clearing that is complete after a number of frames."""

    says = BoardClearing.says

    def __init__(self, frames: int) -> None:
        self.left = frames

    def see(self, frame: Frame) -> bool:
        assert frame.image.size
        self.left -= 1
        return self.left == 0


def test_without_buttons_empty_boards_begin_the_game(shop: Shop) -> None:
    told, cleared = Told(shop.evening.clock.now), Cleared(40)
    devices = replace(watched(shop.devices(), told), controls=NoControls)
    await_start(devices, SimulatedStripDriver(), None, shop.said.append, told, PATCHWORK.begin_says, clearing=cleared)
    assert cleared.left == 0
    assert shop.said == [BoardClearing.says]
    states = [message for message in told.messages if message.startswith("STATUS=")]
    assert states[1:] == ["STATUS=Waits for both boards to lie empty, to begin a new game."], "once, not every frame"
    assert told.messages.count("READY=1") == 1
    assert len({pixels for pixels in shop.strip.history if any(map(sum, pixels))}) > 10, "the lights show_waiting"


def test_a_table_that_is_not_cleared_may_still_be_begun_by_the_page(shop: Shop) -> None:
    page, cleared = Inbox(), Cleared(0)
    page.put(PressButton(Button.CONFIRM))
    told = Told(shop.evening.clock.now)
    await_start(
        shop.devices(), SimulatedStripDriver(), page, shop.said.append, told, PATCHWORK.begin_says, clearing=cleared
    )
    assert cleared.left == 0, "nobody looked"


def test_the_ends_of_the_strip_show_waiting() -> None:
    config = SimulatedStripDriver(pixels=60, brightness=1.0, first_pixel=4)
    pictures = [waiting_picture(60, config, t / 10) for t in range(40)]
    lit = [{place for place, pixel in enumerate(each) if sum(pixel)} for each in pictures]
    assert all(places == {4, 5, 6, 57, 58, 59} for places in lit)
    assert len({each[4] for each in pictures}) > 8


def test_a_missing_device_is_announced_once_and_waited_for_longer_each_time(shop: Shop) -> None:
    clock, told = shop.evening.clock, Told(shop.evening.clock.now)
    retry = DeviceRetry(clock, shop.said.append, told)
    waits = []
    for _ in range(6):
        before_s = clock.now()
        retry.after(HardwareError("there is no camera"))
        waits.append(round(clock.now() - before_s))
    assert waits == [1, 2, 4, 8, 15, 15]
    assert shop.said == ["there is no camera. Trying again."]
    assert told.messages[:2] == ["READY=1", "STATUS=there is no camera."]
    assert told.messages.count("WATCHDOG=1") >= 4
    retry.succeeded()
    retry.after("there is no camera")
    assert len(shop.said) == 2


def test_pictures_are_shown_before_a_game_and_a_request_begins_one(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    # The clock stands still, so that pictures are still wanted however long one takes.
    monkeypatch.setattr("companion.play.host.time.monotonic", lambda: 100.0)
    told = Told(shop.evening.clock.now)
    host = Host(Config(), "table", PATCHWORK, games(), by_hand=False)
    shown: list[Frame] = []

    def show(frame: Frame) -> None:
        shown.append(frame)
        host.want_pictures()
        if len(shown) == 5:
            host.begin(PatchworkArrangement(("Clara", "Dmitri")))

    host.show = show
    host.want_pictures()
    await_start(shop.devices(), SimulatedStripDriver(), None, shop.said.append, told, PATCHWORK.begin_says, host)
    assert len(shown) == 5
    assert host.has_request
    lit = [pixels for pixels in shop.strip.history if any(map(sum, pixels))]
    assert all(len(set(pixels)) <= 2 for pixels in lit), "an even light, as in a game while the camera looks"
