"""The virtual table on the page: what lies on it, and the moves of who has the table's key."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from msgspec.structs import asdict as asdict_of
from starlette.responses import JSONResponse

from companion.bootstrap.virtual import (
    LEATHER,
    Bump,
    Bumped,
    Circumstances,
    Forget,
    Lay,
    Lift,
    MoveRefusedError,
    Place,
    SheetTabletop,
    Shift,
    Turn,
)
from companion.games.patchwork import PATCHES, SIDE
from companion.languages import said
from companion.web.bodies import Body, BodyT, read_object
from companion.web.errors import RefusedError
from companion.web.guard import address_of
from companion.web.kviltvirtual import RANGES as SHEET_RANGES
from companion.web.kviltvirtual import sheets_json
from companion.web.values import Seat, between, one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from companion.bootstrap.virtual import AnyTabletop, Move, SheetMove, Tabletop, VirtualTable
    from companion.web.jsontype import Json
    from companion.web.site import Site

TOPIC: Final = "virtual"
"""The hub's topic of how the virtual table lies."""
RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "exposure": (0.2, 2.0),
    "gradient": (0.0, 0.8),
    "hard_shadow": (0.0, 0.8),
    "offset_mm": (0.0, 6.0),
    "rotation_deg": (0.0, 3.0),
}
"""How far each of the circumstances may go."""
MOST_BUMP_MM: Final = 30.0
REACH_CELLS: Final = (-3.0, SIDE + 3.0)
"""Between these a piece's middle may be, so that some of it may lie beside the board."""
_Piece: TypeAlias = Annotated[int, between(1, 2**31)]
_Quarters: TypeAlias = Annotated[int, between(0, 3)]
_Reach: TypeAlias = Annotated[float, between(*REACH_CELLS)]


class _Placed(Body):
    """A place on a board, in cells from its upper left corner."""

    seat: Seat
    x: _Reach
    y: _Reach
    quarters: _Quarters
    flipped: bool
    snapped: bool


class Laid(_Placed):
    """A patch of the circle, or a leather patch, and where it is laid."""

    patch: Annotated[str, one_of(*PATCHES, LEATHER)]


class Moved(_Placed):
    """A piece on the table, and where it is laid."""

    piece: _Piece


class Turned(Body):
    """A piece on the table, and how it is turned."""

    piece: _Piece
    quarters: _Quarters
    flip: bool


class Lifted(Body):
    """A piece or a token on the table."""

    piece: _Piece


class Forgotten(Body):
    """Where a token is left."""

    seat: Seat
    x: _Reach
    y: _Reach


class Nudged(Body):
    """What is bumped into, and how far that moves it."""

    what: Bumped
    by_mm: Annotated[float, between(0.0, MOST_BUMP_MM)]


class Changed(Body):
    """The light, and how careful hands are."""

    exposure: Annotated[float, between(*RANGES["exposure"])]
    gradient: Annotated[float, between(*RANGES["gradient"])]
    hard_shadow: Annotated[float, between(*RANGES["hard_shadow"])]
    offset_mm: Annotated[float, between(*RANGES["offset_mm"])]
    rotation_deg: Annotated[float, between(*RANGES["rotation_deg"])]
    arms: bool


async def table(site: Site, request: Request) -> Response:
    """What lies on the virtual table, and how far its circumstances may be changed."""
    del request
    tabletop = _table(site).tabletop
    if tabletop is None:
        raise RefusedError(503, said("The table is not laid yet; try again."), headers={"retry-after": "1"})
    spans = SHEET_RANGES if isinstance(tabletop, SheetTabletop) else RANGES
    ranges = {name: list(span) for name, span in spans.items()}
    return JSONResponse({"ok": True, "table": tabletop_json(tabletop), "ranges": ranges})


async def lay(site: Site, request: Request) -> Response:
    """Fetch a patch out of the circle, or a leather patch, and lay it."""
    body = await move_body(site, request, Laid)
    return await done(site, Lay(body.patch, _place(body)))


