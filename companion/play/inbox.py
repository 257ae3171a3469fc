"""The inbox of remote commands, which wait until the turn loop takes them."""

import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final, Generic, TypeAlias, TypeVar

from companion.errors import CompanionError
from companion.languages import said
from companion.play import events
from companion.play.events import Event
from hardware.ports import Button, Controls, Press

NOTHING_ASKED: Final = 0
"""The number for no open question."""
QUESTION_CHANGED: Final = said("The question has changed in the meantime: look at the new one and answer again.")
READING_S: Final = 0.5
"""The least time to read a question and decide: a `confirm` pressed earlier is taken for an accidental double press.
Chromium ignores clicks in a prompt that has just appeared for the same time."""
# The range of the first number, which is random so that a page from before a restart cannot know a later number.
_NUMBERS: Final = 1 << 32


class QuestionCount:
    """The counter of a turn loop's questions.

    Attributes:
        number: the number of the latest question.
    """

    def __init__(self) -> None:
        self.number = 1 + secrets.randbelow(_NUMBERS)

    def another(self) -> int:
        """Return the number of a new question."""
        self.number += 1
        return self.number


def asked_after(before: int, event: Any) -> int:
    """Return the number of the open question after an event, given the number `before` it."""
    if isinstance(event, events.Asked):
        return event.number
    # A notice leaves the question open; any other event has settled it.
    return before if isinstance(event, events.TableNoticed) else NOTHING_ASKED


class AfterAsking:
    """The push-buttons without the presses made before the latest question was asked.

    A picture is read for a second or two. A player who presses `confirm` again meanwhile has not seen the resulting
    question and must not answer it; nor has one who presses it right after the question. `on_event` must get all
    events.

    Args:
        controls: the push-buttons.
        now: the clock of their presses, in seconds.
        too_soon: called for a `confirm` that is dropped because it comes within `READING_S` after the question; None
            if any press after a question answers it.
        is_expected: returns whether a question is a choice of the game, which players expect and answer at once.
    """

    def __init__(
        self,
        controls: Controls,
        now: Callable[[], float],
        too_soon: Callable[[], None] | None = None,
        is_expected: Callable[[Any], bool] = lambda _: False,
    ) -> None:
        self._controls, self._now, self._too_soon, self._is_expected = controls, now, too_soon, is_expected
        self._reading_s = 0.0
        self._number, self._asked_s = NOTHING_ASKED, float("-inf")

    def on_event(self, event: Any) -> None:
        """Handle an event."""
        # The same question is announced again for each option on display; its answer needs no further reading time.
        if isinstance(event, events.Asked) and event.number != self._number:
            self._number, self._asked_s = event.number, self._now()
            self._reading_s = 0.0 if self._is_expected(event.question) else READING_S

    def presses(self) -> Sequence[Press]:
        """Return the presses since the last call."""
        return tuple(press for press in self._controls.presses() if self._counts(press))

    def _counts(self, press: Press) -> bool:
        since_s = press.t_s - self._asked_s
        if self._too_soon is None or press.button is not Button.CONFIRM or not 0.0 <= since_s < self._reading_s:
            return since_s >= 0.0
        self._too_soon()
        return False

    def close(self) -> None:
        """Release the push-buttons; may be called more than once."""
        self._controls.close()


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
