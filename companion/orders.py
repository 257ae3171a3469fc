"""What a command means at this point of the game; the rules have the last word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from companion.forbidden import both_fit, forbidden
from companion.games.patchwork import (
    AmbiguousDecisionError,
    History,
    IllegalDecisionError,
    TakePatch,
    check,
    resolve,
)
from companion.inbox import Answer, CommandRefusedError, Insist, NamePatch, Override
from companion.languages import Sentence, counted, said

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.events import Event
    from companion.games.patchwork import Decision
    from companion.inbox import Command, Inbox, Order
    from companion.verdict import Complaint, Question

_PATIENCE_S: Final = 3.0
"""How long an order waits for the quilt to be at rest, so that its new look can be remembered."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done at the table.

    Attributes:
        decision: what is to be taken; None answers the open question with "none of these".
        looks: whether the quilts are to be looked at first, because nobody read the decision off them.
        takes_back: whether the latest decision is to be taken back before.
        insists: whether the question is to be opened that takes the place of what is complained of.
    """

    decision: Decision | None
    looks: bool = False
    takes_back: bool = False
    insists: bool = False


class Orderly(Protocol):
    """The table, as far as orders go."""

    @property
    def history(self) -> History:
        """The game so far."""

    @property
    def question(self) -> Question | None:
        """The open question."""

    @property
    def complaint(self) -> Complaint | None:
        """What is complained of."""

    @property
    def ready(self) -> bool:
        """Whether both empty boards have been seen."""

    def out_of_sight(self, seat: int) -> str:
        """Why a seat's quilt cannot be looked at now, in a sentence; empty where it can."""

    def carry_out(self, plan: Plan) -> None:
        """Do it."""


def planned(
    command: Command, history: History, question: Question | None, complaint: Complaint | None = None
) -> Plan:
    """What a command comes to.

    Raises:
        CommandRefusedError: it comes to nothing that the rules allow now.
    """
    try:
        match command:
            case Answer(option=option):
                return Plan(_option(question, option))
            case Override(seat=seat, cells=cells, patch=patch):
                return Plan(resolve(history.state, seat, cells, patch), looks=True)
            case NamePatch(patch=patch):
                return _named(patch, history, question)
            case Insist():
                return _insisted(question, complaint)
    except AmbiguousDecisionError as error:
        patches = tuple(each.patch for each in error.candidates if isinstance(each, TakePatch))
        raise CommandRefusedError(both_fit(patches), patches) from error
    except IllegalDecisionError as error:
        raise CommandRefusedError(forbidden(error, history.state)) from error


def _option(question: Question | None, option: int | None) -> Decision | None:
    if question is None:
        raise CommandRefusedError(said("There is no question to answer."))
    if option is None:
        return None
    if not 0 <= option < len(question.options):
        raise CommandRefusedError(_few_answers(len(question.options)))
    return question.options[option]


def _insisted(question: Question | None, complaint: Complaint | None) -> Plan:
    if question is not None:
        raise CommandRefusedError(said("First answer the question."))
    if complaint is None:
        raise CommandRefusedError(said("There is nothing that the companion complains of."))
    return Plan(None, insists=True)


def _few_answers(count: int) -> Sentence:
    return counted("The question has {count} answer only.", "The question has {count} answers only.", count)


def _named(patch: str, history: History, question: Question | None) -> Plan:
    if question is not None:
        for option in question.options:
            if isinstance(option, TakePatch) and option.patch == patch:
                return Plan(option)
        raise CommandRefusedError(said("{patch} is no answer to the question.", patch=patch))
    return _renamed(patch, history)


def _renamed(patch: str, history: History) -> Plan:
    """The latest decision with another patch of its shape."""
    latest = history.decisions[-1] if history.decisions else None
    if not isinstance(latest, TakePatch):
        raise CommandRefusedError(said("There is no patch to name: the latest decision took none."))
    if patch == latest.patch:
        raise CommandRefusedError(said("It is the {patch} already.", patch=patch))
    before = History(history.setup)
    for decision in history.decisions[:-1]:
        before.apply(decision)
    renamed = TakePatch(latest.seat, patch, latest.cells)
    check(before.state, renamed)
    return Plan(renamed, looks=True, takes_back=True)


class Clerk:
    """Takes orders to the table, one after the other, and brings back what came of them; a listener besides.

    Args:
        inbox: where the orders wait.
        log: called with what is done, when (on the frames' clock) and whether it answers a question, before it is.
    """

    def __init__(self, inbox: Inbox, log: Callable[[Plan, float, bool], None] | None = None) -> None:
        self._inbox, self._log = inbox, log
        self._now_s = 0.0
        self._waiting: list[tuple[Order, float]] = []
        self._heard: list[Event] = []

    def __call__(self, event: Event) -> None:
        """Take note of what is announced meanwhile."""
        self._heard.append(event)

    def serve(self, table: Orderly, now_s: float) -> None:
        """Have every order carried out or refused that can be, as of `now_s` on the frames' clock."""
        self._now_s = now_s
        self._waiting += [(order, now_s) for order in self._inbox.take()]
        while self._waiting:
            order, since_s = self._waiting[0]
            if not order.abandoned and not self._serve(table, order, may_wait=now_s - since_s < _PATIENCE_S):
                return
            del self._waiting[0]

    def _serve(self, table: Orderly, order: Order, *, may_wait: bool) -> bool:
        """Whether it was dealt with."""
        try:
            plan = planned(order.command, table.history, table.question, table.complaint)
            if plan.looks and plan.decision is not None and (hidden := table.out_of_sight(plan.decision.seat)):
                if may_wait:
                    return False
                # A lamp may flicker for good: how the patch looks is then learned when the quilt is next at rest.
                if not table.ready:
                    raise CommandRefusedError(hidden)
        except CommandRefusedError as refusal:
            order.refuse(refusal)
            return True
        self._carry_out(table, order, plan)
        return True

    def _carry_out(self, table: Orderly, order: Order, plan: Plan) -> None:
        self._heard.clear()
        try:
            if self._log is not None:
                self._log(plan, self._now_s, table.question is not None)
            table.carry_out(plan)
        except BaseException:
            order.refuse(CommandRefusedError(said("It could not be written down; see the terminal.")))
            raise
        order.done(tuple(self._heard))
