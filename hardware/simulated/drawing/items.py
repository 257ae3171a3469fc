"""Items that can be drawn, each with a place, a height and a look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hardware.simulated.drawing.pose import Pose
    from hardware.simulated.drawing.warping import Warp
    from hardware.simulated.dress import Dress

BOARD_MM: Final = 2.5
"""Cardboard of boards and patches alike."""


@dataclass(frozen=True, slots=True)
class Item:
    """A thing to be drawn; equal items look equal.

    Attributes:
        kind: "patch", "leather", "disc", "pawn", "tile", "mat", "board", "time-board", "clutter" or "hand".
        name: which of its kind.
        pose: in table space.
        z_mm: height of its underside above the table.
        flipped: only for patches.
        dress: how a patch or a board is printed; None: as ours are.
        slope: by how much its underside rises, from its middle on, for each millimetre of table space in x and in y.
        warp: of a board that is bowed, as it lies in board space.
    """

    kind: str
    name: str
    pose: Pose
    z_mm: float = 0.0
    flipped: bool = False
    dress: Dress | None = None
    slope: tuple[float, float] = (0.0, 0.0)
    warp: Warp | None = None
