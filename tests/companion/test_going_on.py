"""Test that a game can always go on: where the reader is wrong, two presses and an answer lead past it."""

from __future__ import annotations

from collections import deque
from copy import deepcopy
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from calibration.locator import CornerLocator
from companion.games.patchwork.cells import cell_index, mask_of
from companion.games.patchwork.decisions import Advance, Decision, TakePatch
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import MemoryJournal
from companion.patchwork.reading.observer import QuiltComparer, QuiltObserver
from companion.patchwork.reading.reader import Reader
from companion.patchwork.reading.verdict import Complaint, Reason
from companion.patchwork.table import PatchworkTable
from companion.patchwork.watching.watch import TableWatch
from companion.play.inbox import Inbox, Insist
from companion.play.loop import TableParts
from companion.registry import codecs
from hardware.ports import Button, Frame, Press
from hardware.simulated.conditions import normal
from hardware.simulated.scene.table import SimulatedTable
from vision.geometry import GRID_CORNERS, Homography

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.play.events import Event

FRAME_S = 0.2
SETUP = Setup(players=("Anna", "Boris"))
TEE = TakePatch(1, "tee", mask_of(["D4", "E4", "F4", "E5"]))
BAR = TakePatch(1, "bar3", mask_of(["A9", "B9", "C9"]))


