"""What people who are not at the buttons may order at a table of Kvilt: they choose, as everybody does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from companion.inbox import Answer, CommandRefusedError
from companion.languages import said

if TYPE_CHECKING:
    from companion.inbox import Inbox, Order
    from companion.kvilt.choices import Choice
    from companion.kvilt.news import Event


class Choosing(Protocol):
    """The table, as far as orders go."""

    @property
    def choice(self) -> Choice | None:
        """What is to be chosen now."""

    def answer(self, option: int | None) -> None:
        """Take an option, or none."""


class SheetClerk:
    """Takes orders to the table, one after the other, and brings back what came of them; a listener besides.

    Args:
        inbox: where the orders wait.
    """

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._heard: list[Event] = []

    def __call__(self, event: Event) -> None:
        """Take note of what is announced meanwhile."""
        self._heard.append(event)

    def serve(self, table: Choosing) -> None:
        """Have every order that waits carried out or refused."""
        for order in self._inbox.take():
            try:
                self._carry_out(table, order)
            except CommandRefusedError as refusal:
                order.refuse(refusal)

    def _carry_out(self, table: Choosing, order: Order) -> None:
        if not isinstance(order.command, Answer):
            raise CommandRefusedError(said("This is a game of Kvilt: there are no patches to lay."))
        choice = table.choice
        if choice is None:
            raise CommandRefusedError(said("There is nothing to choose now."))
        option = order.command.option
        if option is not None and not 0 <= option < len(choice.options):
            raise CommandRefusedError(said("The question has {count} answers only.", count=len(choice.options)))
        self._heard.clear()
        try:
            table.answer(option)
        except BaseException:
            order.refuse(CommandRefusedError(said("It could not be written down; see the terminal.")))
            raise
        order.done(tuple(self._heard))
