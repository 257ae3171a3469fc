"""Handlers for the games in the journal: the list, replays, exports, statistics, and deletion."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Final, TypeVar

from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.errors import CompanionError
from companion.languages import Language, counted, render, said
from companion.play.page import Body, GamePage, GameRequest, Json, RefusedError, Rows
from companion.web.archive import Archive, NoGameError, csv_of, standings
from companion.web.handlers.arranging import requested, wait_for
from companion.web.requests import language_of, query_number
from companion.web.site import Site

T = TypeVar("T")

LIMIT: Final = "limit"
BEFORE: Final = "before"
"""Query parameters: the number of games to return, and the number of the game that they must precede."""
MOST: Final = 200
"""The largest number of games in one response, which is some 100 KB."""


async def games(site: Site, request: Request) -> Response:
    """Return all games, newest first; with `limit` only so many, and in the first part the standings over all."""
    before, limit = query_number(request, BEFORE), query_number(request, LIMIT, MOST)
    if limit is None:
        listed = await found(lambda: site.archive.games(live_game(site), language_of(request)))
        return JSONResponse({"ok": True, "games": listed})
    return JSONResponse({"ok": True, **await found(lambda: _some(site, before, limit, language_of(request)))})


def _some(site: Site, before: int | None, limit: int, language: Language) -> Json:
    """Return a part of the games; the first of several comes with the standings over all games."""
    listed, more = site.archive.games_before(before, limit, live_game(site), language)
    body: Json = {"games": listed, "more": more}
    return {**body, "standings": standings(site.archive)} if more and before is None else body


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
    return site.account().game_id


async def found(look: Callable[[], T]) -> T:
    """Return the result of a query of the archive, run in a thread.

    Raises:
        RefusedError: 404, if there is no such game or it cannot be read.
    """
    try:
        return await run_in_threadpool(look)
    except NoGameError as error:
        raise RefusedError(404, *error.args) from None


def as_file(text: str, kind: str, name: str) -> Response:
    """Return a response with a text as a file download."""
    return Response(
        text.encode("utf-8"),
        headers={"content-disposition": f'attachment; filename="{name}"', "content-type": f"{kind}; charset=utf-8"},
    )


def as_rows(table: Rows) -> Response:
    """Return a response with a table as a CSV download."""
    return as_file(csv_of(table), "text/csv", table.file)


# Statistics.


async def statistics(site: Site, request: Request) -> Response:
    """Return statistics of all finished games of one kind: scores, players, records, and patches for Patchwork."""
    side = game_wanted(site, request)
    return JSONResponse({"ok": True, "game": side.name, **await found(lambda: figures_of(site, side.name))})


async def players_csv(site: Site, request: Request) -> Response:
    """Return the players' results in all finished games of one kind, as CSV."""
    side = game_wanted(site, request)
    figures = (await found(lambda: figures_of(site, side.name)))["players"]
    columns = () if side.archive is None else side.archive.player_columns
    rows = tuple(tuple(each[key] for key in columns) for each in figures)
    return as_rows(Rows(columns, rows, file_name(site, side, "players.csv")))


def figures_of(site: Site, game: str) -> Json:
    """Return the figures of one kind of game, and the number of finished games of each kind.

    Raises:
        NoGameError: the journal cannot be read.
    """
    archive = site.archive
    by_game = {name: archive.figures(name, partial(_computed, archive, side)) for name, side in site.games.items()}
    return {**by_game[game], "played": {name: len(figures["games"]) for name, figures in by_game.items()}}


def _computed(archive: Archive, side: GamePage[Any]) -> Json:
    none: Json = {"games": [], "players": [], "records": []}
    return none if side.archive is None else side.archive.statistics(archive.finished(side))


# Deletion.

# The longest name accepted; longer ones come only from imported records, and need the command line.
_LONGEST_NAME: Final = 500


class Deletion(Body):
    """A command to delete a game; `leave` replaces it by a new one if it is on the table."""

    leave: bool = False


class Named(Body):
    """A player's name, as in the list of games."""

    name: Annotated[str, Meta(min_length=1, max_length=_LONGEST_NAME)]


async def delete_game(site: Site, request: Request, body: Deletion) -> Response:
    """Delete a game permanently, with its pictures."""
    number, live = number_of(request), live_game(site)
    if body.leave and number == live and site.host is not None:
        # First, as the turn loop would go on writing to a deleted game.
        host = site.host
        new = GameRequest(host.default_arrangement(host.game.name), leaves=True)
        await wait_for(site, requested(host, new))
        live = None
    await _done(lambda: site.archive.delete(number, live, _table(site)))
    return JSONResponse(
        {"ok": True, "says": render(said("Game {game} is deleted.", game=number), language_of(request))}
    )


async def forget_player(site: Site, request: Request, body: Named) -> Response:
    """Remove a player's name from all games."""
    name, live = body.name, live_game(site)
    count = await _done(lambda: site.archive.forget(name, live, _table(site)))
    if not count:
        raise RefusedError(404, said("No game was played by {name}.", name=name))
    games = counted("{count} game", "{count} games", count)
    says = said("{name} was removed from {games}.", name=name, games=games)
    return JSONResponse({"ok": True, "says": render(says, language_of(request))})


async def _done(change: Callable[[], T]) -> T:
    """Return the result of a change to the journal, run in a thread."""
    try:
        return await run_in_threadpool(change)
    except NoGameError as error:
        raise RefusedError(404, *error.args) from None
    except CompanionError as error:
        raise RefusedError(409, *error.args) from None


def _table(site: Site) -> str | None:
    return None if site.host is None else site.host.table
