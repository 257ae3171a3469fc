"""The places of the 7x7 tile: beside the time board at first, later by its owner's board."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from hardware.simulated.drawing.footprint import Room, patch_footprint, rectangle
from hardware.simulated.drawing.pose import Pose
from hardware.simulated.drawing.sprites import TILE_MM
from hardware.simulated.scene.layout import Layout, taken

if TYPE_CHECKING:
    from collections.abc import Mapping

_OFF_MM: Final = 7.0
"""Gap around it, if there is room."""
_STEP_MM: Final = 8.0
_SEEN_MM: Final = (400.0, 208.0)
"""Limits of an ordinary picture to the sides and towards the near edge, with a margin."""
_REACH_MM: Final = 184.0
"""The greatest distance from its usual place."""


def tile_places(layout: Layout, circle: Mapping[str, Pose], rng: np.random.Generator) -> tuple[Pose, Pose, Pose]:
    """Return the tile's place beside the time board, and by seat index its place after a player has won it.

    Args:
        layout: the other objects.
        circle: the patches' places.
        rng: source of its rotation.
    """
    turns_deg = tuple(rng.uniform(-25, 25, 3).tolist())
    return _found(layout, tuple(circle.items()), turns_deg)


@lru_cache(maxsize=32)  # as the circle itself
def _found(
    layout: Layout, circle: tuple[tuple[str, Pose], ...], turns_deg: tuple[float, ...]
) -> tuple[Pose, Pose, Pose]:
    room = taken(layout)
    for patch, pose in circle:
        room.put(patch_footprint(patch, pose))
    places: list[Pose] = []
    for near, turn_deg in zip((layout.time_board, *layout.buttons), turns_deg, strict=True):
        place = _free(near, room, turn_deg)
        room.put(rectangle(place, *TILE_MM))
        places.append(place)
    return places[0], places[1], places[2]


def _free(near: Pose, room: Room, turn_deg: float) -> Pose:
    """Return the nearest place with enough room around it, or the one with the most."""
    steps = np.arange(-_REACH_MM, _REACH_MM + 1, _STEP_MM)
    shifts = np.stack(np.meshgrid(steps, steps, indexing="ij"), axis=-1).reshape(-1, 2)
    shifts = shifts[np.argsort(np.hypot(*shifts.T), kind="stable")]
    middles_mm = np.add(shifts, (near.x_mm, near.y_mm))
    # Within the picture.
    middles_mm = middles_mm[(np.abs(middles_mm[:, 0]) < _SEEN_MM[0]) & (middles_mm[:, 1] < _SEEN_MM[1])]
    angle_deg = near.angle_deg + turn_deg
    rim_mm = rectangle(Pose(0.0, 0.0, angle_deg), *TILE_MM).rim_mm
    around_mm = room.around_mm(middles_mm[:, None] + rim_mm)
    wide = np.flatnonzero(around_mm > _OFF_MM)
    x_mm, y_mm = middles_mm[wide[0] if len(wide) else around_mm.argmax()].tolist()
    return Pose(x_mm, y_mm, angle_deg)
