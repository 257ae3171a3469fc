"""An evening at a remotely operated table: people move its pieces from elsewhere, and the camera sees it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork import TIME_TRACKS, Decision, History, Setup, TakePatch
from hardware.simulated.conditions import Conditions, normal
from hardware.simulated.devices.camera import SimulatedCamera
from hardware.simulated.devices.clock import PacedClock, SimulatedClock
from hardware.simulated.devices.controls import SimulatedControls
from hardware.simulated.devices.strip import SimulatedLightStrip
from hardware.simulated.evening import with_circle
from hardware.simulated.people.feedback import Accepted, News, Undone
from hardware.simulated.people.gestures import Pace
from hardware.simulated.people.purse_habits import paid
from hardware.simulated.scene.pieces import Books
from hardware.simulated.scene.placing import placements_of
from hardware.simulated.scene.table import SimulatedTable
from hardware.simulated.virtual.box import MoveBox
from hardware.simulated.virtual.execution import Handiwork
from hardware.simulated.virtual.moves import Move
from hardware.simulated.virtual.tabletop import Tabletop

LINGER_S: Final = 600.0
"""Time after a game's end during which its last decision can be undone."""
TRAVEL_S: Final = 0.45
"""Duration of an arm's movement: longer than the camera's interval, short enough for impatient players."""


class VirtualEvening:
    """A complete environment for a companion; each `camera.capture()` advances the hands by one frame.

    People lay, shift and lift pieces through `moves`. Everything else follows the game as recorded by the companion:
    the time tokens, the leather beside the time board, the buttons and the neutral token.

    Args:
        seed: of the table and the circle of patches.
        moves: the requested moves.
        conditions: the initial difficulty of reading it.
        setup: the game; a missing circle is shuffled by the seed.
        mats: whether the printed mats lie under the boards.
        fps: frames a second.
        real_time: whether frames come no faster than the wall clock.
        pixels: number of pixels of the strip.
        publish: called with the table's state after each change, in the thread that captures frames.

    Attributes:
        clock, table, controls, strip, camera: the parts.
        setup: the true setup, with its circle.
    """

    def __init__(
        self,
        seed: int,
        moves: MoveBox[Move],
        conditions: Conditions | None = None,
        *,
        setup: Setup | None = None,
        mats: bool = True,
        fps: float = 5.0,
        real_time: bool = False,
        pixels: int = 60,
        publish: Callable[[Tabletop], None] = lambda _: None,
    ) -> None:
        # As in `SimulatedEvening`: a seed has the same circle there.
        shuffle, *_ = (np.random.default_rng(stream) for stream in np.random.SeedSequence(seed).spawn(3))
        conditions = conditions or normal()
        self.setup = with_circle(setup or Setup(players=("Anna", "Boris")), shuffle)
        self.clock = PacedClock() if real_time else SimulatedClock()
        self.table = SimulatedTable(seed, conditions, market=self.setup.market, edition=self.setup.edition, mats=mats)
        self.controls = SimulatedControls(self.clock)
        self.strip = SimulatedLightStrip(pixels)
        self.camera = SimulatedCamera(self, self.clock, fps)
        self._moves, self._publish = moves, publish
        self._shown: Tabletop | None = None
        self._ended_s: float | None = None
        self._pace = Pace(1 / fps, max(1, round(TRAVEL_S * fps)))
        self._leather = len(TIME_TRACKS[self.setup.edition].leather)
        self._sit_down()

    @property
    def over(self) -> bool:
        """True if the game ended long ago."""
        return self._ended_s is not None and self.clock.now() - self._ended_s > LINGER_S

    @property
    def gave_up(self) -> bool:
        """False: people correct rejected moves, or leave them."""
        return False

    def on_feedback(self, news: News) -> None:
        """Process the news of an accepted or undone decision: tokens are moved and payments made."""
        if isinstance(news, Accepted):
            self._history.apply(news.decision)
        elif isinstance(news, Undone):
            self._history.undo()
        self._ended_s = self.clock.now() if self._history.state.finished else None

    def resume_from(self, decisions: Sequence[Decision]) -> None:
        """Resume an interrupted evening: the quilts and all tokens lie as after these decisions.

        Raises:
            IllegalDecisionError: they are illegal.
        """
        self.table.lay_out(placements_of(decisions))
        self._sit_down(decisions)

    def step(self, now_s: float) -> None:
        """Begin the requested moves, and advance the hands up to this time."""

        def show() -> None:
            self._hands.step(now_s)
            self._show_books()
            self._show_table()

        self._moves.carry_out(self._hands.begin, show)

    def picture(self, now_s: float) -> NDArray[np.uint8]:
        """Return the camera's picture, (height, width, 3), uint8, BGR."""
        return self.table.frame(now_s)

    def tabletop(self) -> Tabletop:
        """Return the table's current state."""
        hands = self._hands
        circle = tuple(name for name in self._clockwise() if name not in hands.fetched)
        pieces, tokens = hands.pieces(), hands.tokens()
        return Tabletop(circle, hands.leather_left, pieces, tokens, hands.circumstances, self.table.dress)

    def _sit_down(self, decisions: Sequence[Decision] = ()) -> None:
        # Accepted decisions are paid as the companion says, whatever patch people name.
        self._history = History(replace(self.setup, market=None))
        for decision in decisions:
            self._history.apply(decision)
        self._ended_s = None
        self._hands = Handiwork(self.table, self._pace, self._leather)
        self._show_books()

    def _show_books(self) -> None:
        state = self._history.state
        left = tuple(state.leather_left)
        # A player who takes more leather than they have won removes it from the time board.
        taken = max(0, len(left) - self._hands.leather_left)
        self.table.books = Books(
            purses=paid(self.table, state),
            times=(state.seat(1).time, state.seat(2).time),
            leather_out=left[taken:],
            first=next(iter(self._unbought()), None),
            bonus=next((seat for seat in (1, 2) if state.seat(seat).bonus), None),
        )

    def _show_table(self) -> None:
        tabletop = self.tabletop()
        if tabletop != self._shown:
            self._shown = tabletop
            self._publish(tabletop)

    def _unbought(self) -> tuple[str, ...]:
        bought = {decision.patch for decision in self._history.decisions if isinstance(decision, TakePatch)}
        return tuple(name for name in self._clockwise() if name not in bought)

    def _clockwise(self) -> tuple[str, ...]:
        """Return the whole circle from the neutral token's place after the last purchase."""
        market = self.table.market
        bought = [decision.patch for decision in self._history.decisions if isinstance(decision, TakePatch)]
        after = market.index(bought[-1]) + 1 if bought else 0
        return (*market[after:], *market[:after])
