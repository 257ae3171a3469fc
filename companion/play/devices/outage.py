"""The table while its camera is absent: the lights show it, and presses are dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.play.events import Asked, LookCalledOff, LookStarted, TableNoticed

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.lights import Lights
    from companion.play.devices.notices import Notices
    from companion.play.events import Event
    from companion.play.history import History
    from hardware.ports import Clock, Controls

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
        notices: Notices,
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
