"""Test an evening of people who lay, lift, press, enter, undo and bump in any order, on simulated pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from calibration.locator import CornerLocator
from companion.calibrating.configured import locator_by
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Decision, PlaceLeather, TakePatch, cells_covered
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import MemoryJournal
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.commands import Override
from companion.patchwork.reading.observer import QuiltComparer, QuiltObserver
from companion.patchwork.reading.reader import Reader
from companion.patchwork.table import PatchworkTable
from companion.patchwork.watching.watch import TableWatch
from companion.play import events
from companion.play.inbox import Answer, Inbox
from companion.play.loop import TableParts
from companion.registry import codecs
from hardware.ports import Button, Frame
from hardware.simulated.conditions import LEATHER, normal
from hardware.simulated.devices import SimulatedClock, SimulatedControls
from hardware.simulated.scene.table import SimulatedTable, cells_of
from tests.hostile.answering import TIMES

if TYPE_CHECKING:
    from companion.play.events import Event
    from hardware.simulated.scene.placing import Lying

FRAME_S = 0.2
# Frames after a press until its look is over, and after a correction until the boards are at rest.
LOOK, REST = 6, 4
PRESSES = 3
MOST_BUMPS = 2
SEEDS = st.integers(0, 11)
INDICES = st.integers(0, 10_000)


class Evening(RuleBasedStateMachine):
    """Two boards, what lies on them, and the companion; `wanted` is a legal patch that lies there, not taken yet."""

    @initialize(seed=SEEDS, mats=st.booleans())
    def sit_down(self, seed: int, mats: bool) -> None:
        names = [name for name in PATCHES if name != "domino"]
        np.random.default_rng(seed).shuffle(names)
        self.setup = Setup(players=("Anna", "Boris"), market=(*names, "domino"))
        self.scene = SimulatedTable(seed, normal(), market=self.setup.market, mats=mats)
        self.mats, self.frames, self.bumps, self.clock = mats, 0, 0, SimulatedClock()
        self.book = MemoryJournal(codecs())
        self.game = self.book.new_game(self.setup, "evening")
        self.lying: dict[Decision, Lying] = {}
        self.wanted: Decision | None = None
        self.entered: set[Decision] = set()
        self.announced: list[Decision] = []
        self.switch_on(TableWatch(locator_by(None) if mats else self._corners()))
        self.wait(REST + 3)
        assert self.watch.ready

    def _corners(self) -> CornerLocator:
        return CornerLocator(self.scene.grid_corners_px())

    def switch_on(self, watch: TableWatch) -> None:
        """Begin or resume the game."""
        self.controls, self.inbox = SimulatedControls(self.clock), Inbox()
        self.history = History(self.setup)
        for decision in self.book.decisions(self.game, PATCHWORK):
            self.history.apply(decision)
        parts = TableParts(
            camera=self,
            controls=self.controls,
            book=self.book,
            game_id=self.game,
            history=self.history,
            listeners=(self.listen,),
            inbox=self.inbox,
        )
        self.watch = watch
        observer = QuiltObserver(QuiltComparer(watch))
        self.table = PatchworkTable(parts, watch, observer, Reader(observer))

    def capture(self) -> Frame:
        self.clock.sleep(FRAME_S)
        self.frames += 1
        return Frame(self.scene.frame(self.clock.now()), self.clock.now(), f"{self.frames:06d}.jpg")

    def close(self) -> None:
        """Do nothing: this camera is the table itself."""

    def listen(self, event: Event) -> None:
        if isinstance(event, events.DecisionTaken):
            self.announced.append(event.decision)
            is_shown = event.decision == self.wanted or not cells_covered(event.decision)
            assert is_shown or event.decision in self.entered, f"{event.decision} was neither laid nor chosen"
        elif isinstance(event, events.DecisionUndone):
            assert self.announced.pop() == event.decision

    def wait(self, frames: int) -> None:
        for _ in range(frames):
            self.table.step()

    def press(self, button: Button) -> None:
        self.controls.press(button)
        self.wait(LOOK)

    def _placements(self) -> list[TakePatch | PlaceLeather]:
        return [each for each in legal_decisions(self.history.state) if isinstance(each, TakePatch | PlaceLeather)]

    def _put(self, decision: Decision) -> None:
        name = decision.patch if isinstance(decision, TakePatch) else LEATHER
        self.lying[decision] = self.scene.lay(decision.seat, name, cells_of(cells_covered(decision)))

    def put_right(self) -> None:
        """Lift what no decision has laid, and lay what one has."""
        self.wanted = None
        standing = [each for each in self.history.decisions if cells_covered(each)]
        for decision in [each for each in self.lying if each not in standing]:
            self.scene.lift(decision.seat, self.lying.pop(decision))
        for decision in standing:
            if decision not in self.lying:
                self._put(decision)
        self.wait(REST)

    @rule(index=INDICES)
    def take(self, index: int) -> None:
        """Put the table right, lay a legal patch and confirm: within three presses it is taken."""
        self.put_right()
        if not (legal := self._placements()):
            if not self.history.state.finished:
                self.press(Button.ADVANCE)
            return
        self.wanted = legal[index % len(legal)]
        made = len(self.history.decisions)
        self._put(self.wanted)
        for _ in range(PRESSES):
            self._insist(self.wanted)
            if len(self.history.decisions) > made:
                break
        assert self.history.decisions[made:] == (self.wanted,), self.table.pending
        assert self.table.pending.question is None
        assert self.table.pending.complaint is None
        self.wanted = None

    def _insist(self, wanted: Decision) -> None:
        question = self.table.pending.question
        if question is None:
            self.press(Button.CONFIRM)
        else:
            option = question.options.index(wanted) if wanted in question.options else None
            outcome = self.inbox.put(Answer(option))
            self.wait(1)
            outcome.result(0)

    @precondition(lambda self: self.table.pending.question is None)
    @rule(index=INDICES, laid_before=st.booleans())
    def enter(self, index: int, laid_before: bool) -> None:
        """Enter a legal patch by hand, before or after it is laid."""
        if not (legal := self._placements()):
            return
        decision = legal[index % len(legal)]
        self.put_right()
        if laid_before:
            self._put(decision)
        self.entered.add(decision)
        patch = decision.patch if isinstance(decision, TakePatch) else None
        outcome = self.inbox.put(Override(decision.seat, cells_covered(decision), patch))
        self.wait(REST)
        outcome.result(0)
        assert self.history.decisions[-1] == decision

    @rule(times=st.integers(1, 5))
    def undo(self, times: int) -> None:
        for _ in range(times):
            self.press(Button.UNDO)

    @rule()
    def advance(self) -> None:
        self.wanted = None
        self.press(Button.ADVANCE)

    @precondition(lambda self: self.bumps < MOST_BUMPS)
    @rule(what=st.sampled_from([0, 1, 2]), by_mm=st.floats(1, 12))
    def bump(self, what: int, by_mm: float) -> None:
        self.bumps += 1
        if what:
            self.scene.knock_board(what, by_mm)
        else:
            self.scene.knock_camera(by_mm)
        self.wait(REST)

    @rule()
    def resume(self) -> None:
        """Switch the companion off and on, the table put right."""
        self.put_right()
        profile = self.watch.profile()
        watch = TableWatch(locator_by(None) if self.mats else self._corners())
        watch.restore(profile, {seat: self.history.state.seat(seat).quilt for seat in (1, 2)})
        self.switch_on(watch)
        self.wait(REST)

    @invariant()
    def the_journal_is_legal_and_what_was_announced(self) -> None:
        if not hasattr(self, "book"):
            return
        decisions = self.book.decisions(self.game, PATCHWORK)
        assert decisions == self.history.decisions == tuple(self.announced)
        again = History(self.setup)
        for decision in decisions:
            again.apply(decision)
        assert again.state == self.history.state


def test_an_evening_of_people_who_do_everything_in_any_order() -> None:
    rules = settings(
        max_examples=max(3, TIMES),
        stateful_step_count=10 if TIMES == 1 else 25,
        derandomize=TIMES == 1,
        deadline=None,
        # Each attempt to shorten a failure plays an evening: minutes, which only a search has.
        phases=[Phase.generate] if TIMES == 1 else [Phase.generate, Phase.shrink],
    )
    run_state_machine_as_test(Evening, settings=rules)
