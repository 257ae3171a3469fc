"""Set-up on the page: the next game, or an earlier one to resume."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import Future
from typing import TYPE_CHECKING, Annotated, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.errors import CompanionError
from companion.languages import render, said
from companion.play.inbox import TableAwayError
from companion.play.page.routes import Arranged, Body, BodyT, Form, Json, RefusedError, SetupOffer, between
from companion.web.archive.archive import NoGameError
from companion.web.handlers.reading import SNAPSHOT
from companion.web.readers import language_of
from companion.web.schema.bodies import read_command

if TYPE_CHECKING:
    from companion.play.host import Host
    from companion.web.site import Site

_NAMES_SHOWN: Final = 20


class Resumed(Body):
    """The number of a game to resume; `leave` permits leaving the game on the table."""

    game: Annotated[int, between(1, 2**63 - 1)]
    leave: bool = False


async def setup(site: Site, request: Request) -> Response:
    """Return the set-up of the next game, the choices for it, and the games that can be resumed."""
    reader, host = language_of(request), _host(site)
    try:
        games = await run_in_threadpool(site.archive.under_way, host.table)
        names = await run_in_threadpool(site.archive.names)
    # Without a readable journal a new game can still be arranged.
    except NoGameError:
        games, names = [], []
    here = _newest(site, SNAPSHOT)
    game = here["game"] if here else None
    ended = here is not None and any(side.has_ended(here) for side in site.games.values())
    under_way = bool(game and game["decisions"] and not ended)
    live = None if game is None else game["id"]
    offers: Json = {}
    for side in site.games.values():
        offers |= side.offer(SetupOffer(host.arrangement(side.name), host.language, host.by_hand))
    return JSONResponse(
        {
            "ok": True,
            "game": host.game.name,
            "titles": {name: render(side.title, reader) for name, side in site.games.items()},
            "language": host.language,
            **offers,
            "under_way": under_way,
            "games": [known for known in games if known["id"] != live],
            "names": names[:_NAMES_SHOWN],
        }
    )


async def begin(site: Site, request: Request, form: Form[Any]) -> Response:
    """Begin a new game from its set-up form."""
    body = await _body(site, request, form.body)
    host = _host(site)
    try:
        wish = form.wish(body)
        opened = host.begin(wish.arrangement, leaves=wish.leaves)
    except CompanionError as error:
        raise RefusedError(409, *error.args) from None
    # Only for a request that was accepted.
    host.language = wish.language
    return await _opened(site, opened)


async def arrange(site: Site, request: Request, route: Arranged[Any]) -> Response:
    """Take one step of a game's set-up."""
    body = await _body(site, request, route.body)
    return JSONResponse({"ok": True, "says": "", **route.answer(body, language_of(request))})


async def resume(site: Site, request: Request) -> Response:
    """Resume a game that was interrupted or left."""
    body = await _body(site, request, Resumed)
    number = body.game
    known = await run_in_threadpool(site.archive.under_way, _host(site).table)
    if number not in {game["id"] for game in known}:
        raise RefusedError(409, said("This game cannot be resumed."))
    return await _opened(site, _host(site).resume(number, leaves=body.leave))


async def wait_for(site: Site, wish: Future[None]) -> None:
    """Wait until the requested game is open.

    Raises:
        RefusedError: 503 or 409, if it is not; the message says why.
    """
    try:
        await asyncio.wait_for(asyncio.wrap_future(wish), site.opens_in_s)
    except TimeoutError:
        raise RefusedError(503, said("The table does not answer; try again."), headers={"retry-after": "1"}) from None
    except CompanionError as error:
        raise RefusedError(503 if isinstance(error, TableAwayError) else 409, *error.args) from None


def _newest(site: Site, topic: str) -> Json | None:
    """Return the newest message of a topic as JSON, or None if there was none."""
    newest = site.hub.latest(topic)
    return None if newest is None else dict(json.loads(newest))


async def _opened(site: Site, wish: Future[None]) -> Response:
    await wait_for(site, wish)
    return JSONResponse({"ok": True, "says": ""})


async def _body(site: Site, request: Request, kind: type[BodyT]) -> BodyT:
    _host(site)
    return await read_command(site.commands, request, kind)


def _host(site: Site) -> Host:
    if site.host is None:
        raise RefusedError(404, said("No other game can be started at this table."))
    return site.host