class StainedTable:
    """A game at a simulated table, with a stain on its pictures that is not on the table."""

    def __init__(self) -> None:
        self.table = SimulatedTable(4, normal(), mats=False)
        corners = self.table.grid_corners_px()
        self._to_image = {seat: _to_image(corners[seat - 1]) for seat in (1, 2)}
        self._stains: list[tuple[int, str]] = []
        self._presses: deque[Press] = deque()
        self._taken = 0
        self.told: list[Event] = []
        watch, self.inbox, book = TableWatch(CornerLocator(corners)), Inbox(), MemoryJournal(codecs())
        history = History(SETUP)
        parts = TableParts(
            camera=self,
            controls=self,
            book=book,
            game_id=book.new_game(SETUP),
            history=history,
            listeners=[self.hear],
            inbox=self.inbox,
        )
        observer = QuiltObserver(QuiltComparer(watch))
        self.game = PatchworkTable(parts, watch, observer, Reader(observer))
        self.frames(6)

    def hear(self, event: Event) -> None:
        """A listener: record the event."""
        self.told.append(event)

    def stain(self, seat: int, *cells: str) -> None:
        """Let the sun shine on these cells through a blind from now on."""
        self._stains += [(seat, cell) for cell in cells]

    def lay(self, decision: TakePatch) -> None:
        """Lay a patch on its cells."""
        places = [divmod(index, 9) for index in range(81) if decision.cells >> index & 1]
        self.table.lay(decision.seat, decision.patch, places)

    def press(self, button: Button) -> list[str]:
        """Press a button and let the table look; return the names of its events."""
        told = len(self.told)
        self._presses.append(Press(button, self._taken * FRAME_S))
        self.frames(4)
        return [type(event).__name__ for event in self.told[told:]]

    def frames(self, count: int) -> None:
        """Step through a number of frames."""
        for _ in range(count):
            self.game.step()

    @property
    def complaint(self) -> Complaint:
        """The current complaint."""
        assert self.game.pending.complaint is not None
        return self.game.pending.complaint

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The recorded decisions."""
        return self.game.history.decisions

    def capture(self) -> Frame:
        """The camera: the table with the stain."""
        t_s = self._taken * FRAME_S
        self._taken += 1
        image = self.table.frame(t_s).copy()
        for seat, cell in self._stains:
            _brighten(image, self._to_image[seat], cell)
        return Frame(image, t_s, f"{self._taken - 1:06d}.jpg")

    def presses(self) -> tuple[Press, ...]:
        """The controls."""
        pressed = tuple(self._presses)
        self._presses.clear()
        return pressed

    def close(self) -> None:
        """Do nothing; there is nothing to close."""


def _to_image(corners: NDArray[np.float64]) -> Homography:
    matrix = cv2.getPerspectiveTransform(GRID_CORNERS.astype(np.float32), corners.astype(np.float32))
    return Homography(np.asarray(matrix, np.float64))


def _brighten(image: NDArray[np.uint8], to_image: Homography, cell: str) -> None:
    """Draw bright bars over a cell."""
    row, column = divmod(cell_index(cell), 9)
    for third in (0.0, 0.4, 0.8):
        left, right = column + third, column + min(1.0, third + 0.25)
        bar = to_image(np.array([[left, row], [right, row], [right, row + 1], [left, row + 1]]))
        cv2.fillConvexPoly(image, np.round(bar).astype(np.int32), (235, 240, 245))


@pytest.fixture(scope="module")
def stained() -> StainedTable:
    """A table on which Anna's tee is stained after Boris's advance, and her next patch is laid."""
    stained = StainedTable()
    stained.lay(TEE)
    assert stained.press(Button.CONFIRM) == ["LookStarted", "DecisionTaken"]
    stained.press(Button.ADVANCE)
    assert stained.decisions == (TEE, Advance(2))
    stained.stain(1, "D4", "E4", "F4", "E5")
    stained.lay(BAR)
    return stained


def copied(table: StainedTable) -> StainedTable:
    return deepcopy(table, {id(table.inbox): Inbox()})


@pytest.fixture(scope="module")
def complained(stained: StainedTable) -> StainedTable:
    """The same, after the first press: an undeserved complaint."""
    table = copied(stained)
    assert table.press(Button.CONFIRM) == ["LookStarted", "Complained"]
    return table


@pytest.fixture(scope="module")
def asked(complained: StainedTable) -> StainedTable:
    """The same, after the second press: a question."""
    table = copied(complained)
    assert table.press(Button.CONFIRM) == ["LookStarted", "Asked"]
    return table


@pytest.fixture(scope="module")
def answered(asked: StainedTable) -> StainedTable:
    """The same, after the question is answered with its first option."""
    table = copied(asked)
    assert table.press(Button.ADVANCE) == ["Asked"]
    assert table.press(Button.CONFIRM) == ["QuestionAnswered", "DecisionTaken"]
    return table


def test_two_presses_and_an_answer_lead_past_an_undeserved_complaint(
    complained: StainedTable, asked: StainedTable, answered: StainedTable
) -> None:
    assert complained.complaint.reason in (Reason.MOVED, Reason.OVERLAP)
    assert asked.game.pending.question is not None
    assert asked.game.pending.question.options[0] == BAR
    assert answered.decisions == (TEE, Advance(2), BAR)


def test_the_same_is_not_complained_of_again_whatever_happens_next(answered: StainedTable) -> None:
    table = copied(answered)
    while table.game.state.turn != 1:
        table.press(Button.ADVANCE)
    cup = TakePatch(1, "cup", mask_of(["F9", "G9", "H9", "F8", "H8"]))
    table.lay(cup)
    assert table.press(Button.CONFIRM) == ["LookStarted", "DecisionTaken"]
    assert table.decisions[-1] == cup

    while len(table.decisions) > 2:
        table.press(Button.UNDO)
    for piece in table.table.pieces(1)[2:]:
        table.table.lift(1, piece)
    assert "Complained" not in table.press(Button.CONFIRM)


def test_an_undone_belief_is_asked_for_and_not_complained_of(
    answered: StainedTable,
) -> None:
    table = copied(answered)
    table.press(Button.UNDO)
    assert table.decisions == (TEE, Advance(2))
    assert table.press(Button.CONFIRM) == ["LookStarted", "Asked"]
    assert table.game.pending.question is not None
    assert table.game.pending.question.options == (BAR,)
    assert table.press(Button.CONFIRM) == ["QuestionAnswered", "DecisionTaken"]


def test_a_page_command_that_it_lies_as_meant_asks_at_once(complained: StainedTable) -> None:
    table = copied(complained)
    outcome = table.inbox.put(Insist())
    table.frames(1)
    (question,) = outcome.result(timeout=0)
    assert type(question).__name__ == "Asked"
    table.press(Button.ADVANCE)
    assert table.press(Button.CONFIRM) == ["QuestionAnswered", "DecisionTaken"]
    assert table.decisions[-1] == BAR


def test_the_answer_no_restores_the_complaint_and_the_table_can_be_put_right(asked: StainedTable) -> None:
    table = copied(asked)
    assert table.press(Button.UNDO) == ["QuestionAnswered", "Complained"]
    assert table.decisions == (TEE, Advance(2))
    assert table.press(Button.CONFIRM) == ["LookStarted", "Asked"]
    table.press(Button.ADVANCE)
    assert table.press(Button.CONFIRM)[-1] == "DecisionTaken"


def test_insisting_where_nothing_new_is_seen_names_the_ways_out_and_takes_nothing(stained: StainedTable) -> None:
    table = copied(stained)
    for piece in table.table.pieces(1)[1:]:
        table.table.lift(1, piece)
    for _ in range(4):
        table.press(Button.CONFIRM)
    assert table.decisions == (TEE, Advance(2))
    assert "on the page you can enter anything by hand" in table.complaint.says
