"""The codec for decisions in game records: one JSON object per line."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.games.kvilt import decisions as d
from companion.games.kvilt.decisions import Decision
from companion.games.kvilt.errors import MalformedDecisionError
from companion.games.kvilt.sheet.sheet import Cell, cell_name
from companion.languages import any_of, said

_MOST_SEATS: Final = 4
# Two digits, as in the name of a cell; no sheet has more rows, cells or pincushions.
_MOST_NUMBERED: Final = 99
_LONGEST_LIST: Final = 99
_LONGEST_TEXT: Final = 99
_CELL: Final = re.compile(r"r([1-9]\d?)c([1-9]\d?)")


def decision_to_json(decision: Decision) -> dict[str, Any]:
    """Return the decision as the object of a record's line. Default values are left out."""
    move, write = _WRITERS[type(decision)]
    return {"seat": decision.seat, "move": move, **write(decision)}


def _write_cell(decision: d.ColourCell) -> dict[str, Any]:
    fields: dict[str, Any] = {"colour": decision.colour, "row": decision.row}
    if decision.background is not None:
        fields["background"] = decision.background
    return fields if decision.spool else {**fields, "spool": False}


_WRITERS: Final[Mapping[type, tuple[str, Callable[[Any], dict[str, Any]]]]] = {
    d.TakeToken: ("token", lambda it: {"colour": it.colour}),
    d.PlacePencil: ("place", lambda it: {"drawn": it.drawn, "cushion": it.cushion}),
    d.TakeCushion: ("take", lambda it: {"cushion": it.cushion}),
    d.FillNeutral: ("fill", lambda it: {"drawn": list(it.drawn)}),
    d.ColourCell: ("cell", _write_cell),
    d.ColourPatch: ("patch", lambda it: {"colour": it.colour, "patch": it.patch}),
    d.ColourThread: ("thread", lambda it: {"colour": it.colour}),
    d.Stitch: ("stitch", lambda it: {"part": it.part}),
    d.Fetch: ("fetch", lambda it: {"from": str(it.source), "colour": it.colour}),
    d.ColourBackgrounds: ("backgrounds", lambda it: {"cells": [cell_name(cell) for cell in it.cells]}),
    d.Swap: ("swap", lambda it: {"given": list(it.given), "drawn": list(it.drawn)}),
    d.Decline: ("decline", lambda _: {}),
    d.Done: ("done", lambda _: {}),
    d.Negate: ("negate", lambda it: {"rows": list(it.rows)}),
}


def decision_from_json(obj: object) -> Decision:
    """Return the decision in one decoded line of a game record. Unknown keys are ignored.

    Raises:
        MalformedDecisionError: if it is not a decision. Legality is not checked.
    """
    if not isinstance(obj, dict):
        raise MalformedDecisionError(
            said("a decision is an object such as {example}", example='{"seat": 2, "move": "done"}')
        )
    seat, move = _whole(obj, "seat", _MOST_SEATS), obj.get("move")
    if not isinstance(move, str) or move not in _READERS:
        raise MalformedDecisionError(said("{key} must be one of {names}", key='"move"', names=", ".join(_READERS)))
    return _READERS[move](seat, obj)


def _read_cell(seat: int, obj: dict[str, Any]) -> d.ColourCell:
    background, spool = _flag(obj, "background", None), _flag(obj, "spool", True)
    return d.ColourCell(seat, _text(obj, "colour"), _whole(obj, "row"), background, spool is True)


def _whole(obj: dict[str, Any], key: str, most: int = _MOST_NUMBERED) -> int:
    value = obj.get(key)
    # Not `isinstance`: JSON's true is an int in Python.
    if type(value) is not int or not 1 <= value <= most:
        raise MalformedDecisionError(
            said("{key} must be a whole number from {least} to {most}", key=f'"{key}"', least=1, most=most)
        )
    return value


def _text(obj: dict[str, Any], key: str) -> str:
    value = obj.get(key)
    # Texts stand in errors as they are, and an error is one line.
    if not isinstance(value, str) or not value or not value.isprintable():
        raise MalformedDecisionError(said("{key} must be a text", key=f'"{key}"'))
    if len(value) > _LONGEST_TEXT:
        raise MalformedDecisionError(
            said("{key} must be a text of at most {count} characters", key=f'"{key}"', count=_LONGEST_TEXT)
        )
    return value


def _texts(obj: dict[str, Any], key: str) -> tuple[str, ...]:
    value = obj.get(key)
    if not isinstance(value, list) or not 1 <= len(value) <= _LONGEST_LIST:
        raise MalformedDecisionError(said("{key} must be a list of texts, not empty", key=f'"{key}"'))
    return tuple(_text({key: item}, key) for item in value)


def _flag(obj: dict[str, Any], key: str, usual: bool | None) -> bool | None:
    value = obj.get(key, usual)
    # Null is valid only where it is the default: for a background that the record leaves open.
    if value is not usual and not isinstance(value, bool):
        raise MalformedDecisionError(said("{key} must be {names}", key=f'"{key}"', names=any_of(["true", "false"])))
    return value


def _source(obj: dict[str, Any]) -> d.PencilSource:
    value = obj.get("from")
    # Python 3.11 raises TypeError if a text is searched for in the enumeration itself.
    if not isinstance(value, str) or value not in list(d.PencilSource):
        raise MalformedDecisionError(said("{key} must be {names}", key='"from"', names=any_of([*d.PencilSource])))
    return d.PencilSource(value)


def _cell(name: str) -> Cell:
    match = _CELL.fullmatch(name)
    if match is None:
        raise MalformedDecisionError(
            said("{key} must be a list of cells such as {example}", key='"cells"', example='["r1c2", "r2c1"]')
        )
    return int(match[1]), int(match[2])


def _two_rows(obj: dict[str, Any]) -> tuple[int, int]:
    value = obj.get("rows")
    if not isinstance(value, list) or len(value) != 2:
        raise MalformedDecisionError(said("{key} must be two row numbers", key='"rows"'))
    one, other = (_whole({"rows": item}, "rows") for item in value)
    return one, other


_READERS: Final[Mapping[str, Callable[[int, dict[str, Any]], Decision]]] = {
    "token": lambda seat, obj: d.TakeToken(seat, _text(obj, "colour")),
    "place": lambda seat, obj: d.PlacePencil(seat, _text(obj, "drawn"), _whole(obj, "cushion")),
    "take": lambda seat, obj: d.TakeCushion(seat, _whole(obj, "cushion")),
    "fill": lambda seat, obj: d.FillNeutral(seat, _texts(obj, "drawn")),
    "cell": _read_cell,
    "patch": lambda seat, obj: d.ColourPatch(seat, _text(obj, "colour"), _text(obj, "patch")),
    "thread": lambda seat, obj: d.ColourThread(seat, _text(obj, "colour")),
    "stitch": lambda seat, obj: d.Stitch(seat, _text(obj, "part")),
    "fetch": lambda seat, obj: d.Fetch(seat, _source(obj), _text(obj, "colour")),
    "backgrounds": lambda seat, obj: d.ColourBackgrounds(seat, tuple(map(_cell, _texts(obj, "cells")))),
    "swap": lambda seat, obj: d.Swap(seat, _texts(obj, "given"), _texts(obj, "drawn")),
    "decline": lambda seat, _: d.Decline(seat),
    "done": lambda seat, _: d.Done(seat),
    "negate": lambda seat, obj: d.Negate(seat, _two_rows(obj)),
}
