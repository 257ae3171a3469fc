"""The unattended service of a real table: its log, its reports to systemd, and the wait for players to begin a game."""

from __future__ import annotations

import logging
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion.languages import said
from companion.lights import BLACK, NOTICE, all_scaled, neutral_picture, scaled
from companion.play.game import Clearing
from companion.play.inbox import Inbox, TableAwayError
from hardware.driver import StripDriver
from hardware.ports import (
    RGB,
    Button,
    Camera,
    Clock,
    Controls,
    EndOfFramesError,
    Frame,
    HardwareError,
    LightStrip,
    StillCamera,
)
from hardware.reconnecting import Backoff, full_stop

if TYPE_CHECKING:
    from companion.play.host import Host
    from companion.play.session import DeviceFactory

AGAIN_S: Final = 3600.0
"""The time after which a repeated message is logged again."""
# The number of different messages remembered.
_KNOWN: Final = 200


class Repeats(logging.Filter):
    """A filter that passes each message once an hour, with the number of repetitions left out.

    Messages are the same if their formatted text and their exception are equal.

    Args:
        clock: monotonic, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._known: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a message is due, and add the number of repetitions to it."""
        says = record.getMessage()
        fault = repr(record.exc_info[1]) if record.exc_info else ""
        # Removed and added again below, so that the one not seen for the longest time is dropped first.
        said_s, count = self._known.pop((says, fault), (float("-inf"), 0))
        is_due = self._clock() - said_s >= AGAIN_S
        self._known[says, fault] = (self._clock(), 0) if is_due else (said_s, count + 1)
        if len(self._known) > _KNOWN:
            self._known.popitem(last=False)
        if is_due and count:
            # The text is formatted already; with arguments, a per cent sign in it would be formatted again.
            record.msg, record.args = f"{says} (and {count} times since)", None
        return is_due


@contextmanager
def repeats_left_out() -> Iterator[None]:
    """Log warnings and errors to standard error within the context, each once an hour."""
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    # On the handler: a logger's filter does not see the messages of loggers below it.
    handler.addFilter(Repeats())
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)


# The number of pings per time-out; sd_watchdog_enabled(3) advises two, but a slow frame must not count as a hang.
_PINGS_A_DEADLINE: Final = 4


