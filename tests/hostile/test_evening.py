"""Test an evening of people who lay, lift, press, enter, undo, bump and resume in any order, on simulated pictures."""

from __future__ import annotations

import threading

import pytest
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

from companion.games.patchwork.components import Edition, orientations
from companion.games.patchwork.decisions import Advance, Decision, PlaceLeather, TakePatch, cells_covered
from companion.games.patchwork.legal import legal_decisions
from companion.patchwork.commands import Override
from companion.patchwork.reading.verdict import Reason
from companion.play import events
from companion.play.inbox import Answer, Insist, PutRight
from hardware.ports import Button
from hardware.simulated.drawing import Pose
from tests.hostile.answering import TIMES
from tests.hostile.evening import LOOK, REST, STARTS, WatchedTable, advance_space

PRESSES = 3
MOST_BUMPS = 2
# Frames for a hands-free table to take, or to take back, what it sees; and until what no longer holds has lapsed.
FORESEEN, LAPSED = 35, 70
SEEDS = st.integers(0, 11)
INDICES = st.integers(0, 10_000)
MASHED = 5


class Evening(RuleBasedStateMachine):
    """What people do at a table, whatever it is open there."""

    at: WatchedTable

    @initialize(
        seed=SEEDS,
        mats=st.booleans(),
        edition=st.sampled_from(list(Edition)),
        start=st.sampled_from(STARTS),
        way=st.sampled_from([(False, False), (False, False), (True, False), (True, True), (False, True)]),
        knows_circle=st.sampled_from([True, True, False]),
    )
    def sit_down(
        self, seed: int, mats: bool, edition: Edition, start: str, way: tuple[bool, bool], knows_circle: bool
    ) -> None:
        self.threads, self.bumps = threading.active_count(), 0
        hands_free, followed = way
        self.at = WatchedTable(
            seed,
            mats=mats,
            edition=edition,
            start=start,
            hands_free=hands_free,
            followed=followed,
            knows_circle=knows_circle,
        )

    def teardown(self) -> None:
        if hasattr(self, "threads"):
            assert threading.active_count() == self.threads

    def _placements(self) -> list[TakePatch | PlaceLeather]:
        return [each for each in legal_decisions(self.at.state) if isinstance(each, TakePatch | PlaceLeather)]

    @rule(index=INDICES, pushed_mm=st.sampled_from([0.0, 0.0, 2.0, 5.0]), turn_deg=st.sampled_from([0.0, -2.0, 2.0]))
    def take(self, index: int, pushed_mm: float, turn_deg: float) -> None:
        """Put the table right, lay a legal patch, perhaps push one beside it, and confirm: within three presses it is
        taken.
        """
        self.at.put_right()
        if not (legal := self._placements()):
            if not self.at.state.finished:
                self.at.press(Button.ADVANCE)
            return
        wanted = legal[index % len(legal)]
        made = len(self.at.history.decisions)
        self.at.put(wanted)
        if pushed_mm:
            self.at.push_beside(wanted, pushed_mm, turn_deg)
        self._wait_for(made)
        for _ in range(PRESSES):
            if len(self.at.history.decisions) > made:
                break
            self._insist(wanted)
        assert self.at.history.decisions[made:] == (wanted,), self.at.says
        assert self.at.table.pending.question is None
        assert self.at.table.pending.complaint is None
        self.at.keep_books()

    def _wait_for(self, made: int) -> None:
        """Let a hands-free table look."""
        for _ in range(FORESEEN if self.at.hands_free else 0):
            if len(self.at.history.decisions) != made or self.at.table.pending.question is not None:
                break
            self.at.wait(1)

    def _insist(self, wanted: Decision) -> None:
        question = self.at.table.pending.question
        if question is None:
            self.at.press(Button.CONFIRM)
        else:
            option = question.options.index(wanted) if wanted in question.options else None
            outcome = self.at.inbox.put(Answer(option))
            self.at.wait(1)
            outcome.result(0)

    @precondition(lambda self: self.at.table.pending.question is None)
    @rule(index=INDICES, laid_before=st.booleans())
    def enter(self, index: int, laid_before: bool) -> None:
        """Enter a legal patch by hand, before or after it is laid."""
        if not self._placements():
            return
        self.at.put_right()
        if self.at.table.pending.question is not None or not (legal := self._placements()):
            return
        decision = legal[index % len(legal)]
        if laid_before:
            self.at.put(decision)
        self.at.chosen.add(decision)
        patch = decision.patch if isinstance(decision, TakePatch) else None
        outcome = self.at.inbox.put(Override(decision.seat, cells_covered(decision), patch))
        while not outcome.done():
            self.at.wait(1)
        outcome.result(0)
        assert self.at.history.decisions[-1] == decision
        self.at.keep_books()

    @rule(times=st.integers(1, 5), tidies=st.booleans())
    def undo(self, times: int, tidies: bool) -> None:
        for _ in range(times):
            self.at.press(Button.UNDO)
        if tidies:
            self.at.put_right()

    @rule()
    def advance(self) -> None:
        self.at.press(Button.ADVANCE)

    @rule()
    def confirm(self) -> None:
        """Confirm whatever lies there; of an open question only what is true."""
        question, choice = self.at.table.pending.question, self.at.table.pending.choice
        if question is None or choice == events.NONE_SHOWN or question.options[choice] in self.at.lying:
            self.at.press(Button.CONFIRM)

    @precondition(lambda self: self.at.table.pending.complaint is not None and self.at.table.pending.question is None)
    @rule(is_right=st.booleans())
    def click(self, is_right: bool) -> None:
        """Put right on the page what is complained of, or insist there that it is right."""
        if is_right:
            self.at.put_right()
        if self.at.table.pending.complaint is None or self.at.table.pending.question is not None:
            return
        outcome = self.at.inbox.put(PutRight() if is_right else Insist())
        self.at.wait(1)
        outcome.result(0)
        if is_right:
            assert self.at.table.pending.complaint is None, self.at.says

    @precondition(lambda self: self.at.hands_free)
    @rule(index=INDICES, lifts=st.booleans())
    def think_again(self, index: int, lifts: bool) -> None:
        """Lay a patch and, while it is announced, lift it or press undo: it is not taken."""
        self.at.put_right()
        if not (legal := self._placements()):
            return
        before, wanted = self.at.history.decisions, legal[index % len(legal)]
        self.at.put(wanted)
        for _ in range(FORESEEN):
            if self.at.table.pending.foreseen is not None:
                break
            self.at.wait(1)
        if self.at.table.pending.foreseen is None:
            return
        if lifts:
            self.at.lift(wanted)
        else:
            self.at.press(Button.UNDO)
        self.at.wait(FORESEEN)
        assert self.at.history.decisions == before
        assert self.at.table.pending.foreseen is None

    @precondition(lambda self: self.at.followed and self.at.state.turn is not None)
    @rule(is_right=st.booleans(), space=st.integers(0, 53))
    def move_marker(self, is_right: bool, space: int) -> None:
        """Move the mover's marker; at a hands-free table that is right, one past the other's is an advance."""
        self.at.put_right()
        state, made = self.at.state, len(self.at.history.decisions)
        if state.turn is None:
            return
        self.at.move_marker(state.turn, advance_space(state) if is_right else space)
        self.at.wait(FORESEEN)
        if is_right and self.at.hands_free and not state.leather_due:
            # Markers that lie close together are not always seen.
            is_taken = self.at.history.decisions[made:] == (Advance(state.turn),)
            assert is_taken or not self.at.sees_markers, self.at.says

    @precondition(lambda self: not self.at.state.finished)
    @rule(index=INDICES, what=st.sampled_from(["nothing", "token", "other quilt", "overlap", "old patch"]))
    def confirm_what_is_wrong(self, index: int, what: str) -> None:
        """Confirm again and again what is no decision: none is ever taken."""
        self.at.put_right()
        if self.at.table.pending.question is not None:
            self.at.press(Button.UNDO)
        made = len(self.at.history.decisions)
        self._go_wrong(index, what)
        if what == "old patch" and self.at.hands_free:
            return
        for _ in range(MASHED):
            self.at.press(Button.CONFIRM)
        assert len(self.at.history.decisions) == made

    def _go_wrong(self, index: int, what: str) -> None:
        """Do what people do by mistake; what it needs may be missing, and then nothing is wrong."""
        state = self.at.state
        legal = self._placements()
        if what == "token":
            free = [cell for cell in range(81) if not state.seat(state.mover).quilt >> cell & 1]
            row, column = divmod(free[index % len(free)], 9)
            self.at.scene.strays.append((state.mover, Pose((column - 4) * 20.1, (row - 4) * 20.1)))
        elif what == "other quilt" and legal:
            each = legal[index % len(legal)]
            if isinstance(each, TakePatch) and not each.cells & state.seat(3 - each.seat).quilt:
                self.at.put_astray(3 - each.seat, each.patch, each.cells)
        elif what == "overlap" and legal:
            laid = [each for each in self.at.lying if each.seat == state.mover and isinstance(each, TakePatch)]
            if laid and (offered := [each.patch for each in legal if isinstance(each, TakePatch)]):
                self.at.put_astray(state.mover, offered[0], _at(offered[0], laid[index % len(laid)].cells))
        elif what == "old patch" and self.at.lying:
            old = list(self.at.lying)
            self.at.lift(old[index % len(old)])

    @rule(frames=st.integers(1, 15))
    def wait(self, frames: int) -> None:
        self.at.wait(frames)

    @rule(index=INDICES)
    def leave_it_lying(self, index: int) -> None:
        """Lay a legal patch and press nothing, or forget to."""
        self.at.put_right()
        if legal := self._placements():
            self.at.put(legal[index % len(legal)])
            self.at.wait(LOOK)

    @rule()
    def tidy_up(self) -> None:
        """Put the table right: hands-free, or after three presses at most, nothing stays open there."""
        self.at.put_right()
        self.at.wait(LAPSED if self.at.hands_free else 0)
        self.at.keep_books()
        for _ in range(0 if self.at.hands_free else PRESSES):
            if not self.at.is_open:
                break
            self.at.press(Button.CONFIRM if self.at.table.pending.question is None else Button.UNDO)
        assert not self.at.is_open, self.at.says

    @precondition(lambda self: self.bumps < MOST_BUMPS)
    @rule(what=st.sampled_from([0, 1, 2]), by_mm=st.floats(1, 12), goes_back=st.booleans())
    def bump(self, what: int, by_mm: float, goes_back: bool) -> None:
        self.bumps += 1
        layout = self.at.scene.layout
        if what:
            self.at.scene.knock_board(what, by_mm)
        else:
            self.at.scene.knock_camera(by_mm)
        self.at.wait(REST)
        if goes_back and what:
            self.at.scene.layout = layout
            self.at.wait(REST)

    @rule(tidies=st.booleans())
    def resume(self, tidies: bool) -> None:
        """Switch the companion off and on, whatever is open."""
        if tidies:
            self.at.put_right()
        self.at.resume()

    @invariant()
    def the_journal_is_legal_and_everything_shows_it(self) -> None:
        if hasattr(self, "at"):
            self.at.check_journal()


