"""The players' temperaments, and their mishaps: accidental disturbances of a quilt, and wrong moves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Final

import numpy as np

from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.components import PATCHES, fits, placements
from companion.games.patchwork.decisions import Decision, PlaceLeather, TakePatch
from companion.games.patchwork.rules import offers
from companion.games.patchwork.state import State
from hardware.simulated.drawing import Pose
from hardware.simulated.drawing.sprites import CELL_MM
from hardware.simulated.people.gestures import Arm, Script
from hardware.simulated.scene.placing import Cell, Lying, mm_at
from hardware.simulated.scene.table import SimulatedTable, cells_of


class Slip(StrEnum):
    """A mistake of a player."""

    NOTHING_PLACED = "nothing placed"
    OVERLAP = "piled on a neighbour"
    OVER_THE_EDGE = "over the edge"
    NOT_OFFERED = "not one of the three"
    NOT_AFFORDABLE = "too dear"
    WRONG_BOARD = "on the other's board"
    NUDGE = "an earlier patch nudged"
    LOST_BUTTON = "a token on an empty cell"
    LEATHER_FORGOTTEN = "leather forgotten"
    UNDO = "another thought"
    MARKER_LEFT = "own marker not moved"
    MARKER_TOO_FAR = "own marker one too far"
    MARKER_OF_OTHER = "the other's marker moved"
    PAID_TOO_FEW = "one button too few paid"
    TOOK_TOO_FEW = "one button too few taken"
    PAWN_LEFT = "neutral token not moved"
    ELBOW = "an elbow in the circle"


@dataclass(frozen=True, slots=True)
class Temper:
    """A player's manner of play.

    Attributes:
        unsteady: factor on the conditions' offset and rotation of a laid patch.
        randomness: of the choice of moves, 0 for the best one found, 1 for about any.
        early: whether the player presses while the hand is still leaving.
        slips: probability of each mistake in a turn.
        marker_slips: the same for mistakes with a marker on the time board, if that is read.
        purse_slips: the same for mistakes with button tokens.
        circle_slips: the same for mistakes with the circle, if that is read.
    """

    unsteady: float
    randomness: float
    early: bool = False
    slips: Mapping[Slip, float] = field(default_factory=dict)
    marker_slips: Mapping[Slip, float] = field(default_factory=dict)
    purse_slips: Mapping[Slip, float] = field(default_factory=dict)
    circle_slips: Mapping[Slip, float] = field(default_factory=dict)


TEMPERS: Final[Mapping[str, Temper]] = MappingProxyType(
    {
        "tidy": Temper(unsteady=0.8, randomness=0.02),
        "hasty": Temper(unsteady=1.7, randomness=0.45, early=True, slips={Slip.NUDGE: 0.03}),
        "forgetful": Temper(
            unsteady=1.1,
            randomness=0.12,
            slips={
                Slip.NOTHING_PLACED: 0.05,
                Slip.OVERLAP: 0.05,
                Slip.OVER_THE_EDGE: 0.04,
                Slip.NOT_OFFERED: 0.04,
                Slip.NOT_AFFORDABLE: 0.04,
                Slip.WRONG_BOARD: 0.03,
                Slip.NUDGE: 0.05,
                Slip.LOST_BUTTON: 0.05,
                Slip.LEATHER_FORGOTTEN: 0.25,
                Slip.UNDO: 0.05,
            },
            marker_slips={Slip.MARKER_LEFT: 0.08, Slip.MARKER_TOO_FAR: 0.06, Slip.MARKER_OF_OTHER: 0.04},
            purse_slips={Slip.PAID_TOO_FEW: 0.03, Slip.TOOK_TOO_FEW: 0.02},
            circle_slips={Slip.PAWN_LEFT: 0.1, Slip.ELBOW: 0.06},
        ),
    }
)
"""The temperaments by name: a tidy packer, a player in a hurry, and a distracted one."""


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


# The number of pieces taken off a board at once.
_HANDFUL: Final = 4


def clear_boards(table: SimulatedTable, arms: Sequence[Arm]) -> Script:
    """Take all pieces off both boards, each player off their own, last laid first."""
    for seat, arm in enumerate(arms, start=1):
        while pieces := table.pieces(seat)[-_HANDFUL:]:
            yield from arm.touch(table.spot_mm(seat, pieces[-1]), partial(_lift, table, seat, pieces))


def _lift(table: SimulatedTable, seat: int, pieces: Sequence[Lying]) -> None:
    for piece in reversed(pieces):
        table.lift(seat, piece)


_TOO_FAR_MM: Final = CELL_MM / 3
"""The rules of the table allow a patch to lie that far off its cells."""


@dataclass(frozen=True, slots=True)
class _Nudged:
    seat: int
    now: Lying
    before: Pose


class Mishaps:
    """Nudged patches and lost tokens that have not been corrected yet."""

    def __init__(self, table: SimulatedTable, rng: np.random.Generator) -> None:
        self._table, self._rng = table, rng
        self._nudged: list[_Nudged] = []
        self._dropped: list[tuple[int, Pose]] = []

    def nudge(self, seat: int) -> None:
        """Brush an earlier patch a few millimetres aside, if there is one."""
        pieces = self._table.pieces(seat)
        if len(pieces) < 2:
            return
        piece = pieces[int(self._rng.integers(len(pieces) - 1))]
        moved = self._table.brush(seat, piece, float(self._rng.uniform(1.5, 3.5)), self._rng)
        self._nudged.append(_Nudged(seat, moved, piece.pose))

    def drop_token(self, seat: int, covered: int) -> None:
        """Leave a button token on a cell that is not in the mask, if there is one."""
        free = [bit for bit in range(SIDE * SIDE) if not covered >> bit & 1]
        if not free:
            return
        row, column = divmod(free[int(self._rng.integers(len(free)))], SIDE)
        (dx, dy), (x_mm, y_mm) = self._rng.uniform(-3, 3, 2), mm_at(column + 0.5, row + 0.5)
        pose = Pose(x_mm + float(dx), y_mm + float(dy))
        self._table.strays.append((seat, pose))
        self._dropped.append((seat, pose))

    def mend(self) -> list[tuple[float, float]]:
        """Correct everything, and return the places, (x, y) in table space, that a hand has to reach for."""
        spots = []
        for nudged in self._nudged:
            if nudged.now in self._table.pieces(nudged.seat):
                self._table.move(nudged.seat, nudged.now, nudged.before)
                spots.append(self._table.spot_mm(nudged.seat, nudged.now))
        spots += self.straighten(_TOO_FAR_MM)
        # A player who checks the board sees every token on it, whoever left it there.
        self._dropped = list(self._table.strays)
        spots += self._pick_up()
        self._nudged.clear()
        return spots

    def straighten(self, most_mm: float = 0.0) -> list[tuple[float, float]]:
        """Push back pieces that lie further than this off their cells, and return the places as `mend` does."""
        spots = []
        for seat in (1, 2):
            for piece in self._table.pieces(seat):
                straight = piece.straight().pose
                if np.hypot(straight.x_mm - piece.pose.x_mm, straight.y_mm - piece.pose.y_mm) > most_mm:
                    spots.append(self._table.spot_mm(seat, piece))
                    self._table.move(seat, piece, straight)
        return spots

    def forget(self) -> None:
        """End the turn: tokens are picked up, nudged patches stay where they are."""
        self._pick_up()
        self._nudged.clear()

    def _pick_up(self) -> list[tuple[float, float]]:
        spots = []
        for seat, pose in self._dropped:
            if (seat, pose) in self._table.strays:
                self._table.strays.remove((seat, pose))
                placed = pose.on(self._table.board_pose(seat))
                spots.append((placed.x_mm, placed.y_mm))
        self._dropped.clear()
        return spots
