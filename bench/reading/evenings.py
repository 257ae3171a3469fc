"""One simulated evening, played as fast as possible and judged by the true state of the table."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from bench.circle.company import Knowing, company_of
from calibration.boards import FoundLocator
from calibration.locator import CornerLocator, MatLocator
from calibration.mat import load_mat
from companion.games.patchwork.cells import rows_of
from companion.games.patchwork.decisions import PlaceLeather, TakePatch
from companion.games.patchwork.rules import History
from companion.journal import MemoryJournal
from companion.patchwork.codec import PatchworkTranscript
from companion.patchwork.reading.observer import QuiltComparer, QuiltObserver
from companion.patchwork.reading.reader import Reader
from companion.patchwork.reading.verdict import QuestionTopic, Reading
from companion.patchwork.simulated import PatchworkPeople
from companion.patchwork.table import PatchworkTable
from companion.patchwork.watching.watch import TableWatch
from companion.play import events
from companion.play.loop import TableParts
from companion.registry import codecs
from hardware.ports import EndOfFramesError
from hardware.simulated.evening import SimulatedEvening
from vision.fiducials import FiducialDetector
from vision.geometry import Homography, rectify

if TYPE_CHECKING:
    from collections.abc import Callable

    from calibration.locator import QuiltLocator
    from companion.patchwork.reading.verdict import Verdict
    from hardware.ports import Frame
    from hardware.simulated.conditions import Conditions
    from hardware.simulated.people.bookkeeping import Counts

MOST_FRAMES: Final = 900
"""The number of frames after which an evening counts as unfinished; usual are about 280."""
_FLOOR_EVERY: Final = 10


@dataclass(slots=True)
class Judged:
    """The results of an evening's reading.

    Attributes:
        finished: whether the game ended.
        decisions: the number of decisions in force.
        right_quilts: whether both quilts are read as they truly are.
        wrong_cells: the number of cells that differ at the end.
        silent: the number of wrong decisions taken without a question.
        questions: the number of questions.
        undeserved: the number of complaints without a mistake.
        deserved: the number of complaints about a mistake.
        misnamed: the number of complaints that named another mistake than the one made.
        missed: the number of mistakes accepted without a complaint.
        see_ms: the watch's time for each frame, in ms.
        floor_ms: the time for detecting the fiducials in a whole frame and warping two views, in ms, for some frames.
        read_ms: the time for evidence from both boards, inference and verdict of each look, in ms.
        verdict_frames: the number of frames from each press of confirm to the verdict.
        confidences: the confidence of each reading, and whether it was right.
        twins_asked: the number of questions between two patches of the same shape.
        said: the sentences said about the circle.
    """

    finished: bool = False
    decisions: int = 0
    right_quilts: bool = False
    wrong_cells: int = 0
    silent: int = 0
    questions: int = 0
    undeserved: int = 0
    deserved: int = 0
    misnamed: int = 0
    missed: int = 0
    see_ms: list[float] = field(default_factory=list)
    floor_ms: list[float] = field(default_factory=list)
    read_ms: list[float] = field(default_factory=list)
    verdict_frames: list[int] = field(default_factory=list)
    confidences: list[tuple[float, bool]] = field(default_factory=list)
    twins_asked: int = 0
    said: list[str] = field(default_factory=list)

    def faults(self) -> str:
        """Return a text that lists the faults."""
        counts = {name: getattr(self, name) for name in ("silent", "undeserved", "missed", "misnamed", "wrong_cells")}
        said = [f"{count} {name}" for name, count in counts.items() if count]
        return ", ".join([*said, *([] if self.finished else ["not finished"])])


def play_session(
    seed: int,
    conditions: Conditions,
    temper: str = "tidy",
    *,
    mats: bool = True,
    found: bool = False,
    confidence: float = 0.95,
    prepare: Callable[[SimulatedEvening, QuiltComparer], None] | None = None,
    knowing: Knowing = Knowing.DEALT,
) -> Judged:
    """Play one evening to its end, and return the results.

    Args:
        seed: the evening's seed.
        conditions: the conditions of light and camera.
        temper: the temper of both players.
        mats: whether mats are under the boards; without them the corners are given.
        found: whether the boards are detected without mats and corners instead.
        confidence: the least confidence of readings taken without a question.
        prepare: called with the evening and the comparer of its quilts before the first frame.
        knowing: the way in which the circle is known.
    """
    evening = SimulatedEvening(seed, conditions, (temper, temper), mats=mats)
    locator = FoundLocator() if found else _locator(evening, mats)
    told = evening.setup if knowing is Knowing.DEALT else replace(evening.setup, market=None)
    watch, book, history = TableWatch(locator), MemoryJournal(codecs()), History(told)
    comparer = QuiltComparer(watch)
    if prepare is not None:
        prepare(evening, comparer)
    transcript, judged, observer, number = PatchworkTranscript(), Judged(), QuiltObserver(comparer), book.new_game(told)
    reader = _NotedReader(observer, confidence, evening, judged)

    def say(sentence: str, about: object = None) -> None:
        del about
        judged.said.append(sentence)

    company = company_of(knowing, watch, reader, history, book, number, say)
    parts = TableParts(
        camera=evening.camera, controls=evening.controls, book=book, game_id=number, history=history,
        listeners=(transcript, *company.listeners, _Relay(evening, judged)), ticks=company.ticks,
    )  # fmt: skip
    table = PatchworkTable(parts, watch, observer, reader)
    run_timed(table, watch, judged)
    _judge(judged, evening, history, evening.players.counts, len(transcript.questions))
    judged.twins_asked = sum(question["asks"] == QuestionTopic.WHICH_PATCH for question in transcript.questions)
    return judged


def run_timed(table: PatchworkTable, watch: TableWatch, judged: Judged) -> None:
    """Run the evening, timing the watch's work on each frame."""
    see, detector = watch.see, FiducialDetector(load_mat().dictionary)
    any_place = Homography(np.diag([30.0, 30.0, 1.0]))

    def timed(frame: Frame) -> None:
        began = time.perf_counter()
        see(frame)
        seen = time.perf_counter()
        judged.see_ms.append((seen - began) * 1e3)
        if len(judged.see_ms) % _FLOOR_EVERY == 0:
            detector.detect(frame.image)
            rectify(frame.image, any_place)
            rectify(frame.image, any_place)
            judged.floor_ms.append((time.perf_counter() - seen) * 1e3)

    watch.see = timed  # type: ignore[method-assign]  # a stopwatch around the real one
    try:
        for _ in range(MOST_FRAMES):
            table.step()
    except EndOfFramesError:
        pass