def _at(patch: str, covered: int) -> int:
    """Return a place for a patch that overlaps what is covered."""
    for orientation in orientations(patch):
        for row in range(9):
            for column in range(9):
                cells = [(row + down, column + right) for down, right in orientation.cells]
                if all(down < 9 and right < 9 for down, right in cells):
                    mask = sum(1 << down * 9 + right for down, right in cells)
                    if mask & covered:
                        return mask
    raise AssertionError(patch)


def test_an_evening_of_people_who_do_everything_in_any_order() -> None:
    rules = settings(
        max_examples=max(3, TIMES),
        stateful_step_count=5 if TIMES == 1 else 25,
        derandomize=TIMES == 1,
        deadline=None,
        # Each attempt to shorten a failure plays an evening: minutes, which only a search has.
        phases=[Phase.generate] if TIMES == 1 else [Phase.generate, Phase.shrink],
    )
    run_state_machine_as_test(Evening, settings=rules)


def test_confirm_alone_takes_nothing_however_often_it_is_pressed_at_a_table_where_nothing_was_laid() -> None:
    evening = Evening()
    evening.sit_down(seed=1, mats=True, edition=Edition.ORIGINAL, start="middle", way=(False, False), knows_circle=True)
    for what in ("nothing", "token", "other quilt", "old patch"):
        evening.confirm_what_is_wrong(index=5, what=what)


