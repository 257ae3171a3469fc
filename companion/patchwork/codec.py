"""The codec of Patchwork for records: the header, and the JSON of a state for `companion replay --json`."""

import json
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final, TypeAlias, TypeVar

from companion.games.patchwork.cells import names_of, rows_of
from companion.games.patchwork.components import Edition
from companion.games.patchwork.decisions import (
    CountButtons,
    Decision,
    PlaceLeather,
    TakePatch,
    decision_from_json,
    decision_to_json,
)
from companion.games.patchwork.errors import PatchworkError, SetupError
from companion.games.patchwork.facts import Fact
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import USUAL_BUTTONS, RuleProfile, Setup, State, score
from companion.languages import any_of
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic
from companion.patchwork.refusals import fault
from companion.patchwork.statistics import FinishedGame, finished
from companion.play import events
from companion.record import FORMAT, Codec, RecordError, header_of

Asked: TypeAlias = events.Asked[Question, State]
Complained: TypeAlias = events.Complained[Complaint, State]
Foreseen: TypeAlias = events.DecisionForeseen[Decision, State]
Proposed: TypeAlias = events.DecisionProposed[Decision, State]
Lapsed: TypeAlias = events.ForesightLapsed[Decision, State]
Undone: TypeAlias = events.DecisionUndone[Decision, State]
UndoForeseen: TypeAlias = events.UndoForeseen[Decision, State]
UndoLapsed: TypeAlias = events.UndoLapsed[Decision, State]

Event: TypeAlias = (
    events.GameOpened[State, Decision]
    | events.LookStarted[State]
    | events.LookCalledOff[State]
    | events.DecisionTaken[Decision, Fact, State]
    | Undone
    | events.NothingToUndo[State]
    | Complained
    | Asked
    | events.QuestionAnswered[Question, Decision, State]
    | Foreseen
    | Proposed
    | Lapsed
    | UndoForeseen
    | UndoLapsed
    | events.DoubtLapsed[Question, Complaint, State]
    | events.TableNoticed[State]
)
Listener: TypeAlias = Callable[[Event], None]


class PatchworkTranscript:
    """A listener that collects questions and complaints."""

    def __init__(self) -> None:
        self.questions: list[dict[str, Any]] = []
        self.complaints: list[dict[str, Any]] = []

    def __call__(self, event: events.Event) -> None:
        """Handle an event."""
        if isinstance(event, events.QuestionAnswered):
            self.questions.append(_question(event.question, event.taken))
        elif isinstance(event, events.DoubtLapsed) and isinstance(event.doubt, Question):
            self.questions.append(_question(event.doubt, None))
        elif isinstance(event, events.Complained):
            self.complaints.append(_complaint(event.complaint))


def _question(question: Question, taken: Decision | None) -> dict[str, Any]:
    entry: dict[str, Any] = {"frame": question.frame, "seat": question.seat, "asks": question.asks.value}
    if question.asks is QuestionTopic.WHICH_PATCH:
        entry["candidates"] = [option.patch for option in question.options if isinstance(option, TakePatch)]
        entry["taken"] = taken.patch if isinstance(taken, TakePatch) else None
    elif question.asks is QuestionTopic.BUTTONS:
        entry["candidates"] = [option.buttons for option in question.options if isinstance(option, CountButtons)]
        entry["taken"] = taken.buttons if isinstance(taken, CountButtons) else None
    elif question.asks is QuestionTopic.TILE:
        entry["candidates"] = [option.seat for option in question.options]
        entry["taken"] = None if taken is None else taken.seat
    else:
        entry["cells"] = list(question.cells)
        covered = names_of(taken.cells) if isinstance(taken, TakePatch | PlaceLeather) else ()
        entry["taken"] = [cell for cell in question.cells if cell in covered]
    return entry


def _complaint(complaint: Complaint) -> dict[str, Any]:
    return {
        "frame": complaint.frame,
        "seat": complaint.seat,
        "reason": complaint.reason.value,
        "cells": list(complaint.cells),
        "says": complaint.says,
    }


GAME: Final = "patchwork"

_Choice = TypeVar("_Choice", bound=StrEnum)


