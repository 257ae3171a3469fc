"""An elbow in the circle: patches near each other are pushed and rotated, and neighbours change places."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from hardware.simulated.drawing.footprint import patch_footprint, patch_squares
from hardware.simulated.drawing.pose import Pose
from hardware.simulated.scene.layout import taken

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hardware.simulated.drawing.footprint import Room
    from hardware.simulated.scene.layout import Layout

_NEAR: Final = 4
"""The number of patches that an elbow pushes."""
_BY_MM: Final = (14.0, 40.0)
_TURN_DEG: Final = 20.0
_SWAPPED: Final = 0.5
"""Probability that two neighbours are put back in each other's place."""
_OFF_MM: Final = 2.0
_TRIES: Final = 16


def pushed(lying: Mapping[str, Pose], layout: Layout, rng: np.random.Generator) -> dict[str, Pose]:
    """Return the new places of the pushed patches.

    Args:
        lying: the patches in the circle, clockwise, by name.
        layout: the other objects on the table.
        rng: source of the patches and their motion.
    """
    if len(lying) < _NEAR:
        return {}
    names = list(lying)
    for _ in range(_TRIES):
        first = int(rng.integers(len(names)))
        met = [names[(first + step) % len(names)] for step in range(_NEAR)]
        moved = _moved(met, lying, layout, rng)
        if moved is not None:
            return moved
    return {}


def _moved(
    met: list[str], lying: Mapping[str, Pose], layout: Layout, rng: np.random.Generator
) -> dict[str, Pose] | None:
    """Return the new places of the pushed patches, or None if there is no room for one of them."""
    room = taken(layout)
    for name, pose in lying.items():
        if name not in met:
            room.put(patch_footprint(name, pose))
    away, moved = float(rng.uniform(0, 2 * math.pi)), {}
    for name, place in zip(met, _mixed(met, lying, rng), strict=True):
        found = _found(name, place, away, room, rng)
        if found is None:
            return None
        moved[name] = found
        room.put(patch_footprint(name, found))
    return moved


def _mixed(met: list[str], lying: Mapping[str, Pose], rng: np.random.Generator) -> list[Pose]:
    """Return the places of the patches, with two neighbours' possibly swapped."""
    order = list(met)
    if rng.random() < _SWAPPED:
        at = int(rng.integers(len(order) - 1))
        order[at], order[at + 1] = order[at + 1], order[at]
    return [lying[name] for name in order]


def _found(name: str, place: Pose, away: float, room: Room, rng: np.random.Generator) -> Pose | None:
    """Return a new pose of a patch near a place, or None if there is no room."""
    for _ in range(_TRIES):
        angle, by_mm = away + float(rng.normal(0, 0.7)), float(rng.uniform(*_BY_MM))
        x_mm, y_mm = place.x_mm + by_mm * math.cos(angle), place.y_mm + by_mm * math.sin(angle)
        pose = Pose(x_mm, y_mm, place.angle_deg + float(rng.normal(0, _TURN_DEG)))
        squares = patch_squares(name, np.array([[pose.x_mm, pose.y_mm, pose.angle_deg]]))
        if float(room.at_squares_mm(squares)[0]) >= _OFF_MM:
            return pose
    return None
