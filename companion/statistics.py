"""The statistics that all games share: the best results of a table, and runs of victories."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

SideT = TypeVar("SideT")


@dataclass(frozen=True, slots=True)
class BestResult:
    """The best result of a kind so far.

    Attributes:
        kind: the kind of result, in a word of the game's own; each game's statistics list their kinds.
        value: the result.
        name: the player's name.
        game_id: the game's number.
    """

    kind: str
    value: int
    name: str
    game_id: int


def best_results(
    sides: Iterable[tuple[SideT, str, int]], measures: Mapping[str, Callable[[SideT], int]]
) -> list[BestResult]:
    """Return the best result of each kind, held by the first player to set it; empty if no game was played.

    Args:
        sides: what each player had at the end of each game, with the player's name and the game's number, in the order
            in which the games were played.
        measures: the measure of each kind of result.
    """
    listed = list(sides)
    # `max` returns the first of equals, that is, of the earliest game.
    best = {kind: max(listed, key=lambda each: measure(each[0])) for kind, measure in measures.items() if listed}
    return [BestResult(kind, measures[kind](side), name, game_id) for kind, (side, name, game_id) in best.items()]


def longest_run(wins: Sequence[bool]) -> int:
    """Return the greatest number of consecutive wins."""
    longest = run = 0
    for won in wins:
        run = run + 1 if won else 0
        longest = max(longest, run)
    return longest
