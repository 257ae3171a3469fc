"""The circle's patches as they really lie in the picture: the truth that readers of the circle are measured against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from hardware.simulated.drawing.footprint import Points, outline_mm
from hardware.simulated.drawing.items import BOARD_MM
from hardware.simulated.drawing.painter import silhouette
from hardware.simulated.drawing.sprites import shape_of
from hardware.simulated.prints.looks import sprite_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hardware.simulated.drawing.images import Mask
    from hardware.simulated.drawing.items import Item
    from hardware.simulated.drawing.pinhole import Pinhole
    from hardware.simulated.drawing.pose import Pose

HIDDEN: Final = 0.01
"""A patch of which less is hidden counts as uncovered: a token's side may lean over its rim."""


@dataclass(frozen=True, slots=True, eq=False)
class CirclePiece:
    """A patch in the circle.

    Attributes:
        name: its id.
        outline_px: (n, 2) the corners of its upper face in the frame, in order; may lie outside of it.
        in_frame: the whole outline is in the frame.
        uncovered: nothing hides a part of it.
    """

    name: str
    outline_px: Points
    in_frame: bool
    uncovered: bool

    @property
    def whole(self) -> bool:
        """True if the camera sees all of it."""
        return self.in_frame and self.uncovered


def seen_pieces(places: Mapping[str, Pose], above: Sequence[Item], camera: Pinhole) -> tuple[CirclePiece, ...]:
    """Return what is seen of patches that lie on the table.

    Args:
        places: of the patches by name, in table space.
        above: what may hide them.
        camera: that looks.
    """
    masks = [silhouette(camera, sprite_of(item), item.pose, item.z_mm) for item in above]
    hidden = np.maximum.reduce(masks) if masks else None
    return tuple(_seen(name, pose, hidden, camera) for name, pose in places.items())


def middle_px(name: str, pose: Pose, camera: Pinhole) -> tuple[float, float]:
    """(x, y) in the frame of the middle between a patch's outermost corners; it may lie outside of the frame."""
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