async def move(site: Site, request: Request) -> Response:
    """Take up a piece, and lay it elsewhere."""
    body = await move_body(site, request, Moved)
    return await done(site, Shift(body.piece, _place(body)))


async def turn(site: Site, request: Request) -> Response:
    """Turn a piece where it lies, and flip it before where that is wanted."""
    body = await move_body(site, request, Turned)
    return await done(site, Turn(body.piece, body.quarters, body.flip))


async def lift(site: Site, request: Request) -> Response:
    """Take a piece off its board, back to the circle; or a token that was left there."""
    body = await move_body(site, request, Lifted)
    return await done(site, Lift(body.piece))


async def forget(site: Site, request: Request) -> Response:
    """Leave a button token on a board."""
    body = await move_body(site, request, Forgotten)
    return await done(site, Forget(body.seat, body.x, body.y))


async def bump(site: Site, request: Request) -> Response:
    """Bump into the camera or a board."""
    body = await move_body(site, request, Nudged)
    return await done(site, Bump(body.what, body.by_mm))


async def conditions(site: Site, request: Request) -> Response:
    """Change the light, and how careful hands are."""
    body = await move_body(site, request, Changed)
    return await done(site, Circumstances(**asdict_of(body)))


def tabletop_json(tabletop: AnyTabletop) -> Json:
    """What the page is sent of it."""
    return sheets_json(tabletop) if isinstance(tabletop, SheetTabletop) else _boards_json(tabletop)


def _boards_json(tabletop: Tabletop) -> Json:
    """Places are in cells from a board's upper left corner."""
    pieces = [
        {
            "piece": piece.number,
            "patch": piece.name,
            "seat": piece.seat,
            "x": round(piece.x_cells, 3),
            "y": round(piece.y_cells, 3),
            "angle": round(piece.angle_deg, 2),
            "flipped": piece.flipped,
            "cells": [_cell_name(row, column) for row, column in piece.cells if _on_board(row, column)],
            "in_hand": piece.in_hand,
        }
        for piece in tabletop.pieces
    ]
    tokens = [
        {"piece": token.number, "seat": token.seat, "x": round(token.x_cells, 3), "y": round(token.y_cells, 3)}
        for token in tabletop.tokens
    ]
    return {
        "game": "patchwork",
        "circle": list(tabletop.circle),
        "leather": tabletop.leather,
        "pieces": pieces,
        "tokens": tokens,
        "conditions": asdict(tabletop.circumstances),
    }


def _table(site: Site) -> VirtualTable:
    if site.virtual is None:
        raise RefusedError(404, said("This table is not a virtual one."))
    return site.virtual


async def move_body(site: Site, request: Request, kind: type[BodyT]) -> BodyT:
    """The body of a move.

    Raises:
        RefusedError: it is none, moves come too fast, or the table is not a virtual one.
    """
    _table(site)
    if not site.moves.allows(address_of(request.scope)):
        raise RefusedError(429, said("Too many moves: slow down."), headers={"retry-after": "1"})
    return await read_object(request, kind)


async def done(site: Site, move: Move | SheetMove) -> Response:
    """Wait until a hand has begun it."""
    try:
        await asyncio.wait_for(asyncio.wrap_future(_table(site).move(move)), site.answers_in_s)
    except TimeoutError:
        raise RefusedError(503, said("The table does not answer; try again."), headers={"retry-after": "1"}) from None
    except MoveRefusedError as refusal:
        raise RefusedError(409, *refusal.args) from None
    return JSONResponse({"ok": True, "says": ""})


def _place(body: _Placed) -> Place:
    return Place(body.seat, body.x, body.y, body.quarters, body.flipped, body.snapped)


def _on_board(row: int, column: int) -> bool:
    return 0 <= row < SIDE and 0 <= column < SIDE


def _cell_name(row: int, column: int) -> str:
    return f"{'ABCDEFGHI'[column]}{row + 1}"
