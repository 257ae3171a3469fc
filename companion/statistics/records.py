"""The records of a table: what no later game has surpassed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BestResult:
    """A record.

    Attributes:
        kind: what was reached, by a word of the game's own; each game's statistics list theirs.
        value: what was reached.
        name: by whom.
        game_id: in which game.
    """

    kind: str
    value: int
    name: str
    game_id: int
