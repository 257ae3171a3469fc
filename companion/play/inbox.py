"""The inbox of remote commands, which wait until the turn loop takes them."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from companion.errors import CompanionError
from companion.languages import said

if TYPE_CHECKING:
    from companion.play.events import Event

ItemT = TypeVar("ItemT")
OutcomeT = TypeVar("OutcomeT")


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to the open question: `option` is an index into its options; None takes none of them.

    `question` is the number of the question answered; None for whichever is open.
    """

    option: int | None
    question: int | None = None


@dataclass(frozen=True, slots=True)
class Insist:
    """The statement that a complaint is wrong; the players are then asked what is on the table."""


class CommandRefusedError(CompanionError):
    """Raised if the table refuses a command; the message is a sentence for its sender.

    Attributes:
        says: the sentence.
        candidates: patches to choose from, if naming one would resolve the refusal.
    """

    def __init__(self, says: str, candidates: tuple[str, ...] = ()) -> None:
        super().__init__(says)
        self.says, self.candidates = says, candidates


class TableAwayError(CommandRefusedError):
    """Raised if the table takes no commands: it is busy, or the evening is over."""


PLAY_ENDED = said("Play has ended.")
TABLE_BUSY = said("The table is busy; try again.")


@dataclass(frozen=True, slots=True, eq=False)
class Posted(Generic[ItemT, OutcomeT]):
    """A command queued for the turn loop.

    Attributes:
        command: the command.
        outcome: the future of its result, or of a CompanionError.
    """

    command: ItemT
    outcome: Future[OutcomeT] = field(default_factory=Future)

    def refuse(self, refusal: CompanionError) -> None:
        """Refuse the command, unless its sender no longer waits."""
        if self.outcome.set_running_or_notify_cancel():
            self.outcome.set_exception(refusal)

    def done(self, outcome: OutcomeT) -> None:
        """Answer the command with its result, unless its sender no longer waits."""
        if self.outcome.set_running_or_notify_cancel():
            self.outcome.set_result(outcome)

    @property
    def abandoned(self) -> bool:
        """True once its sender no longer waits."""
        return self.outcome.cancelled()


class LetterBox(Generic[ItemT, OutcomeT]):
    """A queue of commands in order of arrival; any thread may add one.

    Args:
        capacity: the number that may wait; further ones are refused. None: no limit.
    """

    def __init__(self, capacity: int | None = None) -> None:
        self._capacity = capacity
        self._posted: list[Posted[ItemT, OutcomeT]] = []
        self._lock = Lock()
        self._closed = False

    def put(self, command: ItemT) -> Future[OutcomeT]:
        """Queue a command; the future resolves to its result, or fails with a CommandRefusedError."""
        posted: Posted[ItemT, OutcomeT] = Posted(command)
        with self._lock:
            refusal = self._refusal()
            if refusal is None:
                self._posted.append(posted)
        # Outside the lock: completing a future calls its callbacks, which may put another command.
        if refusal is not None:
            posted.refuse(refusal)
        return posted.outcome

    def take(self) -> tuple[Posted[ItemT, OutcomeT], ...]:
        """Return the commands queued since the last call, without waiting."""
        with self._lock:
            posted, self._posted = self._posted, []
        return tuple(posted)

    def close(self) -> None:
        """Refuse all commands, waiting and new; may be called more than once."""
        with self._lock:
            # Before the queue is emptied: a command that came in between would never be answered.
            self._closed = True
        for each in self.take():
            each.refuse(TableAwayError(PLAY_ENDED))

    def _refusal(self) -> TableAwayError | None:
        if self._closed:
            return TableAwayError(PLAY_ENDED)
        full = self._capacity is not None and len(self._posted) >= self._capacity
        return TableAwayError(TABLE_BUSY) if full else None


Command: TypeAlias = Posted[Any, "tuple[Event, ...]"]
"""A command of any game; its result is the events that it causes."""


class Inbox(LetterBox[Any, "tuple[Event, ...]"]):
    """The queue of commands to a table, of any game; the result of each is the events that it causes.

    Args:
        capacity: the number that may wait; further ones are refused.
    """

    def __init__(self, capacity: int = 16) -> None:
        super().__init__(capacity)

    def take(self) -> tuple[Command, ...]:
        """Return the commands queued since the last call whose sender still waits, without waiting."""
        return tuple(command for command in super().take() if not command.abandoned)
