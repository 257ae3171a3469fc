"""What the camera sees of the circle's patches: the truth that readers of the circle are measured against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from hardware.simulated.footprint import Points, outline_mm
from hardware.simulated.looks import sprite_of
from hardware.simulated.painter import silhouette
from hardware.simulated.pieces import BOARD_MM
from hardware.simulated.sprites import shape_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hardware.simulated.images import Mask
    from hardware.simulated.pinhole import Pinhole
    from hardware.simulated.scene import Item, Pose

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
        """Whether the camera sees all of it."""
        return self.in_frame and self.uncovered


def seen_pieces(places: Mapping[str, Pose], above: Sequence[Item], camera: Pinhole) -> tuple[CirclePiece, ...]:
    """What is seen of patches that lie on the table.

    Args:
        places: of the patches by name, in table space.
        above: what may hide them.
        camera: that looks.
    """
    masks = [silhouette(camera, sprite_of(item), item.pose, item.z_mm) for item in above]
    hidden = np.maximum.reduce(masks) if masks else None
    return tuple(_seen(name, pose, hidden, camera) for name, pose in places.items())


def _seen(name: str, pose: Pose, hidden: Mask | None, camera: Pinhole) -> CirclePiece:
    corners_mm = pose.place(outline_mm(shape_of(name, flipped=False)))
    canvas_px = camera.project(corners_mm, BOARD_MM)
    outline_px = camera.to_frame(canvas_px)
    inside = (outline_px >= 0).all() and (outline_px <= np.asarray(camera.size_px) - 1).all()
    return CirclePiece(name, outline_px, bool(inside), hidden is None or _hidden_part(canvas_px, hidden) < HIDDEN)


def _hidden_part(outline_px: Points, hidden: Mask) -> float:
    shape = np.zeros_like(hidden)
    cv2.fillPoly(shape, [outline_px.round().astype(np.int32)], (255,))
    area = int(cv2.countNonZero(shape))
    return cv2.countNonZero(cv2.bitwise_and(shape, hidden)) / area if area else 0.0
