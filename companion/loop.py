"""What the turn loops of all games have in common: frames and presses in, events out."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from hardware.ports import EndOfFramesError, HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hardware.ports import Camera, Controls, Frame, Press

_LOG: Final = logging.getLogger(__name__)

EventT = TypeVar("EventT")

_AWAY_S: Final = 3.0
"""Frames further apart than this have an absent camera between them."""


class TurnLoop(ABC, Generic[EventT]):
    """One game at one table.

    Args:
        camera: where frames come from.
        controls: where presses come from.
        listeners: told of every event, in order.
        ticks: called once a frame with the frame's time, after everything else.
    """

    def __init__(
        self,
        camera: Camera,
        controls: Controls,
        listeners: Sequence[Callable[[EventT], None]],
        ticks: Sequence[Callable[[float], None]],
    ) -> None:
        self._camera, self._controls = camera, controls
        self._listeners, self._ticks = tuple(listeners), tuple(ticks)
        self._look_since: float | None = None
        self._latest_s: float | None = None

    def run(self) -> None:
        """Open the game and go on until the camera has no more frames.

        Raises:
            HardwareError: a device failed; what was decided until then is in the journal.
            JournalError: a decision could not be written; it was not announced either.
        """
        self._open()
        try:
            with suppress(EndOfFramesError):
                while True:
                    self.step()
        except HardwareError:
            self._call_off()
            raise
        self._end()

    def step(self) -> None:
        """Take one frame and the presses that came with it.

        Raises:
            EndOfFramesError: there are no more frames; the last presses have been dealt with.
        """
        try:
            frame = self._camera.capture()
        except EndOfFramesError:
            self._take_presses()
            raise
        self._see(frame)
        if self._look_since is not None:
            self._look_since += self._absence_s(frame.t_s)
            self._try_look(frame)
        self._latest_s = frame.t_s
        self._take_presses()
        self._serve(frame)
        for tick in self._ticks:
            tick(frame.t_s)

    def _absence_s(self, now_s: float) -> float:
        """How long the camera was away before this frame: no reason to grow impatient."""
        gap_s = now_s - (now_s if self._latest_s is None else self._latest_s)
        return gap_s if gap_s > _AWAY_S else 0.0

    def _take_presses(self) -> None:
        for press in self._controls.presses():
            self._press(press)

    @abstractmethod
    def _open(self) -> None:
        """Announce the game."""

    @abstractmethod
    def _see(self, frame: Frame) -> None:
        """Take every frame."""

    @abstractmethod
    def _try_look(self, frame: Frame) -> None:
        """While somebody waits for a look: look, if that is possible now."""

    @abstractmethod
    def _press(self, press: Press) -> None:
        """Act upon a press."""

    @abstractmethod
    def _serve(self, frame: Frame) -> None:
        """Do what else is to be done in every frame, after the presses."""

    @abstractmethod
    def _call_off(self) -> None:
        """End a look that will have no verdict, if there is one."""

    def _end(self) -> None:
        """The frames have ended."""
        self._call_off()

    def _announce(self, event: EventT) -> None:
        announce(event, self._listeners, type(event).__name__)


def announce(event: EventT, listeners: Iterable[Callable[[EventT], None]], called: str) -> None:
    """Tell every listener; one that fails keeps nobody else from hearing, and is named in the log.

    Args:
        event: what happened.
        listeners: who is told, in order.
        called: what the log calls it.

    Raises:
        BrokenPipeError: whoever was reading has gone; no fault, and the program goes too, as any command does.
    """
    for listener in listeners:
        try:
            listener(event)
        except BrokenPipeError:
            raise
        except Exception:
            _LOG.exception("%s was not told of %s", listener, called)
