"""Items that can be drawn, each with a place, a height and an appearance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hardware.simulated.dress import Dress

if TYPE_CHECKING:
    from hardware.simulated.drawing.pose import Pose
    from hardware.simulated.drawing.warping import Warp

BOARD_MM: Final = 2.5
"""Thickness of the cardboard of boards and patches."""


@dataclass(frozen=True, slots=True)
class Item:
    """An object to be drawn; equal items look equal.

    Attributes:
        kind: "patch", "leather", "disc", "pawn", "tile", "mat", "board", "time-board", "clutter" or "hand".
        name: name within its kind.
        pose: in table space.
        z_mm: height of its underside above the table.
        flipped: only for patches.
        dress: print of a patch or a board; None for ours.
        slope: rise of its underside from the middle, per millimetre of table space in x and in y.
        warp: warp of a bowed board, in board space.
    """

    kind: str
    name: str
    pose: Pose
    z_mm: float = 0.0
    flipped: bool = False
    dress: Dress | None = None
    slope: tuple[float, float] = (0.0, 0.0)
    warp: Warp | None = None
