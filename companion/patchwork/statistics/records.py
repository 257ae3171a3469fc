"""The records of this table in games of Patchwork."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from companion.patchwork.statistics.course import FinishedGame, SeatStanding
from companion.statistics import BestResult

if TYPE_CHECKING:
    from collections.abc import Sequence


_Measure = Callable[[SeatStanding, SeatStanding], int]
"""A function of one seat's final standing and the other's."""
_MEASURES: Final[dict[str, _Measure]] = {
    "score": lambda mine, _: mine.score,
    "margin": lambda mine, other: mine.score - other.score,
    "income": lambda mine, _: mine.income,
    "buttons": lambda mine, _: mine.buttons,
    "quilt": lambda mine, _: -mine.empty,
}
"""The measure of each kind of record: "buttons" is the most in hand at the end, "quilt" the fewest empty squares."""


def records(games: Sequence[FinishedGame]) -> list[BestResult]:
    """Return the records, each held by the first player to set it; empty if no game was played."""
    sides = [(game, seat, pair) for game in games for seat, pair in ((1, game.standings), (2, game.standings[::-1]))]
    found = []
    for kind, measure in _MEASURES.items():
        if sides:
            # `max` returns the first of equals, that is, of the earliest game.
            game, seat, pair = max(sides, key=lambda side: measure(*side[2]))
            value = abs(measure(*pair)) if kind == "quilt" else measure(*pair)
            found.append(BestResult(kind, value, game.players[seat - 1], game.game_id))
    return found