def test_small_pieces_lifted_while_the_companion_is_off_are_missed_and_right_again_once_they_lie_there() -> None:
    evening = Evening()
    evening.sit_down(seed=9, mats=True, edition=Edition.ORIGINAL, start="end", way=(False, False), knows_circle=True)
    for each in list(evening.at.lying):
        if isinstance(each, PlaceLeather):
            evening.at.lift(each)
    evening.resume(tidies=False)
    evening.at.wait(REST)
    complaint = evening.at.table.pending.complaint
    assert complaint is not None
    assert complaint.reason is Reason.MOVED
    evening.tidy_up()


@pytest.mark.parametrize(
    ("start", "seed", "mats", "lifted", "left"), [("middle", 5, False, 0, 6), ("end", 3, True, 6, 1)]
)
def test_patches_that_were_undone_and_still_lie_there_are_taken_neither_together_nor_in_part(
    start: str, seed: int, mats: bool, lifted: int, left: int
) -> None:
    evening = Evening()
    edition, way = Edition.ORIGINAL, (True, False)
    evening.sit_down(seed=seed, mats=mats, edition=edition, start=start, way=way, knows_circle=False)
    evening.undo(times=lifted, tidies=True)
    made = len(evening.at.history.decisions)
    evening.undo(times=left, tidies=False)
    evening.at.wait(FORESEEN)
    assert len(evening.at.history.decisions) == made - left
