"""The table of routes: what there is, who may, what it takes and what it gives. The description follows from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from companion.bootstrap.arrangement import LONGEST_NAME, Circle
from companion.bootstrap.virtual import LEATHER, STYLES, Bumped
from companion.config import BAGS
from companion.games.kvilt import Variant
from companion.games.patchwork import PATCHES, Edition, RuleProfile
from companion.languages import LANGUAGES
from companion.palette import COLOURS
from companion.record import GAMES
from companion.web import (
    arranging,
    calibration,
    circle,
    commands,
    figures,
    kviltmoves,
    kviltroutes,
    kviltvirtual,
    library,
    reading,
    virtual,
)
from companion.web.access import Need
from companion.web.readers import PARAMETER
from hardware.ports import Button

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from companion.web.site import Site

Handler: TypeAlias = "Callable[[Site, Request], Awaitable[Response]]"
Schema: TypeAlias = dict[str, Any]

_SEAT: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": 2}
_PATCH: Final[Schema] = {"type": "string", "enum": list(PATCHES)}
_CELL: Final[Schema] = {"type": "string", "enum": [f"{column}{row}" for row in range(1, 10) for column in "ABCDEFGHI"]}
_CELLS: Final[Schema] = {"type": "array", "items": _CELL, "minItems": 1, "maxItems": 81, "uniqueItems": True}


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that may be asked of the page.

    Attributes:
        method: GET or POST.
        path: the route, as Starlette has it.
        handler: does it.
        need: what whoever asks must be allowed to.
        gives: the media type of the answer.
        statuses: what it answers beside 200 and what every route may.
        body: the JSON schema of what it takes; None where it takes nothing.
        query: the parameters in the address, by name, with their schemas.
    """

    method: str
    path: str
    handler: Handler
    need: Need = Need.WATCH
    gives: str = "application/json"
    statuses: tuple[int, ...] = ()
    body: Schema | None = None
    query: tuple[tuple[str, Schema], ...] = ()


def _takes(required: tuple[str, ...], **properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def _command(path: str, handler: Handler, body: Schema) -> Operation:
    return Operation("POST", path, handler, Need.TOUCH, statuses=(400, 408, 409, 413, 415, 503), body=body)


def _shows(path: str, handler: Handler, gives: str = "application/json", *statuses: int) -> Operation:
    return Operation("GET", path, handler, gives=gives, statuses=statuses)


def _told(path: str, handler: Handler, gives: str, *statuses: int) -> Operation:
    """Something with sentences in it, which are in the language that whoever asks reads."""
    language: Schema = {"type": "string", "examples": [*LANGUAGES], "description": "Before the Accept-Language header."}
    return replace(_shows(path, handler, gives, *statuses), query=((PARAMETER, language),))


def _in_lots(operation: Operation) -> Operation:
    """A list that may be asked for piece by piece."""
    limit: Schema = {"type": "integer", "minimum": 1, "maximum": library.MOST}
    before: Schema = {"type": "integer", "minimum": 1}
    return replace(operation, query=(*operation.query, (library.LIMIT, limit), (library.BEFORE, before)))


def _wish(path: str, handler: Handler, body: Schema) -> Operation:
    """What not every table can do; 404 where this one cannot."""
    return Operation("POST", path, handler, Need.TOUCH, statuses=(400, 404, 408, 409, 413, 415, 503), body=body)


def _hand(path: str, handler: Handler, **properties: Schema) -> Operation:
    """A move at a virtual table."""
    return _wish(path, handler, _takes(tuple(properties), **properties))


def _one_of(*names: str) -> Schema:
    return {"type": "string", "enum": [str(name) for name in names]}


def _number(least: float, most: float) -> Schema:
    return {"type": "number", "minimum": least, "maximum": most}


_BOOLEAN: Final[Schema] = {"type": "boolean"}
_PIECE: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": 2**31}
_QUARTERS: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 3}
_REACH: Final[Schema] = _number(*virtual.REACH_CELLS)
_LAID: Final[dict[str, Schema]] = {
    "seat": _SEAT,
    "x": _REACH,
    "y": _REACH,
    "quarters": _QUARTERS,
    "flipped": _BOOLEAN,
    "snapped": _BOOLEAN,
}
_POINT: Final[Schema] = {
    "type": "array", "items": _number(-calibration.FURTHEST_PX, calibration.FURTHEST_PX), "minItems": 2, "maxItems": 2,
}
_QUAD: Final[Schema] = {"type": "array", "items": _POINT, "minItems": 4, "maxItems": 4}
_NAME: Final[Schema] = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
_BEGIN_NEEDS: Final = ("players", "colours", "first_seat", "edition", "rules", "circle")
_BEGIN: Final[dict[str, Schema]] = {
    "players": {"type": "array", "items": _NAME, "minItems": 2, "maxItems": 2, "uniqueItems": True},
    "colours": {"type": "array", "items": _one_of(*COLOURS), "minItems": 2, "maxItems": 2, "uniqueItems": True},
    "first_seat": _SEAT,
    "edition": _one_of(*Edition),
    "rules": _one_of(*RuleProfile),
    "circle": _one_of(*Circle),
    "market": {
        "type": ["array", "null"], "items": _PATCH, "minItems": len(PATCHES), "maxItems": len(PATCHES),
        "uniqueItems": True,
    },
    "language": {"enum": ["en", "fa", "ru", None]},
}
_KVILT_SEAT: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": 4}
_KVILT: Final[dict[str, Schema]] = {
    "players": {"type": "array", "items": _NAME, "minItems": 2, "maxItems": 4, "uniqueItems": True},
    "first_seat": _KVILT_SEAT,
    "bag": _one_of(*BAGS),
    "variants": {"type": "array", "items": _one_of(*Variant), "uniqueItems": True},
}
_BEGIN_FREE: Final[dict[str, Schema]] = {"language": _BEGIN["language"], "leave": _BOOLEAN}
_PLACE: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": 99}
_NUMBERED: Final[Schema] = {"type": "integer", "minimum": 1}
_FLAG: Final[Schema] = {"type": "string", "enum": ["0", "1"]}
_TEXT: Final[Schema] = {"type": "string"}
_REGION: Final[Schema] = {"type": "string", "minLength": 1, "maxLength": kviltmoves.LONGEST_NAME}
_OF_GAME: Final = (("game", _one_of(*GAMES)),)

