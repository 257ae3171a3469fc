"""Handlers for the games in the journal: the list, replays, exports, statistics, and deletion."""

import json
from collections.abc import Callable, Hashable
from functools import partial
from typing import Annotated, Any, Final

from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.languages import Language, Sentence, counted, in_turn, render, said
from companion.play.friend import messages_stay
from companion.play.page import Body, GamePage, GameRequest, Json, RefusedError, Rows
from companion.web.archive import Archive, csv_of, standings
from companion.web.files import StaticFile
from companion.web.handlers.arranging import requested
from companion.web.handlers.commands import wait_for
from companion.web.requests import done, language_of, query_number
from companion.web.site import Site

LIMIT: Final = "limit"
BEFORE: Final = "before"
"""Query parameters: the number of games to return, and the number of the game that they must precede."""
MOST: Final = 200
"""The largest number of games in one response, which is some 100 KB."""


async def games(site: Site, request: Request) -> Response:
    """Return all games, newest first; with `limit` only so many, and in the first part the standings over all."""
    before, limit = query_number(request, BEFORE), query_number(request, LIMIT, MOST)
    language, live = language_of(request), live_game(site)

    def listed() -> Json:
        if limit is None:
            return {"games": site.archive.games(live, language)}
        return _some(site.archive, before, limit, live, language)

    return await stored(site, request, ("games", before, limit), partial(in_json, listed))


def _some(archive: Archive, before: int | None, limit: int, live: int | None, language: Language) -> Json:
    """Return a part of the games; the first of several comes with the standings over all games."""
    listed, more = archive.games_before(before, limit, live, language)
    body: Json = {"games": listed, "more": more}
    scored = archive.scored() if before is None else []
    if scored:
        body["scored"] = scored
    return {**body, "standings": standings(archive)} if more and before is None else body


async def game(site: Site, request: Request) -> Response:
    """Return one game with its decisions."""
    number, language, live = number_of(request), language_of(request), live_game(site)
    look = partial(in_json, lambda: {"game": site.archive.game(number, live, language)})
    return await stored(site, request, "game", look, number)


async def replay(site: Site, request: Request) -> Response:
    """Return a game state by state."""
    number, language = number_of(request), language_of(request)
    look = partial(in_json, lambda: site.archive.replay(number, language, site.desks))
    return await stored(site, request, "replay", look, number)


async def record(site: Site, request: Request) -> Response:
    """Return a game record as a file to save."""
    number = number_of(request)
    look = partial(_saved, f"game-{number}.jsonl", lambda: site.archive.record(number))
    return await stored(site, request, "record", look, number)


async def decisions_csv(site: Site, request: Request) -> Response:
    """Return a game's decisions as CSV."""
    number = number_of(request)
    look = partial(_saved, f"game-{number}.csv", lambda: site.archive.decisions_csv(number))
    return await stored(site, request, "decisions", look, number)


async def games_csv(site: Site, request: Request) -> Response:
    """Return all games of one kind as CSV."""
    side = game_wanted(site, request)
    name = file_name(site, side, "games.csv")
    look = partial(_saved, name, lambda: site.archive.games_csv(side))
    return await stored(site, request, ("games.csv", side.name), look)


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


async def stored(
    site: Site, request: Request, name: Hashable, look: Callable[[], StaticFile], number: int | None = None
) -> Response:
    """Return the response with something made from stored games, kept until they change.

    Args:
        site: the site.
        request: the request.
        name: what it is.
        look: makes it.
        number: the only game that it is made from; None for all.

    Raises:
        NoGameError: there is no such game, or it cannot be read.
        RefusedError: 503, if too many ask.
    """
    key = (name, number, language_of(request).code, live_game(site))
    keyed = site.access.has_key(request.scope)
    file = await site.answers.get(request, key, partial(site.archive.mark, number), look, keyed=keyed)
    saved = {} if file.name == _SHOWN else {"content-disposition": f'attachment; filename="{file.name}"'}
    return file.sent(request, "no-store", {"vary": "accept-encoding, accept-language", **saved})


# The name of a file that the page reads; others are saved by users.
_SHOWN: Final = "shown.json"


def in_json(look: Callable[[], Json]) -> StaticFile:
    """Return a file for the page with what `look` returns."""
    text = json.dumps({"ok": True, **look()}, ensure_ascii=False, separators=(",", ":"))
    return StaticFile(_SHOWN, text.encode())


def _saved(name: str, look: Callable[[], str]) -> StaticFile:
    return StaticFile(name, look().encode())


def as_rows(table: Rows) -> StaticFile:
    """Return a table as a CSV file to save."""
    return _saved(table.file, lambda: csv_of(table))


# Statistics.


async def statistics(site: Site, request: Request) -> Response:
    """Return statistics of all finished games of one kind: scores, players, records, and patches for Patchwork."""
    side = game_wanted(site, request)
    look = partial(in_json, lambda: {"game": side.name, **figures_of(site, side.name)})
    return await stored(site, request, ("statistics", side.name), look)


async def players_csv(site: Site, request: Request) -> Response:
    """Return the players' results in all finished games of one kind, as CSV."""
    side = game_wanted(site, request)
    return await stored(site, request, ("players.csv", side.name), lambda: as_rows(_players(site, side)))


def _players(site: Site, side: GamePage[Any]) -> Rows:
    columns = () if side.archive is None else side.archive.player_columns
    rows = (tuple(each[key] for key in columns) for each in figures_of(site, side.name)["players"])
    return Rows(columns, tuple(rows), file_name(site, side, "players.csv"))


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
        await wait_for(requested(host, new), site.opens_in_s)
        live = None
    friend = await done(lambda: site.archive.delete(number, live, _table(site)))
    says: Sentence | str = said("Game {game} is deleted.", game=number)
    is_left = friend is not None and not await run_in_threadpool(site.withdraw, friend)
    if friend is not None and is_left:
        says = in_turn([says, messages_stay(friend)])
    return JSONResponse({"ok": True, "says": render(says, language_of(request)), "left": is_left})


async def forget_player(site: Site, request: Request, body: Named) -> Response:
    """Remove a player's name from all games."""
    name, live = body.name, live_game(site)
    count = await done(lambda: site.archive.forget(name, live, _table(site)))
    if not count:
        raise RefusedError(404, said("No game was played by {name}.", name=name))
    games = counted("{count} game", "{count} games", count)
    says = said("{name} was removed from {games}.", name=name, games=games)
    return JSONResponse({"ok": True, "says": render(says, language_of(request))})


def _table(site: Site) -> str | None:
    return None if site.host is None else site.host.table
