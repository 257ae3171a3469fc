"""A fake time board whose markers are set by a test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from companion.games.patchwork.decisions import TakePatch
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.patchwork.reading import complaints
from companion.patchwork.reading.verdict import Reading
from companion.patchwork.timeboard_print import Tapped
from vision.geometry import SIDE, through_corners
from vision.timeboard.board import load_layout
from vision.timeboard.markers import Standing

if TYPE_CHECKING:
    from companion.patchwork.reading.verdict import Verdict

PHOTO_SHAPE = (600, 800, 3)
CORNERS = ((120.0, 60.0), (690.0, 40.0), (720.0, 560.0), (100.0, 540.0))
"""The corners of a printed area photographed from the side, in the photograph of `PHOTO_SHAPE`."""


@dataclass
class ToldBoard:
    """A fake `TimeBoardWatch`."""

    standing: Standing | None = None
    is_found: bool = True

    def tick(self, now_s: float) -> None:
        """Do nothing; the standing is set by the test."""

    def stands(self, one: int | None, two: int | None) -> None:
        self.standing = {1: one, 2: two}


class StillWatch:
    ready = True

    def readable(self, seat: int) -> bool:
        return seat in (1, 2)


@dataclass
class ToldReader:
    """A fake reader that sees a patch, or none."""

    laid: bool = False

    def read(self, history: History, *, is_pressed: bool = False) -> Verdict:
        del is_pressed
        state = history.state
        if self.laid:
            return Reading(TakePatch(state.mover, "domino", 3), "", 0.99)
        return complaints.nothing_placed(state, state.mover, "")


def new_history() -> History:
    return History(Setup(players=("Anna", "Boris")))


def tapped(spaces: int = 54) -> Tapped:
    """Return the points that a careful owner taps on a photograph of the spiral of equal squares."""
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    middles = through_corners(square, np.array(CORNERS))(load_layout("even").middles() / SIDE)
    return Tapped(CORNERS, tuple((float(x), float(y)) for x, y in middles[:spaces]), {})
