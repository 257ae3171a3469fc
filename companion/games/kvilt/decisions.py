"""The decisions of a player, as values, and their codec for game records.

A pencil drawn blind is part of the decision that it belongs to.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Final, TypeAlias

from companion.games.kvilt.errors import MalformedDecisionError, MalformedReason
from companion.games.kvilt.sheet import Cell, Colour, cell_name


class PencilSource(StrEnum):
    """The places from which the pencils of a finished embroidery can be taken."""

    NEUTRAL = "neutral"
    BAG = "bag"


@dataclass(frozen=True, slots=True)
class TakeToken:
    """Take a scrap token; its colour is the seat's bonus colour for this round."""

    seat: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class PlacePencil:
    """Put the pencil `drawn` blind on a pincushion, counted from 1."""

    seat: int
    drawn: Colour
    cushion: int


@dataclass(frozen=True, slots=True)
class TakeCushion:
    """Take a pincushion from the middle, counted from 1."""

    seat: int
    cushion: int


@dataclass(frozen=True, slots=True)
class FillNeutral:
    """Draw blind until the neutral pincushion holds three; the first player's decision."""

    seat: int
    drawn: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class ColourCell:
    """Colour the next picture of a row, from 1.

    Attributes:
        seat: the sheet's seat.
        colour: of the pencil: an own one, or the one of the bonus that is due.
        row: from 1.
        background: None: colour it if that is allowed. True: it was coloured. False: it was left white.
        spool: whether a spool mark on the cell, if there is one, is used.
    """

    seat: int
    colour: Colour
    row: int
    background: bool | None = None
    spool: bool = True


@dataclass(frozen=True, slots=True)
class ColourPatch:
    """Colour a patch, by its id."""

    seat: int
    colour: Colour
    patch: str


@dataclass(frozen=True, slots=True)
class ColourThread:
    """Colour the thread of the next open spool."""

    seat: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class Stitch:
    """Colour a part of an embroidery, such as "e5.2", with the pencil that has just coloured a cell with a stitch."""

    seat: int
    part: str


@dataclass(frozen=True, slots=True)
class Fetch:
    """Take a pencil for a finished embroidery: a chosen one from the neutral pincushion, or a blind one."""

    seat: int
    source: PencilSource
    colour: Colour


@dataclass(frozen=True, slots=True)
class ColourBackgrounds:
    """Colour backgrounds of cells of this round, for a finished two-part embroidery."""

    seat: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Swap:
    """Exchange one or two unused pencils for as many that are `drawn` blind."""

    seat: int
    given: tuple[Colour, ...]
    drawn: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class Decline:
    """Forgo the bonus that is due; it is lost."""

    seat: int


@dataclass(frozen=True, slots=True)
class Done:
    """End the seat's colouring in this round; unused pencils are lost."""

    seat: int


@dataclass(frozen=True, slots=True)
class Negate:
    """Count two rows, numbered from 1, negative (variant "all counted")."""

    seat: int
    rows: tuple[int, int]


Use: TypeAlias = ColourCell | ColourPatch | ColourThread
"""The three ways to use a pencil."""

Sharing: TypeAlias = TakeToken | PlacePencil | TakeCushion | FillNeutral
"""The decisions by which scraps and pencils are shared out."""

Colouring: TypeAlias = Use | Stitch | Fetch | ColourBackgrounds | Swap | Decline
"""The decisions on the sheet, or on pencils meanwhile, before a player ends the colouring."""

Decision: TypeAlias = Sharing | Colouring | Done | Negate


_MOST_SEATS: Final = 4
# Two digits, as in the name of a cell; no sheet has more rows, cells or pincushions.
_MOST_NUMBERED: Final = 99
_LONGEST_LIST: Final = 99
_LONGEST_TEXT: Final = 99
_CELL: Final = re.compile(r"r([1-9]\d?)c([1-9]\d?)")


def decision_to_json(decision: Decision) -> dict[str, Any]:
    """Return the decision as the object of a record's line. Default values are left out."""
    line: dict[str, Any] = {"seat": decision.seat, "move": _NAMES[type(decision)]}
    for field in fields(decision):
        value = getattr(decision, field.name)
        if field.name == "cells":
            line["cells"] = [cell_name(cell) for cell in value]
        elif field.name == "source":
            line["from"] = str(value)
        elif value != field.default:
            line[field.name] = list(value) if isinstance(value, tuple) else value
    return line


def decision_from_json(obj: object) -> Decision:
    """Return the decision in one decoded line of a game record. Unknown keys are ignored.

    Raises:
        MalformedDecisionError: if it is not a decision. Legality is not checked.
    """
    if not isinstance(obj, dict):
        raise MalformedDecisionError(MalformedReason.NOT_AN_OBJECT)
    seat, move = _whole(obj, "seat", _MOST_SEATS), obj.get("move")
    if not isinstance(move, str) or move not in _READERS:
        raise MalformedDecisionError(MalformedReason.MOVE)
    return _READERS[move](seat, obj)


