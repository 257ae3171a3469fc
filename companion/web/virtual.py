"""The virtual table on the page: what lies on it, and the moves of who has the table's key."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

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
from companion.web.bodies import read_object
from companion.web.errors import RefusedError
from companion.web.guard import address_of
from companion.web.kviltvirtual import RANGES as SHEET_RANGES
from companion.web.kviltvirtual import sheets_json
from companion.web.values import is_between, is_flag, is_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from companion.bootstrap.virtual import AnyTabletop, Move, SheetMove, Tabletop, VirtualTable
    from companion.web.bodies import Check
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
_NUMBERS: Final = (1, 2**31)


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
    body = await move_body(site, request, {"patch": _is_piece_name, **_PLACE})
    return await done(site, Lay(body["patch"], _place(body)))


async def move(site: Site, request: Request) -> Response:
    """Take up a piece, and lay it elsewhere."""
    body = await move_body(site, request, {"piece": _is_number, **_PLACE})
    return await done(site, Shift(int(body["piece"]), _place(body)))


async def turn(site: Site, request: Request) -> Response:
    """Turn a piece where it lies, and flip it before where that is wanted."""
    body = await move_body(site, request, {"piece": _is_number, "quarters": _is_quarters, "flip": is_flag})
    return await done(site, Turn(int(body["piece"]), int(body["quarters"]), body["flip"]))


async def lift(site: Site, request: Request) -> Response:
    """Take a piece off its board, back to the circle; or a token that was left there."""
    body = await move_body(site, request, {"piece": _is_number})
    return await done(site, Lift(int(body["piece"])))


async def forget(site: Site, request: Request) -> Response:
    """Leave a button token on a board."""
    body = await move_body(site, request, {"seat": _is_seat, "x": _is_within, "y": _is_within})
    return await done(site, Forget(int(body["seat"]), float(body["x"]), float(body["y"])))


async def bump(site: Site, request: Request) -> Response:
    """Bump into the camera or a board."""
    checks: dict[str, Check] = {"what": _is_bumped, "by_mm": lambda value: is_between(value, 0.0, MOST_BUMP_MM)}
    body = await move_body(site, request, checks)
    return await done(site, Bump(Bumped(body["what"]), float(body["by_mm"])))


async def conditions(site: Site, request: Request) -> Response:
    """Change the light, and how careful hands are."""
    checks: dict[str, Check] = {name: _within(*span) for name, span in RANGES.items()}
    body = await move_body(site, request, {**checks, "arms": is_flag})
    return await done(site, Circumstances(**{name: float(body[name]) for name in RANGES}, arms=body["arms"]))


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


async def move_body(site: Site, request: Request, checks: Mapping[str, Check]) -> dict[str, Any]:
    """The body of a move.

    Raises:
        RefusedError: it is none, moves come too fast, or the table is not a virtual one.
    """
    _table(site)
    if not site.moves.allows(address_of(request.scope)):
        raise RefusedError(429, said("Too many moves: slow down."), headers={"retry-after": "1"})
    return await read_object(request, checks, frozenset())


async def done(site: Site, move: Move | SheetMove) -> Response:
    """Wait until a hand has begun it."""
    try:
        await asyncio.wait_for(asyncio.wrap_future(_table(site).move(move)), site.answers_in_s)
    except TimeoutError:
        raise RefusedError(503, said("The table does not answer; try again."), headers={"retry-after": "1"}) from None
    except MoveRefusedError as refusal:
        raise RefusedError(409, *refusal.args) from None
    return JSONResponse({"ok": True, "says": ""})


def _place(body: Mapping[str, Any]) -> Place:
    x, y, quarters = float(body["x"]), float(body["y"]), int(body["quarters"])
    return Place(int(body["seat"]), x, y, quarters, body["flipped"], body["snapped"])


def _on_board(row: int, column: int) -> bool:
    return 0 <= row < SIDE and 0 <= column < SIDE


def _cell_name(row: int, column: int) -> str:
    return f"{'ABCDEFGHI'[column]}{row + 1}"


def _within(least: float, most: float) -> Check:
    return lambda value: is_between(value, least, most)


def _is_number(value: object) -> bool:
    return is_whole(value, *_NUMBERS)


def _is_seat(value: object) -> bool:
    return is_whole(value, 1, 2)


def _is_quarters(value: object) -> bool:
    return is_whole(value, 0, 3)


def _is_within(value: object) -> bool:
    return is_between(value, *REACH_CELLS)


def _is_piece_name(value: object) -> bool:
    return isinstance(value, str) and (value in PATCHES or value == LEATHER)


def _is_bumped(value: object) -> bool:
    return isinstance(value, str) and value in tuple(Bumped)


_PLACE: Final[Mapping[str, Check]] = {
    "seat": _is_seat,
    "x": _is_within,
    "y": _is_within,
    "quarters": _is_quarters,
    "flipped": is_flag,
    "snapped": is_flag,
}
