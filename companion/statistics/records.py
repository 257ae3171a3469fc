"""The records of a table: the best results so far."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BestResult:
    """A record.

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
