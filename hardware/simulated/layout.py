"""Where things stand on the table before the first move: three ways in which people arrange themselves.

All poses are in table space (millimetres, x to the right, y towards the near edge); a board's is relative to its mat.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from hardware.simulated.scene import Pose

if TYPE_CHECKING:
    import numpy as np

    from hardware.simulated.conditions import Conditions


class Arrangement(StrEnum):
    """How people sit.

    ABOVE: the boards side by side, the time board beyond them. BETWEEN: the time board between the boards.
    OPPOSITE: the players face each other; too close for mats.
    """

    ABOVE = "above"
    BETWEEN = "between"
    OPPOSITE = "opposite"


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of everything that does not belong to one move.

    Attributes:
        mats: by seat index, the middle of each mat; where there are none, of the place of the board.
        boards: by seat index, the middle of each board relative to its mat.
        time_board: its middle.
        ring_centre_mm: (x, y) of the circle of patches.
        ring_radii_mm: half axes of the circle, along x and y.
        buttons: by seat index, the middle of the place for button tokens.
        shoulders_mm: by seat index, (x, y) of where the player's arm comes from.
    """

    mats: tuple[Pose, Pose]
    boards: tuple[Pose, Pose]
    time_board: Pose
    ring_centre_mm: tuple[float, float]
    ring_radii_mm: tuple[float, float]
    buttons: tuple[Pose, Pose]
    shoulders_mm: tuple[tuple[float, float], tuple[float, float]]

    def ring_pose(self, slot: float, slots: int, turn_deg: float = 0.0) -> Pose:
        """A place on the circle, clockwise from the nearest one to the players; slots are evenly spaced."""
        angle = math.pi / 2 + 2 * math.pi * slot / slots
        x_mm = self.ring_centre_mm[0] + self.ring_radii_mm[0] * math.cos(angle)
        y_mm = self.ring_centre_mm[1] + self.ring_radii_mm[1] * math.sin(angle)
        return Pose(x_mm, y_mm, turn_deg)


def lay_table(conditions: Conditions, mats: bool, rng: np.random.Generator) -> Layout:
    """Set up a table the way people do: roughly."""
    choices = [Arrangement.ABOVE, Arrangement.BETWEEN] if mats else list(Arrangement)
    chosen = choices[int(rng.integers(len(choices)))]
    return arranged(chosen, conditions, rng)


def arranged(arrangement: Arrangement, conditions: Conditions, rng: np.random.Generator) -> Layout:
    """Set up a table in a given arrangement."""
    places = _PLACES[arrangement]
    return Layout(
        mats=(_near(places.mats[0], rng), _near(places.mats[1], rng)),
        boards=(_on_frame(conditions, rng), _on_frame(conditions, rng)),
        time_board=_near(places.time_board, rng),
        ring_centre_mm=places.ring_centre_mm,
        ring_radii_mm=places.ring_radii_mm,
        buttons=places.buttons,
        shoulders_mm=places.shoulders_mm,
    )


def _near(pose: Pose, rng: np.random.Generator) -> Pose:
    dx, dy, turn = rng.uniform(-1, 1, 3) * (4.0, 5.0, 2.0)
    return pose.moved(float(dx), float(dy), float(turn))


def _on_frame(conditions: Conditions, rng: np.random.Generator) -> Pose:
    dx, dy = rng.uniform(-1, 1, 2) * conditions.board_offset_mm
    return Pose(float(dx), float(dy), float(rng.uniform(-1, 1) * conditions.board_rotation_deg))


_FLUSH = (Pose(0, 0), Pose(0, 0))

_PLACES = {
    Arrangement.ABOVE: Layout(
        mats=(Pose(-117, 62), Pose(117, 62)),
        boards=_FLUSH,
        time_board=Pose(0, -268),
        ring_centre_mm=(0, -268),
        ring_radii_mm=(395, 138),
        buttons=(Pose(-315, 80), Pose(315, 80)),
        shoulders_mm=((-220, 760), (220, 760)),
    ),
    Arrangement.BETWEEN: Layout(
        mats=(Pose(-312, 18), Pose(312, 18)),
        boards=_FLUSH,
        time_board=Pose(0, -36),
        ring_centre_mm=(0, -86),
        ring_radii_mm=(146, 246),
        buttons=(Pose(-330, 212), Pose(330, 212)),
        shoulders_mm=((-285, 760), (285, 760)),
    ),
    Arrangement.OPPOSITE: Layout(
        mats=(Pose(-60, 108), Pose(-60, -112, 180)),
        boards=_FLUSH,
        time_board=Pose(268, -10),
        ring_centre_mm=(290, -10),
        ring_radii_mm=(198, 290),
        buttons=(Pose(-260, 130), Pose(-260, -120, 180)),
        shoulders_mm=((-30, 760), (-90, -760)),
    ),
}
