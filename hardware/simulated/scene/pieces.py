"""Values that describe what is on the simulated table besides the quilts: hands, and what the open pieces show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

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
        buttons: by seat index, button tokens in front of each player.
        times: by seat index, the space of each time token.
        leather_out: marks whose leather patch still lies on the time board.
        first: the patch that the neutral token stands before; None when the circle is used up.
    """

    buttons: tuple[int, int] = (5, 5)
    times: tuple[int, int] = (0, 0)
    leather_out: tuple[int, ...] = ()
    first: str | None = None
