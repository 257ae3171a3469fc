"""The events of a table of Kvilt."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from companion import events
from companion.games.kvilt import Decision, Fact, State
from companion.kvilt.choices import Choice, SheetComplaint

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Opened: TypeAlias = events.GameOpened[State]
Taken: TypeAlias = events.DecisionTaken[Decision, Fact, State]
Undone: TypeAlias = events.DecisionUndone[Decision, State]
Complained: TypeAlias = events.Complained[SheetComplaint, State]
Asked: TypeAlias = events.Asked[Choice, State]
Answered: TypeAlias = events.QuestionAnswered[Choice, Decision, State]

Event: TypeAlias = (
    events.GameOpened[State]
    | events.LookStarted[State]
    | events.LookCalledOff[State]
    | events.DecisionTaken[Decision, Fact, State]
    | events.DecisionUndone[Decision, State]
    | events.NothingToUndo[State]
    | events.Complained[SheetComplaint, State]
    | events.Asked[Choice, State]
    | events.QuestionAnswered[Choice, Decision, State]
    | events.TableNoticed[State]
)
Listener: TypeAlias = Callable[[Event], None]
AnyEvent: TypeAlias = events.Event | Event
"""An event of any game."""


def is_of_kvilt(event: AnyEvent) -> TypeIs[Event]:
    """Whether an event comes from a table of Kvilt."""
    return isinstance(event.state, State)
