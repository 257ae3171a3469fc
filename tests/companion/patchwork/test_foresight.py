"""Test when a decision is foreseen, when it is taken, and when it never is; first with fakes, then on pictures."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast
from zlib import crc32

import numpy as np
import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Advance, Decision, TakePatch
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.patchwork.foresight import PlacementForecaster
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reading, Reason, Verdict
from companion.play.events import DecisionForeseen, ForesightLapsed
from hardware.ports import Frame
from hardware.simulated.scene.placing import Hand
from vision.quilt.look import SQUARES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.companion.patchwork.conftest import Scene

HERE = TakePatch(1, "corner-b1", mask_of(["A1", "A2", "B2"]))
THERE = TakePatch(1, "corner-b1", mask_of(["A5", "A6", "B6"]))
BARE = Complaint(Reason.NOTHING_PLACED, 1, (), "Nothing new.", "f")
UNCLEAR = Complaint(Reason.UNCLEAR, 1, (), "Unclear.", "f")
DOUBT = Question(QuestionTopic.CELLS, 1, (HERE,), ("A1",), "Is it covered?", "f")
News = DecisionForeseen | ForesightLapsed | Verdict | None


class Quilts:
    """A fake watch and reader in one: the state of the quilts is a verdict, and each verdict has its own thumbnail."""

    def __init__(self) -> None:
        self.lies: Verdict = BARE
        self.at_rest = self.ready = True
        self.arm, self.slant = False, 0.0
        self.looks_like: Verdict | None = None
        self.reads = 0
        self.now_s = 0.0
        self.history = History(Setup())
        self.foresight = PlacementForecaster(cast("Any", self), cast("Any", self), pause_s=2.0)

    @property
    def frame(self) -> Frame:
        """The latest frame."""
        return Frame(np.zeros((1, 1, 3), np.uint8), self.now_s, "f")

    def settled(self, seat: int) -> bool:
        assert seat in (1, 2)
        return self.at_rest

    def readable(self, seat: int) -> bool:
        return self.ready and self.settled(seat)

    def thumbnail(self, seat: int) -> NDArray[np.float32]:
        picture = np.zeros((SQUARES, SQUARES, 3), np.float32)
        shown = repr((self.lies if self.looks_like is None else self.looks_like, seat))
        picture[10:14, 10:14] = crc32(shown.encode()) % 997 + 1
        picture[:3, 4:8] = 1.0 if self.arm else self.slant
        return picture

    def reached_over(self, seat: int) -> int:
        assert seat in (1, 2)
        return 12 if self.arm else 0

    def empty_thumbnail(self, seat: int) -> NDArray[np.float32]:
        assert seat in (1, 2)
        return np.zeros((SQUARES, SQUARES, 3), np.float32)

    def read(self, history: History, *, is_pressed: bool = False) -> Verdict:
        del is_pressed
        assert history is self.history
        self.reads += 1
        return self.lies

    def see(self, frames: int = 1, lies: Decision | Verdict | None = None) -> list[News]:
        """Lay something and show a number of frames of 0.2 s; return the news among them."""
        if lies is not None:
            self.lies = Reading(lies, "f", 1.0) if isinstance(lies, TakePatch | Advance) else cast("Verdict", lies)
        news = []
        for _ in range(frames):
            self.now_s += 0.2
            news.append(self.foresight.see(self.frame, self.history))
        return [each for each in news if each is not None]

    def record_motion(self) -> list[News]:
        """Show a frame in which a hand moves."""
        self.at_rest = False
        news = self.see()
        self.at_rest = True
        return news


@pytest.fixture
def quilts() -> Quilts:
    return Quilts()


def test_a_patch_at_rest_is_announced_at_once_and_taken_after_the_pause(quilts: Quilts) -> None:
    (foreseen,) = quilts.see(1, HERE)
    assert isinstance(foreseen, DecisionForeseen)
    assert (foreseen.decision, foreseen.pause_s, foreseen.state) == (HERE, 2.0, quilts.history.state)
    assert foreseen.takes_at_s == pytest.approx(2.2)
    assert quilts.see(9) == []
    assert quilts.see(2) == [Reading(HERE, "f", 1.0)]


def test_a_bare_quilt_is_no_news(quilts: Quilts) -> None:
    assert quilts.see(100, BARE) == []


DOUBTS = pytest.mark.parametrize("doubt", [UNCLEAR, DOUBT], ids=["complaint", "question"])
SECONDS_4 = 21
"""Frames after which a doubt has lasted long enough: the first begins to count."""


@DOUBTS
def test_a_doubt_that_lasts_is_told_once(quilts: Quilts, doubt: Question | Complaint) -> None:
    quilts.see(10, BARE)
    assert quilts.see(SECONDS_4 - 1, doubt) == []
    assert quilts.see(2) == [doubt]
    assert quilts.see(100) == []
    quilts.record_motion()
    assert quilts.see(100) == [], "a hand that passed has changed nothing"


@DOUBTS
def test_a_motion_lets_a_doubt_last_anew(quilts: Quilts, doubt: Question | Complaint) -> None:
    quilts.see(10, doubt)
    quilts.record_motion()
    assert quilts.see(SECONDS_4 - 1) == []
    assert quilts.see(2) == [doubt]


@DOUBTS
def test_a_hand_that_rests_over_the_quilt_raises_no_doubt(quilts: Quilts, doubt: Question | Complaint) -> None:
    quilts.arm = True
    assert quilts.see(50, doubt) == []
    quilts.arm = False
    assert quilts.see(SECONDS_4 + 1) == [doubt]


@DOUBTS
def test_a_quilt_that_lies_as_when_it_was_understood_raises_none(quilts: Quilts, doubt: Question | Complaint) -> None:
    quilts.lies = doubt
    quilts.foresight.learn(1)
    assert quilts.see(60, doubt) == []


def test_a_doubt_that_becomes_another_of_the_same_picture_is_told_once(quilts: Quilts) -> None:
    assert quilts.see(SECONDS_4 + 1, UNCLEAR) == [UNCLEAR]
    quilts.looks_like = UNCLEAR
    quilts.slant = 0.1
    assert quilts.see(100, replace(UNCLEAR, reason=Reason.OBJECT)) == []


def test_a_new_picture_is_doubted_anew_and_what_was_told_of_the_old_is_outdated(quilts: Quilts) -> None:
    assert quilts.see(SECONDS_4 + 1, DOUBT) == [DOUBT]
    assert not quilts.foresight.is_outdated(DOUBT, quilts.history)
    quilts.record_motion()
    assert not quilts.foresight.is_outdated(DOUBT, quilts.history)
    quilts.lies = UNCLEAR
    quilts.at_rest = False
    assert not quilts.foresight.is_outdated(DOUBT, quilts.history), "somebody is at work"
    quilts.at_rest = True
    assert quilts.foresight.is_outdated(DOUBT, quilts.history)
    assert not quilts.foresight.is_outdated(UNCLEAR, quilts.history), "it was not told"
    assert quilts.see(SECONDS_4 + 1) == [UNCLEAR]


def test_a_doubt_that_becomes_clear_is_foreseen(quilts: Quilts, monkeypatch: pytest.MonkeyPatch) -> None:
    quilts.see(10, DOUBT)
    monkeypatch.setattr(quilts, "read", lambda _history: Reading(HERE, "f", 1.0))
    assert [type(news) for news in quilts.see(SECONDS_4)] == [DecisionForeseen]


def test_a_doubt_announced_after_a_press_is_not_repeated(quilts: Quilts) -> None:
    quilts.see(3, UNCLEAR)
    quilts.foresight.forget_doubt()
    quilts.foresight.record(UNCLEAR, 0)
    assert quilts.see(100) == []


def test_a_doubt_that_is_forgotten_is_never_outdated_and_may_be_told_again(quilts: Quilts) -> None:
    assert quilts.see(SECONDS_4 + 1, UNCLEAR) == [UNCLEAR]
    quilts.foresight.forget_doubt()
    quilts.see(1, BARE)
    assert not quilts.foresight.is_outdated(UNCLEAR, quilts.history)
    assert quilts.see(SECONDS_4 + 1, UNCLEAR) == [UNCLEAR]


def test_a_question_is_read_again_once_after_each_motion_on_its_quilt(quilts: Quilts) -> None:
    assert quilts.see(SECONDS_4 + 1, DOUBT) == [DOUBT]
    quilts.lies, quilts.looks_like = BARE, DOUBT
    assert not quilts.foresight.is_outdated(DOUBT, quilts.history), "nothing has moved"
    quilts.at_rest = False
    assert not quilts.foresight.is_outdated(DOUBT, quilts.history)
    quilts.at_rest, reads = True, quilts.reads
    assert quilts.foresight.is_outdated(DOUBT, quilts.history)
    assert quilts.reads == reads + 1


def test_a_doubt_about_a_board_that_was_pushed_is_outdated_once_its_surroundings_are_known(quilts: Quilts) -> None:
    quilts.see(10, BARE)
    quilts.see(30, DOUBT)
    quilts.foresight.record(DOUBT, 0)
    quilts.lies, quilts.arm = BARE, True
    assert not quilts.foresight.is_outdated(DOUBT, quilts.history), "it may be an arm"
    quilts.now_s += 10.0
    quilts.foresight.is_outdated(DOUBT, quilts.history)
    assert quilts.foresight.is_outdated(DOUBT, quilts.history)


def test_a_question_that_has_other_answers_after_a_motion_is_outdated(quilts: Quilts) -> None:
    assert quilts.see(SECONDS_4 + 1, DOUBT) == [DOUBT]
    quilts.lies, quilts.looks_like = replace(DOUBT, options=(THERE,)), DOUBT
    quilts.at_rest = False
    assert not quilts.foresight.is_outdated(DOUBT, quilts.history)
    quilts.at_rest = True
    assert quilts.foresight.is_outdated(DOUBT, quilts.history)


def test_a_patch_that_is_laid_again_after_a_question_about_it_is_foreseen(quilts: Quilts) -> None:
    assert quilts.see(SECONDS_4 + 1, DOUBT) == [DOUBT]
    assert quilts.see(2, BARE) == []
    (foreseen,) = quilts.see(2, DOUBT)
    assert isinstance(foreseen, DecisionForeseen)
    assert foreseen.decision == HERE


def test_an_arm_that_passes_over_a_doubtful_quilt_lets_the_doubt_last_anew(quilts: Quilts) -> None:
    quilts.see(10, DOUBT)
    quilts.arm = True
    quilts.see(1)
    quilts.arm = False
    assert quilts.see(SECONDS_4 - 1) == []
    assert quilts.see(2) == [DOUBT]


def test_it_is_known_when_there_is_something_to_be_done(quilts: Quilts) -> None:
    assert quilts.foresight.due_s is None
    quilts.see(1, DOUBT)
    assert quilts.foresight.due_s == pytest.approx(0.2 + 4.0)
    quilts.record_motion()
    assert quilts.foresight.due_s is None
    (foreseen,) = quilts.see(1, HERE)
    assert isinstance(foreseen, DecisionForeseen)
    assert quilts.foresight.is_announced
    assert quilts.foresight.due_s == foreseen.takes_at_s


def test_an_idle_table_is_read_once(quilts: Quilts) -> None:
    quilts.see(100)
    for _ in range(5):
        quilts.record_motion()
        quilts.see(20)
    assert quilts.reads == 1
    quilts.history.apply(Advance(1))
    quilts.see(100)
    assert quilts.reads == 2, "the other quilt, once"


def test_a_decision_costs_two_readings(quilts: Quilts) -> None:
    quilts.see(12, HERE)
    assert quilts.reads == 2


def test_a_motion_in_the_pause_lets_it_lapse_and_the_same_picture_is_announced_anew(quilts: Quilts) -> None:
    quilts.see(5, HERE)
    assert quilts.record_motion() == [ForesightLapsed(HERE, stopped=False, state=quilts.history.state)]
    (again,) = quilts.see()
    assert isinstance(again, DecisionForeseen)
    assert again.takes_at_s == pytest.approx(quilts.now_s + 2.0), "the pause begins anew"


def test_a_change_that_nobody_saw_move_lets_it_lapse(quilts: Quilts) -> None:
    quilts.see(5, HERE)
    assert quilts.see(1, THERE) == [ForesightLapsed(HERE, stopped=False, state=quilts.history.state)]
    (foreseen,) = quilts.see()
    assert isinstance(foreseen, DecisionForeseen)
    assert foreseen.decision == THERE


def test_a_second_reading_that_differs_takes_nothing(quilts: Quilts, monkeypatch: pytest.MonkeyPatch) -> None:
    quilts.see(5, HERE)
    monkeypatch.setattr(quilts, "read", lambda _history: DOUBT)
    assert quilts.see(7) == [ForesightLapsed(HERE, stopped=False, state=quilts.history.state)]


def test_a_stopped_decision_is_not_announced_until_its_patch_was_gone(quilts: Quilts) -> None:
    quilts.see(5, HERE)
    lapsed = quilts.foresight.lapse(quilts.history, stopped=True)
    assert lapsed == ForesightLapsed(HERE, stopped=True, state=quilts.history.state)
    assert quilts.see(40) == []
    quilts.record_motion()
    assert quilts.see(40) == [], "a hand that passed has changed nothing"
    quilts.see(3, UNCLEAR)
    assert quilts.see(40, HERE) == [], "nor has one that covered it"
    quilts.see(3, BARE)
    assert len(quilts.see(40, HERE)) >= 2


def test_a_stopped_patch_is_announced_in_another_place_and_then_here_again(quilts: Quilts) -> None:
    quilts.see(5, HERE)
    quilts.foresight.lapse(quilts.history, stopped=True)
    assert [type(news) for news in quilts.see(1, THERE)] == [DecisionForeseen]
    quilts.record_motion()
    assert [type(news) for news in quilts.see(1, HERE)] == [DecisionForeseen]


def test_an_undone_decision_is_not_foreseen_while_its_patch_lies_there(quilts: Quilts) -> None:
    quilts.see(12, HERE)
    quilts.foresight.refuse(HERE)
    assert quilts.see(60) == []
    quilts.see(3, BARE)
    assert isinstance(quilts.see(1, HERE)[0], DecisionForeseen)


def test_without_anything_foreseen_nothing_lapses(quilts: Quilts) -> None:
    assert quilts.foresight.lapse(quilts.history, stopped=True) is None


@pytest.mark.parametrize("missing", ["ready", "at_rest"])
def test_nothing_is_read_before_the_boards_were_seen_or_while_something_moves(quilts: Quilts, missing: str) -> None:
    setattr(quilts, missing, False)
    assert quilts.see(20, HERE) == []
    assert quilts.reads == 0


def test_nothing_is_foreseen_while_an_arm_is_there_however_still(quilts: Quilts) -> None:
    quilts.arm = True
    assert quilts.see(38, HERE) == []
    quilts.arm = False
    assert len(quilts.see(1)) == 1


def test_a_shadow_over_the_edge_is_no_arm(quilts: Quilts) -> None:
    quilts.slant = 1.0
    assert [type(each) for each in quilts.see(1, HERE)] == [DecisionForeseen]


def test_a_permanent_object_over_the_edge_is_no_arm(quilts: Quilts) -> None:
    quilts.arm = True
    assert quilts.see(40, HERE) == [], "for eight seconds it may be one"
    assert quilts.foresight.due_s == pytest.approx(0.2 + 8.0)
    assert [type(news) for news in quilts.see(15)] == [DecisionForeseen, Reading]


def test_an_arm_that_was_there_when_a_decision_was_taken_is_still_one(quilts: Quilts) -> None:
    quilts.arm = True
    quilts.foresight.learn(1)
    assert quilts.see(5, HERE) == []


def test_light_that_creeps_is_learned_from_decision_to_decision(quilts: Quilts) -> None:
    for step in range(5):
        quilts.slant = step * 0.15
        quilts.foresight.learn(1)
    assert len(quilts.see(1, HERE)) == 1


# On pictures of the simulated table.

BAR = TakePatch(1, "bar3", mask_of(["B9", "C9", "D9"]))
CELLS = ((8, 1), (8, 2), (8, 3))


def _watched(scene: Scene, foresight: PlacementForecaster, frames: int) -> list[News]:
    news = []
    for _ in range(frames):
        scene.show(1)
        frame = scene.watch.frame
        assert frame is not None
        news.append(foresight.see(frame, scene.history))
    return [each for each in news if each is not None]


def test_a_patch_held_over_the_board_commits_nothing_and_laid_it_is_taken(opening: Scene) -> None:
    table = deepcopy(opening)
    foresight = PlacementForecaster(table.watch, table.reader, pause_s=0.6)
    for seat, cells in ((1, CELLS), (2, CELLS), (1, ((0, 4), (0, 5), (0, 6))), (2, ((4, 0), (4, 1), (4, 2)))):
        piece = table.table.prepared(1, "bar3", cells)
        for carried in (piece, None):
            x_mm, y_mm = table.table.spot_mm(1, piece)
            table.table.hands = (Hand(seat, x_mm, y_mm, carried),)
            assert _watched(table, foresight, 5) == []
    table.table.hands = ()
    table.lay(1, "bar3", CELLS)
    news = _watched(table, foresight, 9)
    assert [type(each) for each in news] == [DecisionForeseen, Reading]
    assert all(each.decision == BAR for each in news if isinstance(each, DecisionForeseen | Reading))


MIDDLE = TakePatch(1, "bar3", mask_of(["B5", "C5", "D5"]))


def test_a_hand_that_lingers_over_the_edge_holds_a_decision_back_and_beside_the_board_it_does_not(
    opening: Scene,
) -> None:
    table = deepcopy(opening)
    foresight = PlacementForecaster(table.watch, table.reader, pause_s=1.0)
    assert _watched(table, foresight, 5) == []
    pose = table.table.board_pose(1)
    table.lay(1, "bar3", ((4, 1), (4, 2), (4, 3)))
    # From the middle of the quilt towards its player: on its last row, on its border, and half out of the view.
    for away_mm in (80.0, 95.0, 108.0):
        table.table.hands = (Hand(1, pose.x_mm, pose.y_mm + away_mm),)
        assert _watched(table, foresight, 10) == [], away_mm
    table.table.hands = (Hand(1, pose.x_mm, pose.y_mm + 140.0),)
    news = _watched(table, foresight, 9)
    assert [type(each) for each in news] == [DecisionForeseen, Reading], "it rests beside the board"
    assert all(each.decision == MIDDLE for each in news if isinstance(each, DecisionForeseen | Reading))


def test_a_hand_that_comes_back_to_the_edge_in_the_pause_lets_what_was_foreseen_lapse(
    opening: Scene,
) -> None:
    table = deepcopy(opening)
    foresight = PlacementForecaster(table.watch, table.reader, pause_s=1.0)
    assert _watched(table, foresight, 5) == []
    pose = table.table.board_pose(1)
    table.lay(1, "bar3", ((4, 1), (4, 2), (4, 3)))
    assert [type(each) for each in _watched(table, foresight, 4)] == [DecisionForeseen]
    table.table.hands = (Hand(1, pose.x_mm + 30.0, pose.y_mm + 100.0),)
    assert [type(each) for each in _watched(table, foresight, 12)] == [ForesightLapsed]
    table.table.hands = ()
    assert [type(each) for each in _watched(table, foresight, 9)] == [DecisionForeseen, Reading]
