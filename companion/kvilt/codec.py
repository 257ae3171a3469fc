"""The codec of Kvilt for records: the header, and the JSON of a state for `companion replay --json`."""

from collections.abc import Callable
from dataclasses import asdict, fields
from typing import Any, Final, TypeAlias

from companion.games.kvilt.decisions import Decision, decision_from_json, decision_to_json
from companion.games.kvilt.errors import KviltError, SetupError
from companion.games.kvilt.facts import Fact
from companion.games.kvilt.rules import History
from companion.games.kvilt.sheet import Marks, Sheet
from companion.games.kvilt.state import Settings, Setup, State, Variant
from companion.kvilt.choices import Choice, ChoiceTopic, SheetComplaint
from companion.kvilt.refusals import rules_fault
from companion.kvilt.sheets.files import OWN_SHEET, SheetError, TomlTable, own_sheet, sheet_of, sheet_to_json
from companion.kvilt.statistics import KviltGame, finished_kvilt
from companion.languages import all_of, any_of, reason
from companion.play import events
from companion.record import FORMAT, Codec, RecordError, header_of


class KviltTranscript:
    """A listener that collects the questions about doubtful sheets, and the complaints."""

    def __init__(self) -> None:
        self.questions: list[dict[str, Any]] = []
        self.complaints: list[dict[str, Any]] = []

    def __call__(self, event: "Event") -> None:
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
    | events.DecisionProposed[Decision, State]
    | events.DecisionTaken[Decision, Fact, State]
    | events.DecisionUndone[Decision, State]
    | events.NothingToUndo[State]
    | events.Complained[SheetComplaint, State]
    | events.Asked[Choice, State]
    | events.QuestionAnswered[Choice, Decision, State]
    | events.TableNoticed[State]
)
Listener: TypeAlias = Callable[[Event], None]


GAME: Final = "kvilt"
_SETTINGS: Final = tuple(field.name for field in fields(Settings))


def setup_to_json(setup: Setup) -> dict[str, Any]:
    """Return the header of a record as an object.

    The companion's own sheet is given by its name, any other in full, so that a record needs no further file.
    Variants, settings and the order of colouring are given only if they differ from the default.
    """
    header: dict[str, Any] = {
        "format": FORMAT,
        "game": GAME,
        "seats": setup.seats,
        "players": list(setup.players),
        "first_seat": setup.first_seat,
        "sheet": OWN_SHEET if setup.sheet == own_sheet() else sheet_to_json(setup.sheet),
    }
    if setup.variants:
        header["variants"] = sorted(setup.variants)
    usual = asdict(Settings())
    differing = {key: value for key, value in asdict(setup.settings).items() if value != usual[key]}
    if differing:
        header["settings"] = differing
    return {**header, "simultaneous": True} if setup.simultaneous else header


def setup_from_json(header: object) -> Setup:
    """Return the setup in a record's header. Unknown keys are ignored.

    Raises:
        RecordError: it is no header of format 1, or no game can begin with it; without a file and a line.
    """
    obj = header_of(header, GAME)
    first_seat, simultaneous = obj.get("first_seat"), obj.get("simultaneous", False)
    if type(first_seat) is not int:
        raise RecordError.said("{key} must be a seat", key='"first_seat"')
    if not isinstance(simultaneous, bool):
        raise RecordError.said("{key} must be {names}", key='"simultaneous"', names=any_of(["true", "false"]))
    sheet, variants, settings = _sheet(obj), _variants(obj), _settings(obj)
    try:
        return Setup(sheet, _players(obj), first_seat, variants, settings, simultaneous)
    except SetupError as error:
        raise RecordError(rules_fault(error)) from error


def _players(obj: dict[str, Any]) -> tuple[str, ...]:
    names = obj.get("players")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise RecordError.said("{key} must be a list of names", key='"players"')
    if obj.get("seats", len(names)) != len(names):
        raise RecordError.said(
            "{keys} differ: {count} names are given", keys=all_of(['"seats"', '"players"']), count=len(names)
        )
    return tuple(names)


