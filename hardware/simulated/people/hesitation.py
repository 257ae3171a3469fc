"""Hesitation with a patch in the hand: a player holds it over the board, or tries another place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.games.patchwork import PATCHES, SIDE, PlaceLeather, TakePatch, fits
from hardware.simulated.leather import LEATHER
from hardware.simulated.people.gestures import Wait
from hardware.simulated.scene.table import cells_of

if TYPE_CHECKING:
    import numpy as np

    from companion.games.patchwork import Decision, State
    from hardware.simulated.people.gestures import Arm, Script
    from hardware.simulated.scene.placing import Cell

HOLD_S = 4.0
"""Time that a player holds a patch still over the board: longer than any pause."""
TRIAL_S = 1.2
"""Time that a tried patch lies before it is moved: long enough to be at rest, shorter than the pause."""


class Hesitation(StrEnum):
    """A way to hesitate."""

    HOVER = "holds it over the board"
    TRIAL = "tries another place"


LIKELY = {Hesitation.HOVER: 0.15, Hesitation.TRIAL: 0.15}
"""Probability of each for a piece about to be laid."""


@dataclass(frozen=True, slots=True)
class Hesitant:
    """A hesitation with a piece.

    Attributes:
        how: kind of hesitation.
        name: a patch's id, or `LEATHER`.
        cells: where it is held or tried; a trial differs from the final place.
    """

    how: Hesitation
    name: str
    cells: tuple[Cell, ...]


def drawn_hesitation(state: State, decision: Decision, rng: np.random.Generator) -> Hesitant | None:
    """Return the hesitation before a decision, or None if there is none, or nothing to hold."""
    if not isinstance(decision, TakePatch | PlaceLeather):
        return None
    name = decision.patch if isinstance(decision, TakePatch) else LEATHER
    drawn = rng.random()
    if drawn < LIKELY[Hesitation.HOVER]:
        return Hesitant(Hesitation.HOVER, name, cells_of(decision.cells))
    places = [mask for mask in _places(name, state.seat(decision.seat).quilt) if mask != decision.cells]
    if drawn < sum(LIKELY.values()) and places:
        return Hesitant(Hesitation.TRIAL, name, cells_of(places[int(rng.integers(len(places)))]))
    return None


def hesitate(arm: Arm, seat: int, hesitant: Hesitant, unsteady: float) -> Script:
    """Perform a hesitation; afterwards the board is as before."""
    if hesitant.how is Hesitation.HOVER:
        yield from arm.hover(seat, hesitant.name, hesitant.cells, HOLD_S)
        return
    piece = yield from arm.lay(seat, hesitant.name, hesitant.cells, unsteady, linger=False)
    yield Wait(TRIAL_S)
    yield from arm.take(seat, piece)


def _places(name: str, quilt: int) -> list[int]:
    if name in PATCHES:
        return list(fits(name, quilt))
    return [1 << bit for bit in range(SIDE * SIDE) if not quilt >> bit & 1]
