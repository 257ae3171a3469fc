"""The turn loop shared by all games: frames and presses in, events out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from companion.languages import said
from companion.play import events
from companion.play.events import announce
from companion.play.inbox import (
    QUESTION_CHANGED,
    TABLE_BUSY,
    Answer,
    Command,
    CommandRefusedError,
    Inbox,
    QuestionCount,
    TableAwayError,
)
from hardware.ports import Camera, Controls, EndOfFramesError, Frame, HardwareError, Press

if TYPE_CHECKING:
    from companion.journal import Book
    from companion.play.devices import FramePace

EventT = TypeVar("EventT")

# The gap between two frames above which the camera counts as having been absent.
_AWAY_S: Final = 3.0
# How long a command waits for the table to be at rest; after that, its sender would think that it was lost.
_COMMAND_PATIENCE_S: Final = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TableParts:
    """The parts of every game's turn loop.

    Attributes:
        camera: the source of frames.
        controls: the source of presses.
        book: the journal.
        game_id: the game's number in it.
        history: the game so far.
        listeners: called with every event, in order.
        ticks: called once per frame with the frame's time, in order, after everything else.
        inbox: the remote commands, or None if there are none.
        pace: reduces the frame rate while nothing moves, or None to take every frame.
    """

    camera: Camera
    controls: Controls
    book: Book
    game_id: int
    history: Any
    listeners: Sequence[Callable[[Any], None]] = ()
    ticks: Sequence[Callable[[float], None]] = ()
    inbox: Inbox | None = None
    pace: FramePace | None = None


class TurnLoop(ABC, Generic[EventT]):
    """The turn loop of one game at one table.

    Args:
        parts: the parts of the table.
    """

    def __init__(self, parts: TableParts) -> None:
        self._camera, self._controls = parts.camera, parts.controls
        self._book, self._game_id = parts.book, parts.game_id
        self._history = parts.history
        self._listeners, self._ticks = tuple(parts.listeners), tuple(parts.ticks)
        self._look_since: float | None = None
        self._latest_s: float | None = None
        self._inbox, self._pace = parts.inbox, parts.pace
        self._commands: deque[tuple[Command, float]] = deque()
        self._announced: list[Any] = []
        self._asked = QuestionCount()

    def run(self) -> None:
        """Open the game and run until the camera has no more frames.

        Raises:
            HardwareError: a device failed; the decisions until then are in the journal.
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
        finally:
            self._refuse_waiting()
        self._end()

    def step(self) -> None:
        """Process one frame and the presses that came with it; at a table at rest often only presses, without a frame.

        Raises:
            EndOfFramesError: there are no more frames; the last presses have been processed.
        """
        if self._step_at_rest():
            return
        try:
            frame = self._camera.capture()
        except EndOfFramesError:
            # A recording's last presses may come after its last frame.
            self._take_presses()
            raise
        self._announced = []
        if self._pace is not None:
            self._pace.see(frame)
        self._see(frame)
        if self._look_since is not None:
            self._look_since += self._absence_s(frame.t_s)
            # A frame that a hanging camera repeats says nothing about the current table.
            if not frame.repeated:
                self._try_look(frame)
        self._latest_s = frame.t_s
        # After this frame was read: a look that a press requests needs a frame from after the press.
        self._take_presses()
        self._take_commands(frame.t_s)
        if not frame.repeated:
            self._look_ahead(frame)
        for tick in self._ticks:
            tick(frame.t_s)

    def _step_at_rest(self) -> bool:
        """Serve everything but the camera if no frame is due yet; return whether that was the case."""
        pace = self._pace
        # A look, and a command that waits for the table to be at rest, need frames.
        if pace is None or self._look_since is not None or self._commands:
            return False
        now_s = pace.wait()
        if now_s is None:
            return False
        self._announced = []
        presses = self._take_presses()
        self._take_commands(now_s)
        if presses or self._announced or self._commands:
            pace.speed_up()
        for tick in self._ticks:
            tick(now_s)
        return True

    def _absence_s(self, now_s: float) -> float:
        """Return how long the camera was absent before this frame, in seconds; timeouts exclude that time."""
        gap_s = now_s - (now_s if self._latest_s is None else self._latest_s)
        return gap_s if gap_s > _AWAY_S else 0.0

    def _take_presses(self) -> bool:
        """Handle the presses since the last call; return whether there were any."""
        presses = self._controls.presses()
        for press in presses:
            asked = self._asked.number
            self._press(press)
            if self._asked.number != asked:
                # The presses that came with it were made before the new question could be seen.
                break
        return bool(presses)

    def _take_commands(self, now_s: float) -> None:
        """Carry out or refuse the waiting commands, in order; one that must wait blocks those behind it."""
        if self._inbox is not None:
            self._commands.extend((command, now_s) for command in self._inbox.take())
        while self._commands:
            command, since_s = self._commands[0]
            may_wait = now_s - since_s < _COMMAND_PATIENCE_S
            if not command.abandoned and not self._carry_out(command, may_wait=may_wait):
                return
            self._commands.popleft()

    def _refuse_waiting(self) -> None:
        """Refuse the commands that still wait, as there are no more frames for them."""
        for command, _ in self._commands:
            if not command.outcome.done():
                command.refuse(TableAwayError(TABLE_BUSY))
        self._commands.clear()

    def _carry_out(self, command: Command, *, may_wait: bool) -> bool:
        """Carry out a command and resolve it with its events or a refusal; return False if it has to wait."""
        # Only what follows from this command is its result.
        self._announced = []
        try:
            self._refuse_stale(command.command)
            if not self._execute(command.command, may_wait=may_wait):
                return False
        except CommandRefusedError as refusal:
            command.refuse(refusal)
        # Its sender must not wait for an answer that will not come; the fault itself ends the game.
        except BaseException:
            command.refuse(CommandRefusedError(said("It could not be saved; see the terminal.")))
            raise
        else:
            command.done(tuple(self._announced))
        return True

    def _refuse_stale(self, command: Any) -> None:
        """Refuse an answer to any question but the latest."""
        if isinstance(command, Answer) and command.question not in (None, self._asked.number):
            raise CommandRefusedError(QUESTION_CHANGED)

    @abstractmethod
    def _execute(self, command: Any, *, may_wait: bool) -> bool:
        """Carry out a command; return False if it must, and may, wait for the table to be at rest.

        Raises:
            CommandRefusedError: the rules or the state of the table forbid it.
        """

    def _open(self) -> None:
        """Announce the game, with the decisions and notes of a resumed one."""
        game, notes = self._history, self._book.notes(self._game_id)
        self._announce(events.GameOpened(self._game_id, game.state, game.decisions, notes))

    @abstractmethod
    def _see(self, frame: Frame) -> None:
        """Process a frame; called with every frame."""

    @abstractmethod
    def _try_look(self, frame: Frame) -> None:
        """Look, if a look is requested and possible now."""

    @abstractmethod
    def _press(self, press: Press) -> None:
        """Handle a press."""

    def _look_ahead(self, frame: Frame) -> None:  # a game without foresight does nothing here
        """Look for unasked decisions; called with every new frame, after presses and commands."""

    @abstractmethod
    def _call_off(self) -> None:
        """Cancel a look in progress, if there is one."""

    def _end(self) -> None:
        """Finish after the last frame."""
        self._call_off()

    def _announce(self, event: Any) -> None:
        self._announced.append(event)
        announce(event, self._listeners, type(event).__name__)
