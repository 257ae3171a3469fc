"""Values that describe the simulated table besides the quilts: hands, and the open pieces."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hardware.simulated.scene.coins import Purse, first_purse, worth

if TYPE_CHECKING:
    from hardware.simulated.scene.placing import Lying

CARRY_MM: Final = 14.0
"""Height of a carried piece's underside above the table."""
HAND_MM: Final = 22.0


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the table, placed by its fingertips in table space.

    Attributes:
        seat: seat of the player.
        x_mm: x of the fingertips.
        y_mm: y of the fingertips.
        carrying: the piece held below it, if any.
    """

    seat: int
    x_mm: float
    y_mm: float
    carrying: Lying | None = None


@dataclass(frozen=True, slots=True)
class Books:
    """The state of the game as shown by the open pieces beside the quilts.

    Attributes:
        purses: by seat index, the button tokens in front of each player.
        times: by seat index, the space of each time token.
        leather_out: marks with a leather patch on the time board.
        first: the patch at which the neutral token stands; None when the circle is empty.
        bonus: the seat with the 7x7 tile; None while it lies by the time board.
    """

    purses: tuple[Purse, Purse] = field(default_factory=lambda: (first_purse(5), first_purse(5)))
    times: tuple[int, int] = (0, 0)
    leather_out: tuple[int, ...] = ()
    first: str | None = None
    bonus: int | None = None

    @property
    def buttons(self) -> tuple[int, int]:
        """The value of the tokens of each player, by seat index."""
        return worth(self.purses[0]), worth(self.purses[1])
