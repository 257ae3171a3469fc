"""Statistics of Kvilt, as the page shows and exports them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from companion.kvilt.statistics import kvilt_figures, kvilt_records
from companion.play.page.archived import Part

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from companion.kvilt.statistics import KviltGame
    from companion.play.page.json_type import Json

PLAYER_COLUMNS: Final = ("name", "games", "won", "best", "mean", "rows", "patches", "spools", "buttons", "streak")


def statistics_json(games: Sequence[KviltGame]) -> Json:
    """Return the statistics of all finished games: scores, players and records."""
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


def parts(games: Iterable[KviltGame]) -> Iterator[Part]:
    """Yield all players' parts in all finished games."""
    for game in games:
        for seat, (name, score) in enumerate(zip(game.players, game.scores, strict=True), start=1):
            # A shared victory is no one player's alone.
            yield Part(name, score.total, game.winners == (seat,))


def _rounded(figures: dict[str, Any]) -> Json:
    return {name: round(value, 2) if isinstance(value, float) else value for name, value in figures.items()}
