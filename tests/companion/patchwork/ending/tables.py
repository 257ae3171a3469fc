"""A finished game and a fake watch over its table."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from companion.games.patchwork.decisions import Advance, PlaceLeather
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from hardware.ports import Frame
from vision.geometry import Homography

_PLACE = Homography(np.diag([2.0, 2.0, 1.0]))
"""A quilt fills the picture."""


@dataclass
class RestingTable:
    """A fake `TableWatch`."""

    at_rest: bool = True
    frame: Frame = field(default_factory=lambda: Frame(np.full((18, 18, 3), 80, np.uint8), 0.0, "000007.jpg"))
    places: dict[int, Homography] = field(default_factory=lambda: dict.fromkeys((1, 2), _PLACE))


def finished_history() -> History:
    """Return a game of advances only; leather is laid on the next free cell."""
    history, laid = History(Setup(players=("Anna", "Boris"))), {1: 0, 2: 0}
    while not history.state.finished:
        seat = history.state.mover
        if history.state.leather_due:
            history.apply(PlaceLeather(seat, 1 << laid[seat]))
            laid[seat] += 1
        else:
            history.apply(Advance(seat))
    return history
