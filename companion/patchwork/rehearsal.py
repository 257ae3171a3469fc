"""The rehearsal of a turn: the whole companion over a simulated picture, with the table's own buttons and lights."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.calibrating.configured import locator_by
from companion.config import Config
from companion.games.patchwork import PATCHES, History, Setup, TakePatch, cell_name, indices_of, legal_decisions
from companion.journal import MemoryJournal
from companion.languages import said
from companion.lights import Lights
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.events import Event
from companion.patchwork.lights.show import LightShow
from companion.patchwork.reading.observer import QuiltComparer, QuiltObserver
from companion.patchwork.reading.reader import Reader
from companion.patchwork.table import PatchworkTable
from companion.patchwork.watching.watch import TableWatch
from companion.play.evening import strip_use
from companion.play.loop import TableParts
from companion.record import Games
from hardware.ports import Clock, LightStrip, Press
from hardware.simulated.conditions import normal
from hardware.simulated.devices.camera import SimulatedCamera
from hardware.simulated.scene.table import SimulatedTable, cells_of

_FPS = 10.0
_SMALLEST = min(PATCHES.values(), key=lambda patch: patch.size).id
# The circle ends with the smallest patch: the neutral token stands behind it (rules, "Setup").
_CIRCLE = (*(name for name in PATCHES if name != _SMALLEST), _SMALLEST)


class TurnRehearsal:
    """See `companion.upkeep.hardwaretest.turn.Rehearsal`.

    Args:
        config: the configuration, including the strip's.
        strip: the strip, within its current.
        clock: the clock of the presses.
        seed: the seed of the simulated table.
    """

    def __init__(self, config: Config, strip: LightStrip, clock: Clock, seed: int = 1) -> None:
        self._table = SimulatedTable(seed, normal(), market=_CIRCLE)
        self._events: list[Event] = []
        self._pressed = _Handed()
        self._watch = TableWatch(locator_by(None), config.reading.settle_frames)
        use = strip_use(config.strip)
        lights: Lights[Any] = Lights(LightShow(strip.pixel_count, **use), strip)
        book = MemoryJournal(Games((PATCHWORK,)))
        number = book.new_game(Setup(players=("Seat 1", "Seat 2"), market=_CIRCLE), "hardware test")
        self._history = History(book.setup(number, PATCHWORK))
        parts = TableParts(
            camera=SimulatedCamera(_Stage(self._table), clock, _FPS),
            controls=self._pressed,
            book=book,
            game_id=number,
            history=self._history,
            listeners=(lights, self._events.append),
            ticks=(lights.tick,),
        )
        observer = QuiltObserver(QuiltComparer(self._watch))
        self._game = PatchworkTable(parts, self._watch, observer, Reader(observer, config.reading.confidence))

    @property
    def ready(self) -> bool:
        """True once both boards have been seen."""
        return self._watch.ready

    def lay(self) -> str:
        """Place an affordable patch on the simulated board of the seat to move, and return a sentence on it."""
        decision = next(each for each in legal_decisions(self._history.state) if isinstance(each, TakePatch))
        self._table.lay(decision.seat, decision.patch, cells_of(decision.cells))
        first = cell_name(next(indices_of(decision.cells)))
        return said("Seat {seat} has laid a patch at {first} of its simulated board.", seat=decision.seat, first=first)

    def step(self, presses: Sequence[Press]) -> Sequence[Event]:
        """Take a picture, with the presses since the last one, and return the events announced."""
        # The rehearsal is one table's: any press counts for the seat to move.
        self._pressed.hand([replace(press, seat=None) for press in presses])
        self._game.step()
        # Emptied in place, because its `append` is a listener.
        announced, self._events[:] = tuple(self._events), []
        return announced


class _Stage:
    """The simulated table without players."""

    over = False

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table

    def step(self, now_s: float) -> None:
        """Do nothing, because there are no players."""

    def picture(self, now_s: float) -> NDArray[np.uint8]:
        """Return the camera's picture, shape (height, width, 3), uint8, BGR."""
        return self._table.frame(now_s)


class _Handed:
    """Controls whose presses are passed in."""

    def __init__(self) -> None:
        self._queue: list[Press] = []

    def hand(self, presses: Sequence[Press]) -> None:
        """Pass in presses."""
        self._queue += presses

    def presses(self) -> Sequence[Press]:
        """Return the presses passed in since the last call."""
        handed, self._queue = tuple(self._queue), []
        return handed

    def close(self) -> None:
        """Do nothing, because there is nothing to release."""