def header_from_json(header: object) -> Setup:
    """Return the setup in a record's header, or in a table recording's `recording.toml`. Unknown keys are ignored.

    Raises:
        RecordError: it is no header of format 1; without a file and a line.
    """
    obj = header_of(header, GAME)
    rules = _choice(obj, "rules", RuleProfile)
    # Records without it are of the original printing; see the format.
    edition = _choice({"edition": Edition.ORIGINAL, **obj}, "edition", Edition)
    market = _strings(obj, "market") if obj.get("market") is not None else None
    # Absent without a handicap.
    buttons = obj.get("buttons", USUAL_BUTTONS)
    buttons = tuple(buttons) if isinstance(buttons, list) else buttons
    try:
        return Setup(rules, edition, _players(obj), _first_seat(obj), market, buttons)
    except SetupError as error:
        raise RecordError(fault(error)) from error


def _choice(obj: dict[str, Any], key: str, kind: type[_Choice]) -> _Choice:
    value = obj.get(key)
    if not isinstance(value, str) or value not in list(kind):
        raise RecordError.said(
            "{key} must be {names}", key=f'"{key}"', names=any_of([*(json.dumps(str(member)) for member in kind)])
        )
    return kind(value)


def _strings(obj: dict[str, Any], key: str) -> tuple[str, ...]:
    value = obj.get(key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RecordError.said("{key} must be a list of texts", key=f'"{key}"')
    return tuple(value)


def _players(obj: dict[str, Any]) -> tuple[str, str]:
    names = _strings(obj, "players")
    if len(names) != 2:
        raise RecordError.said("{key} must be two names", key='"players"')
    return names[0], names[1]


def _first_seat(obj: dict[str, Any]) -> int:
    value = obj.get("first_seat")
    if type(value) is not int:
        raise RecordError.said("{key} must be {first} or {last}", key='"first_seat"', first=1, last=2)
    return value


def header_to_json(setup: Setup) -> dict[str, Any]:
    """Return the header of a record as JSON; `market` is absent if the circle is unknown, `buttons` if usual."""
    header: dict[str, Any] = {
        "format": FORMAT,
        "game": GAME,
        "rules": str(setup.rules),
        "edition": str(setup.edition),
        "players": list(setup.players),
        "first_seat": setup.first_seat,
    }
    if setup.buttons != USUAL_BUTTONS:
        header["buttons"] = list(setup.buttons)
    return header if setup.market is None else {**header, "market": list(setup.market)}


def summary(state: State) -> dict[str, Any]:
    """Return a state as the JSON of `companion replay --json`, keys in that order."""
    return {
        "game": GAME,
        "finished": state.finished,
        "winner": state.winner,
        "turn": state.turn,
        "seats": [_seat_summary(state, number) for number in (1, 2)],
        "market": None if state.market is None else list(state.market),
        "moves": state.decisions_made,
    }


def _seat_summary(state: State, number: int) -> dict[str, Any]:
    return {**seat_figures(state, number), "quilt": list(rows_of(state.seat(number).quilt))}


def seat_figures(state: State, number: int) -> dict[str, Any]:
    """Return a seat's figures in the form of records and pages."""
    seat = state.seat(number)
    return {
        "seat": number,
        "name": state.name_of(number),
        "buttons": seat.buttons,
        "income": seat.income,
        "time": seat.time,
        "empty": seat.empty,
        "bonus": seat.bonus,
        "score": score(seat),
    }


def _scores(state: State) -> tuple[int, ...]:
    return tuple(score(seat) for seat in state.seats)


def _winners(state: State) -> tuple[int, ...]:
    return () if state.winner is None else (state.winner,)


PATCHWORK: Final[Codec[Setup, Decision, State]] = Codec(
    name=GAME,
    setup_type=Setup,
    decision_type=Decision,
    setup_from_json=header_from_json,
    setup_to_json=header_to_json,
    decision_from_json=decision_from_json,
    decision_to_json=decision_to_json,
    begin=History,
    summary=summary,
    errors=PatchworkError,
    words=fault,
    scores=_scores,
    winners=_winners,
    figures=finished,
    figures_type=FinishedGame,
)