def _read_cell(seat: int, obj: dict[str, Any]) -> ColourCell:
    background, spool = _flag(obj, "background", None), _flag(obj, "spool", True)
    return ColourCell(seat, _text(obj, "colour"), _whole(obj, "row"), background, spool is True)


def _whole(obj: dict[str, Any], key: str, most: int = _MOST_NUMBERED) -> int:
    value = obj.get(key)
    # Not `isinstance`: JSON's true is an int in Python.
    if type(value) is not int or not 1 <= value <= most:
        raise MalformedDecisionError(MalformedReason.NUMBER, key, most)
    return value


def _text(obj: dict[str, Any], key: str) -> str:
    value = obj.get(key)
    # Texts stand in errors as they are, and an error is one line.
    if not isinstance(value, str) or not value or not value.isprintable():
        raise MalformedDecisionError(MalformedReason.TEXT, key)
    if len(value) > _LONGEST_TEXT:
        raise MalformedDecisionError(MalformedReason.LONG_TEXT, key, _LONGEST_TEXT)
    return value


def _texts(obj: dict[str, Any], key: str) -> tuple[str, ...]:
    value = obj.get(key)
    if not isinstance(value, list) or not 1 <= len(value) <= _LONGEST_LIST:
        raise MalformedDecisionError(MalformedReason.TEXTS, key)
    return tuple(_text({key: item}, key) for item in value)


def _flag(obj: dict[str, Any], key: str, usual: bool | None) -> bool | None:
    value = obj.get(key, usual)
    # Null is valid only where it is the default: for a background that the record leaves open.
    if value is not usual and not isinstance(value, bool):
        raise MalformedDecisionError(MalformedReason.FLAG, key)
    return value


def _source(obj: dict[str, Any]) -> PencilSource:
    value = obj.get("from")
    # Python 3.11 raises TypeError if a text is searched for in the enumeration itself.
    if not isinstance(value, str) or value not in list(PencilSource):
        raise MalformedDecisionError(MalformedReason.SOURCE, "from")
    return PencilSource(value)


def _cell(name: str) -> Cell:
    match = _CELL.fullmatch(name)
    if match is None:
        raise MalformedDecisionError(MalformedReason.CELLS, "cells")
    return int(match[1]), int(match[2])


def _two_rows(obj: dict[str, Any]) -> tuple[int, int]:
    value = obj.get("rows")
    if not isinstance(value, list) or len(value) != 2:
        raise MalformedDecisionError(MalformedReason.ROWS, "rows")
    one, other = (_whole({"rows": item}, "rows") for item in value)
    return one, other


_READERS: Final[Mapping[str, Callable[[int, dict[str, Any]], Decision]]] = {
    "token": lambda seat, obj: TakeToken(seat, _text(obj, "colour")),
    "place": lambda seat, obj: PlacePencil(seat, _text(obj, "drawn"), _whole(obj, "cushion")),
    "take": lambda seat, obj: TakeCushion(seat, _whole(obj, "cushion")),
    "fill": lambda seat, obj: FillNeutral(seat, _texts(obj, "drawn")),
    "cell": _read_cell,
    "patch": lambda seat, obj: ColourPatch(seat, _text(obj, "colour"), _text(obj, "patch")),
    "thread": lambda seat, obj: ColourThread(seat, _text(obj, "colour")),
    "stitch": lambda seat, obj: Stitch(seat, _text(obj, "part")),
    "fetch": lambda seat, obj: Fetch(seat, _source(obj), _text(obj, "colour")),
    "backgrounds": lambda seat, obj: ColourBackgrounds(seat, tuple(map(_cell, _texts(obj, "cells")))),
    "swap": lambda seat, obj: Swap(seat, _texts(obj, "given"), _texts(obj, "drawn")),
    "decline": lambda seat, _: Decline(seat),
    "done": lambda seat, _: Done(seat),
    "negate": lambda seat, obj: Negate(seat, _two_rows(obj)),
}

MOVES: Final = tuple(_READERS)
"""The values of "move" in records."""
_NAMES: Final[Mapping[type[Decision], str]] = {
    TakeToken: "token",
    PlacePencil: "place",
    TakeCushion: "take",
    FillNeutral: "fill",
    ColourCell: "cell",
    ColourPatch: "patch",
    ColourThread: "thread",
    Stitch: "stitch",
    Fetch: "fetch",
    ColourBackgrounds: "backgrounds",
    Swap: "swap",
    Decline: "decline",
    Done: "done",
    Negate: "negate",
}
