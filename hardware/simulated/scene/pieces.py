"""Values that describe what is on the simulated table besides the quilts: hands, and what the open pieces show."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hardware.simulated.scene.coins import Purse, first_purse, worth

if TYPE_CHECKING:
    from hardware.simulated.scene.placing import Lying

CARRY_MM: Final = 14.0
"""A carried piece's underside is so high above the table."""
HAND_MM: Final = 22.0


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the table; the pose is where its fingertips are, in table space.

    Attributes:
        seat: whose.
        x_mm: of the fingertips.
        y_mm: of the fingertips.
        carrying: what is held below it, if anything.
    """

    seat: int
    x_mm: float
    y_mm: float
    carrying: Lying | None = None


@dataclass(frozen=True, slots=True)
class Books:
    """The scores and buttons that the open pieces beside the quilts show.

    Attributes:
        purses: by seat index, the button tokens in front of each player.
        times: by seat index, the space of each time token.
        leather_out: marks whose leather patch still lies on the time board.
        first: the patch that the neutral token stands before; None when the circle is used up.
        bonus: the seat by whose board the 7x7 tile lies; None while it lies by the time board.
    """

    purses: tuple[Purse, Purse] = field(default_factory=lambda: (first_purse(5), first_purse(5)))
    times: tuple[int, int] = (0, 0)
    leather_out: tuple[int, ...] = ()
    first: str | None = None
    bonus: int | None = None

    @property
    def buttons(self) -> tuple[int, int]:
        """By seat index, what the tokens in front of each player are worth."""
        return worth(self.purses[0]), worth(self.purses[1])
