"""What nobody has surpassed at this table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.statistics.course import FinishedGame, Standing

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Record:
    """A record.

    Attributes:
        kind: "score", "margin", "income", "buttons" (most in hand at the end) or "quilt" (fewest squares empty); of
            Kvilt "score", "row" (the best one), "patches", "spools" or "stitched" (the points of the buttons).
        value: what was reached.
        name: by whom.
        game_id: in which game.
    """

    kind: str
    value: int
    name: str
    game_id: int


_Measure = Callable[[Standing, Standing], int]
"""Of a seat at the end, and of the other one."""
_MEASURES: Final[dict[str, _Measure]] = {
    "score": lambda mine, _: mine.score,
    "margin": lambda mine, other: mine.score - other.score,
    "income": lambda mine, _: mine.income,
    "buttons": lambda mine, _: mine.buttons,
    "quilt": lambda mine, _: -mine.empty,
}


def records(games: Sequence[FinishedGame]) -> list[Record]:
    """The records; who was first holds one. None where no game was played."""
    sides = [
        (game, seat, pair) for game in games for seat, pair in ((1, game.standings), (2, game.standings[::-1]))
    ]
    found = []
    for kind, measure in _MEASURES.items():
        if sides:
            game, seat, pair = max(sides, key=lambda side: measure(*side[2]))
            value = abs(measure(*pair)) if kind == "quilt" else measure(*pair)
            found.append(Record(kind, value, game.players[seat - 1], game.game_id))
    return found
