"""The codec of Kvilt for records and journals."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, TypeAlias

from companion.games.kvilt import (
    Decision,
    Fact,
    History,
    KviltError,
    Setup,
    SetupError,
    State,
    decision_from_json,
    decision_to_json,
    setup_from_json,
    setup_to_json,
    summary,
)
from companion.kvilt.choices import Choice, ChoiceTopic, SheetComplaint
from companion.kvilt.statistics import KviltGame, finished_kvilt
from companion.languages import reason
from companion.play import events
from companion.record.codec import Codec, Play
from companion.record.errors import RecordError


class KviltTranscript:
    """A listener that collects the questions about doubtful sheets, and the complaints."""

    def __init__(self) -> None:
        self.questions: list[dict[str, Any]] = []
        self.complaints: list[dict[str, Any]] = []

    def __call__(self, event: Event) -> None:
        """Handle an event."""
        if isinstance(event, events.Asked) and event.question.asks is ChoiceTopic.DOUBT and event.choice == 0:
            self.questions.append(_question(event.question))
        elif isinstance(event, events.Complained):
            self.complaints.append(_complaint(event.complaint))


def _question(choice: Choice) -> dict[str, Any]:
    states = [next(iter(option.colours), None) for option in choice.options]
    return {"frame": choice.frame, "seat": choice.seat, "region": choice.regions[0], "states": states}


def _complaint(complaint: SheetComplaint) -> dict[str, Any]:
    return {
        "frame": complaint.frame,
        "seat": complaint.seat,
        "codes": list(complaint.codes),
        "regions": list(complaint.regions),
        "says": complaint.says,
    }


Opened: TypeAlias = events.GameOpened[State, Decision]
Taken: TypeAlias = events.DecisionTaken[Decision, Fact, State]
Undone: TypeAlias = events.DecisionUndone[Decision, State]
Complained: TypeAlias = events.Complained[SheetComplaint, State]
Asked: TypeAlias = events.Asked[Choice, State]
Answered: TypeAlias = events.QuestionAnswered[Choice, Decision, State]

Event: TypeAlias = (
    events.GameOpened[State, Decision]
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


def _setup_from_json(obj: object) -> Setup:
    try:
        return setup_from_json(obj)
    except SetupError as error:
        raise RecordError(reason(error)) from error


def _scores(state: State) -> tuple[int, ...]:
    return tuple(state.score(seat).total for seat in range(1, state.setup.seats + 1))


def _figures(game_id: int, started_at: datetime, play: Play[Setup, Decision, State]) -> KviltGame:
    return finished_kvilt(game_id, started_at, play.state)


KVILT: Final[Codec[Setup, Decision, State]] = Codec(
    name="kvilt",
    setup_type=Setup,
    decision_type=Decision,
    setup_from_json=_setup_from_json,
    setup_to_json=setup_to_json,
    setup_to_journal=setup_to_json,
    decision_from_json=decision_from_json,
    decision_to_json=decision_to_json,
    begin=History,
    summary=summary,
    errors=KviltError,
    words=reason,
    scores=_scores,
    winners=lambda state: state.winners,
    figures=_figures,
    figures_type=KviltGame,
)
