"""Handlers to list, replay and export the games in the journal."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.languages import Language
from companion.play.page.routes import Json, RefusedError
from companion.web.archive.archive import NoGameError, standings
from companion.web.archive.files import as_file
from companion.web.handlers.reading import SNAPSHOT
from companion.web.readers import language_of

if TYPE_CHECKING:
    from companion.play.page.interface import GamePage
    from companion.web.site import Site

T = TypeVar("T")

LIMIT: Final = "limit"
BEFORE: Final = "before"
"""Query parameters: the number of games to return, and the number of the game that they must precede."""
MOST: Final = 200
"""The largest number of games in one response, which is some 100 KB."""


async def games(site: Site, request: Request) -> Response:
    """Return all games, newest first; with `limit` only so many, and in the first part the standings over all."""
    before = _asked(request, BEFORE, (1 << 63) - 1) if BEFORE in request.query_params else None
    if LIMIT not in request.query_params:
        listed = await found(lambda: site.archive.games(live_game(site), language_of(request)))
        return JSONResponse({"ok": True, "games": listed})
    limit = _asked(request, LIMIT, MOST)
    return JSONResponse({"ok": True, **await found(lambda: _some(site, before, limit, language_of(request)))})


def _some(site: Site, before: int | None, limit: int, language: Language) -> Json:
    """Return a part of the games; the first of several comes with the standings over all games."""
    listed, more = site.archive.games_before(before, limit, live_game(site), language)
    body: Json = {"games": listed, "more": more}
    return {**body, "standings": standings(site.archive)} if more and before is None else body


def _asked(request: Request, name: str, most: int) -> int:
    """Return the value of a numeric query parameter.

    Raises:
        RefusedError: 400, if it is no number, or out of bounds.
    """
    text = request.query_params[name]
    # `int` would also accept signs, blanks and other scripts' digits.
    if not text.isascii() or not text.isdigit() or len(text) > 19 or not 1 <= int(text) <= most:
        raise RefusedError(400, f"{name} is a number from 1 to {most}.")
    return int(text)


async def game(site: Site, request: Request) -> Response:
    """Return one game with its decisions."""
    number = number_of(request)
    shown = await found(lambda: site.archive.game(number, live_game(site), language_of(request)))
    return JSONResponse({"ok": True, "game": shown})


async def replay(site: Site, request: Request) -> Response:
    """Return a game state by state."""
    number = number_of(request)
    shown = await found(lambda: site.archive.replay(number, language_of(request), site.desks))
    return JSONResponse({"ok": True, **shown})


async def record(site: Site, request: Request) -> Response:
    """Return a game record as a file to save."""
    number = number_of(request)
    text = await found(lambda: site.archive.record(number))
    return as_file(text, "application/jsonl", f"game-{number}.jsonl")


async def decisions_csv(site: Site, request: Request) -> Response:
    """Return a game's decisions as CSV."""
    number = number_of(request)
    text = await found(lambda: site.archive.decisions_csv(number))
    return as_file(text, "text/csv", f"game-{number}.csv")


async def games_csv(site: Site, request: Request) -> Response:
    """Return all games of one kind as CSV."""
    side = game_wanted(site, request)
    text = await found(lambda: site.archive.games_csv(side))
    return as_file(text, "text/csv", file_name(site, side, "games.csv"))


def game_wanted(site: Site, request: Request) -> GamePage[Any]:
    """Return the kind of game that the query names; the first if it names none.

    Raises:
        RefusedError: 400, if there is no such game.
    """
    name = request.query_params.get("game", next(iter(site.games)))
    if name not in site.games:
        raise RefusedError(400, f"game is {' or '.join(site.games)}.")
    return site.games[name]


def file_name(site: Site, side: GamePage[Any], name: str) -> str:
    """Return the file name for a kind of game: `name`, with the game's name before it unless it is the first."""
    return name if side.name == next(iter(site.games)) else f"{side.name}-{name}"


def number_of(request: Request) -> int:
    """Return the game's number in the path."""
    return int(request.path_params["game"])


def live_game(site: Site) -> int | None:
    """Return the number of the game on the table, or None if there is none."""
    # From the snapshot, as the chronicle itself belongs to the turn loop's thread.
    newest = site.hub.latest(SNAPSHOT)
    shown = None if newest is None else json.loads(newest)["game"]
    return None if shown is None else int(shown["id"])


async def found(look: Callable[[], T]) -> T:
    """Return the result of a query of the archive, run in a thread.

    Raises:
        RefusedError: 404, if there is no such game or it cannot be read.
    """
    try:
        return await run_in_threadpool(look)
    except NoGameError as error:
        raise RefusedError(404, *error.args) from None
