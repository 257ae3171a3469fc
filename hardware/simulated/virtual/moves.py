"""Moves at a table that is moved by hand."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from companion.games.patchwork import SIDE

if TYPE_CHECKING:
    from hardware.simulated.conditions import Conditions
    from hardware.simulated.scene.placing import Cell


@dataclass(frozen=True, slots=True)
class Place:
    """The position and the turn that a piece is to lie in.

    Attributes:
        seat: on whose board.
        x_cells: the middle of the piece, from the board's left edge, as its owner sees it.
        y_cells: the same, from its upper edge.
        quarters: how often it is turned clockwise by a quarter, 0..3.
        flipped: whether it lies on its face; it is flipped left to right before it is turned.
        snapped: whether it is laid into the squares, as carefully as people do it; else exactly so.
    """

    seat: int
    x_cells: float
    y_cells: float
    quarters: int = 0
    flipped: bool = False
    snapped: bool = True

    def cells(self, name: str) -> tuple[Cell, ...]:
        """Return the (row, column) cells that a piece covers there; some may be off the board."""
        # The page of a real table has these types, too, and nothing that draws.
        from hardware.simulated.scene.placing import piece_shape  # noqa: PLC0415

        shape = turned(piece_shape(name, self.flipped), self.quarters)
        high, wide = (1 + max(cell[axis] for cell in shape) for axis in (0, 1))
        top, left = _whole(self.y_cells - high / 2), _whole(self.x_cells - wide / 2)
        return tuple(sorted((top + row, left + column) for row, column in shape))


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay a patch out of the circle, or a leather patch."""

    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class Shift:
    """Take up a piece that lies on a board, and lay it elsewhere."""

    piece: int
    place: Place


@dataclass(frozen=True, slots=True)
class Turn:
    """Turn a piece clockwise where it lies, by so many quarters, and flip it before where that is wanted."""

    piece: int
    quarters: int
    flip: bool = False


@dataclass(frozen=True, slots=True)
class Lift:
    """Take a piece or a token off a board."""

    piece: int


@dataclass(frozen=True, slots=True)
class Forget:
    """Leave a button token on a board, its middle at x and y in cells from the board's upper left corner."""

    seat: int
    x_cells: float
    y_cells: float


class Bumped(StrEnum):
    """A bump into the camera, or the board of seat 1 or seat 2."""

    CAMERA = "camera"
    BOARD_1 = "board-1"
    BOARD_2 = "board-2"


@dataclass(frozen=True, slots=True)
class Bump:
    """Bump into something, which moves so far."""

    what: Bumped
    by_mm: float


@dataclass(frozen=True, slots=True)
class Circumstances:
    """The difficulties for a reader that may be changed while people play.

    Attributes:
        exposure: see `Conditions`, as all but the last.
        gradient: of the light.
        hard_shadow: depth of a sharp-edged shadow across one board.
        offset_mm: how far off its squares a piece is laid, one sigma.
        rotation_deg: how much it is turned there, one sigma.
        arms: whether arms are seen when pieces are moved; else they jump.
    """

    exposure: float
    gradient: float
    hard_shadow: float
    offset_mm: float
    rotation_deg: float
    arms: bool = True

    @classmethod
    def of(cls, conditions: Conditions) -> Circumstances:
        """Return those of a table under these conditions."""
        light = (conditions.exposure, conditions.gradient, conditions.hard_shadow)
        return cls(*light, conditions.offset_mm, conditions.rotation_deg)

    def on(self, conditions: Conditions) -> Conditions:
        """Return the conditions with these strengths in the place of theirs."""
        return conditions.but(
            exposure=self.exposure,
            gradient=self.gradient,
            hard_shadow=self.hard_shadow,
            offset_mm=self.offset_mm,
            rotation_deg=self.rotation_deg,
        )


Move: TypeAlias = Lay | Shift | Turn | Lift | Forget | Bump | Circumstances


def turned(shape: tuple[Cell, ...], quarters: int) -> tuple[Cell, ...]:
    """Return a shape turned clockwise by quarters, its smallest row and column 0."""
    for _ in range(quarters % 4):
        shape = tuple((column, -row) for row, column in shape)
    top, left = min(row for row, _ in shape), min(column for _, column in shape)
    return tuple(sorted((row - top, column - left) for row, column in shape))


def _whole(cells: float) -> int:
    """Return the nearest whole number; halves go up, and what is half a board off the board stays there."""
    return int(min(max(cells + 0.5, -SIDE), 2 * SIDE) // 1)
