"""The virtual table: people move by hand what lies on it, from wherever they are; the companion sees pictures of it."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from hardware.simulated.moves import (
    Bump,
    Bumped,
    Circumstances,
    Forget,
    Lay,
    Lift,
    Move,
    MoveBox,
    MoveRefusedError,
    Place,
    Shift,
    Turn,
)
from hardware.simulated.placing import LEATHER
from hardware.simulated.tabletop import Tabletop
from hardware.simulated.virtual import VirtualEvening

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from companion.bootstrap.simulating import SimulationOptions
    from companion.config import Config
    from companion.games.patchwork import Setup

__all__ = [
    "LEATHER",
    "Bump",
    "Bumped",
    "Circumstances",
    "Forget",
    "Lay",
    "Lift",
    "Move",
    "MoveRefusedError",
    "Place",
    "Shift",
    "Tabletop",
    "Turn",
    "VirtualTable",
]


class VirtualTable:
    """One evening's table. It may be moved and looked at from any thread, before the evening has begun too."""

    def __init__(self) -> None:
        self._moves = MoveBox()
        self._lock = Lock()
        self._tabletop: Tabletop | None = None
        self._listeners: list[Callable[[Tabletop], None]] = []

    @property
    def tabletop(self) -> Tabletop | None:
        """How it lies now; None before the evening."""
        with self._lock:
            return self._tabletop

    def follow(self, listener: Callable[[Tabletop], None]) -> None:
        """Be told how it lies, whenever that has changed; from the thread of the turn loop."""
        self._listeners.append(listener)

    def move(self, move: Move) -> Future[None]:
        """Move something; the future ends once a hand has begun it, or in a MoveRefusedError."""
        return self._moves.put(move)

    def laid(self, config: Config, options: SimulationOptions, setup: Setup) -> VirtualEvening:
        """Lay the table for an evening."""
        return VirtualEvening(
            options.seed,
            self._moves,
            setup=setup,
            mats=options.mats,
            fps=config.simulation.fps,
            real_time=not options.fast,
            pixels=config.strip.pixels,
            tell=self._tell,
        )

    def close(self) -> None:
        """Nothing can be moved any more; may be called more than once."""
        self._moves.close()

    def _tell(self, tabletop: Tabletop) -> None:
        with self._lock:
            self._tabletop = tabletop
        for listener in self._listeners:
            listener(tabletop)
