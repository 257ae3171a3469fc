"""What each player has made of all finished games, for a page that has not got all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from statistics import fmean
from typing import TYPE_CHECKING, TypeAlias

from companion.record import KVILT, PATCHWORK

if TYPE_CHECKING:
    from companion.statistics import FinishedGame, KviltGame
    from companion.web.archive import Archive
    from companion.web.jsontype import Json

Part: TypeAlias = "tuple[str, int, bool]"
"""A player's part in a game: the name, the points, and whether the game was won alone."""


def standings(archive: Archive) -> list[Json]:
    """All players of each kind of game, who has won most first.

    Raises:
        NoGameError: the journal cannot be read.
    """
    return list(archive.figures("standings", lambda: {"rows": _reckoned(archive)})["rows"])


def _reckoned(archive: Archive) -> list[Json]:
    patchwork = _rows(PATCHWORK.name, _patchwork_parts(archive.played()))
    return [*patchwork, *_rows(KVILT.name, _kvilt_parts(archive.kvilt_played()))]


def _patchwork_parts(games: Iterable[FinishedGame]) -> Iterator[Part]:
    for game in games:
        for seat, (name, stood) in enumerate(zip(game.players, game.standings, strict=True), start=1):
            yield name, stood.score, game.winner == seat


def _kvilt_parts(games: Iterable[KviltGame]) -> Iterator[Part]:
    for game in games:
        for seat, (name, score) in enumerate(zip(game.players, game.scores, strict=True), start=1):
            yield name, score.total, game.winners == (seat,)


def _rows(game: str, parts: Iterable[Part]) -> list[Json]:
    of_player: dict[str, list[Part]] = defaultdict(list)
    for part in parts:
        of_player[part[0]].append(part)
    rows = [_row(game, name, played) for name, played in of_player.items()]
    return sorted(rows, key=lambda row: (-row["wins"], -row["mean"]))


def _row(game: str, name: str, played: list[Part]) -> Json:
    scores = [score for _, score, _ in played]
    wins = sum(won for _, _, won in played)
    return {"game": game, "name": name, "games": len(played), "wins": wins, "best": max(scores), "mean": fmean(scores)}
