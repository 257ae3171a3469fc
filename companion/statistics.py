"""The statistics that all games share: the best results of a table, and runs of victories."""

from collections.abc import Sequence
from dataclasses import dataclass


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


def longest_run(wins: Sequence[bool]) -> int:
    """Return the greatest number of consecutive wins."""
    longest = run = 0
    for won in wins:
        run = run + 1 if won else 0
        longest = max(longest, run)
    return longest