def _sheet(obj: dict[str, Any]) -> Sheet:
    value = obj.get("sheet", OWN_SHEET)
    if isinstance(value, str):
        if value != OWN_SHEET:
            raise RecordError.said(
                "{key} must be {value}, or an owner’s sheet described whole", key='"sheet"', value=f'"{OWN_SHEET}"'
            )
        return own_sheet()
    try:
        return sheet_of(TomlTable(value, "the header’s sheet"))
    except SheetError as error:
        raise RecordError(reason(error)) from error


def _variants(obj: dict[str, Any]) -> frozenset[Variant]:
    values = obj.get("variants", [])
    if not isinstance(values, list) or not all(isinstance(value, str) and value in list(Variant) for value in values):
        raise RecordError.said("{key} must be a list of {names}", key='"variants"', names=all_of([*Variant]))
    return frozenset(map(Variant, values))


def _settings(obj: dict[str, Any]) -> Settings:
    values = obj.get("settings", {})
    if not isinstance(values, dict) or not all(isinstance(value, bool) for value in values.values()):
        raise RecordError.said(
            "{key} must be an object of names with {values}", key='"settings"', values=any_of(["true", "false"])
        )
    # Unlike an unknown key, which is ignored, an unknown setting would change the rules of the game.
    unknown = next((key for key in values if key not in _SETTINGS), None)
    if unknown is not None:
        raise RecordError.said(
            "there is no setting {name}; there are {names}", name=repr(unknown[:40]), names=", ".join(_SETTINGS)
        )
    return Settings(**values)


def marks_to_json(sheet: Sheet, marks: Marks) -> dict[str, Any]:
    """Return a sheet's marks in the form of the companion's JSON for a coloured sheet."""
    return {
        "rows": [{"colour": row.colour, "cells": row.cells, "full": list(row.full_cells)} for row in marks.rows],
        "patches": [patch.id for patch, colour in zip(sheet.patches, marks.patches, strict=True) if colour],
        "spools": {"open": marks.open_spools(sheet), "threads": list(marks.threads)},
        "embroideries": {
            figure.id: sum(colour is not None for colour in colours)
            for figure, colours in zip(sheet.embroideries, marks.parts, strict=True)
        },
    }


def summary(state: State) -> dict[str, Any]:
    """Return a state as the JSON of `companion replay --json`, with the keys in its order.

    `winner` is null while the game runs and if the victory is shared; `winners` lists all winners.
    """
    winners = state.winners
    return {
        "game": GAME,
        "finished": state.finished,
        "winner": winners[0] if len(winners) == 1 else None,
        "winners": list(winners),
        "turn": state.turn,
        "round": state.round,
        "phase": str(state.phase),
        "first": state.first,
        "seats": [_seat_summary(state, number) for number in range(1, len(state.seats) + 1)],
        "bag": state.pencils_in_bag,
        "cushions": [{"pencils": list(cushion.pencils), "owner": cushion.owner} for cushion in state.cushions],
        "moves": state.decisions_made,
    }


def _seat_summary(state: State, number: int) -> dict[str, Any]:
    seat = state.seat(number)
    return {
        "seat": number,
        "name": state.setup.players[number - 1],
        "bonus": seat.bonus,
        "pencils": [pencil.colour for pencil in seat.hand],
        "sheet": state.setup.sheet.id,
        **marks_to_json(state.setup.sheet, seat.marks),
        "score": state.score(number).to_json(),
    }


def _scores(state: State) -> tuple[int, ...]:
    return tuple(state.score(seat).total for seat in range(1, state.setup.seats + 1))


KVILT: Final[Codec[Setup, Decision, State]] = Codec(
    name=GAME,
    setup_type=Setup,
    decision_type=Decision,
    setup_from_json=setup_from_json,
    setup_to_json=setup_to_json,
    decision_from_json=decision_from_json,
    decision_to_json=decision_to_json,
    begin=History,
    summary=summary,
    errors=KviltError,
    words=rules_fault,
    scores=_scores,
    winners=lambda state: state.winners,
    figures=finished_kvilt,
    figures_type=KviltGame,
)
