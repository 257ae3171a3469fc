"""Statistics over the games in the journal, as the page shows and exports them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import FileResponse, JSONResponse

from companion.languages import said
from companion.record import KVILT, PATCHWORK
from companion.statistics import (
    course,
    kvilt_figures,
    kvilt_records,
    patch_figures,
    player_figures,
    purchases,
    records,
    worth,
)
from companion.web.archive import table_csv
from companion.web.errors import RefusedError
from companion.web.library import as_file, found, game_wanted, number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request
    from starlette.responses import Response

    from companion.statistics import FinishedGame, KviltGame, PlayedGame
    from companion.web.archive import Archive
    from companion.web.jsontype import Json
    from companion.web.site import Site


_PLAYERS: Final = {
    PATCHWORK.name: ("name", "games", "won", "best", "mean", "income", "empty", "patches", "bonuses", "streak"),
    KVILT.name: ("name", "games", "won", "best", "mean", "rows", "patches", "spools", "buttons", "streak"),
}
"""The columns of a table of players, by game."""


async def statistics(site: Site, request: Request) -> Response:
    """What all finished games of one kind tell: scores, players, records, and of Patchwork the patches."""
    game = game_wanted(request)
    return JSONResponse({"ok": True, "game": game, **await found(lambda: _told(site, game))})


async def course_of(site: Site, request: Request) -> Response:
    """How a game went: both seats after each decision, and what each purchase was worth."""
    number = number_of(request)
    return JSONResponse({"ok": True, **await found(lambda: _course(site.archive.one(number)))})


async def patches_csv(site: Site, request: Request) -> Response:
    """What the patches were worth, as a table."""
    del request
    figures = (await found(lambda: _told(site, PATCHWORK.name)))["patches"]
    return _table(figures, "patches.csv", ["patch", "bought", "won", "space", "worth", "worth_a_space"])


async def players_csv(site: Site, request: Request) -> Response:
    """What the players have made of their games of one kind, as a table."""
    game = game_wanted(request)
    figures = (await found(lambda: _told(site, game)))["players"]
    return _table(figures, "players.csv" if game == PATCHWORK.name else f"{game}-players.csv", [*_PLAYERS[game]])


async def quilt(site: Site, request: Request) -> Response:
    """A finished quilt as the camera saw it, seen straight on."""
    path = site.archive.quilt_path(number_of(request), int(request.path_params["seat"]))
    if path is None:
        raise RefusedError(404, said("No picture of this quilt is kept."))
    return FileResponse(path, media_type="image/jpeg", headers={"cache-control": "no-cache"})


def _told(site: Site, game: str) -> Json:
    """The figures of one game, and how many finished games of each kind there are."""
    told = {name: site.archive.figures(name, reckon(site.archive)) for name, reckon in _RECKONED.items()}
    return {**told[game], "played": {name: len(figures["games"]) for name, figures in told.items()}}


def _kvilt_statistics(games: Sequence[KviltGame]) -> Json:
    return {
        "games": [
            {
                "id": game.game_id,
                "started_at": game.started_at.isoformat(),
                "players": list(game.players),
                "scores": [score.total for score in game.scores],
                "winners": list(game.winners),
            }
            for game in games
        ],
        "players": [_rounded(asdict(each)) for each in kvilt_figures(games)],
        "records": [asdict(each) for each in kvilt_records(games)],
    }


def _statistics(games: Sequence[FinishedGame]) -> Json:
    return {
        "games": [_result(game) for game in games],
        "players": [_rounded(asdict(each)) for each in player_figures(games)],
        "patches": [_rounded(asdict(each)) for each in patch_figures(games)],
        "records": [asdict(each) for each in records(games)],
    }


def _result(game: FinishedGame) -> Json:
    return {
        "id": game.game_id,
        "started_at": game.started_at.isoformat(),
        "players": list(game.players),
        "scores": [seat.score for seat in game.standings],
        "winner": game.winner,
    }


_RECKONED: Final[dict[str, Callable[[Archive], Callable[[], Json]]]] = {
    PATCHWORK.name: lambda archive: lambda: _statistics(archive.played()),
    KVILT.name: lambda archive: lambda: _kvilt_statistics(archive.kvilt_played()),
}
"""Makes the figures of all finished games of a kind."""


def _course(game: PlayedGame) -> Json:
    stood = course(game)
    return {
        "players": list(game.setup.players),
        "income_marks": list(game.setup.track.income),
        "seats": [[asdict(pair[index]) for pair in stood] for index in (0, 1)],
        "purchases": [{**asdict(purchase), "worth": worth(purchase)} for purchase in purchases(game)],
    }


def _rounded(figures: dict[str, Any]) -> Json:
    return {name: round(value, 2) if isinstance(value, float) else value for name, value in figures.items()}


def _table(figures: list[Json], name: str, heading: list[str]) -> Response:
    return as_file(table_csv(heading, [[each[key] for key in heading] for each in figures]), "text/csv", name)
