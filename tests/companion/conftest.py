"""A table whose camera, buttons, watch and reader are scripted by a test."""

from __future__ import annotations

import random
from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Decision, TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup, State
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
from vision.stillness import Unrest

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


class ScriptedDevices:
    """The camera and the buttons of a table: one frame, and at most one press, for each scripted moment.

    Args:
        away: the number, from 0, of the frame before which the camera is away for a minute.
    """

    def __init__(self, away: int | None = None) -> None:
        self.script: deque[Moment] = deque()
        self._away, self._taken = away, 0
        self._presses: list[Press] = []

    def capture(self) -> Frame:
        if not self.script:
            raise EndOfFramesError("that was all")
        moment = self.script.popleft()
        if isinstance(moment, CameraError):
            raise moment
        t_s = self._taken * FRAME_S + (60.0 if self._away is not None and self._taken >= self._away else 0.0)
        if isinstance(moment, Button):
            self._presses.append(Press(moment, t_s))
        elif moment is not None:
            self._presses.append(Press(moment[0], t_s, moment[1]))
        self._taken += 1
        return Frame(np.zeros((1, 1, 3), np.uint8), t_s, frame_name(self._taken - 1))

    def presses(self) -> Sequence[Press]:
        fetched, self._presses = self._presses, []
        return fetched

    def press_late(self, button: Button) -> None:
        """Add a press that is timed after all frames."""
        self._presses.append(Press(button, 1e9))

    def close(self) -> None: ...


def frame_name(number: int) -> str:
    """Return the name of a frame, by its number from 0."""
    return f"{number:06d}.jpg"


class ScriptedWatch:
    """A watch over quilts that are at rest in all frames but some.

    Args:
        unrest: numbers of the frames, from 0, in which they are not.
        ready: whether the empty boards have been seen.
        blank: whether the pictures show nothing.
    """

    def __init__(self, unrest: Sequence[int], *, ready: bool, blank: bool) -> None:
        self._unrest = set(map(frame_name, unrest))
        self.ready, self.blank = ready, blank
        self.places = dict.fromkeys((1, 2))
        self.frame: Frame | None = None
        self.displacements: deque[Displacement] = deque()
        self.lost: frozenset[int] = frozenset()
        self.withheld: tuple[str, ...] = ()

    @property
    def frame_name(self) -> str:
        """The name of the latest frame."""
        return "" if self.frame is None else self.frame.name

    def see(self, frame: Frame) -> None:
        self.frame = frame

    def settled(self, seat: int) -> bool:
        del seat
        return self.frame_name not in self._unrest

    def readable(self, seat: int) -> bool:
        return self.ready and self.settled(seat)

    def unrest(self, seat: int) -> Unrest | None:
        return None if self.settled(seat) else Unrest.MOTION

    def accept(self, quilts: dict[int, int]) -> None:
        del quilts
        self.ready, self.withheld = True, ()

    def restart_rest(self) -> None:
        """Do nothing: the next frame is at rest again, unless it is one of those that are not."""


class ScriptedObserver:
    """An observer of the quilts, with the looks that it has learnt.

    Attributes:
        looks: for each decision in force that was seen: the decision, the name of the frame in which the quilts were
            last looked at, and the reason of the complaint that it denies, or None.
    """

    def __init__(self, watch: ScriptedWatch, shades: Sequence[float]) -> None:
        self._watch, self._shades, self._shade = watch, deque(shades), 0.0
        self._looked_at = ""
        self.looks: list[tuple[Decision, str, Reason | None]] = []

    def look(self) -> None:
        """Look at the quilts in the latest frame."""
        self._looked_at = self._watch.frame_name
        self._shade = self._shades.popleft() if self._shades else self._shade

    @property
    def thumbnails(self) -> dict[int, NDArray[np.float32]]:
        """The quilts at the latest look, each with a patch of that look's shade."""
        picture = np.zeros((SQUARES, SQUARES, 3), np.float32)
        picture[10:14, 10:14] = self._shade
        return {1: picture, 2: picture}

    def observe_all(self, state: State) -> None:
        del state
        self._looked_at = self._watch.frame_name

    def remember(self, state: State, decision: Decision, denied: Complaint | None = None) -> None:
        del state
        self.looks.append((decision, self._looked_at, None if denied is None else denied.reason))

    def take_back(self, state: State) -> None:
        del state
        del self.looks[-1:]


class ScriptedReader:
    """A reader with given verdicts.

    Attributes:
        unconfirmed: the complaint about a patch that was laid and not confirmed, or None.
    """

    def __init__(self, watch: ScriptedWatch, observer: ScriptedObserver, verdicts: Iterable[Verdict]) -> None:
        self._watch, self._observer, self.verdicts = watch, observer, deque(verdicts)
        self.unconfirmed: Complaint | None = None

    def read(self, history: History, *, is_pressed: bool = False) -> Verdict:
        del is_pressed
        if not self._watch.readable(history.state.mover):
            raise UnreadableQuiltError(history.state.mover)
        self._observer.look()
        return self.verdicts.popleft()

    def unconfirmed_placement(self, history: History) -> Complaint | None:
        del history
        return self.unconfirmed


class ScriptedTable:
    """One game at a table whose camera, buttons, watch, observer and reader are scripted.

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
        before_me: listeners that are called before the one that notes the events.
        after_me: listeners that are called after it.
        more: further options of the table.

    Attributes:
        told: all events, in order.
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
        self.devices, self.watch = ScriptedDevices(away), ScriptedWatch(unrest, ready=ready, blank=blank)
        self.observer = ScriptedObserver(self.watch, shades)
        self.reader = ScriptedReader(self.watch, self.observer, verdicts)
        self.told: list[Event] = []
        self.book = book or MemoryJournal(codecs())
        self.game_id = self.book.new_game(SETUP)
        history = History(SETUP)
        for number, decision in enumerate(before, start=1):
            self.book.append(self.game_id, number, decision)
            history.apply(decision)
        parts = TableParts(
            camera=self.devices, controls=self.devices, book=self.book, game_id=self.game_id, history=history,
            listeners=(*before_me, self.told.append, *after_me), ticks=ticks, inbox=inbox or Inbox(),
        )  # fmt: skip
        scripted: tuple[Any, Any, Any] = (self.watch, self.observer, self.reader)
        self.table = (
            ReplayedTable(instructions, parts, *scripted, **more)
            if kind is ReplayedTable
            else kind(parts, *scripted, **more)
        )

    @property
    def looks(self) -> list[tuple[Decision, str, Reason | None]]:
        """The looks that the observer has learnt."""
        return self.observer.looks

    def play(self, *moments: Moment) -> ScriptedTable:
        """Run the table through these frames to its end."""
        self.devices.script.extend(moments)
        self.table.run()
        return self

    def go_on(self, *moments: Moment) -> ScriptedTable:
        """Take the table through these frames, without its end."""
        self.devices.script.extend(moments)
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
            history.apply(choose(history.state, rng.gauss).decision)
            book.append(1, len(history.decisions), history.decisions[-1])

    return play
