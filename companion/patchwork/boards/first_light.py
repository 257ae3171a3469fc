"""The strip's light while the boards are first seen: the same as in later looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.play.events import Event, GameOpened, LookCalledOff, LookStarted, TableNoticed

if TYPE_CHECKING:
    from companion.games.patchwork import History
    from companion.lights import Lights
    from companion.patchwork.watching.watch import TableWatch


class FirstLight:
    """A wrapper of the light show that holds its neutral light until both boards have been seen.

    The empty boards' looks are compared with every later picture, and those are taken in the neutral light. A signal
    that must be shown meanwhile, such as a complaint, is shown, and no picture of it counts.

    Args:
        lights: the light show.
        watch: the watch over the boards.
        history: the game.
    """

    def __init__(self, lights: Lights, watch: TableWatch, history: History) -> None:
        self._lights, self._watch, self._history = lights, watch, history
        self._opened: GameOpened | None = None
        self._holds = False

    def __call__(self, event: Event) -> None:
        """Pass an event on to the show; the opening of a game is deferred until its boards have been seen."""
        if isinstance(event, GameOpened) and not self._watch.ready:
            self._opened = event
            self._hold()
            return
        if self._holds and isinstance(event, TableNoticed):
            # During a player's look the show leaves notices out; this look was not requested by a player.
            self._lights(LookCalledOff(event.state))
        self._holds = False
        self._lights(event)

    def tick(self, now_s: float) -> None:
        """Process the next frame, before the show's own tick."""
        if self._watch.ready:
            self._begin()
        elif not self._lights.is_neutral:
            # No frame that a signal lights may become part of the empty references.
            self._watch.restart_rest()
            if self._lights.is_resting(now_s):
                self._hold()

    def _hold(self) -> None:
        self._holds = True
        self._lights(LookStarted(self._history.state))

    def _begin(self) -> None:
        """End the neutral light once both boards have been seen; show the deferred opening unless a signal is on."""
        opened, self._opened = self._opened, None
        if self._holds:
            self._holds = False
            self._lights(opened or LookCalledOff(self._history.state))
