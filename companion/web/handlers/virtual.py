"""The virtual table on the page: its contents, and moves by users with the table's key."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.languages import said
from companion.play.page.routes import Json, MoveRoute, RefusedError
from companion.web.access.guard import address_of
from companion.web.schema.bodies import read_object
from hardware.simulated.virtual.box import MoveRefusedError
from hardware.simulated.virtual.table import VirtualTable

if TYPE_CHECKING:
    from companion.play.page.interface import GamePages, VirtualSide
    from companion.web.site import Site

TOPIC: Final = "virtual"
"""The hub's topic for the contents of the virtual table."""


async def table(site: Site, request: Request) -> Response:
    """Return the contents of the virtual table, and the ranges of its adjustable conditions."""
    del request
    tabletop = _table(site).tabletop
    if tabletop is None:
        raise RefusedError(503, said("The table is not set up yet; try again."), headers={"retry-after": "1"})
    ranges = {name: list(span) for name, span in _side(site.games, tabletop).ranges.items()}
    return JSONResponse({"ok": True, "table": tabletop_json(site.games, tabletop), "ranges": ranges})


async def move(site: Site, request: Request, route: MoveRoute[Any]) -> Response:
    """Move a piece, and wait until the virtual hand has begun to."""
    virtual = _table(site)
    # A limit of its own: dragging a piece takes more requests than any other command.
    if not site.moves.allows(address_of(request.scope)):
        raise RefusedError(429, said("Too many moves: slow down."), headers={"retry-after": "1"})
    wish = route.move(await read_object(request, route.body))
    try:
        await asyncio.wait_for(asyncio.wrap_future(virtual.move(wish)), site.answers_in_s)
    except TimeoutError:
        raise RefusedError(503, said("The table does not answer; try again."), headers={"retry-after": "1"}) from None
    except MoveRefusedError as refusal:
        raise RefusedError(409, *refusal.args) from None
    return JSONResponse({"ok": True, "says": ""})


def tabletop_json(games: GamePages, tabletop: object) -> Json:
    """Return a virtual table's contents as JSON."""
    return _side(games, tabletop).to_json(tabletop)


def _side(games: GamePages, tabletop: object) -> VirtualSide[Any]:
    """Return the virtual side of the game that a tabletop belongs to.

    Raises:
        TypeError: it belongs to none of these games.
    """
    for side in games.values():
        if side.virtual is not None and isinstance(tabletop, side.virtual.tabletop):
            return side.virtual
    raise TypeError(f"no page for a table that lies as {type(tabletop)}")


def _table(site: Site) -> VirtualTable:
    if site.virtual is None:
        raise RefusedError(404, said("This is not a virtual table."))
    return site.virtual
