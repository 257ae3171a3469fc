"""The state of a remotely operated table, for the people who move its pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.simulated.dress import Dress

if TYPE_CHECKING:
    from hardware.simulated.scene.placing import Cell
    from hardware.simulated.virtual.moves import Circumstances


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
