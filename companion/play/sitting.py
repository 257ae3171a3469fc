"""The game that players sit down to, and its data in the journal."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.config import Config
from companion.play.at_table import AtOnce
from companion.play.evening import EveningResult
from companion.play.game import AnyGame
from hardware.ports import Camera, Clock, Controls
from hardware.strips import ResilientStrip
from hardware.voices import SwitchedVoice

if TYPE_CHECKING:
    from companion.journal import Journal


@dataclass(frozen=True, slots=True)
class Openers:
    """The functions that open the devices of a real table; tests pass their own.

    Attributes:
        clock: the frames' clock.
        camera: opens the camera; given the callback that reports its absence and the one called during the absence.
        controls: opens the push-buttons.
        strip: opens the strip; given the callback that reports its absence.
        background: creates the executor of one game's work that takes longer than a frame.
        voice: opens the speech output.
    """

    clock: Clock
    camera: Callable[[Callable[[str], None], Callable[[], None]], Camera]
    controls: Callable[[], Controls]
    strip: Callable[[Callable[[str], None]], ResilientStrip]
    background: Callable[[], Executor] = AtOnce
    voice: Callable[[], SwitchedVoice] = lambda: SwitchedVoice({})


def seen_by(game: AnyGame, config: Config, openers: Openers) -> Openers:
    """Return the same openers with the camera's frames corrected for a game, for viewers while no game is played."""
    return replace(openers, camera=lambda say, idle: game.camera(config, openers.camera(say, idle)))


@dataclass(frozen=True, slots=True)
class Sitting:
    """A game to play now.

    Attributes:
        game: the game.
        config: the configuration for beginning or resuming it.
        game_id: the number of the game in the journal to resume; None for a new one.
    """

    game: AnyGame
    config: Config
    game_id: int | None = None


def replayed_history(game: AnyGame, book: Journal, game_id: int) -> Any:
    """Return the history of a game in the journal, of the game's own type.

    Raises:
        JournalError: the journal cannot be read.
    """
    history = game.codec.begin(book.setup(game_id, game.codec))
    for decision in book.decisions(game_id, game.codec):
        history.apply(decision)
    return history


def ended_game(game: AnyGame, book: Journal, game_id: int) -> EveningResult:
    """Return the result of an ended game, as its score sheet needs it.

    Raises:
        JournalError: the journal cannot be read.
    """
    return EveningResult(game.codec, replayed_history(game, book, game_id), game.transcript())
