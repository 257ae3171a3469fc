"""A simulated table, the companion that watches it, and all that follows its events, held to what must be true."""

from __future__ import annotations

import random
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from calibration.locator import SEATS, CornerLocator
from companion.calibrating.configured import locator_by
from companion.config import Config
from companion.games.patchwork.components import PATCHES, Edition
from companion.games.patchwork.decisions import (
    Advance,
    Decision,
    TakePatch,
    cells_covered,
)
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup, State
from companion.games.patchwork.strategy.choice import choose
from companion.journal import MemoryJournal
from companion.languages import ENGLISH, render
from companion.mqtt.table import EventConverter
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.ending.checks import TileCheck
from companion.patchwork.foresight import PlacementForecaster
from companion.patchwork.game import PATCHWORK as GAME
from companion.patchwork.hands_free import AdvanceForecaster, Forecaster, UndoForecaster
from companion.patchwork.lights import LightShow
from companion.patchwork.page.snapshot import PatchworkAccount, after, opened, snapshot_json
from companion.patchwork.reading.observer import QuiltComparer, QuiltObserver
from companion.patchwork.reading.reader import Reader
from companion.patchwork.reading.verdict import Reason
from companion.patchwork.table import PatchworkTable
from companion.patchwork.timeboard import MarkerHints, TimeBoardWatch
from companion.patchwork.watching.watch import TableWatch
from companion.play import events
from companion.play.devices import Notices
from companion.play.events import Pending
from companion.play.inbox import Inbox
from companion.play.loop import TableParts
from companion.play.session import AtOnce
from companion.play.terminal import EventPrinter
from companion.registry import codecs, pages
from hardware.ports import Button, Frame
from hardware.simulated.conditions import LEATHER, normal
from hardware.simulated.devices import SimulatedClock, SimulatedControls
from hardware.simulated.scene.placing import nudged, touch
from hardware.simulated.scene.table import SimulatedTable, cells_of
from tests.vision.timeboard.conftest import true_place
from vision.timeboard.board import load_layout
from vision.timeboard.finding import Alikeness, FoundBoard, find_time_board

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from numpy.typing import NDArray

    from companion.play.events import Event
    from hardware.simulated.drawing import Pose
    from hardware.simulated.scene.placing import Lying
    from vision.quilt.look import QuiltMemory

FRAME_S = 0.2
# Frames after a press until its look is over, and after a change until the boards are at rest.
LOOK, REST = 6, 4
PAUSE_S = 1.0
# A time at which all effects of the lights are over.
LATER_S = 1e6
# The number of pictures of an unchanged table, which differ by the sensor's noise.
DIFFERENT = 5
STARTS: Final = ("opening", "middle", "leather", "tile", "end")
"""The points of a game at which an evening may begin."""


def setup_of(seed: int, edition: Edition) -> Setup:
    """Return a game with a circle of its own."""
    names = [name for name in PATCHES if name != "domino"]
    np.random.default_rng(seed).shuffle(names)
    return Setup(players=("Anna", "Boris"), market=(*names, "domino"), edition=edition)


def played(setup: Setup, start: str) -> tuple[Decision, ...]:
    """Return the decisions before an evening that begins in the middle of a game."""
    if start == "opening":
        return ()
    history, rng = History(setup), random.Random(1)
    made: dict[str, int] = {}
    while not history.state.finished:
        history.apply(choose(history.state, rng.gauss).decision)
        number = len(history.decisions)
        if number == 12:
            made["middle"] = number
        if history.state.leather_due:
            made.setdefault("leather", number)
        if any(seat.bonus for seat in history.state.seats):
            made.setdefault("tile", number - 1)
    # The tile is won in some games only.
    return history.decisions[: made.get(start, len(history.decisions) - 3)]


class Searching(AtOnce):
    """An executor that answers the search for the time board by the truth; the search has tests of its own."""

    def __init__(self, scene: SimulatedTable) -> None:
        self._scene = scene

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if fn is find_time_board:
            return super().submit(self._found)
        return super().submit(fn, *args, **kwargs)

    def _found(self) -> FoundBoard:
        return FoundBoard(true_place(self._scene), load_layout("even"), Alikeness(10.0, 10.0))


