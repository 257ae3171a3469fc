"""The inbox of a table: whatever people, programs and the table's own devices ask of it, in one queue.

Each request is answered by its outcome: the events that it causes, or a refusal.
"""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeAlias

from companion.errors import CompanionError
from companion.languages import said
from companion.play.events import Event
from hardware.ports import Button, Camera, Press

Outcome: TypeAlias = "Future[tuple[Event, ...]]"
"""The events that a request causes; fails with a CommandRefusedError."""


@dataclass(frozen=True, slots=True)
class PressButton:
    """A press of a button: on the table, on the page or by a message.

    Attributes:
        button: the button.
        question: the number of the question that the sender was shown, `NOTHING_ASKED` if none; None if unknown.
        has_read: whether the sender names the question, and so has read it; otherwise a press of `confirm` right
            after a new question does not count.
        press: the press of a push-button; None if it comes from elsewhere.
    """

    button: Button
    question: int | None = None
    has_read: bool = True
    press: Press | None = None


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


@dataclass(frozen=True, slots=True)
class Propose:
    """The decision of a partner, for a person to carry out, after `made` decisions of the game."""

    decision: Any
    made: int


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The agreement of two tables that play together to take decisions back until `made` are left."""

    made: int


@dataclass(frozen=True, slots=True)
class SendWord:
    """A word, or an emoji, to the friend at the other table."""

    text: str


@dataclass(frozen=True, slots=True)
class PutRight:
    """The statement that what was complained of is put right, with nothing new on the table: the complaint lapses."""


@dataclass(frozen=True, slots=True)
class EndGame:
    """The request to leave the game on the table; one in progress only if it `leaves` it, to be resumed later."""

    leaves: bool = False


@dataclass(frozen=True, slots=True)
class UseCamera:
    """The request to use the camera between two frames, for example to take a still picture."""

    use: Callable[[Camera], None]


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
    """Raised if the table takes no commands: it is busy, or play has ended."""


def was_away(outcome: Outcome) -> bool:
    """Return whether a request was refused because the table was busy."""
    return outcome.done() and isinstance(outcome.exception(), TableAwayError)


PLAY_ENDED = said("Play has ended.")
TABLE_BUSY = said("The table is busy; try again.")


@dataclass(frozen=True, slots=True, eq=False)
class Posted:
    """A request in the inbox.

    Attributes:
        command: what is asked for, such as `PressButton`, `Answer` or a command of a game's own.
        outcome: the future of its outcome.
    """

    command: object
    outcome: Outcome = field(default_factory=Future)

    def refuse(self, refusal: CompanionError) -> None:
        """Refuse the request, unless its sender no longer waits."""
        if self.outcome.set_running_or_notify_cancel():
            self.outcome.set_exception(refusal)

    def done(self, caused: tuple[Event, ...] = ()) -> None:
        """Answer the request with the events that it caused, unless its sender no longer waits."""
        if self.outcome.set_running_or_notify_cancel():
            self.outcome.set_result(caused)

    @property
    def abandoned(self) -> bool:
        """True once its sender no longer waits."""
        return self.outcome.cancelled()

    @property
    def is_push_button(self) -> bool:
        """True if it is a press of a push-button."""
        return isinstance(self.command, PressButton) and self.command.press is not None

    @property
    def is_confirm(self) -> bool:
        """True if it is a press of `confirm`."""
        return isinstance(self.command, PressButton) and self.command.button is Button.CONFIRM


class Inbox:
    """A queue of requests in order of arrival; any thread may add one.

    Args:
        capacity: the number that may wait, more than anyone presses while a picture is read; further ones are refused.
        hands_busy: returns whether the virtual table's hand is still moving a piece; a press of `confirm` refers to
            that piece, and waits until it is placed, with everything behind it.
    """

    def __init__(self, capacity: int = 16, hands_busy: Callable[[], bool] = lambda: False) -> None:
        self._capacity, self._hands_busy = capacity, hands_busy
        self._posted: list[Posted] = []
        self._lock = Lock()
        self._closed = False

    def put(self, command: object) -> Outcome:
        """Queue a request and return the future of its outcome."""
        posted = Posted(command)
        with self._lock:
            refusal = self._refusal()
            if refusal is None:
                self._posted.append(posted)
        # Outside the lock: completing a future calls its callbacks, which may put another request.
        if refusal is not None:
            posted.refuse(refusal)
        return posted.outcome

    def take(self) -> tuple[Posted, ...]:
        """Return the requests queued since the last call whose senders still wait, without waiting."""
        busy = self._hands_busy()
        with self._lock:
            ready = next((n for n, each in enumerate(self._posted) if busy and each.is_confirm), len(self._posted))
            posted, self._posted = self._posted[:ready], self._posted[ready:]
        return tuple(each for each in posted if not each.abandoned)

    @property
    def waits_for_hand(self) -> bool:
        """True while a press of `confirm` waits for the virtual table's hand; thread-safe."""
        with self._lock:
            confirms = bool(self._posted) and self._posted[0].is_confirm
        return confirms and self._hands_busy()

    def refuse_all(self, says: str) -> None:
        """Refuse all requests that wait."""
        with self._lock:
            posted, self._posted = self._posted, []
        for each in posted:
            each.refuse(TableAwayError(says))

    def close(self) -> None:
        """Refuse all requests, waiting and new; may be called more than once."""
        with self._lock:
            # Before the queue is emptied: a request that came in between would never be answered.
            self._closed = True
        self.refuse_all(PLAY_ENDED)

    def _refusal(self) -> TableAwayError | None:
        if self._closed:
            return TableAwayError(PLAY_ENDED)
        return TableAwayError(TABLE_BUSY) if len(self._posted) >= self._capacity else None
