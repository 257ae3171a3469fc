"""Commands from people who are not at the push-buttons: they wait here until the turn loop takes them."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from companion.errors import CompanionError
from companion.languages import said

if TYPE_CHECKING:
    from companion.kvilt.news import AnyEvent

WishT = TypeVar("WishT")
OutcomeT = TypeVar("OutcomeT")


@dataclass(frozen=True, slots=True)
class Answer:
    """Answers the open question: `option` is an index into its options, None takes none of them."""

    option: int | None


@dataclass(frozen=True, slots=True)
class Override:
    """Tells what lies on a quilt, whatever the camera makes of it.

    Attributes:
        seat: whose quilt.
        cells: the cells that are newly covered, as the rules' bit mask.
        patch: the patch; None where its shape tells.
    """

    seat: int
    cells: int
    patch: str | None = None


@dataclass(frozen=True, slots=True)
class NamePatch:
    """Tells which patch it is: of the open question, or of the latest decision, which was mistaken for its twin."""

    patch: str


@dataclass(frozen=True, slots=True)
class Insist:
    """Says of what is complained of that it lies as it is meant: players are asked what lies there."""


Command: TypeAlias = Answer | Override | NamePatch | Insist


class CommandRefusedError(CompanionError):
    """The table does not do what it was told; the message is a sentence for whoever told it.

    Attributes:
        says: the sentence.
        candidates: patches to choose from, where naming one would settle it.
    """

    def __init__(self, says: str, candidates: tuple[str, ...] = ()) -> None:
        super().__init__(says)
        self.says, self.candidates = says, candidates


class TableAwayError(CommandRefusedError):
    """Nobody is at the table to do anything: it is busy, or the evening is over."""


EVENING_OVER = said("The evening is over.")
TABLE_BUSY = said("The table is busy; try again.")


@dataclass(frozen=True, slots=True, eq=False)
class Posted(Generic[WishT, OutcomeT]):
    """A wish on its way to the turn loop.

    Attributes:
        command: what is to be done.
        outcome: what came of it, or CompanionError.
    """

    command: WishT
    outcome: Future[OutcomeT] = field(default_factory=Future)

    def refuse(self, refusal: CompanionError) -> None:
        """Answer whoever gave the order, unless nobody waits any more."""
        if self.outcome.set_running_or_notify_cancel():
            self.outcome.set_exception(refusal)

    def done(self, outcome: OutcomeT) -> None:
        """Likewise, for an order that was carried out."""
        if self.outcome.set_running_or_notify_cancel():
            self.outcome.set_result(outcome)

    @property
    def abandoned(self) -> bool:
        """Whether nobody waits for it any more."""
        return self.outcome.cancelled()


class LetterBox(Generic[WishT, OutcomeT]):
    """Wishes in the order in which they came; any thread may put one in.

    Args:
        capacity: how many may wait; who comes then is refused. None for as many as there are.
    """

    def __init__(self, capacity: int | None = None) -> None:
        self._capacity = capacity
        self._posted: list[Posted[WishT, OutcomeT]] = []
        self._lock = Lock()
        self._closed = False

    def put(self, command: WishT) -> Future[OutcomeT]:
        """Leave a wish; what comes of it, or CommandRefusedError, is in the future."""
        posted: Posted[WishT, OutcomeT] = Posted(command)
        with self._lock:
            refusal = self._refusal()
            if refusal is None:
                self._posted.append(posted)
        if refusal is not None:
            posted.refuse(refusal)
        return posted.outcome

    def take(self) -> tuple[Posted[WishT, OutcomeT], ...]:
        """What was put in since the last call; never waits."""
        with self._lock:
            posted, self._posted = self._posted, []
        return tuple(posted)

    def close(self) -> None:
        """Refuse what waits and what comes; may be called more than once."""
        with self._lock:
            self._closed = True
        for each in self.take():
            each.refuse(TableAwayError(EVENING_OVER))

    def _refusal(self) -> TableAwayError | None:
        if self._closed:
            return TableAwayError(EVENING_OVER)
        full = self._capacity is not None and len(self._posted) >= self._capacity
        return TableAwayError(TABLE_BUSY) if full else None


Order: TypeAlias = Posted[Command, "tuple[AnyEvent, ...]"]


class Inbox(LetterBox[Command, "tuple[AnyEvent, ...]"]):
    """The table's orders; what comes of one are events.

    Args:
        capacity: how many may wait; who comes then is refused.
    """

    def __init__(self, capacity: int = 16) -> None:
        super().__init__(capacity)

    def take(self) -> tuple[Order, ...]:
        """The orders since the last call that somebody still waits for; never waits."""
        return tuple(order for order in super().take() if not order.abandoned)
