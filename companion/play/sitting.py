"""A game that people sit down to, and what the journal has of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.play.evening import EveningResult

if TYPE_CHECKING:
    from companion.config import Config
    from companion.journal import Book
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


def replayed_history(game: Game, book: Book, game_id: int) -> Any:
    """Return the game as the journal has it, of the game's own type.

    Raises:
        JournalError: it cannot be read.
    """
    history = game.codec.begin(book.setup(game_id, game.codec))
    for decision in book.decisions(game_id, game.codec):
        history.apply(decision)
    return history


def ended_game(game: Game, book: Book, game_id: int) -> EveningResult:
    """Return a game that has ended, with what its score sheet needs.

    Raises:
        JournalError: it cannot be read.
    """
    return EveningResult(game.codec, replayed_history(game, book, game_id), game.transcript())
