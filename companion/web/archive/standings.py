"""Player standings over all finished games, for pages that have loaded only some of the games."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.play.page.archived import Part
    from companion.play.page.json_type import Json
    from companion.web.archive.archive import Archive


def standings(archive: Archive) -> list[Json]:
    """Return a row per player of each kind of game, most wins first.

    Raises:
        NoGameError: the journal cannot be read.
    """
    return list(archive.figures("standings", lambda: {"rows": _computed(archive)})["rows"])


def _computed(archive: Archive) -> list[Json]:
    return [row for name, side in archive.sides.items() for row in _rows(name, side.parts(archive.finished(side)))]


def _rows(game: str, parts: Iterable[Part]) -> list[Json]:
    of_player: dict[str, list[Part]] = defaultdict(list)
    for part in parts:
        of_player[part.name].append(part)
    rows = [_row(game, name, played) for name, played in of_player.items()]
    # Within one kind of game, as points of different games cannot be compared.
    return sorted(rows, key=lambda row: (-row["wins"], -row["mean"]))


def _row(game: str, name: str, played: list[Part]) -> Json:
    points = [part.points for part in played]
    wins = sum(part.won for part in played)
    return {"game": game, "name": name, "games": len(played), "wins": wins, "best": max(points), "mean": fmean(points)}
