"""Ground truth of the circle's patches in the picture, for the evaluation of its readers."""

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
