"""A table whose camera, buttons, watch and reader are scripted by a test."""

from __future__ import annotations

import random
from collections import deque
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from companion.games.patchwork import Decision, History, Setup, State, TakePatch, legal_decisions, mask_of
from companion.games.patchwork.strategy.choice import choose
from companion.journal import Journal, MemoryJournal
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.reading.observer import UnreadableQuiltError
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reading, Reason, Verdict
from companion.patchwork.replaying import ReplayedTable
from companion.patchwork.table import PatchworkTable
from companion.play.inbox import Inbox
from companion.play.loop import TableParts
from companion.registry import codecs
from hardware.ports import Button, CameraError, EndOfFramesError, Frame, Press
from vision.quilt.look import SQUARES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from companion.patchwork.watching.tracking import Displacement
    from companion.play.events import Event
    from hardware.recorded import Instruction

FRAME_S = 0.2
SETUP = Setup(players=("Anna", "Boris"))
CORNER = TakePatch(1, "corner-b1", mask_of(["A1", "A2", "B2"]))
TWIN = TakePatch(1, "corner-b3", CORNER.cells)
Moment = Button | tuple[Button, bool] | CameraError | None
"""An event of one frame: a press, a press with its `Press.answers`, nothing, or an error instead of the frame."""


class ScriptedTable:
    """One game at a table of fakes: it is its own camera, controls, watch and reader, and a listener.

    Args:
        kind: the class of the table.
        verdicts: the reader's verdicts, in order.
        unrest: numbers of the frames, from 0, in which the quilts are not at rest.
        ready: whether the empty boards have been seen.
        blank: whether the pictures show nothing.
        away: the number, from 0, of the frame before which the camera is away for a minute.
        before: decisions that were taken earlier.
        shades: the brightness of the quilts at each reading; the last one holds for the rest.
        book: the journal; by default one in memory.
        instructions: a recording's instructions, for a `ReplayedTable`.
        inbox: the inbox of commands.
        ticks: functions called once a frame.
        before_me: listeners that are called before it.
        after_me: listeners that are called after it.
        more: further options of the table.
    """

    def __init__(
        self,
        kind: type[PatchworkTable] = PatchworkTable,
        *,
        verdicts: Iterable[Verdict] = (),
        unrest: Sequence[int] = (),
        ready: bool = True,
        blank: bool = False,
        away: int | None = None,
        before: Sequence[Decision] = (),
        shades: Sequence[float] = (),
        book: Journal | None = None,
        instructions: Callable[[], Iterable[Instruction]] = tuple,
        inbox: Inbox | None = None,
        ticks: Sequence[Callable[[float], None]] = (),
        before_me: Sequence[Callable[[Event], None]] = (),
        after_me: Sequence[Callable[[Event], None]] = (),
        **more: Any,
    ) -> None:
        self.verdicts, self.unrest, self.ready, self.blank = deque(verdicts), unrest, ready, blank
        self._away = away
        self._shades, self._shade = deque(shades), 0.0
        self.displacements: deque[Displacement] = deque()
        self.told: list[Event] = []
        self.log: list[str] = []
        self.frame: Frame | None = None
        self._script: deque[Moment] = deque()
        self._presses: list[Press] = []
        self._taken = 0
        self.book = book or MemoryJournal(codecs())
        self.game_id = self.book.new_game(SETUP)
        history = History(SETUP)
        for number, decision in enumerate(before, start=1):
            self.book.append(self.game_id, number, decision)
            history.apply(decision)
        self.unconfirmed: Complaint | None = None
        me = cast("Any", self)
        parts = TableParts(
            camera=me, controls=me, book=self.book, game_id=self.game_id, history=history,
            listeners=(*before_me, self.told.append, *after_me), ticks=ticks, inbox=inbox or Inbox(),
        )  # fmt: skip
        self.table = (
            ReplayedTable(instructions, parts, me, me, me, **more)
            if kind is ReplayedTable
            else kind(parts, me, me, me, **more)
        )

    def play(self, *moments: Moment) -> ScriptedTable:
        """Run the table through these frames to its end."""
        self._script.extend(moments)
        self.table.run()
        return self

    def go_on(self, *moments: Moment) -> ScriptedTable:
        """Take the table through these frames, without its end."""
        self._script.extend(moments)
        for _ in moments:
            self.table.step()
        return self

    @property
    def kinds(self) -> list[str]:
        """The names of the events after the first, which opens the game."""
        assert type(self.told[0]).__name__ == "GameOpened"
        return [type(event).__name__ for event in self.told[1:]]

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions in the journal, which equal the table's."""
        kept = self.book.decisions(self.game_id, PATCHWORK)
        assert kept == self.table.history.decisions
        return kept

    def capture(self) -> Frame:
        """The camera: return one frame for each scripted moment."""
        if not self._script:
            raise EndOfFramesError("that was all")
        moment = self._script.popleft()
        if isinstance(moment, CameraError):
            raise moment
        t_s = self._taken * FRAME_S + (60.0 if self._away is not None and self._taken >= self._away else 0.0)
        if isinstance(moment, Button):
            self._presses.append(Press(moment, t_s))
        elif moment is not None:
            self._presses.append(Press(moment[0], t_s, moment[1]))
        self._taken += 1
        return Frame(np.zeros((1, 1, 3), np.uint8), t_s, f"{self._taken - 1:06d}.jpg")

    def presses(self) -> Sequence[Press]:
        """The controls."""
        fetched, self._presses = self._presses, []
        return fetched

    def press_late(self, button: Button) -> None:
        """Add a press that is timed after all frames."""
        self._presses.append(Press(button, 1e9))

    def see(self, frame: Frame) -> None:
        """The watch."""
        self.frame = frame

    def settled(self, seat: int) -> bool:
        """The watch: whether this frame is at rest, for the seat to move and for the seat of the last decision."""
        assert seat in {self.table.state.turn, *(decision.seat for decision in self.table.history.decisions[-1:])}
        return self._taken - 1 not in self.unrest

    def readable(self, seat: int) -> bool:
        """The watch: whether a quilt can be read in this frame."""
        return self.ready and self.settled(seat)

    def restart_rest(self) -> None:
        """The watch."""
        self.log.append("rest anew")

    def read(self, history: History) -> Verdict:
        """The reader: return the next verdict, if the quilt can be read in this frame."""
        assert history.decisions == self.table.history.decisions
        if not self.readable(history.state.mover):
            raise UnreadableQuiltError(history.state.mover)
        self.log.append(f"read {self.frame.name if self.frame else ''}")
        self._shade = self._shades.popleft() if self._shades else self._shade
        return self.verdicts.popleft()

    @property
    def thumbnails(self) -> dict[int, NDArray[np.float32]]:
        """The observer: the quilts at the latest reading, each with a patch of that reading's shade."""
        picture = np.zeros((SQUARES, SQUARES, 3), np.float32)
        picture[10:14, 10:14] = self._shade
        return {1: picture, 2: picture}

    def observe_all(self, state: State) -> None:
        """The observer: record a look before an advance."""
        assert state is self.table.state
        self.log.append("observe all")

    def unconfirmed_placement(self, history: History) -> Complaint | None:
        """The reader: return the complaint that a test has set about an unconfirmed patch."""
        assert history is self.table.history
        return self.unconfirmed

    def remember(self, state: State, decision: Decision, denied: Complaint | None = None) -> None:
        """The observer: record a decision; called after it was applied."""
        assert state is self.table.state
        assert self.table.history.decisions[-1] == decision
        self.log.append("remember" if denied is None else f"remember though {denied.reason}")

    def take_back(self, state: State) -> None:
        """The observer: record that a decision was taken back."""
        assert state is self.table.state
        self.log.append("take back")


