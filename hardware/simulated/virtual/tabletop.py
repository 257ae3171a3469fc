"""The contents of a table that is moved by hand, as the person who moves it sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardware.simulated.dress import Dress
    from hardware.simulated.scene.placing import Cell
    from hardware.simulated.virtual.moves import Circumstances


@dataclass(frozen=True, slots=True)
class Piece:
    """A patch or a leather patch on a board, or on its way there.

    Attributes:
        number: tells it from all others of the evening.
        name: a patch's id, or `LEATHER`.
        seat: on whose board.
        x_cells: its middle, from the board's left edge as its owner sees it.
        y_cells: the same, from the upper edge.
        angle_deg: how it is turned, clockwise.
        flipped: whether it lies on its face.
        cells: the (row, column) cells that its parts lie nearest to; some may be off the board.
        in_hand: whether it is still on its way; then all else is where it is to lie.
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
    """A button token that was left on a board, its middle in cells from the board's upper left corner."""

    number: int
    seat: int
    x_cells: float
    y_cells: float


@dataclass(frozen=True, slots=True)
class Tabletop:
    """All of it.

    Attributes:
        circle: the patches that may be fetched, clockwise from the neutral token.
        leather: how many leather patches may still be fetched.
        pieces: on the boards, the lowest first.
        tokens: left on the boards.
        circumstances: the light, and how careful people are.
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
        """True while a hand is on its way with a piece."""
        return any(piece.in_hand for piece in self.pieces)