def _judge(judged: Judged, evening: SimulatedEvening, history: History, counts: Counts, questions: int) -> None:
    state = history.state
    judged.finished, judged.decisions = state.finished, state.decisions_made
    truth = "".join("".join(rows) for rows in evening.table.quilts())
    read = "".join("X" if seat.quilt >> index & 1 else "." for seat in state.seats for index in range(81))
    judged.wrong_cells = sum(a != b for a, b in zip(truth, read, strict=True))
    judged.right_quilts = truth == read
    judged.silent, judged.missed = counts.misreadings, counts.unnoticed
    judged.undeserved, judged.deserved, judged.questions = counts.undeserved, counts.deserved, questions
    judged.misnamed = counts.misnamed


class TimedReader(Reader):
    """A reader that times every look."""

    def __init__(self, observer: QuiltObserver, confidence: float, judged: Judged) -> None:
        super().__init__(observer, confidence)
        self._judged = judged

    def read(self, history: History, *, is_pressed: bool = False) -> Verdict:
        """Return the reader's verdict."""
        began = time.perf_counter()
        verdict = super().read(history, is_pressed=is_pressed)
        self._judged.read_ms.append((time.perf_counter() - began) * 1e3)
        return verdict


def _locator(evening: SimulatedEvening, mats: bool) -> QuiltLocator:
    """Return a locator of the quilts: by the mats, or by given corners."""
    return MatLocator(load_mat()) if mats else CornerLocator(evening.table.grid_corners_px())


class _NotedReader(TimedReader):
    """A reader that records the confidence of each reading, and whether it is true."""

    def __init__(self, observer: QuiltObserver, confidence: float, evening: SimulatedEvening, judged: Judged) -> None:
        super().__init__(observer, confidence, judged)
        self._evening = evening

    def read(self, history: History, *, is_pressed: bool = False) -> Verdict:
        verdict = super().read(history, is_pressed=is_pressed)
        if isinstance(verdict, Reading) and isinstance(verdict.decision, TakePatch | PlaceLeather):
            seat = verdict.decision.seat
            read = rows_of(history.state.seat(seat).quilt | verdict.decision.cells)
            truth = self._evening.table.quilts()[seat - 1]
            self._judged.confidences.append((verdict.confidence, tuple(read) == tuple(truth)))
        return verdict


class _Relay:
    """A listener that lets the simulated players notice the events, and counts the frames to each verdict."""

    def __init__(self, evening: SimulatedEvening, judged: Judged) -> None:
        self._people, self._camera, self._judged = PatchworkPeople(evening), evening.camera, judged
        self._asked_at: int | None = None

    def __call__(self, event: events.Event) -> None:
        if isinstance(event, events.LookStarted):
            self._asked_at = self._camera.taken
        elif self._asked_at is not None and isinstance(event, events.DecisionTaken | events.Asked | events.Complained):
            self._judged.verdict_frames.append(self._camera.taken - self._asked_at)
            self._asked_at = None
        self._people.on_event(event)
