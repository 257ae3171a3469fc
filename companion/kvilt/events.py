"""The events of a Kvilt table: the events of all games with Kvilt's types."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from companion.games.kvilt import Decision, Fact, State
from companion.kvilt.choices import Choice, SheetComplaint
from companion.play import events

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
