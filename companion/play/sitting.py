"""A game that people sit down to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.config import Config
    from companion.play.game import Game


@dataclass(frozen=True, slots=True)
class Sitting:
    """A game to play now.

    Attributes:
        game: which one.
        config: as it is to begin, or as it is gone on with.
        game_id: the game in the journal to go on with; None for a new one.
    """

    game: Game
    config: Config
    game_id: int | None = None
