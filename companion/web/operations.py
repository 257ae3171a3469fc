"""The table of routes: what there is, who may, what it takes and what it gives. The description follows from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from companion.languages import LANGUAGES
from companion.record import GAMES
from companion.web import (
    arranging,
    calibration,
    circle,
    commands,
    figures,
    kviltmoves,
    kviltroutes,
    library,
    reading,
    virtual,
)
from companion.web.access import Need
from companion.web.bodies import NothingMore
from companion.web.kviltarranging import KviltBegun
from companion.web.readers import PARAMETER

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from companion.web.bodies import Body
    from companion.web.site import Site

Handler: TypeAlias = "Callable[[Site, Request], Awaitable[Response]]"
Schema: TypeAlias = dict[str, Any]


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
        body: what it takes; None where it takes nothing.
        query: the parameters in the address, by name, with their schemas.
    """

    method: str
    path: str
    handler: Handler
    need: Need = Need.WATCH
    gives: str = "application/json"
    statuses: tuple[int, ...] = ()
    body: type[Body] | None = None
    query: tuple[tuple[str, Schema], ...] = ()


def _command(path: str, handler: Handler, body: type[Body]) -> Operation:
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


def _wish(path: str, handler: Handler, body: type[Body]) -> Operation:
    """What not every table can do; 404 where this one cannot."""
    return Operation("POST", path, handler, Need.TOUCH, statuses=(400, 404, 408, 409, 413, 415, 503), body=body)


def _one_of(*names: str) -> Schema:
    return {"type": "string", "enum": [str(name) for name in names]}


_NUMBERED: Final[Schema] = {"type": "integer", "minimum": 1}
_FLAG: Final[Schema] = {"type": "string", "enum": ["0", "1"]}
_TEXT: Final[Schema] = {"type": "string"}
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
    _wish("/api/circle/place", circle.place, circle.Placed),
    _wish("/api/circle/behind", circle.behind, circle.Behind),
    _wish("/api/circle/right", circle.right, circle.Right),
    Operation("GET", "/crop/{seat:int}.jpg", reading.crop, Need.CAMERA, "image/jpeg", (404,)),
    _command("/api/press", commands.press, commands.Pressed),
    _command("/api/answer", commands.answer, commands.Answered),
    _command("/api/override", commands.override, commands.Overridden),
    _command("/api/name", commands.name, commands.Named),
    _command("/api/insist", commands.insist, NothingMore),
    Operation("GET", "/api/setup", arranging.shown, Need.TOUCH, statuses=(404,)),
    _wish("/api/setup/deal", arranging.deal, NothingMore),
    _wish("/api/setup/begin", arranging.begin, arranging.Begun),
    _wish("/api/setup/begin-kvilt", arranging.begin_kvilt, KviltBegun),
    _wish("/api/setup/resume", arranging.resume, arranging.Resumed),
    Operation("GET", "/api/calibration", calibration.shown, Need.TOUCH, statuses=(404,)),
    _wish("/api/calibration/begin", calibration.begin, NothingMore),
    _wish("/api/calibration/corners", calibration.corners, calibration.Cornered),
    _wish("/api/calibration/save", calibration.save, calibration.Saved),
    _shows("/api/virtual", virtual.table, "application/json", 404, 503),
    _wish("/api/virtual/lay", virtual.lay, virtual.Laid),
    _wish("/api/virtual/move", virtual.move, virtual.Moved),
    _wish("/api/virtual/turn", virtual.turn, virtual.Turned),
    _wish("/api/virtual/lift", virtual.lift, virtual.Lifted),
    _wish("/api/virtual/token", virtual.forget, virtual.Forgotten),
    _wish("/api/virtual/nudge", virtual.bump, virtual.Nudged),
    _wish("/api/virtual/conditions", virtual.conditions, virtual.Changed),
    _wish("/api/virtual/colour", kviltmoves.colour, kviltmoves.Coloured),
    _wish("/api/virtual/rub-out", kviltmoves.rub_out, kviltmoves.RubbedOut),
    _wish("/api/virtual/lay-sheet", kviltmoves.lay_sheet, kviltmoves.SheetLaid),
    _wish("/api/virtual/sheet-conditions", kviltmoves.conditions, kviltmoves.SheetChanged),
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
