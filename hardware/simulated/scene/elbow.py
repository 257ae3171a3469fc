"""An elbow in the circle: patches near each other are pushed and rotated, and neighbours change places."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from hardware.simulated.drawing.footprint import Points, Room, outline_mm, patch_footprint, patch_squares
from hardware.simulated.drawing.images import Mask
from hardware.simulated.drawing.items import BOARD_MM, Item
from hardware.simulated.drawing.painter import silhouette
from hardware.simulated.drawing.pinhole import Pinhole
from hardware.simulated.drawing.pose import Pose
from hardware.simulated.drawing.sprites import shape_of
from hardware.simulated.prints.looks import sprite_of
from hardware.simulated.scene.layout import Layout, taken

HIDDEN: Final = 0.01
"""Hidden share below which a patch counts as uncovered: a token's side may extend over its rim."""


@dataclass(frozen=True, slots=True, eq=False)
class CirclePiece:
    """A patch in the circle.

    Attributes:
        name: its ID.
        outline_px: (n, 2) corners of its upper face in the frame, in order; possibly outside of it.
        in_frame: whether the whole outline is in the frame.
        uncovered: whether no part of it is hidden.
    """

    name: str
    outline_px: Points
    in_frame: bool
    uncovered: bool

    @property
    def whole(self) -> bool:
        """True if all of it is visible."""
        return self.in_frame and self.uncovered


def seen_pieces(places: Mapping[str, Pose], above: Sequence[Item], camera: Pinhole) -> tuple[CirclePiece, ...]:
    """Return the visibility of patches on the table.

    Args:
        places: of the patches by name, in table space.
        above: items that may hide them.
        camera: the camera.
    """
    masks = [silhouette(camera, sprite_of(item), item.pose, item.z_mm) for item in above]
    hidden = np.maximum.reduce(masks) if masks else None
    return tuple(_seen(name, pose, hidden, camera) for name, pose in places.items())


def middle_px(name: str, pose: Pose, camera: Pinhole) -> tuple[float, float]:
    """Return the middle of a patch's bounding box in the frame, (x, y); possibly outside of the frame."""
    corners_px = camera.to_frame(_corners_px(name, pose, camera))
    x, y = (corners_px.min(axis=0) + corners_px.max(axis=0)) / 2
    return float(x), float(y)


def _corners_px(name: str, pose: Pose, camera: Pinhole) -> Points:
    """Return the corners of a patch's upper face on the camera's canvas, (n, 2)."""
    return camera.project(pose.place(outline_mm(shape_of(name, flipped=False))), BOARD_MM)


def _seen(name: str, pose: Pose, hidden: Mask | None, camera: Pinhole) -> CirclePiece:
    canvas_px = _corners_px(name, pose, camera)
    outline_px = camera.to_frame(canvas_px)
    inside = (outline_px >= 0).all() and (outline_px <= np.asarray(camera.size_px) - 1).all()
    return CirclePiece(name, outline_px, bool(inside), hidden is None or _hidden_part(canvas_px, hidden) < HIDDEN)


def _hidden_part(outline_px: Points, hidden: Mask) -> float:
    shape = np.zeros_like(hidden)
    cv2.fillPoly(shape, [outline_px.round().astype(np.int32)], (255,))
    area = int(cv2.countNonZero(shape))
    return cv2.countNonZero(cv2.bitwise_and(shape, hidden)) / area if area else 0.0


# The number of patches that an elbow pushes.
_NEAR: Final = 4
_BY_MM: Final = (14.0, 40.0)
_TURN_DEG: Final = 20.0
# Probability that two neighbours are put back in each other's place.
_SWAPPED: Final = 0.5
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