@dataclass
class Followers:
    """The page, the terminal, the broker and the lights, which follow the events of a table."""

    account: PatchworkAccount | None = None
    terminal: StringIO = field(default_factory=StringIO)
    number: int = 0

    def __post_init__(self) -> None:
        self.printer = EventPrinter(GAME.terminal, Config())
        self.converter = EventConverter(pages())
        self.lights = LightShow(60)

    def __call__(self, event: Event, now_s: float) -> None:
        self.number += 1
        now = datetime.fromtimestamp(now_s, UTC)
        if isinstance(event, events.GameOpened):
            self.account = opened(event)
            self.account = replace(self.account, pending=event.pending)
            self.converter.opened(event, now, [])
        else:
            assert self.account is not None
            self.account = after(self.account, event, self.number)
            self.converter.after(event, now)
        with redirect_stdout(self.terminal):
            self.printer(event)
        self.lights.event(event, now_s)

    def check(self, state: State, decisions: Sequence[Decision], pending: Pending) -> None:
        """Fail unless all of them show the table as it is."""
        account = self.account
        assert account is not None
        assert (account.state, account.decisions, account.pending) == (state, tuple(decisions), pending)
        snapshot = snapshot_json(account, ENGLISH)
        doubt = snapshot["question"] or snapshot["complaint"]
        if doubt is not None:
            assert doubt["says"] in self.terminal.getvalue()
            sentences = doubt["says"].split(". ")
            assert len(set(sentences)) == len(sentences), "what is open is said once"
        message = self.converter.state("table", "Table", "here", 1, datetime.now(UTC))
        assert message.asked == pending.number
        assert message.decisions == len(decisions)
        is_open = pending.question is not None or pending.complaint is not None
        assert message.phase == ("finished" if state.finished else "asking" if is_open else "playing")


