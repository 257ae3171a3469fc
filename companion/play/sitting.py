"""The game that players sit down to, and its data in the journal."""

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
        game: the game.
        config: the configuration for beginning or resuming it.
        game_id: the number of the game in the journal to resume; None for a new one.
    """

    game: Game
    config: Config
    game_id: int | None = None


def replayed_history(game: Game, book: Book, game_id: int) -> Any:
    """Return the history of a game in the journal, of the game's own type.

    Raises:
        JournalError: the journal cannot be read.
    """
    history = game.codec.begin(book.setup(game_id, game.codec))
    for decision in book.decisions(game_id, game.codec):
        history.apply(decision)
    return history


def ended_game(game: Game, book: Book, game_id: int) -> EveningResult:
    """Return the result of an ended game, as its score sheet needs it.

    Raises:
        JournalError: the journal cannot be read.
    """
    return EveningResult(game.codec, replayed_history(game, book, game_id), game.transcript())
