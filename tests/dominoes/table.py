"""Dominoes at the table: the companion sees which cells are covered after a press of confirm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from companion.languages import said
from companion.lights import SEAT_COLOURS, Lights, all_scaled
from companion.play import events
from companion.play.inbox import CommandRefusedError
from companion.play.loop import TableParts, TurnLoop
from hardware.ports import RGB, Button, Frame, Press
from tests.dominoes.rules import CELLS, DOMINOES, SIDE, History, Lay, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from companion.play.session import Session

CELL_PX = 20
DARK = 100


@dataclass(frozen=True)
class Trouble:
    """A complaint."""

    says: str


class Watch:
    """A watch of the board, which fills the picture."""

    def __init__(self) -> None:
        self.frame: Frame | None = None

    def covered(self) -> set[str]:
        assert self.frame is not None
        return {cell for cell, (top, left) in zip(CELLS, corners(), strict=True) if self._is_dark(top, left)}

    def _is_dark(self, top: int, left: int) -> bool:
        assert self.frame is not None
        return bool(self.frame.image[top : top + CELL_PX, left : left + CELL_PX].mean() < DARK)


def corners() -> list[tuple[int, int]]:
    return [(row * CELL_PX, column * CELL_PX) for row in range(SIDE) for column in range(SIDE)]


class DominoesTable(TurnLoop[object, Trouble]):
    """The turn loop."""

    def __init__(self, parts: TableParts, watch: Watch) -> None:
        super().__init__(parts)
        self._history: History = parts.history
        self._watch = watch

    @property
    def state(self) -> State:
        return self._history.state

    def _see(self, frame: Frame) -> None:
        self._watch.frame = frame

    def _press(self, press: Press) -> None:
        if press.button is Button.UNDO and self._history.decisions:
            self._book.undo(self._game_id, len(self._history.decisions))
            self._complaint = None
            self._announce(events.DecisionUndone(self._history.undo(), self.state))
        elif press.button is Button.CONFIRM and not self.state.finished:
            self._look_since = press.t_s
            self._announce(events.LookStarted(self.state))

    def _try_look(self, frame: Frame) -> None:
        del frame
        self._look_since = None
        new = self._watch.covered() - self.state.covered.keys()
        cells = next((cells for cells in DOMINOES if set(cells) == new), None)
        if cells is None or cells not in self.state.legal:
            self._complaint = Trouble(said("No domino was laid."))
            self._announce(events.Complained(self._complaint, self.state))
            return
        decision = Lay(self.state.turn or 0, cells)
        self._book.append(self._game_id, len(self._history.decisions) + 1, decision)
        self._history.apply(decision)
        self._complaint = None
        self._announce(events.DecisionTaken(decision, (), self.state))

    def _execute(self, command: object, *, may_wait: bool) -> bool:
        raise CommandRefusedError(said("There is nothing to choose now."))


class Show:
    """The strip in the colour of the seat to move."""

    is_neutral = False

    def __init__(self, count: int) -> None:
        self._count, self._turn = count, 0

    def event(self, event: Any, now_s: float) -> None:
        self._turn = event.state.turn or 0

    def refuse(self, now_s: float) -> None:
        """Do nothing; no command has to wait."""

    def frame(self, now_s: float) -> Sequence[RGB]:
        colour = (0, 0, 0) if self._turn == 0 else SEAT_COLOURS[self._turn - 1]
        return all_scaled([colour] * self._count, 0.5)

    def is_resting(self, now_s: float) -> bool:
        return True


def dominoes_table(evening: Session) -> DominoesTable:
    watch, strip = Watch(), evening.at.strip
    lights: Lights[Any] = Lights(Show(strip.pixel_count), strip, evening.participants.mirrors)
    return DominoesTable(evening.parts(lights, watch), watch)


def picture_of(covered: set[str]) -> NDArray[np.uint8]:
    image = np.full((SIDE * CELL_PX, SIDE * CELL_PX, 3), 220, np.uint8)
    for cell, (top, left) in zip(CELLS, corners(), strict=True):
        if cell in covered:
            image[top : top + CELL_PX, left : left + CELL_PX] = (30, 40, 60)
    return image
