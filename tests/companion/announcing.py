"""Events as a table announces them, for tests of listeners that have no table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.play import events
from companion.play.events import NOTHING_ASKED, Pending
from companion.web.account import AccountBuilder

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.play.events import Event
    from companion.play.page import GamePages


class Announcer:
    """A table that announces each event with what is then under way and open, unless the event says it.

    Args:
        listeners: called with every event.
        number: the number of the first question; later ones count up.
    """

    def __init__(self, *listeners: Callable[[Any], None], number: int = 7) -> None:
        self._listeners, self._next = listeners, number
        self.pending: Pending = Pending()

    def __call__(self, event: Event) -> None:
        """Announce an event."""
        self.pending = self._after(event) if event.pending == Pending() else event.pending
        for listener in self._listeners:
            listener(replace(event, pending=self.pending))

    def _after(self, event: Event) -> Pending:  # noqa: PLR0911  # one return a kind of event
        before = self.pending
        match event:
            case events.Asked(question=question, choice=choice):
                number = before.number
                if number == NOTHING_ASKED or choice == 0:
                    number, self._next = self._next, self._next + 1
                return replace(before, looking=False, question=question, choice=choice, number=number)
            case events.Complained(complaint=complaint):
                return Pending(complaint=complaint)
            case events.LookStarted():
                return Pending(looking=True, complaint=before.complaint)
            case events.LookCalledOff():
                return replace(before, looking=False)
            case events.DecisionForeseen() | events.UndoForeseen():
                return replace(before, foreseen=event)
            case events.ForesightLapsed() | events.UndoLapsed():
                return replace(before, foreseen=None)
            case events.TableNoticed() | events.NothingToUndo():
                return before
            case _:
                return Pending()


class AnnouncedAccount(AccountBuilder):
    """An account builder that gets its events as a table announces them.

    Args:
        games: the kinds of games that may be played.
        number: as for `Announcer`.
    """

    def __init__(self, games: GamePages, number: int = 7) -> None:
        super().__init__(games)
        self._announce = Announcer(super().__call__, number=number)

    def __call__(self, event: Any) -> None:
        """Update the account by an event."""
        self._announce(event)
