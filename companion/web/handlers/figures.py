"""Statistics over the games in the journal, for display and export."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.play.page.routes import Json, Rows
from companion.web.archive.archive import Archive
from companion.web.archive.files import as_rows
from companion.web.handlers.library import file_name, found, game_wanted

if TYPE_CHECKING:
    from companion.play.page.interface import GamePage
    from companion.web.site import Site


async def statistics(site: Site, request: Request) -> Response:
    """Return statistics of all finished games of one kind: scores, players, records, and patches for Patchwork."""
    side = game_wanted(site, request)
    return JSONResponse({"ok": True, "game": side.name, **await found(lambda: figures_of(site, side.name))})


async def players_csv(site: Site, request: Request) -> Response:
    """Return the players' results in all finished games of one kind, as CSV."""
    side = game_wanted(site, request)
    figures = (await found(lambda: figures_of(site, side.name)))["players"]
    columns = side.player_columns
    rows = Rows(columns, tuple(tuple(each[key] for key in columns) for each in figures))
    return as_rows(rows, file_name(site, side, "players.csv"))


def figures_of(site: Site, game: str) -> Json:
    """Return the figures of one kind of game, and the number of finished games of each kind.

    Raises:
        NoGameError: the journal cannot be read.
    """
    archive = site.archive
    by_game = {name: archive.figures(name, partial(_computed, archive, side)) for name, side in site.games.items()}
    return {**by_game[game], "played": {name: len(figures["games"]) for name, figures in by_game.items()}}


def _computed(archive: Archive, side: GamePage[Any]) -> Json:
    return side.statistics(archive.finished(side))
