"""Deletion of games and of players' names on the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.errors import CompanionError
from companion.languages import counted, render, said
from companion.play.page.routes import Body, RefusedError
from companion.web.archive.archive import NoGameError
from companion.web.handlers.arranging import wait_for
from companion.web.handlers.library import live_game, number_of
from companion.web.readers import language_of
from companion.web.schema.bodies import read_command

if TYPE_CHECKING:
    from companion.play.host import Host
    from companion.web.site import Site

T = TypeVar("T")
# The longest name accepted; longer ones come only from imported records, and need the command line.
_LONGEST_NAME: Final = 500


class Deletion(Body):
    """A command to delete a game; `leave` replaces it by a new one if it is on the table."""

    leave: bool = False


class Named(Body):
    """A player's name, as in the list of games."""

    name: Annotated[str, Meta(min_length=1, max_length=_LONGEST_NAME)]


async def delete_game(site: Site, request: Request) -> Response:
    """Delete a game permanently, with its pictures."""
    leave = (await read_command(site.commands, request, Deletion)).leave
    number, live = number_of(request), live_game(site)
    if leave and number == live and site.host is not None:
        # First, as the turn loop would go on writing to a deleted game.
        await _replace_on_table(site, site.host)
        live = None
    await _done(lambda: site.archive.delete(number, live, _table(site)))
    return JSONResponse(
        {"ok": True, "says": render(said("Game {game} is deleted.", game=number), language_of(request))}
    )


async def _replace_on_table(site: Site, host: Host) -> None:
    """Replace the game on the table by a new one with the configured names."""
    try:
        opened = host.begin(host.default_arrangement(host.game.name), leaves=True)
    except CompanionError as error:
        raise RefusedError(409, *error.args) from None
    await wait_for(site, opened)


async def forget_player(site: Site, request: Request) -> Response:
    """Remove a player's name from all games."""
    name, live = (await read_command(site.commands, request, Named)).name, live_game(site)
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
