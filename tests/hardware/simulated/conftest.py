"""A fake companion that reads the table's truth in place of pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import pytest

from companion.games.history import NothingToUndoError
from companion.games.patchwork.decisions import Advance, Decision, PlaceLeather, TakePatch
from companion.games.patchwork.errors import IllegalDecisionError, PatchworkError
from companion.games.patchwork.rules import History
from hardware.ports import Button, Press
from hardware.simulated.people.gestures import Accepted, Complaint, News, Undone

if TYPE_CHECKING:
    from hardware.simulated.evening import SimulatedEvening

Answer: TypeAlias = Callable[[Press, "Oracle"], News | None]


class Oracle:
    """A runner of an evening without rendering that answers each press; `meddle` may answer in its place."""

    def __init__(self, evening: SimulatedEvening, meddle: Answer | None = None) -> None:
        self.evening, self.meddle = evening, meddle
        self.history = History(evening.setup)
        self.presses: list[Press] = []
        self.said: list[News | None] = []
        self.frames = 0

    def play(self, frames: int = 5000) -> Oracle:
        """Run until the players leave or a number of frames has passed."""
        for _ in range(frames):
            self.evening.clock.sleep(0.2)
            self.evening.step(self.evening.clock.now())
            if self.evening.over:
                return self
            self.frames += 1
            for press in self.evening.controls.presses():
                self._answer(press)
        return self

    def play_on(self, decisions: int) -> Oracle:
        """Run until the evening has so many decisions."""
        while len(self.history.decisions) < decisions:
            assert not self.evening.over
            self.play(1)
        return self

    def _answer(self, press: Press) -> None:
        self.presses.append(press)
        news = self.meddle(press, self) if self.meddle is not None else self.truth(press)
        self.said.append(news)
        if news is not None:
            self.evening.on_feedback(news)

    def truth(self, press: Press) -> News | None:
        """Return the answer of a companion that makes no mistakes."""
        if press.button is Button.UNDO:
            try:
                self.history.undo()
            except NothingToUndoError:
                return None
            return Undone()
        decision = self.decision_for(press.button)
        try:
            if decision is None:
                return Complaint("nothing-placed")
            self.history.apply(decision)
        except (IllegalDecisionError, PatchworkError) as error:
            return Complaint(str(error))
        return Accepted(decision)

    def decision_for(self, button: Button) -> Decision | None:
        """Return the decision laid on the mover's board; None if nothing new is there, or too much."""
        state = self.history.state
        seat = state.turn
        assert seat is not None
        if button is Button.ADVANCE:
            return Advance(seat)
        rows = "".join(self.evening.table.quilts()[seat - 1])
        new = sum(1 << bit for bit, mark in enumerate(rows) if mark == "X") & ~state.seat(seat).quilt
        if state.leather_due:
            return PlaceLeather(seat, new) if new.bit_count() == 1 else None
        bought = {decision.patch for decision in self.history.decisions if isinstance(decision, TakePatch)}
        names = {piece.name for piece in self.evening.table.pieces(seat)} - bought - {"leather"}
        return TakePatch(seat, names.pop(), new) if len(names) == 1 else None


@pytest.fixture
def play_against() -> type[Oracle]:
    """The class of companions that know the truth."""
    return Oracle
