"""Set-up on the page: the next game, or an earlier one to resume."""

import asyncio
from concurrent.futures import Future
from typing import Annotated, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.errors import CompanionError
from companion.languages import render, said
from companion.play.host import Host
from companion.play.inbox import TableAwayError
from companion.play.page import Body, GameRequest, Json, RefusedError, SetupOffer, between
from companion.web.archive import NoGameError
from companion.web.requests import language_of
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
    account = site.account()
    table, live = account.table, account.game_id
    offers: Json = {}
    for side in site.games.values():
        if side.offer is not None:
            offers[side.name] = side.offer(SetupOffer(host.arrangement(side.name), host.language, host.by_hand, reader))
    return JSONResponse(
        {
            "ok": True,
            "game": host.game.name,
            "titles": {name: render(side.title, reader) for name, side in site.games.items()},
            "language": host.language,
            **offers,
            "under_way": table is not None and table.decisions_made > 0 and not table.state.finished,
            "games": [known for known in games if known["id"] != live],
            "names": names[:_NAMES_SHOWN],
        }
    )


async def begin(site: Site, wish: GameRequest) -> Response:
    """Begin a requested game."""
    host = _host(site)
    opened = requested(host, wish)
    # Only for a request that was accepted.
    host.language = wish.language
    await wait_for(site, opened)
    return JSONResponse({"ok": True, "says": ""})


async def resume(site: Site, _: Request, body: Resumed) -> Response:
    """Resume a game that was interrupted or left."""
    host = _host(site)
    known = await run_in_threadpool(site.archive.under_way, host.table)
    # A damaged game is not under way, but the table may offer it.
    offered = site.account().interrupted
    if body.game not in {game["id"] for game in known} | ({offered.game_id} if offered is not None else set()):
        raise RefusedError(409, said("This game cannot be resumed."))
    await wait_for(site, host.resume(body.game, leaves=body.leave))
    return JSONResponse({"ok": True, "says": ""})


def requested(host: Host, wish: GameRequest) -> Future[None]:
    """Request a game; the future resolves once it is open.

    Raises:
        RefusedError: 409, if it cannot begin.
    """
    try:
        return host.begin(wish.arrangement, leaves=wish.leaves)
    except CompanionError as error:
        raise RefusedError(409, *error.args) from None


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


def _host(site: Site) -> Host:
    if site.host is None:
        raise RefusedError(404, said("No other game can be started at this table."))
    return site.host
