"""Moves at a remotely operated table, and its state for the people who make them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Self, TypeAlias

from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.components import quarter_turned
from hardware.simulated.conditions import Conditions, Dress

if TYPE_CHECKING:
    from hardware.simulated.scene.placing import Cell


@dataclass(frozen=True, slots=True)
class Place:
    """The requested position and orientation of a piece.

    Attributes:
        seat: seat of the board.
        x_cells: middle of the piece, from the board's left edge as seen by its owner.
        y_cells: middle of the piece, from the board's upper edge.
        quarters: number of clockwise quarter turns, 0..3.
        flipped: whether it lies face down; it is flipped left to right before it is rotated.
        snapped: whether it is laid on the squares with a player's accuracy, as opposed to exactly at the position.
    """

    seat: int
    x_cells: float
    y_cells: float
    quarters: int = 0
    flipped: bool = False
    snapped: bool = True

    @classmethod
    def of(cls, seat: int, name: str, cells: tuple[Cell, ...]) -> Self:
        """Return the place of a piece that covers cells of a seat's board.

        Raises:
            ValueError: the cells do not have the piece's shape.
        """
        # The page of a real table also uses these types, but nothing that draws.
        from hardware.simulated.scene.placing import turned_to  # noqa: PLC0415

        flipped, quarters = turned_to(name, cells)
        rows, columns = zip(*cells, strict=True)
        return cls(seat, (min(columns) + max(columns) + 1) / 2, (min(rows) + max(rows) + 1) / 2, quarters, flipped)

    def cells(self, name: str) -> tuple[Cell, ...]:
        """Return the (row, column) cells that a piece covers there; some may be off the board."""
        from hardware.simulated.scene.placing import piece_shape  # noqa: PLC0415  # As above.

        shape = quarter_turned(piece_shape(name, self.flipped), self.quarters)
        high, wide = (1 + max(cell[axis] for cell in shape) for axis in (0, 1))
        top, left = _whole(self.y_cells - high / 2), _whole(self.x_cells - wide / 2)
        return tuple(sorted((top + row, left + column) for row, column in shape))

    def on_board(self, name: str) -> Self:
        """Return the nearest place at which a piece is on the board."""
        rows, columns = zip(*self.cells(name), strict=True)
        return replace(self, x_cells=self.x_cells + _back_in(columns), y_cells=self.y_cells + _back_in(rows))


def _back_in(lines: tuple[int, ...]) -> int:
    """Return the number of cells by which a piece must be moved along an axis to be on the board."""
    return max(0, -min(lines)) - max(0, max(lines) - SIDE + 1)


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay a patch from the circle, or a leather patch."""

    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class Shift:
    """Move a piece on a board to another place."""

    piece: int
    place: Place


@dataclass(frozen=True, slots=True)
class Turn:
    """Rotate a piece clockwise in its place by quarter turns, and optionally flip it before."""

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
    """Bump into an object, which moves by a distance."""

    what: Bumped
    by_mm: float


@dataclass(frozen=True, slots=True)
class Circumstances:
    """The difficulties for a reader that can be changed during play.

    Attributes:
        exposure: see `Conditions`, also for the others except the last.
        gradient: of the light.
        hard_shadow: depth of a sharp-edged shadow across one board.
        offset_mm: deviation of a laid piece from its squares, one sigma.
        rotation_deg: rotation of a laid piece, one sigma.
        arms: whether arms are visible when pieces are moved, as opposed to pieces that jump.
    """

    exposure: float
    gradient: float
    hard_shadow: float
    offset_mm: float
    rotation_deg: float
    arms: bool = True

    @classmethod
    def of(cls, conditions: Conditions) -> Circumstances:
        """Return the circumstances of a table under these conditions."""
        light = (conditions.exposure, conditions.gradient, conditions.hard_shadow)
        return cls(*light, conditions.offset_mm, conditions.rotation_deg)

    def on(self, conditions: Conditions) -> Conditions:
        """Return the conditions with their strengths replaced by these."""
        return conditions.but(
            exposure=self.exposure,
            gradient=self.gradient,
            hard_shadow=self.hard_shadow,
            offset_mm=self.offset_mm,
            rotation_deg=self.rotation_deg,
        )


Move: TypeAlias = Lay | Shift | Turn | Lift | Forget | Bump | Circumstances


def _whole(cells: float) -> int:
    """Return the nearest integer, halves rounded up, limited to places near the board."""
    return int(min(max(cells + 0.5, -SIDE), 2 * SIDE) // 1)


@dataclass(frozen=True, slots=True)
class Piece:
    """A patch or a leather patch on a board, or on its way there.

    Attributes:
        number: unique number within the evening.
        name: a patch's ID, or `LEATHER`.
        seat: seat of the board.
        x_cells: its middle, from the board's left edge as seen by its owner.
        y_cells: its middle, from the board's upper edge.
        angle_deg: clockwise rotation.
        flipped: whether it lies face down.
        cells: the (row, column) cells nearest to its parts; some may be off the board.
        in_hand: whether it is still on its way; the other attributes then describe its future place.
    """

    number: int
    name: str
    seat: int
    x_cells: float
    y_cells: float
    angle_deg: float
    flipped: bool
    cells: tuple[Cell, ...]
    in_hand: bool


@dataclass(frozen=True, slots=True)
class Token:
    """A button token left on a board, its middle in cells from the board's upper left corner."""

    number: int
    seat: int
    x_cells: float
    y_cells: float


@dataclass(frozen=True, slots=True)
class Tabletop:
    """The state of the whole table.

    Attributes:
        circle: the available patches, clockwise from the neutral token.
        leather: number of available leather patches.
        pieces: pieces on the boards, lowest first.
        tokens: button tokens on the boards.
        circumstances: the light and the players' accuracy.
        dress: the prints of boards and patches; None if all are our own.
    """

    circle: tuple[str, ...]
    leather: int
    pieces: tuple[Piece, ...]
    tokens: tuple[Token, ...]
    circumstances: Circumstances
    dress: Dress | None = None

    @property
    def hands_busy(self) -> bool:
        """True while a hand is moving a piece."""
        return any(piece.in_hand for piece in self.pieces)
