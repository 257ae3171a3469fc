"""The virtual table: people move by hand what lies on it, from wherever they are; the companion sees pictures of it."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Lock
from typing import TYPE_CHECKING, Final, TypeAlias, get_args

from companion.languages import said
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
from hardware.simulated.sheetconditions import STYLES
from hardware.simulated.sheetmoves import (
    ColourRegion,
    LaySheet,
    RubOut,
    SheetCircumstances,
    SheetMove,
    SheetTabletop,
)
from hardware.simulated.sheetvirtual import VirtualSheetEvening
from hardware.simulated.tables import TABLES
from hardware.simulated.tabletop import Tabletop
from hardware.simulated.virtual import VirtualEvening

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.bootstrap.simulation import KviltSimulation, SimulationOptions
    from companion.config import Config
    from companion.games.kvilt import Layout
    from companion.games.kvilt import Setup as KviltSetup
    from companion.games.patchwork import Setup

__all__ = [
    "LEATHER",
    "STYLES",
    "AnyTabletop",
    "Bump",
    "Bumped",
    "Circumstances",
    "ColourRegion",
    "Forget",
    "Lay",
    "LaySheet",
    "Lift",
    "Move",
    "MoveRefusedError",
    "Place",
    "RubOut",
    "SheetCircumstances",
    "SheetMove",
    "SheetTabletop",
    "Shift",
    "Tabletop",
    "Turn",
    "VirtualTable",
]


AnyTabletop: TypeAlias = Tabletop | SheetTabletop
"""How the table lies: with boards and patches on it, or with sheets."""
_OTHER_GAME: Final = said("That is not on this table.")


class VirtualTable:
    """One evening's table. It may be moved and looked at from any thread, before the evening has begun too."""

    def __init__(self) -> None:
        self._moves: MoveBox[Move] = MoveBox()
        self._sheet_moves: MoveBox[SheetMove] = MoveBox()
        self._lock = Lock()
        self._tabletop: AnyTabletop | None = None
        self._listeners: list[Callable[[AnyTabletop], None]] = []

    @property
    def tabletop(self) -> AnyTabletop | None:
        """How it lies now; None before the evening."""
        with self._lock:
            return self._tabletop

    def follow(self, listener: Callable[[AnyTabletop], None]) -> None:
        """Be told how it lies, whenever that has changed; from the thread of the turn loop."""
        self._listeners.append(listener)

    def move(self, move: Move | SheetMove) -> Future[None]:
        """Move something; the future ends once a hand has begun it, or in a MoveRefusedError."""
        tabletop, is_of_sheets = self.tabletop, isinstance(move, get_args(SheetMove))
        if tabletop is not None and isinstance(tabletop, SheetTabletop) != is_of_sheets:
            refused: Future[None] = Future()
            refused.set_exception(MoveRefusedError(_OTHER_GAME))
            return refused
        # Which of them it is was asked just now, in a way that a type checker does not follow.
        return self._sheet_moves.put(move) if is_of_sheets else self._moves.put(move)  # type: ignore[arg-type]

    def laid(self, config: Config, options: SimulationOptions, setup: Setup) -> VirtualEvening:
        """Lay the table for an evening."""
        return VirtualEvening(
            options.seed,
            self._moves,
            TABLES[options.table],
            setup=setup,
            mats=options.mats,
            fps=config.simulation.fps,
            real_time=not options.fast,
            pixels=config.strip.pixels,
            tell=self._tell,
        )

    def laid_sheets(
        self, config: Config, options: KviltSimulation, setup: KviltSetup, layout: Layout
    ) -> VirtualSheetEvening:
        """Lay the table for an evening of Kvilt."""
        return VirtualSheetEvening(
            options.seed,
            self._sheet_moves,
            setup,
            layout,
            fps=config.simulation.fps,
            real_time=not options.fast,
            pixels=config.strip.pixels,
            tell=self._tell,
        )

    def close(self) -> None:
        """Nothing can be moved any more; may be called more than once."""
        self._moves.close()
        self._sheet_moves.close()

    def _tell(self, tabletop: AnyTabletop) -> None:
        with self._lock:
            self._tabletop = tabletop
        for listener in self._listeners:
            listener(tabletop)
