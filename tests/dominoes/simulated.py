"""A simulated table of dominoes, whose players lay, press confirm, and leave after the end."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.languages import Sentence, said
from companion.play import events
from companion.play.game import SimulatedParts
from hardware.ports import Button
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.devices import PacedClock, SimulatedClock, SimulatedControls, SimulatedLightStrip
from tests.dominoes.codec import CODEC
from tests.dominoes.rules import History, Setup
from tests.dominoes.settings import DominoesSettings
from tests.dominoes.table import picture_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.config import Config
    from companion.journal import Journal
    from companion.play.session import Simulation


@dataclass(frozen=True)
class LayThere:
    """A domino that is laid by hand on the page."""

    cells: tuple[str, str]


@dataclass(frozen=True)
class Tabletop:
    """The state of the tabletop."""

    covered: frozenset[str]


class Evening:
    """The table and its players."""

    def __init__(self, simulation: Simulation, config: Config) -> None:
        self.clock = SimulatedClock() if simulation.fast else PacedClock()
        self.controls = SimulatedControls(self.clock)
        self.strip = SimulatedLightStrip(config.strip.pixels)
        self.camera = SimulatedCamera(self, self.clock, simulation.fps)
        self._by_hand = simulation.by_hand
        self._moves = None if self._by_hand is None else self._by_hand.take_over((LayThere,))
        self._rng = random.Random(simulation.seed)
        self._covered: set[str] = set()
        self._legal: tuple[tuple[str, str], ...] = ()
        self._awaits = False
        self._ends_s: float | None = None

    @property
    def over(self) -> bool:
        return self._ends_s is not None and self.clock.now() > self._ends_s

    def step(self, now_s: float) -> None:
        if self._moves is not None:
            for move, outcome in self._moves.take():
                self._covered |= set(move.cells)
                outcome.set_result(None)
        elif self._awaits and self._legal:
            self._awaits = False
            self._covered |= set(self._rng.choice(self._legal))
            self.controls.press(Button.CONFIRM)
        if self._by_hand is not None:
            self._by_hand.show(Tabletop(frozenset(self._covered)))

    def picture(self, now_s: float) -> NDArray[np.uint8]:
        return picture_of(self._covered)

    # The players.

    gave_up = False

    def on_event(self, event: Any) -> None:
        self._legal = event.state.legal
        self._awaits |= isinstance(event, events.GameOpened | events.DecisionTaken)
        self._ends_s = self.clock.now() + 2.0 if event.state.finished else None

    def settle(self, desk: Any) -> None:
        """Do nothing; there are no doubts to settle."""

    def tick(self, now_s: float) -> None:
        """Do nothing between the moves."""

    def resume(self, history: History) -> None:
        self._covered = set(history.state.covered)

    def complaint(self, history: History, complaints: list[dict[str, Any]]) -> Sentence:
        return said("The game has ended.")

    def truth(self, table: Any) -> dict[str, Any]:
        return {"table": sorted(self._covered)}


def simulated_table(simulation: Simulation, config: Config, book: Journal, game_id: int | None) -> SimulatedParts:
    evening = Evening(simulation, config)
    setup: Setup = Setup(config.of(DominoesSettings).players) if game_id is None else book.setup(game_id, CODEC)
    return SimulatedParts(evening.clock, evening.camera, evening.controls, evening.strip, evening, setup)
