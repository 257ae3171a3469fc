"""The devices of a table in the turn loop: outages, lamps, still pictures, notices and the memory between games."""

import ctypes
import gc
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol

from companion.lights import Lights
from companion.play.events import Asked, Event, History, LookCalledOff, LookStarted, TableNoticed
from companion.play.inbox import EndGame, Inbox
from hardware.ports import Camera, CameraError, Clock, Controls, EndOfFramesError, Frame, StillCamera
from vision.stillness import Stillness

# Options of glibc's mallopt(3), by number: of one arena, and of freed memory that is kept, in bytes.
_ONE_ARENA: Final = (-8, 1)
_MMAP_THRESHOLD: Final = (-3, 32 << 20)
_TRIM_THRESHOLD: Final = (-1, 64 << 20)


def share_arenas() -> None:
    """Make all threads share one malloc arena, which saves 10 MB at a table with its page.

    Freed memory is used again until `give_back_memory`: fresh pages were a quarter of a look's cost. Call it before
    threads are started. Does nothing if the C library has no such options.
    """
    # musl and macOS have no mallopt.
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        for option in (_ONE_ARENA, _MMAP_THRESHOLD, _TRIM_THRESHOLD):
            set_option(*option)


def give_back_memory() -> None:
    """Return freed memory to the system, if the C library can: 10 to 20 MB after a look."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def clear_away() -> None:
    """Collect the garbage of a game and return its memory to the system; between games, as it takes 0.1 s.

    A table's parts refer to one another in cycles, so that its pictures stay until the garbage collector runs, which is
    after several games: until then a service grew by about 75 MB per game, and the C library kept the freed memory.
    """
    gc.collect()
    give_back_memory()


def still_of(camera: Camera) -> Frame | None:
    """Return a picture at the camera's full resolution, or None if the camera cannot take one, or not now."""
    if isinstance(camera, StillCamera):
        # A calibration goes on without the still; a camera that is lost fails with its next frame as well.
        with suppress(CameraError, EndOfFramesError):
            return camera.still()
    return None


REST_S: Final = 10.0
"""The stillness before the rate is reduced: all that a hands-free table announces, asks or takes comes earlier."""
BETWEEN_S: Final = 0.5
"""The time between two pictures at rest: a hand takes longer to reach for a patch and lay it."""
TICK_S: Final = 0.1
"""The interval at which buttons, commands and lights are served in between, the same as at ten pictures per second."""


