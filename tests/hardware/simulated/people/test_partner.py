"""Test simulated players who carry out a partner's decisions."""

import random

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Advance, Decision, PlaceLeather, TakePatch
from companion.games.patchwork.rules import History
from companion.games.patchwork.strategy.choice import choose
from hardware.ports import Button
from hardware.simulated.conditions import LEATHER
from hardware.simulated.evening import SimulatedEvening
from hardware.simulated.people.gestures import Accepted, Proposed

STEP_S = 0.2


class Companion:
    """A companion that sees where pieces really lie, and has a partner at seat 2."""

    def __init__(self) -> None:
        self.evening = SimulatedEvening(3, partner=2)
        self.history, self.rng = History(self.evening.setup), random.Random(1)
        self.proposed: list[Decision] = []

    def step(self, now_s: float) -> None:
        """Let the players act, and take what they have laid."""
        self.evening.step(now_s)
        for press in self.evening.controls.presses():
            self._take(Advance(1) if press.button is Button.ADVANCE else self._laid())
            while self.history.state.turn == 2:
                if self._propose():
                    return

    def _propose(self) -> bool:
        """Decide for the partner; return whether a person is to carry it out."""
        decision = choose(self.history.state, self.rng.gauss).decision
        self.proposed.append(decision)
        if isinstance(decision, Advance):
            self._take(decision)
            return False
        self.evening.on_feedback(Proposed(decision))
        return True

    def _laid(self) -> Decision:
        state = self.history.state
        piece = self.evening.table.pieces(state.mover)[-1]
        cells = mask_of([f"{'ABCDEFGHI'[column]}{row + 1}" for row, column in piece.cells()])
        if piece.name == LEATHER:
            return PlaceLeather(state.mover, cells)
        return TakePatch(state.mover, piece.name, cells)

    def _take(self, decision: Decision) -> None:
        self.history.apply(decision)
        self.evening.on_feedback(Accepted(decision))


def test_a_partner_s_decisions_are_laid_as_they_were_announced() -> None:
    companion, now_s = Companion(), 0.0
    while not companion.evening.over and now_s < 2000:
        now_s += STEP_S
        companion.step(now_s)
    assert companion.history.state.finished
    assert not companion.evening.gave_up
    assert companion.proposed == [each for each in companion.history.decisions if each.seat == 2]
    assert any(isinstance(each, Advance) for each in companion.proposed)
