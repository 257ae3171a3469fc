"""The functions that open the devices of a real table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.play.inline_executor import AtOnce
from hardware.switched import SwitchedVoice

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from companion.config import Config
    from companion.play.game import Game
    from hardware.ports import Camera, Clock, Controls
    from hardware.resilient import ResilientStrip


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


def seen_by(game: Game, config: Config, openers: Openers) -> Openers:
    """Return the same openers with the camera's frames corrected for a game, for viewers while no game is played."""
    return replace(openers, camera=lambda say, idle: game.camera(config, openers.camera(say, idle)))
