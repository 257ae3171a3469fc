"""Simulated players' mistakes with a patch."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np

from companion.games.patchwork import PATCHES, SIDE, Decision, PlaceLeather, State, TakePatch, fits, offers, placements
from hardware.simulated.people.temperaments import Slip, Temper
from hardware.simulated.scene.placing import Cell
from hardware.simulated.scene.table import cells_of

REASONS: Final[Mapping[Slip, str]] = MappingProxyType(
    {
        Slip.NOTHING_PLACED: "nothing-placed",
        Slip.LEATHER_FORGOTTEN: "nothing-placed",
        Slip.OVERLAP: "overlap",
        Slip.OVER_THE_EDGE: "over-the-edge",
        Slip.NOT_OFFERED: "not-offered",
        Slip.NOT_AFFORDABLE: "not-affordable",
        Slip.WRONG_BOARD: "wrong-seat",
    }
)
"""The reason that the companion's complaint should have for each mistake."""


@dataclass(frozen=True, slots=True)
class WrongPlacement:
    """A piece laid at a wrong place or time."""

    slip: Slip
    seat: int
    name: str
    cells: tuple[Cell, ...]


def drawn_slip(temper: Temper, decision: Decision, rng: np.random.Generator) -> Slip | None:
    """Return the mistake of this turn, or None; some require a patch or a leather patch in hand."""
    for slip, likely in temper.slips.items():
        if rng.random() < likely and _possible(slip, decision):
            return slip
    return None


def _possible(slip: Slip, decision: Decision) -> bool:
    if slip is Slip.LEATHER_FORGOTTEN:
        return isinstance(decision, PlaceLeather)
    if isinstance(decision, PlaceLeather):
        return slip in (Slip.NUDGE, Slip.LOST_BUTTON)
    return isinstance(decision, TakePatch) or slip is Slip.UNDO


def wrong_placement(slip: Slip, state: State, decision: Decision, rng: np.random.Generator) -> WrongPlacement | None:
    """Return the wrong placement of a mistake about a piece's place, or None if there is none now."""
    if not isinstance(decision, TakePatch):
        return None
    seat = decision.seat
    match slip:
        case Slip.OVERLAP:
            return _wrong(slip, seat, decision.patch, _overlapping(decision.patch, state.seat(seat).quilt), rng)
        case Slip.OVER_THE_EDGE:
            return _wrong(slip, seat, decision.patch, _overhanging(cells_of(decision.cells)), rng)
        case Slip.WRONG_BOARD:
            free = fits(decision.patch, state.seat(3 - seat).quilt)
            return _wrong(slip, 3 - seat, decision.patch, [cells_of(mask) for mask in free], rng)
        case Slip.NOT_OFFERED | Slip.NOT_AFFORDABLE:
            return _wrong_patch(slip, state, seat, rng)
        case _:
            return None


def _wrong(
    slip: Slip, seat: int, name: str, places: list[tuple[Cell, ...]], rng: np.random.Generator
) -> WrongPlacement | None:
    if not places:
        return None
    return WrongPlacement(slip, seat, name, places[int(rng.integers(len(places)))])


def _overlapping(patch: str, quilt: int) -> list[tuple[Cell, ...]]:
    """Return places that overlap one or two covered cells."""
    return [cells_of(mask) for mask in placements(patch) if 0 < (mask & quilt).bit_count() <= 2]


def _overhanging(cells: tuple[Cell, ...]) -> list[tuple[Cell, ...]]:
    """Return the patch shifted so that one row or column is off the board, but not all of it."""
    rows, columns = [row for row, _ in cells], [column for _, column in cells]
    shifts = (
        (-min(rows) - 1, 0),
        (SIDE - max(rows), 0),
        (0, -min(columns) - 1),
        (0, SIDE - max(columns)),
    )
    shifted = [tuple((row + down, column + right) for row, column in cells) for down, right in shifts]
    return [each for each in shifted if any(0 <= row < SIDE and 0 <= column < SIDE for row, column in each)]


def _wrong_patch(slip: Slip, state: State, seat: int, rng: np.random.Generator) -> WrongPlacement | None:
    offered, buttons, quilt = offers(state), state.seat(seat).buttons, state.seat(seat).quilt
    if slip is Slip.NOT_AFFORDABLE:
        names = [name for name in offered if PATCHES[name].buttons > buttons]
    else:
        # A patch of the same shape as an offered one is no mistake that can be seen.
        shapes = {placements(name)[0] for name in offered}
        names = [name for name in sorted(state.box) if name not in offered and placements(name)[0] not in shapes]
    places = [(name, cells_of(mask)) for name in names for mask in fits(name, quilt)]
    if not places:
        return None
    name, cells = places[int(rng.integers(len(places)))]
    return WrongPlacement(slip, seat, name, cells)