class WatchedTable:
    """Two boards, what lies on them, and the companion.

    Args:
        seed: of the table and the circle.
        mats: whether the boards lie on mats.
        edition: the printing of the time board.
        start: where in the game the evening begins, of `STARTS`.
        hands_free: whether placements are taken without a press.
        followed: whether the time board is followed.
        knows_circle: whether the companion knows in which order the patches lie.

    Attributes:
        lying: the pieces that lie as a legal decision would lay them, or as one has.
        pushed: the poses in which those of them were laid that a neighbour has pushed since.
        strays: pieces that lie as no decision can lay them, with their seats.
        astray: the patches among them, each as a decision, which is legal once it is that seat's turn.
        chosen: the decisions that players have entered by hand or answered.
    """

    def __init__(
        self,
        seed: int,
        *,
        mats: bool = True,
        edition: Edition = Edition.ORIGINAL,
        start: str = "opening",
        hands_free: bool = False,
        followed: bool = False,
        knows_circle: bool = True,
    ) -> None:
        self.setup = setup_of(seed, edition)
        names = self.setup.market
        assert names is not None
        self.circle: tuple[str, ...] = names
        self.scene = SimulatedTable(seed, normal(), market=self.circle, edition=edition, mats=mats)
        self.mats, self.hands_free, self.followed = mats, hands_free, followed
        self.frames, self.clock = 0, SimulatedClock()
        before = played(self.setup, start)
        self.setup = self.setup if knows_circle else replace(self.setup, market=None)
        self._pictured: object = None
        self._pictures: list[NDArray[np.uint8]] = []
        self.book = MemoryJournal(codecs())
        self.game = self.book.new_game(self.setup, "evening")
        self.lying: dict[Decision, Lying] = {}
        self.pushed: dict[Decision, Pose] = {}
        self.strays: list[tuple[int, Lying]] = []
        self.astray: set[Decision] = set()
        self.chosen: set[Decision] = set()
        self.announced: list[Decision] = []
        self.pressed: set[Button] = set()
        self.faults: list[BaseException] = []
        self.switch_on(self._new_watch())
        self.wait(REST + 3)
        assert self.watch.ready
        if before:
            self._begin_with(before)

    def _begin_with(self, decisions: Sequence[Decision]) -> None:
        """Lay out the table as after these decisions, and resume there."""
        profile = self.watch.profile()
        for number, decision in enumerate(decisions, start=1):
            self.book.append(self.game, number, decision)
            if cells_covered(decision):
                self.put(decision)
        self.announced = list(decisions)
        self.switch_on(self.watch)
        self.keep_books()
        self._resume(profile)

    def _new_watch(self) -> TableWatch:
        return TableWatch(locator_by(None) if self.mats else CornerLocator(self.scene.grid_corners_px()))

    def switch_on(self, watch: TableWatch) -> None:
        """Begin or resume the game."""
        self.controls, self.inbox, notices = SimulatedControls(self.clock), Inbox(), Notices()
        self.history = History(self.setup)
        for decision in self.book.decisions(self.game, PATCHWORK):
            self.history.apply(decision)
        self.watch, self.followers = watch, Followers()
        # What is expected after each number of decisions, until further ones are taken.
        self.expected: dict[int, dict[int, QuiltMemory]] = {}
        observer = QuiltObserver(comparer := QuiltComparer(watch))
        reader = Reader(observer)
        board = TimeBoardWatch(watch, self.history, Searching(self.scene)) if self.followed else None
        self.board = board
        hints = None if board is None else MarkerHints(board, self.history, notices.say)
        parts = TableParts(
            camera=self,
            controls=self.controls,
            book=self.book,
            game_id=self.game,
            history=self.history,
            listeners=(self._listen, *([] if hints is None else [hints])),
            ticks=(*([] if board is None or hints is None else [board.tick, hints.tick]), notices.deliver),
            inbox=self.inbox,
            notices=notices,
        )
        forecaster = self._forecaster(board, reader, comparer, notices)
        is_resumed = bool(self.history.decisions)
        checks = (TileCheck(watch, self.history, AtOnce(), notices.say),) if self.followed else ()
        self.table = PatchworkTable(
            parts, watch, observer, reader, forecaster=forecaster, is_resumed=is_resumed, at_end=checks
        )
        self.table._open()

    def _forecaster(
        self, board: TimeBoardWatch | None, reader: Reader, comparer: QuiltComparer, notices: Notices
    ) -> Forecaster | None:
        if not self.hands_free:
            return None
        foresight = PlacementForecaster(self.watch, reader, PAUSE_S)
        undoes = UndoForecaster(self.watch, comparer, foresight, PAUSE_S)
        advances = None if board is None else AdvanceForecaster(board, self.watch, reader, PAUSE_S, notices.say)
        return Forecaster(foresight, undoes, advances)

    def resume(self) -> None:
        """Switch the companion off, whatever it is doing, and on again."""
        self._resume(self.watch.profile())

    def _resume(self, profile: Any) -> None:
        watch = self._new_watch()
        history = History(self.setup)
        for decision in self.book.decisions(self.game, PATCHWORK):
            history.apply(decision)
        watch.restore(profile, {seat: history.state.seat(seat).quilt for seat in SEATS})
        self.switch_on(watch)
        self.wait(REST)

    def capture(self) -> Frame:
        self.clock.sleep(FRAME_S)
        self.frames += 1
        return Frame(self._picture(), self.clock.now(), f"{self.frames:06d}.jpg")

    def _picture(self) -> NDArray[np.uint8]:
        """Return the next picture; while nothing changes the latest ones come again, which takes no time."""
        scene = self.scene
        now = (scene.layout, scene.camera, scene.pieces(1), scene.pieces(2), tuple(scene.strays), scene.books)
        if now != self._pictured:
            self._pictured, self._pictures = now, []
        if len(self._pictures) < DIFFERENT:
            self._pictures.append(scene.frame(self.clock.now()))
            return self._pictures[-1]
        return self._pictures[self.frames % DIFFERENT]

    def close(self) -> None:
        """Do nothing: this camera is the table itself."""

    # What the companion does.

    def _listen(self, event: Event) -> None:
        # The turn loop only logs a listener's failure.
        try:
            self.followers(event, self.clock.now())
            self._judge(event)
        except BaseException as fault:
            self.faults.append(fault)
            raise

    def _judge(self, event: Event) -> None:
        if isinstance(event, events.DecisionTaken):
            self.announced.append(event.decision)
            assert self._is_shown(event.decision), f"{event.decision} was neither laid nor chosen"
        elif isinstance(event, events.DecisionUndone):
            assert self.announced.pop() == event.decision
            is_lifted = bool(cells_covered(event.decision)) and event.decision not in self.lying
            assert Button.UNDO in self.pressed or (self.hands_free and is_lifted), f"{event.decision} was not undone"

    def _is_shown(self, decision: Decision) -> bool:
        if decision in self.chosen:
            return True
        if isinstance(decision, Advance):
            before = self.history.state_after(len(self.history.decisions) - 1)
            is_moved = self.followed and self.scene.books.times[decision.seat - 1] == advance_space(before)
            return Button.ADVANCE in self.pressed or is_moved
        return decision in self.lying or decision in self.astray

    def wait(self, frames: int) -> None:
        """Let frames pass, and check what must be true after each."""
        for _ in range(frames):
            made, number = len(self.history.decisions), self.followers.number
            self.table.step()
            if self.faults:
                raise self.faults[0]
            self._check(made)
            if self.followers.number != number:
                self._check_lights()

    def _check(self, made: int) -> None:
        decisions = self.book.decisions(self.game, PATCHWORK)
        assert decisions == self.history.decisions == tuple(self.announced)
        self.followers.check(self.history.state, decisions, self.table.pending)
        now = len(decisions)
        if now < made and now in self.expected:
            for seat, then in self.expected[now].items():
                assert_looks_are_back(self.watch.memories.now[seat], then)
        looks = dict(self.watch.memories.now)
        # Looks remembered with later decisions no longer count, nor those of boards that are still being learnt.
        self.expected = {
            number: kept
            for number, kept in self.expected.items()
            if number < now and all(looks[seat].empty is kept[seat].empty for seat in kept)
        }
        self.expected[now] = looks

    def check_journal(self) -> None:
        """Fail unless the rules allow what the journal has, and the lights and the page show just that."""
        again = History(self.setup)
        for decision in self.book.decisions(self.game, PATCHWORK):
            again.apply(decision)
        assert again.state == self.history.state
        account = self.followers.account
        assert account is not None
        fresh = opened(events.GameOpened(self.game, again.state, again.decisions))
        bare = replace(account, pending=Pending(), facts=(), looked_at=0, wrong_markers={}, circle_faults={})
        assert snapshot_json(bare, ENGLISH) == snapshot_json(fresh, ENGLISH)

    def _check_lights(self) -> None:
        """Fail unless the strip, once its effects are over, shows the state alone, as before what was undone."""
        account, lights, fresh = self.followers.account, self.followers.lights, LightShow(60)
        if account is None or account.wrong_markers or not lights.is_resting(LATER_S):
            return
        fresh.event(events.LookCalledOff(self.history.state), 0.0)
        assert lights.frame(LATER_S) == fresh.frame(LATER_S)

    # What people do.

    @property
    def state(self) -> State:
        """The state of the game."""
        return self.history.state

    @property
    def says(self) -> str:
        """What is open, in words, to be printed with a failure."""
        doubt = self.table.pending.question or self.table.pending.complaint
        return "nothing is open" if doubt is None else render(doubt.says, ENGLISH)

    @property
    def is_open(self) -> bool:
        """True if something is open; with presses, that nothing new lies there is the answer to a press, and is not."""
        pending = self.table.pending
        complaint = pending.complaint
        is_answer = complaint is not None and complaint.reason is Reason.NOTHING_PLACED and not self.hands_free
        return pending.question is not None or (complaint is not None and not is_answer)

    def press(self, button: Button) -> None:
        """Press a button, and wait for what follows."""
        self.pressed = {button}
        pending = self.table.pending
        if button is Button.CONFIRM and pending.question is not None and pending.choice != events.NONE_SHOWN:
            self.chosen.add(pending.question.options[pending.choice])
        self.controls.press(button)
        self.wait(LOOK)
        self.pressed = set()

    def put(self, decision: Decision) -> None:
        """Lay a piece where a decision says."""
        name = decision.patch if isinstance(decision, TakePatch) else LEATHER
        self.lying[decision] = self.scene.lay(decision.seat, name, cells_of(cells_covered(decision)))

    def put_astray(self, seat: int, name: str, mask: int) -> None:
        """Lay a piece where it may not lie."""
        self.astray.add(TakePatch(seat, name, mask))
        self.strays.append((seat, self.scene.lay(seat, name, cells_of(mask))))

    def lift(self, decision: Decision) -> None:
        """Take a piece off its board."""
        self.scene.lift(decision.seat, self.lying.pop(decision))
        self.pushed.pop(decision, None)

    def push_beside(self, laid: Decision, by_mm: float, turn_deg: float) -> None:
        """Push a piece beside one that was just laid, to where there is room."""
        mine = {each: piece for each, piece in self.lying.items() if each.seat == laid.seat}
        for decision, piece in mine.items():
            if decision != laid and touch(piece, mine[laid]):
                others = [each for each in mine.values() if each != piece]
                pose = nudged(piece, others, by_mm, np.random.default_rng(len(mine))).moved(turn_deg=turn_deg)
                self.pushed.setdefault(decision, piece.pose)
                self.lying[decision] = self.scene.move(laid.seat, piece, pose)
                return

    @property
    def sees_markers(self) -> bool:
        """True if the companion sees both markers where they are."""
        standing = None if self.board is None else self.board.standing
        return standing is not None and tuple(standing[seat] for seat in SEATS) == self.scene.books.times

    def put_right(self) -> None:
        """Lift what no decision has laid, lay and straighten what one has, and move tokens to their places."""
        standing = [each for each in self.history.decisions if cells_covered(each)]
        for seat, piece in self.strays:
            self.scene.lift(seat, piece)
        self.strays.clear()
        self.astray.clear()
        self.scene.strays.clear()
        for decision in [each for each in self.lying if each not in standing]:
            self.lift(decision)
        for decision, pose in self.pushed.items():
            self.lying[decision] = self.scene.move(decision.seat, self.lying[decision], pose)
        self.pushed.clear()
        for decision in standing:
            if decision not in self.lying:
                self.put(decision)
        self.keep_books()
        self.wait(REST)

    def keep_books(self) -> None:
        """Put the open pieces beside the quilts where the game has them."""
        state = self.state
        self.scene.books = replace(
            self.scene.books,
            times=(state.seat(1).time, state.seat(2).time),
            leather_out=tuple(sorted(state.leather_left)),
            first=self._first_unbought(),
            bonus=next((seat for seat in SEATS if state.seat(seat).bonus), None),
        )

    def _first_unbought(self) -> str | None:
        """Return the patch clockwise from the neutral token, which stands where the latest one was bought."""
        taken = [each.patch for each in self.history.decisions if isinstance(each, TakePatch)]
        after = self.circle.index(taken[-1]) + 1 if taken else 0
        left = [each for each in self.circle[after:] + self.circle[:after] if each not in taken]
        return left[0] if left else None

    def move_marker(self, seat: int, space: int) -> None:
        """Move a marker on the time board."""
        times = list(self.scene.books.times)
        times[seat - 1] = space
        self.scene.books = replace(self.scene.books, times=(times[0], times[1]))


def advance_space(state: State) -> int:
    """Return the space to which an advance takes the mover's marker."""
    return min(state.setup.track.last_space, state.seat(3 - state.mover).time + 1)


def assert_looks_are_back(now: QuiltMemory, then: QuiltMemory) -> None:
    """Fail unless a quilt is expected to look as it was before decisions that were undone.

    Patches that were entered before they were laid may have been seen since.
    """
    np.testing.assert_array_equal(now.empty, then.empty)
    for cell, window in then.laid.items():
        np.testing.assert_array_equal(now.laid[cell], window)
    for windows, before in ((now.crept, then.crept), (now.believed, then.believed)):
        assert windows.keys() == before.keys()
        for cell, window in before.items():
            np.testing.assert_array_equal(windows[cell], window)