OPERATIONS: Final = (
    Operation("GET", "/", reading.index, Need.NOTHING, "text/html", (303,), query=(("key", _TEXT),)),
    Operation("GET", "/tv", reading.index, Need.NOTHING, "text/html", (303,), query=(("key", _TEXT),)),
    Operation("GET", "/watch", reading.index, Need.NOTHING, "text/html", (303,), query=(("key", _TEXT),)),
    Operation("GET", "/join", reading.join, Need.NOTHING, "text/html", (303,), query=(("code", _TEXT),)),
    Operation("GET", "/api/me", reading.me, Need.NOTHING),
    Operation("GET", "/api/box", reading.box, Need.NOTHING),
    _told("/api/snapshot", reading.snapshot, "application/json", 503),
    _told("/api/events", reading.stream, "text/event-stream", 503),
    _told("/api/kvilt/sheet", kviltroutes.sheet, "application/json", 404),
    Operation("GET", "/api/code", reading.code, Need.TOUCH),
    Operation("GET", "/api/code.svg", reading.code_svg, Need.TOUCH, "image/svg+xml", (404,)),
    Operation(
        "GET", "/camera.jpg", reading.camera, Need.CAMERA, "image/jpeg", (400, 404), query=(("reading", _FLAG),)
    ),
    _told("/api/circle", circle.shown, "application/json", 404),
    Operation("GET", "/circle.jpg", circle.picture, Need.CAMERA, "image/jpeg", (400, 404), query=(("of", _NUMBERED),)),
    _wish(
        "/api/circle/place",
        circle.place,
        _takes(("place", "patch"), place=_PLACE, patch={"enum": [*PATCHES, None]}),
    ),
    _wish("/api/circle/behind", circle.behind, _takes(("place", "patch"), place=_PLACE, patch=_PATCH)),
    _wish(
        "/api/circle/right",
        circle.right,
        _takes(("place",), place={"type": ["integer", "null"], "minimum": 1, "maximum": 99}),
    ),
    Operation("GET", "/crop/{seat:int}.jpg", reading.crop, Need.CAMERA, "image/jpeg", (404,)),
    _command("/api/press", commands.press, _takes(("button",), button={"type": "string", "enum": [*Button]})),
    _command(
        "/api/answer",
        commands.answer,
        _takes(("option",), option={"type": ["integer", "null"], "minimum": 0, "maximum": 99}),
    ),
    _command(
        "/api/override",
        commands.override,
        _takes(("seat", "cells"), seat=_SEAT, cells=_CELLS, patch={"enum": [*PATCHES, None]}),
    ),
    _command("/api/name", commands.name, _takes(("patch",), patch=_PATCH)),
    _command("/api/insist", commands.insist, _takes(())),
    Operation("GET", "/api/setup", arranging.shown, Need.TOUCH, statuses=(404,)),
    _wish("/api/setup/deal", arranging.deal, _takes(())),
    _wish("/api/setup/begin", arranging.begin, _takes(_BEGIN_NEEDS, **_BEGIN, leave=_BOOLEAN)),
    _wish("/api/setup/begin-kvilt", arranging.begin_kvilt, _takes(tuple(_KVILT), **_KVILT, **_BEGIN_FREE)),
    _wish("/api/setup/resume", arranging.resume, _takes(("game",), game=_PIECE, leave=_BOOLEAN)),
    Operation("GET", "/api/calibration", calibration.shown, Need.TOUCH, statuses=(404,)),
    _wish("/api/calibration/begin", calibration.begin, _takes(())),
    _wish(
        "/api/calibration/corners", calibration.corners, _takes(("seat", "corners"), seat=_SEAT, corners=_QUAD)
    ),
    _wish("/api/calibration/save", calibration.save, _takes((), anyway=_BOOLEAN)),
    _shows("/api/virtual", virtual.table, "application/json", 404, 503),
    _hand("/api/virtual/lay", virtual.lay, patch={"type": "string", "enum": [*PATCHES, LEATHER]}, **_LAID),
    _hand("/api/virtual/move", virtual.move, piece=_PIECE, **_LAID),
    _hand("/api/virtual/turn", virtual.turn, piece=_PIECE, quarters=_QUARTERS, flip=_BOOLEAN),
    _hand("/api/virtual/lift", virtual.lift, piece=_PIECE),
    _hand("/api/virtual/token", virtual.forget, seat=_SEAT, x=_REACH, y=_REACH),
    _hand(
        "/api/virtual/nudge",
        virtual.bump,
        what={"type": "string", "enum": [*Bumped]},
        by_mm=_number(0.0, virtual.MOST_BUMP_MM),
    ),
    _hand(
        "/api/virtual/conditions",
        virtual.conditions,
        **{name: _number(*span) for name, span in virtual.RANGES.items()},
        arms=_BOOLEAN,
    ),
    _hand("/api/virtual/colour", kviltmoves.colour, seat=_KVILT_SEAT, region=_REGION, colour=_REGION),
    _hand("/api/virtual/rub-out", kviltmoves.rub_out, seat=_KVILT_SEAT, region=_REGION),
    _hand("/api/virtual/lay-sheet", kviltmoves.lay_sheet, seat={**_KVILT_SEAT, "type": ["integer", "null"]}),
    _hand(
        "/api/virtual/sheet-conditions",
        kviltmoves.conditions,
        **{name: _number(*span) for name, span in kviltvirtual.RANGES.items()},
        style=_one_of(*STYLES),
    ),
    replace(_shows("/api/statistics", figures.statistics, "application/json", 400, 404), query=_OF_GAME),
    replace(_shows("/api/players.csv", figures.players_csv, "text/csv", 400, 404), query=_OF_GAME),
    _shows("/api/patches.csv", figures.patches_csv, "text/csv", 404),
    _shows("/api/games/{game:int}/course", figures.course_of, "application/json", 404),
    Operation(
        "GET", "/api/games/{game:int}/quilts/{seat:int}.jpg", figures.quilt, Need.CAMERA, "image/jpeg", (404,)
    ),
    _in_lots(_told("/api/games", library.games, "application/json", 400, 404)),
    replace(_shows("/api/games.csv", library.games_csv, "text/csv", 400, 404), query=_OF_GAME),
    _told("/api/games/{game:int}", library.game, "application/json", 404),
    _told("/api/games/{game:int}/replay", library.replay, "application/json", 404),
    _shows("/api/games/{game:int}/record.jsonl", library.record, "application/jsonl", 404),
    _shows("/api/games/{game:int}/decisions.csv", library.decisions_csv, "text/csv", 404),
)