@pytest.fixture
def scripted() -> Callable[..., ScriptedTable]:
    return ScriptedTable


@pytest.fixture
def reading() -> Reading:
    return Reading(CORNER, "000001.jpg", 0.999)


@pytest.fixture
def question() -> Question:
    return Question(QuestionTopic.WHICH_PATCH, 1, (CORNER, TWIN), (), "Which patch is it?", "000001.jpg")


@pytest.fixture
def overlap() -> Complaint:
    return Complaint(Reason.OVERLAP, 1, ("A1",), "The new patch overlaps.", "000001.jpg")


@pytest.fixture(scope="session")
def leather_game() -> tuple[Decision, ...]:
    """Decisions after which a leather patch is due."""
    rng, history = random.Random(4), History(SETUP)
    while not history.state.leather_due:
        history.apply(legal_decisions(history.state).pick(rng))
    return history.decisions


@pytest.fixture(scope="session")
def whole_game() -> tuple[Decision, ...]:
    """Decisions of a game to its end."""
    rng, history = random.Random(4), History(SETUP)
    while not history.state.finished:
        history.apply(legal_decisions(history.state).pick(rng))
    return history.decisions


@pytest.fixture(scope="session")
def play_on() -> Callable[[Journal, int], None]:
    """A function that plays a journal's first game on to a number of decisions, as simulated players would, unseen."""

    def play(book: Journal, decisions: int) -> None:
        history, rng = History(book.setup(1, PATCHWORK)), random.Random(1)
        for decision in book.decisions(1, PATCHWORK):
            history.apply(decision)
        while len(history.decisions) < decisions:
            history.apply(choose(history.state, rng).decision)
            book.append(1, len(history.decisions), history.decisions[-1])

    return play