class Notifier:
    """The connection to the service manager; without one, all methods do nothing.

    Call `alive` from the loop that captures frames, never from a timer, so that it stops if the loop hangs.

    Args:
        environ: the environment, with NOTIFY_SOCKET and WATCHDOG_USEC if systemd started the program.
        clock: monotonic, in seconds.
    """

    def __init__(self, environ: Mapping[str, str], clock: Callable[[], float]) -> None:
        self._address, self._clock = _address(environ.get("NOTIFY_SOCKET", "")), clock
        self._every_s = _seconds(environ.get("WATCHDOG_USEC", "")) / _PINGS_A_DEADLINE
        self._pinged_s = float("-inf")
        self._status = ""
        self._is_ready = False

    def ready(self) -> None:
        """Report that the service is ready; repeated calls do nothing."""
        if not self._is_ready:
            self._is_ready = True
            self._send("READY=1")

    def alive(self) -> None:
        """Ping the watchdog if it is due."""
        now_s = self._clock()
        if self._every_s > 0 and now_s - self._pinged_s >= self._every_s:
            self._pinged_s = now_s
            self._send("WATCHDOG=1")

    def status(self, says: str) -> None:
        """Set the line that `systemctl status` shows, if it has changed."""
        # In a datagram, a line break begins another variable.
        line = " ".join(says.split())
        if line != self._status:
            self._status = line
            self._send(f"STATUS={line}")

    def stopping(self) -> None:
        """Report that the service is stopping."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        # An unavailable service manager must not end a game.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to:
            to.sendto(message.encode(), self._address)


def _address(path: str) -> str:
    """Return the socket's address: a path, or, with a leading @, an abstract name.

    Other kinds, such as a virtual machine's vsock, are not supported and give "".
    """
    if path.startswith("@"):
        return "\0" + path[1:]
    return path if path.startswith("/") else ""


def _seconds(microseconds: str) -> float:
    return int(microseconds) / 1e6 if microseconds.isdecimal() else 0.0


# The time between attempts to open the camera.
_AGAIN_S: Final = 5.0
_NO_GAME: Final = said("No game is on the table yet.")


class IdleCamera:
    """A camera held open while a client requests pictures.

    Args:
        devices: the table's devices.
        host: requests and receives pictures; None if there is no page to calibrate on.
        say: called with a sentence on a camera that cannot be used.
        idle: called while the camera is disconnected.
    """

    def __init__(
        self, devices: DeviceFactory, host: Host | None, say: Callable[[str], None], idle: Callable[[], None]
    ) -> None:
        self._devices, self._host, self._say, self._idle = devices, host, say, idle
        self._camera: Camera | None = None
        self._failed_s = float("-inf")

    def step(self) -> bool:
        """Pass one picture to the host if it requests any, and return whether there was one."""
        if self._host is None or not self._host.wants_pictures:
            self.close()
            return False
        if self._devices.clock.now() - self._failed_s < _AGAIN_S:
            return False
        try:
            self._camera = self._camera or self._devices.camera(self._say, self._idle)
            self._host.show(self._camera.capture())
            self._host.take_still(self._camera)
        # A folder may have no more pictures; that is no fault to report.
        except EndOfFramesError:
            self._rest()
        except HardwareError as error:
            self._say(full_stop(error))
            self._rest()
        else:
            return True
        return False

    def close(self) -> None:
        """Release the camera; may be called more than once."""
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _rest(self) -> None:
        self._failed_s = self._devices.clock.now()
        self.close()


_AWAY: Final = "The camera is away; the game waits for it."
_PLAYING: Final = "A game is on the table."
_WAITING: Final = "Waits for confirm to begin a new game."
_CLEARING: Final = "Waits for both boards to lie empty, to begin a new game."
_TICK_S: Final = 0.1
_BREATH_S: Final = 4.0


class WatchedCamera:
    """A camera that pings systemd's watchdog with every frame requested.

    Args:
        opened: opens the camera, given a function to call while it is disconnected.
        notifier: the connection to systemd.
        idle: called while the camera is disconnected.
    """

    def __init__(
        self, opened: Callable[[Callable[[], None]], Camera], notifier: Notifier, idle: Callable[[], None]
    ) -> None:
        self._notifier, self._idle = notifier, idle
        self._is_news = True
        # Opening a camera takes seconds, in which nothing else pings the watchdog.
        notifier.alive()
        self._camera = opened(self._wait)

    def capture(self) -> Frame:
        """Return the next frame.

        Raises:
            EndOfFramesError: as the camera's `capture`.
            CameraError: as the camera's `capture`.
        """
        self._notifier.alive()
        frame = self._camera.capture()
        # Not before the first frame, which shows that the camera works.
        self._notifier.ready()
        if self._is_news:
            self._is_news = False
            self._notifier.status(_PLAYING)
        return frame

    def still(self) -> Frame:
        """Return a still at the camera's full resolution, or its next frame if it takes no stills.

        Raises:
            EndOfFramesError: as the camera's `still`.
            CameraError: as the camera's `still`.
        """
        self._notifier.alive()
        return self._camera.still() if isinstance(self._camera, StillCamera) else self._camera.capture()

    def close(self) -> None:
        """Release the camera."""
        self._camera.close()

    def _wait(self) -> None:
        self._is_news = True
        self._notifier.alive()
        self._notifier.status(_AWAY)
        self._idle()


def watched(devices: DeviceFactory, notifier: Notifier) -> DeviceFactory:
    """Return the devices with a camera that pings the watchdog while frames are captured or awaited."""

    def camera(say: Callable[[str], None], idle: Callable[[], None]) -> Camera:
        return WatchedCamera(lambda idling: devices.camera(say, idling), notifier, idle)

    return replace(devices, camera=camera)


def await_start(
    devices: DeviceFactory,
    strip: StripDriver,
    inbox: Inbox | None,
    say: Callable[[str], None],
    notifier: Notifier,
    begin_says: str,
    host: Host | None = None,
    clearing: Clearing | None = None,
) -> None:
    """Wait until a player presses confirm, at the table or on the page, or requests a game on the page.

    With `clearing`, a cleared table also ends the wait.

    Args:
        devices: the table's devices.
        strip: the strip's configuration.
        inbox: the page's requests, or None if there is no page.
        say: called with the instruction to the players.
        notifier: the connection to systemd, pinged meanwhile.
        begin_says: the instruction on how to begin a game.
        host: tells whether a game was requested; None if there is no page for it.
        clearing: detects a cleared table, for tables without buttons; None if players begin the game otherwise.

    Raises:
        HardwareError: the push-buttons cannot be opened, or, with `clearing`, the camera cannot.
    """
    clock = devices.clock
    with ExitStack() as stack:
        lights = stack.enter_context(closing(devices.strip(say)))
        controls = stack.enter_context(closing(devices.controls()))
        show_waiting = _waiting_light(lights, strip, clock, notifier, host)
        # With `clearing`, the camera is open already, and its pictures go to the host as well.
        idle_camera = stack.enter_context(
            closing(IdleCamera(devices, host if clearing is None else None, say, show_waiting))
        )
        camera = None if clearing is None else stack.enter_context(closing(devices.camera(say, show_waiting)))
        say(begin_says if clearing is None else clearing.says)
        while not (_is_confirmed(controls, inbox) or (host is not None and host.has_request)):
            show_waiting()
            if camera is None or clearing is None:
                notifier.status(_WAITING)
                notifier.alive()
                # Pictures set the pace by themselves.
                if not idle_camera.step():
                    clock.sleep(_TICK_S)
            elif _is_cleared(camera, clearing, notifier, host):
                return


def _waiting_light(
    lights: LightStrip, strip: StripDriver, clock: Clock, notifier: Notifier, host: Host | None
) -> Callable[[], None]:
    """Return a function that shows the strip's picture of the wait, and tells systemd that the service has started."""

    def show_waiting() -> None:
        count, lit = lights.pixel_count, host is not None and host.wants_pictures
        lights.show(neutral_picture(count, strip) if lit else waiting_picture(count, strip, clock.now()))
        # Systemd would otherwise end a service that waits for players as one that hangs at its start.
        notifier.ready()

    return show_waiting


