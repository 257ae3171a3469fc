"""A whole simulated evening: the table, its players, and the twins of all four ports."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Decision
from companion.games.patchwork.rules import apply, new_game
from companion.games.patchwork.state import Setup, State
from hardware.clock import Tempo
from hardware.simulated.camera import Twins
from hardware.simulated.conditions import Conditions, normal
from hardware.simulated.people.gestures import News, Pace
from hardware.simulated.people.players import SimulatedPlayers
from hardware.simulated.people.slips import TEMPERS
from hardware.simulated.scene.placing import placements_of
from hardware.simulated.scene.table import SimulatedTable

KNOCK_AFTER: Final = 12
"""Decisions after which a player bumps into the table, if the conditions include it."""
STRAYS_AFTER: Final = 2
"""Decisions after which tokens are left on the boards, if the conditions include it."""


class SimulatedEvening(Twins):
    """A complete environment for a companion without a table; each `camera.capture()` advances the evening.

    Args:
        seed: of the table, the circle of patches and the players.
        conditions: the difficulty of reading it.
        tempers: names in `TEMPERS`, of seat 1 and seat 2.
        setup: the game; a missing circle is shuffled by the seed.
        mats: whether the printed mats lie under the boards.
        fps: frames a simulated second.
        fast: whether a move takes only a few frames, instead of its natural time.
        tempo: the tempo in real time; None for frames that come as fast as they can.
        pixels: number of pixels of the strip.
        hands_free: whether the players wait for their moves to be recognised, instead of pressing `confirm`.
        markers: whether the time board is read; see `SimulatedPlayers`.
        circle: whether the circle is read; see `SimulatedPlayers`.
        partner: the seat of a partner; see `SimulatedPlayers`.
        pace: durations of actions, which override `fast`.
        stages_slip: whether a player makes one mistake on purpose; see `SimulatedPlayers`.
        games: number of consecutive games, each with its own circle; if more than one, players wait until the companion
            announces each game.

    Attributes:
        clock, table, controls, strip, camera, players: the parts.
        setup: the true setup of the game on the table, with its circle.
    """

    def __init__(
        self,
        seed: int,
        conditions: Conditions | None = None,
        tempers: tuple[str, str] = ("tidy", "tidy"),
        *,
        setup: Setup | None = None,
        mats: bool = True,
        fps: float = 5.0,
        fast: bool = True,
        tempo: Tempo | None = None,
        pixels: int = 60,
        hands_free: bool = False,
        markers: bool = False,
        circle: bool = False,
        partner: int | None = None,
        pace: Pace | None = None,
        stages_slip: bool = False,
        games: int = 1,
    ) -> None:
        unknown = [temper for temper in tempers if temper not in TEMPERS]
        if unknown:
            raise ValueError(f"there is no temper {unknown[0]!r}; there are {', '.join(TEMPERS)}")
        # Separate streams: another number of draws from one leaves the others unchanged.
        shuffle, people, self._mishaps = (np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(3))
        self._shuffle, self._games, self._games_left = shuffle, games, games - 1
        self.conditions = conditions or normal()
        self.setup = with_circle(setup or Setup(players=("Anna", "Boris")), shuffle)
        super().__init__(fps, tempo, pixels)
        self.table = SimulatedTable(
            seed, self.conditions, market=self.setup.market, edition=self.setup.edition, mats=mats
        )
        self._tempers = (TEMPERS[tempers[0]], TEMPERS[tempers[1]])
        self._pace = pace or (Pace.fast(fps) if fast else Pace.natural(fps))
        self._people, self._hands_free, self._markers, self._watched = people, hands_free, markers, circle
        self._partner, self._stages_slip = partner, stages_slip
        self.players = self._seated(new_game(self.setup))
        self._knocked = self._strewn = False

    @property
    def over(self) -> bool:
        """True if the players have gone home."""
        return self.players.over

    @property
    def gave_up(self) -> bool:
        """True if they left early, because the companion never accepted their moves."""
        return self.players.gave_up

    @property
    def state(self) -> State:
        """The true state of the game."""
        return self.players.state

    def on_feedback(self, news: News) -> None:
        """Pass the companion's news to the players."""
        self.players.on_feedback(news)

    def resume_from(self, decisions: Sequence[Decision]) -> None:
        """Resume an interrupted evening: the quilts and all tokens lie as after these decisions.

        Raises:
            IllegalDecisionError: they are illegal in a game with this evening's circle.
        """
        state = new_game(self.setup)
        for decision in decisions:
            state = apply(state, decision).state
        self.table.lay_out(placements_of(decisions))
        self.players = self._seated(state)

    def step(self, now_s: float) -> None:
        """Let the players act up to this time."""
        self.players.step(now_s)
        made = self.state.decisions_made
        if made >= KNOCK_AFTER and not self._knocked:
            self._knocked = True
            self.table.knock()
        if made >= STRAYS_AFTER and not self._strewn:
            self._strewn = True
            self.table.strew(self.conditions.tokens_on_board, self._mishaps)

    def picture(self, now_s: float) -> NDArray[np.uint8]:
        """Return the camera's picture, (height, width, 3), uint8, BGR."""
        return self.table.frame(now_s)

    def _seated(self, state: State) -> SimulatedPlayers:
        return SimulatedPlayers(
            self.table,
            state,
            self._tempers,
            self.controls,
            self._people,
            self._pace,
            hands_free=self._hands_free,
            markers=self._markers,
            circle=self._watched,
            partner=self._partner,
            stages_slip=self._stages_slip,
            next_game=self._next_game if self._games > 1 else None,
        )

    def _next_game(self) -> State | None:
        """Return the initial state of the next game, or None if there is none."""
        if self._games_left <= 0:
            return None
        self._games_left -= 1
        self.setup = with_circle(replace(self.setup, market=None), self._shuffle)
        return new_game(self.setup)


def with_circle(setup: Setup, rng: np.random.Generator) -> Setup:
    """Return the setup with a circle; a missing one is shuffled, the smallest patch last."""
    if setup.market is not None:
        return setup
    # By the rules, the neutral token begins clockwise of the smallest patch.
    smallest = min(PATCHES.values(), key=lambda patch: patch.size).id
    others = [patch for patch in PATCHES if patch != smallest]
    market = (*(others[index] for index in rng.permutation(len(others))), smallest)
    return replace(setup, market=market)
