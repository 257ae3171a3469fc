"""What a real table's service does beside playing: it feeds the watchdog, and waits for people to begin."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion.lightshow.colours import BLACK, NOTICE, limited, scaled
from hardware.ports import Button, HardwareError
from hardware.reopening import Backoff, full_stop

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.bootstrap.real import Devices
    from companion.config import StripConfig
    from companion.notify import Notifier
    from hardware.ports import RGB, Camera, Clock, Controls, Frame

BEGIN_SAYS: Final = "Lay both boards empty under the camera, then press confirm: a new game begins."

_AWAY: Final = "The camera is away; the game waits for it."
_PLAYING: Final = "A game is on the table."
_WAITING: Final = "Waits for confirm to begin a new game."
_TICK_S: Final = 0.1
_BREATH_S: Final = 4.0


class WatchedCamera:
    """Passes frames on, and tells systemd that somebody still asks for them.

    Args:
        camera: the camera.
        notifier: is told.
    """

    def __init__(self, camera: Camera, notifier: Notifier) -> None:
        self._camera, self._notifier = camera, notifier

    def capture(self) -> Frame:
        """The next frame.

        Raises:
            EndOfFramesError: as the camera's.
            CameraError: as the camera's.
        """
        self._notifier.alive()
        frame = self._camera.capture()
        self._notifier.ready()
        self._notifier.status(_PLAYING)
        return frame

    def close(self) -> None:
        """Release the camera."""
        self._camera.close()


def watched(devices: Devices, notifier: Notifier) -> Devices:
    """The same devices; whoever takes their frames, or waits for them, feeds the watchdog by that."""

    def camera(say: Callable[[str], None], idle: Callable[[], None]) -> Camera:
        def idling() -> None:
            notifier.alive()
            notifier.status(_AWAY)
            idle()

        notifier.alive()
        return WatchedCamera(devices.camera(say, idling), notifier)

    return replace(devices, camera=camera)


def await_start(
    devices: Devices, strip: StripConfig, page: Controls | None, say: Callable[[str], None], notifier: Notifier
) -> None:
    """Return when somebody has pressed confirm, at the table or on the page.

    Args:
        devices: the table's.
        strip: as it is configured.
        page: the page's buttons, None where there is no page.
        say: told what is to be done.
        notifier: is kept told that the service lives.

    Raises:
        HardwareError: the push-buttons cannot be opened.
    """
    clock = devices.clock
    with closing(devices.strip(say)) as lights, closing(devices.controls()) as controls:
        say(BEGIN_SAYS)
        while not _is_confirmed(controls, page):
            lights.show(waiting_picture(lights.pixel_count, strip, clock.now()))
            notifier.ready()
            notifier.status(_WAITING)
            notifier.alive()
            clock.sleep(_TICK_S)


def waiting_picture(count: int, strip: StripConfig, now_s: float) -> list[RGB]:
    """Both ends of the strip breathe slowly: no game is on the table."""
    phase = now_s % _BREATH_S / _BREATH_S
    ends = {strip.first_pixel, strip.first_pixel + 1, strip.first_pixel + 2, count - 3, count - 2, count - 1}
    lit = scaled(NOTICE, 0.15 + 0.85 * (1 - abs(2 * phase - 1)))
    return limited([lit if pixel in ends else BLACK for pixel in range(count)], strip.brightness, strip.max_ma)


class Patience:
    """Waits between attempts at devices that are not there.

    Args:
        clock: for waiting.
        say: told what is missing, once until it changes.
        notifier: is kept told that the service lives.
    """

    def __init__(self, clock: Clock, say: Callable[[str], None], notifier: Notifier) -> None:
        self._clock, self._say, self._notifier = clock, say, notifier
        self._backoff, self._told = Backoff(), ""

    def after(self, error: HardwareError | str) -> None:
        """A device is missing: say so and wait a moment, longer each time."""
        says = full_stop(HardwareError(str(error)))
        if says != self._told:
            self._told = says
            self._say(f"{says} It is tried again.")
        self._notifier.ready()
        self._notifier.status(says)
        ends_s = self._clock.now() + self._backoff.failed()
        while self._clock.now() < ends_s:
            self._notifier.alive()
            self._clock.sleep(_TICK_S)

    def forget(self) -> None:
        """Everything was there."""
        self._backoff.succeeded()
        self._told = ""


def _is_confirmed(controls: Controls, page: Controls | None) -> bool:
    presses = [*controls.presses(), *(() if page is None else page.presses())]
    return any(press.button is Button.CONFIRM for press in presses)