def waiting_picture(count: int, strip: StripDriver, now_s: float) -> list[RGB]:
    """Return the strip's pixels between games: both ends pulse slowly."""
    phase = now_s % _BREATH_S / _BREATH_S
    ends = {strip.first_pixel, strip.first_pixel + 1, strip.first_pixel + 2, count - 3, count - 2, count - 1}
    lit = scaled(NOTICE, 0.15 + 0.85 * (1 - abs(2 * phase - 1)))
    return all_scaled([lit if pixel in ends else BLACK for pixel in range(count)], strip.brightness)


def _is_cleared(camera: Camera, clearing: Clearing, notifier: Notifier, host: Host | None) -> bool:
    frame = camera.capture()
    if host is not None:
        host.show(frame)
    notifier.status(_CLEARING)
    return clearing.see(frame)


class DeviceRetry:
    """The waits between attempts to open missing devices.

    Args:
        clock: the clock to wait by.
        say: called with the missing device, and again only if it changes.
        notifier: the connection to systemd, pinged meanwhile.
    """

    def __init__(self, clock: Clock, say: Callable[[str], None], notifier: Notifier) -> None:
        self._clock, self._say, self._notifier = clock, say, notifier
        self._backoff, self._announced = Backoff(), ""

    def after(self, error: HardwareError | str) -> None:
        """Announce a missing device, and wait, longer each time."""
        says = full_stop(error if isinstance(error, HardwareError) else HardwareError(error))
        if says != self._announced:
            self._announced = says
            self._say(said("{fault} Trying again.", fault=says))
        # A service without its camera has started, too: it must be running when the cable is plugged in.
        self._notifier.ready()
        self._notifier.status(says)
        ends_s = self._clock.now() + self._backoff.failed()
        while self._clock.now() < ends_s:
            self._notifier.alive()
            self._clock.sleep(_TICK_S)

    def succeeded(self) -> None:
        """Reset the waiting time, after all devices were opened."""
        self._backoff.succeeded()
        self._announced = ""


def _is_confirmed(controls: Controls, inbox: Inbox | None) -> bool:
    """Return whether a player has pressed `confirm`; without a game there is nothing else to ask for."""
    confirms = any(press.button is Button.CONFIRM for press in controls.presses())
    for posted in () if inbox is None else inbox.take():
        if posted.is_confirm:
            posted.done()
            confirms = True
        else:
            posted.refuse(TableAwayError(_NO_GAME))
    return confirms
