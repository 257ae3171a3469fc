"""A simulated table without players: a test lays pieces on it, and the reader reads them."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

import pytest

from calibration.locator import CornerLocator
from companion.games.patchwork.cells import cell_index
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Advance, Decision
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup, State
from companion.patchwork.reading.observer import QuiltComparer, QuiltObserver
from companion.patchwork.reading.reader import Reader
from companion.patchwork.reading.verdict import Reading, Verdict
from companion.patchwork.watching.watch import TableWatch
from hardware.ports import Frame
from hardware.simulated.conditions import normal
from hardware.simulated.scene.placing import placements_of
from hardware.simulated.scene.table import SimulatedTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from companion.play.loop import Tick
    from hardware.simulated.scene.placing import Lying

FRAME_S = 0.2
SETUP = Setup(players=("Anna", "Boris"))


class Ticks(list["Tick"]):
    """The ticks of a turn loop, as it calls them."""

    def tick(self, now_s: float) -> None:
        """Call each, and drop those that need no further frame."""
        self[:] = [tick for tick in self if not tick(now_s)]


class Scene:
    """A table, its watch and reader, and the game as the companion has recorded it."""

    def __init__(self, seed: int = 3, setup: Setup = SETUP) -> None:
        circle = setup.market or (*(patch for patch in PATCHES if patch != "domino"), "domino")
        self.table = SimulatedTable(seed, normal(), market=circle, mats=False)
        self.history = History(setup)
        self._taken = 0
        self.look_anew()

    def again(self) -> Scene:
        """Return another game on an equal table, which its watch has not seen yet."""
        other = deepcopy(self)
        other.history = History(self.history.setup)
        other.look_anew()
        return other

    @property
    def state(self) -> State:
        """The game's state."""
        return self.history.state

    def look_anew(self) -> None:
        """Begin to watch, as after the program's start."""
        self.watch = TableWatch(CornerLocator(self.table.grid_corners_px()))
        self.comparer = QuiltComparer(self.watch)
        self.observer = QuiltObserver(self.comparer)
        self.reader = Reader(self.observer)

    def show(self, frames: int) -> None:
        """Take a number of pictures."""
        for _ in range(frames):
            t_s = self._taken * FRAME_S
            self.watch.see(Frame(self.table.frame(t_s), t_s, f"{self._taken:06d}.jpg"))
            self._taken += 1

    @property
    def frame(self) -> str:
        """The name of the latest picture."""
        return f"{self._taken - 1:06d}.jpg"

    def lay(self, seat: int, name: str, cells: Sequence[str] | Sequence[tuple[int, int]]) -> Lying:
        """Lay a piece on cells, by name or as (row, column)."""
        places = [divmod(cell_index(cell), 9) if isinstance(cell, str) else cell for cell in cells]
        return self.table.lay(seat, name, places)

    def read(self) -> Verdict:
        """Return the reader's verdict once the table is at rest."""
        self.watch.restart_rest()
        self.show(3)
        return self.reader.read(self.history)

    def take(self, decision: Decision) -> None:
        """Apply and remember a decision that was just read."""
        self.history.apply(decision)
        self.observer.remember(self.state, decision)

    def begin_with(self, decisions: Iterable[Decision]) -> None:
        """Resume a game after these decisions; the empty boards have been seen."""
        profile = self.watch.profile()
        for decision in decisions:
            self.history.apply(decision)
        self.table.lay_out(placements_of(self.history.decisions))
        self.look_anew()
        self.watch.restore(profile, {seat: self.state.seat(seat).quilt for seat in (1, 2)})


@pytest.fixture(scope="module")
def opening() -> Scene:
    """A game at its beginning, the empty boards seen; a test removes what it lays on them, or uses a deep copy."""
    scene = Scene()
    scene.show(6)
    return scene


@pytest.fixture(scope="session")
def scene() -> Callable[[int, Setup], Scene]:
    """The class of scenes, to create tables."""
    return Scene


@pytest.fixture(scope="module")
def scene_after_start() -> Scene:
    """A game with a known circle after Anna's tee and Boris's advance, both read from the pictures."""
    others = [patch for patch in PATCHES if patch not in ("tee", "bar3", "thorn", "bar4", "domino")]
    scene = Scene(4, Setup(players=("Anna", "Boris"), market=("tee", "bar3", "thorn", *others, "bar4", "domino")))
    scene.show(6)
    scene.lay(1, "tee", ["D4", "E4", "F4", "E5"])
    verdict = scene.read()
    assert isinstance(verdict, Reading), verdict
    scene.take(verdict.decision)
    scene.observer.observe_all(scene.state)
    scene.take(Advance(2))
    assert scene.state.turn == 1
    return scene