class FramePace:
    """The decision when the next picture is due.

    Args:
        clock: the frames' clock.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._stillness = Stillness(most_skipped=None)
        self._moved_s = self._taken_s = clock.now()
        self._has_rested = False

    def see(self, frame: Frame) -> None:
        """Note that a picture was taken."""
        self._taken_s = self._clock.now()
        if not self._stillness.holds(frame.image):
            self.speed_up()
        # Once per rest: there is nothing more to release until something moves.
        elif self.is_at_rest and not self._has_rested:
            self._has_rested = True
            give_back_memory()

    def speed_up(self) -> None:
        """Return to the full frame rate."""
        self._moved_s, self._has_rested = self._clock.now(), False

    @property
    def is_at_rest(self) -> bool:
        """True if nothing has moved for `REST_S`."""
        return self._clock.now() - self._moved_s >= REST_S

    def wait(self) -> float | None:
        """Sleep for `TICK_S` and return the time if no picture is due; return None at once if one is due."""
        if not self.is_at_rest or self._clock.now() - self._taken_s >= BETWEEN_S:
            return None
        self._clock.sleep(TICK_S)
        return self._clock.now()


REMIND_S: Final = 4.0
"""The interval at which the lights repeat that the game is waiting."""


class Outage:
    """The stand-in for the turn loop while it waits for the camera.

    Args:
        clock: the frames' clock.
        lights: the light show.
        controls: the push-buttons; presses meanwhile are dropped, as no look is possible.
        notices: the queue of the devices' sentences.
        history: the game.
        serve_strip: serves the strip; called on every frame and every idle call.
    """

    def __init__(
        self,
        clock: Clock,
        lights: Lights[Any],
        controls: Controls,
        notices: "Notices",
        history: History,
        serve_strip: Callable[[], None],
    ) -> None:
        self._clock, self._lights, self._controls = clock, lights, controls
        self._notices, self._history, self._serve_strip = notices, history, serve_strip
        self._busy: LookStarted | Asked | None = None
        self._reminded_s: float | None = None

    def __call__(self, event: Event) -> None:
        """Remember what the lights are showing, to restore it after the outage."""
        if isinstance(event, LookStarted | Asked):
            self._busy = event
        elif not isinstance(event, TableNoticed):
            self._busy = None

    def idle(self) -> None:
        """Do what is possible without frames; called several times per second."""
        now_s = self._clock.now()
        self._lights.tick(now_s)
        self._controls.presses()
        self._notices.deliver()
        if self._reminded_s is None or now_s - self._reminded_s >= REMIND_S:
            self._reminded_s = now_s
            # A look or an answer cannot end now, and the lights would wait for that.
            # Only the lights get these two events: for all other listeners the look or the question goes on.
            self._lights(LookCalledOff(self._history.state))
            self._lights(TableNoticed("", self._history.state))
        self._serve_strip()

    def tick(self, now_s: float) -> None:
        """Restore the lights after the first frame."""
        del now_s
        if self._reminded_s is not None:
            self._reminded_s = None
            self._lights(self._busy or LookCalledOff(self._history.state))
        self._serve_strip()


class Notices:
    """The queue of devices' sentences, until the turn loop, or the wait that replaces it, announces them.

    Sentences may be added from any thread, also before there is a listener.
    """

    def __init__(self) -> None:
        # A deque needs no lock: adding at one end and taking from the other are atomic.
        self._waiting: deque[tuple[str, object]] = deque()
        self._announce: Callable[[str, object], None] | None = None

    def say(self, sentence: str, about: object = None) -> None:
        """Queue a sentence; `about` as in `TableNoticed`."""
        self._waiting.append((sentence, about))

    def address(self, announce: Callable[[str, object], None]) -> None:
        """Set the function that announces a sentence, with its subject, to all listeners."""
        self._announce = announce

    def deliver(self, now_s: float = 0.0) -> None:
        """Announce the queued sentences; a tick of the turn loop."""
        del now_s
        while self._waiting and self._announce is not None:
            self._announce(*self._waiting.popleft())


class ButtonComplaints:
    """A tick that announces faults that push-buttons report about themselves, such as one that is stuck."""

    def __init__(self, controls: Controls, notices: Notices) -> None:
        # Not part of the port: a page, a recording and a table without buttons have no faults to report.
        self._take: Callable[[], Sequence[str]] = getattr(controls, "notices", tuple)
        self._notices = notices

    def tick(self, now_s: float) -> None:
        """Pass on the new reports."""
        del now_s
        for sentence in self._take():
            self._notices.say(sentence)


LINGER_S: Final = 120.0
"""How long a finished game stays open, so that its last decision can be undone."""


class Closing:
    """A tick that ends the game some time after its last decision, unless that is undone."""

    def __init__(self, history: History, inbox: Inbox) -> None:
        self._history, self._inbox = history, inbox
        self._since_s: float | None = None

    def tick(self, now_s: float) -> None:
        """Ask the turn loop to end when the time has passed."""
        if not self._history.state.finished:
            self._since_s = None
        elif self._since_s is None:
            self._since_s = now_s
        elif now_s - self._since_s >= LINGER_S:
            self._since_s = now_s
            self._inbox.put(EndGame())


class Lamps(Protocol):
    """Push-buttons with built-in lamps."""

    def light(self, seats: Sequence[int]) -> None:
        """Light the lamps of these seats and no others."""


class TurnLamps:
    """A listener that lights the lamps of the seat that may press; none during a look."""

    def __init__(self, lamps: Lamps) -> None:
        self._lamps = lamps
        self._lit: tuple[int, ...] | None = None

    def __call__(self, event: Event) -> None:
        """Handle an event."""
        turn = event.state.turn
        lit = () if turn is None or event.pending.looking else (turn,)
        if lit != self._lit:
            self._lit = lit
            self._lamps.light(lit)
