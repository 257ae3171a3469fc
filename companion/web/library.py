"""The games in the journal: listed, replayed and exported."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response

from companion.languages import said
from companion.record import GAMES, KVILT, PATCHWORK
from companion.web.archive import NoGameError
from companion.web.errors import RefusedError
from companion.web.readers import reads
from companion.web.reading import SNAPSHOT
from companion.web.standings import standings

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from companion.languages import Language
    from companion.web.jsontype import Json
    from companion.web.site import Site

T = TypeVar("T")

LIMIT: Final = "limit"
BEFORE: Final = "before"
"""Of the address: how many games, and the number of the game before which they were begun."""
MOST: Final = 200
"""Games in one answer: some 100 KB."""


async def games(site: Site, request: Request) -> Response:
    """All games, the newest first; with `limit` so many of them, and what the players have made of all."""
    if LIMIT not in request.query_params:
        listed = await found(lambda: site.archive.games(_live(site), reads(request)))
        return JSONResponse({"ok": True, "games": listed})
    limit, before = _asked(request, LIMIT, MOST), None
    if BEFORE in request.query_params:
        before = _asked(request, BEFORE, (1 << 63) - 1)
    return JSONResponse({"ok": True, **await found(lambda: _some(site, before, limit, reads(request)))})


def _some(site: Site, before: int | None, limit: int, language: Language) -> Json:
    """Some games; with the first of several lots comes what is told of all games."""
    listed, more = site.archive.games_before(before, limit, _live(site), language)
    told: Json = {"games": listed, "more": more}
    return {**told, "standings": standings(site.archive)} if more and before is None else told


def _asked(request: Request, name: str, most: int) -> int:
    """A number in the address.

    Raises:
        RefusedError: it is none, or out of bounds.
    """
    text = request.query_params[name]
    if not text.isascii() or not text.isdigit() or len(text) > 19 or not 1 <= int(text) <= most:
        raise RefusedError(400, f"{name} is a number from 1 to {most}.")
    return int(text)


async def game(site: Site, request: Request) -> Response:
    """One game with its decisions."""
    number = number_of(request)
    shown = await found(lambda: site.archive.game(number, _live(site), reads(request)))
    return JSONResponse({"ok": True, "game": shown})


async def replay(site: Site, request: Request) -> Response:
    """A game state by state."""
    number = number_of(request)
    shown = await found(lambda: site.archive.replay(number, reads(request)))
    if shown["game"] == KVILT.name and shown["sheet"] is None:
        live = site.sheet()
        shown["sheet"] = live if live is not None and live["id"] == shown["sheet_id"] else None
    return JSONResponse({"ok": True, **shown})


async def record(site: Site, request: Request) -> Response:
    """A game as a game record, to keep."""
    number = number_of(request)
    text = await found(lambda: site.archive.record(number))
    return as_file(text, "application/jsonl", f"game-{number}.jsonl")


async def decisions_csv(site: Site, request: Request) -> Response:
    """A game's decisions as a table."""
    number = number_of(request)
    text = await found(lambda: site.archive.decisions_csv(number))
    return as_file(text, "text/csv", f"game-{number}.csv")


async def games_csv(site: Site, request: Request) -> Response:
    """All games of one kind as a table."""
    game = game_wanted(request)
    name = "games.csv" if game == PATCHWORK.name else f"{game}-games.csv"
    return as_file(await found(lambda: site.archive.games_csv(game)), "text/csv", name)


def game_wanted(request: Request) -> str:
    """Which game the address names; Patchwork where it names none.

    Raises:
        RefusedError: there is no such game.
    """
    game = request.query_params.get("game", PATCHWORK.name)
    if game not in GAMES:
        raise RefusedError(400, f"game is {' or '.join(GAMES)}.")
    return game


def number_of(request: Request) -> int:
    """The number of a game in the address.

    Raises:
        RefusedError: no game can have it.
    """
    number = int(request.path_params["game"])
    if number >= 1 << 63:
        raise RefusedError(404, said("There is no such game."))
    return number


def _live(site: Site) -> int | None:
    """The number of the game on the table."""
    newest = site.hub.latest(SNAPSHOT)
    shown = None if newest is None else json.loads(newest)["game"]
    return None if shown is None else int(shown["id"])


async def found(look: Callable[[], T]) -> T:
    """What the archive has, looked up beside the event loop."""
    try:
        return await run_in_threadpool(look)
    except NoGameError as error:
        raise RefusedError(404, *error.args) from None


def as_file(text: str, kind: str, name: str) -> Response:
    """A text to keep as a file."""
    return Response(
        text.encode("utf-8"),
        headers={"content-disposition": f'attachment; filename="{name}"', "content-type": f"{kind}; charset=utf-8"},
    )
