"""Statistics of Patchwork, as the page shows and exports them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from companion.languages import said
from companion.patchwork.boards.end_pictures import PICTURES, quilt_path
from companion.patchwork.statistics import (
    PlayedGame,
    course,
    patch_figures,
    player_figures,
    purchases,
    records,
    worth,
)
from companion.play.page.archived import Part, Rows
from companion.play.page.routes import OfFigures, OfGame, OfSeat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from companion.patchwork.statistics import FinishedGame
    from companion.play.page.archived import ArchivedGame
    from companion.play.page.json_type import Json

PLAYER_COLUMNS: Final = ("name", "games", "won", "best", "mean", "income", "empty", "patches", "bonuses", "streak")
_PATCH_COLUMNS: Final = ("patch", "bought", "won", "space", "worth", "worth_a_space")


def statistics_json(games: Sequence[FinishedGame]) -> Json:
    """Return the statistics of all finished games: scores, players, records, and the patches."""
    return {
        "games": [_result(game) for game in games],
        "players": [_rounded(asdict(each)) for each in player_figures(games)],
        "patches": [_rounded(asdict(each)) for each in patch_figures(games)],
        "records": [asdict(each) for each in records(games)],
    }


def parts(games: Iterable[FinishedGame]) -> Iterator[Part]:
    """Yield all players' parts in all finished games."""
    for game in games:
        for seat, (name, stood) in enumerate(zip(game.players, game.standings, strict=True), start=1):
            yield Part(name, stood.score, game.winner == seat)


def pictures(folder: Path, game_id: int) -> tuple[Path, ...]:
    """Return the paths of the pictures of both finished quilts; `folder` is the journal's."""
    return tuple(_quilt(folder, game_id, seat) for seat in (1, 2))


def _quilt(folder: Path, game_id: int, seat: int) -> Path:
    return quilt_path(folder / PICTURES, game_id, seat)


def _result(game: FinishedGame) -> Json:
    return {
        "id": game.game_id,
        "started_at": game.started_at.isoformat(),
        "players": list(game.players),
        "scores": [seat.score for seat in game.standings],
        "winner": game.winner,
    }


def course_json(archived: ArchivedGame) -> Json:
    """Return the course of a game: both seats after each decision, and the worth of each purchase."""
    game = PlayedGame(archived.game_id, archived.started_at, archived.setup, archived.decisions)
    stood = course(game)
    return {
        "players": list(game.setup.players),
        "income_marks": list(game.setup.track.income),
        "seats": [[asdict(pair[index]) for pair in stood] for index in (0, 1)],
        "purchases": [{**asdict(purchase), "worth": worth(purchase)} for purchase in purchases(game)],
    }


def _patches(figures: Json) -> Rows:
    return Rows(_PATCH_COLUMNS, tuple(tuple(each[key] for key in _PATCH_COLUMNS) for each in figures["patches"]))


def _rounded(figures: dict[str, Any]) -> Json:
    return {name: round(value, 2) if isinstance(value, float) else value for name, value in figures.items()}


ROUTES: Final = (
    OfFigures("/api/patches.csv", "patches_csv", "What the patches were worth, as a table.", _patches, "patches.csv"),
    OfGame(
        "/api/games/{game:number}/course",
        "course_of",
        "How a game went: both seats after each decision, and what each purchase was worth.",
        course_json,
    ),
    OfSeat(
        "/api/games/{game:number}/quilts/{seat:number}.jpg",
        "quilt",
        "A finished quilt as the camera saw it, seen straight on.",
        _quilt,
        said("No picture of this quilt is stored."),
    ),
)
