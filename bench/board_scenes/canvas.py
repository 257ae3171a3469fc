"""A board and its surroundings from above, without light: colours, heights, gloss and object numbers.

Canvas space: pixels, `CANVAS_PX_PER_CELL` per cell; the board's centre is the canvas's centre.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from hardware.simulated.drawing import Field, Image, Mask, bytes_of
from hardware.simulated.drawing.sprites import CELL_MM

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.simulated.drawing import Pose

CANVAS_CELLS: Final = 14
CANVAS_PX_PER_CELL: Final = 40
"""The resolution, close to that of the nearest camera."""
CANVAS_PX: Final = CANVAS_CELLS * CANVAS_PX_PER_CELL
PX_PER_MM: Final = CANVAS_PX_PER_CELL / CELL_MM
OBJECT: Final = 255
"""The value in `Canvas.ids` of objects that are no patch of the quilt."""

_MIDDLE: Final = (CANVAS_PX - 1) / 2
TO_CANVAS: Final = np.array([[PX_PER_MM, 0, _MIDDLE], [0, PX_PER_MM, _MIDDLE], [0, 0, 1.0]])
"""The transform from board space (millimetres from the board's centre) to canvas space."""


@dataclass(frozen=True, slots=True, eq=False)
class Stamp:
    """An object from above.

    Attributes:
        picture: shape (height, width, 3).
        mask: shape (height, width), 255 on the object.
        px_per_mm: the resolution of both.
        thick_mm: the object's thickness.
        gloss: the share of light that it mirrors, 0..1.
        side_bgr: the colour of its cut edge.
    """

    picture: Image
    mask: Mask
    px_per_mm: float
    thick_mm: float
    gloss: float
    side_bgr: tuple[int, int, int] = (96, 112, 124)


@dataclass(eq=False)
class Canvas:
    """The objects on and around the board, as layers.

    Attributes:
        picture: shape (CANVAS_PX, CANVAS_PX, 3), the colours in full neutral light.
        heights: heights above the table, in tenths of millimetres, uint8.
        gloss: the share of light mirrored, as 0..255.
        ids: a patch's index plus 1, `OBJECT`, or 0.
        rise: the apparent shift (x, y) of an object's top against its foot, in pixels per millimetre of height.
        tall: masks and heights, in millimetres, of objects that cast long shadows.
    """

    picture: Image
    heights: Mask
    gloss: Mask
    ids: Mask
    rise: tuple[float, float]
    tall: list[tuple[Mask, float]] = field(default_factory=list)

    @classmethod
    def over(cls, ground: Image, gloss: float, rise: tuple[float, float]) -> Canvas:
        """Return a canvas with an empty table top."""
        flat = np.zeros(ground.shape[:2], np.uint8)
        return cls(ground.copy(), flat.copy(), np.full_like(flat, round(255 * gloss)), flat.copy(), rise)

    def copy(self) -> Canvas:
        """Return a copy, to lay more objects on."""
        layers = (self.picture.copy(), self.heights.copy(), self.gloss.copy(), self.ids.copy())
        return Canvas(*layers, self.rise, list(self.tall))

    def lay(self, stamp: Stamp, pose: Pose, number: int, lift_mm: float = 0.0) -> None:
        """Lay an object on top of all others.

        Args:
            stamp: the object.
            pose: the pose of its centre, in board space.
            number: its value in `ids`.
            lift_mm: the height of its underside above what is below.
        """
        foot = TO_CANVAS @ pose.matrix @ _to_mm(stamp)
        box = self._box(foot, stamp.mask.shape)
        if box is None:
            return
        below = float(np.percentile(self.heights[box], 50)) / 10 + lift_mm
        base = _warp(stamp.mask, foot, box)
        top = _warp(stamp.mask, self._risen(foot, stamp.thick_mm), box)
        side = np.maximum(base, _warp(stamp.mask, self._risen(foot, stamp.thick_mm / 2), box))
        _blend(self.picture[box], np.full_like(self.picture[box], stamp.side_bgr), side)
        _blend(self.picture[box], _warp(stamp.picture, self._risen(foot, stamp.thick_mm), box), top)
        whole = np.maximum(side, top) > 127
        self.ids[box][whole] = number
        self.gloss[box][whole] = round(255 * stamp.gloss)
        self.heights[box][top > 127] = min(255, round(10 * (below + stamp.thick_mm)))
        if stamp.thick_mm + lift_mm > 4:
            mask = np.zeros_like(self.ids)
            mask[box] = top
            self.tall.append((mask, stamp.thick_mm + lift_mm))

    def _risen(self, foot: NDArray[np.float64], height_mm: float) -> NDArray[np.float64]:
        shift = np.array([[1, 0, self.rise[0] * height_mm], [0, 1, self.rise[1] * height_mm], [0, 0, 1]])
        return np.asarray(shift @ foot)

    def _box(self, foot: NDArray[np.float64], shape: tuple[int, ...]) -> tuple[slice, slice] | None:
        corners = np.array([[0, shape[1], shape[1], 0], [0, 0, shape[0], shape[0]], [1, 1, 1, 1]])
        seen = (foot @ corners)[:2]
        left, top = np.clip(np.floor(seen.min(axis=1)) - 12, 0, CANVAS_PX).astype(int).tolist()
        right, low = np.clip(np.ceil(seen.max(axis=1)) + 12, 0, CANVAS_PX).astype(int).tolist()
        return (slice(top, low), slice(left, right)) if right > left and low > top else None


def _to_mm(stamp: Stamp) -> NDArray[np.float64]:
    height, width = stamp.mask.shape
    scale = 1 / stamp.px_per_mm
    return np.array([[scale, 0, -(width - 1) / 2 * scale], [0, scale, -(height - 1) / 2 * scale], [0, 0, 1]])


def _warp(layer: Image, transform: NDArray[np.float64], box: tuple[slice, slice]) -> Image:
    placed = transform[:2].copy()
    placed[:, 2] -= (box[1].start, box[0].start)
    size = (box[1].stop - box[1].start, box[0].stop - box[0].start)
    # Blurred before downsampling, so that threads do not alias into false patterns.
    scale = float(np.hypot(transform[0, 0], transform[1, 0]))
    if scale < 0.6:
        layer = bytes_of(cv2.GaussianBlur(layer, (0, 0), 0.4 / scale, borderType=cv2.BORDER_REPLICATE))
    return bytes_of(cv2.warpAffine(layer, placed, size, flags=cv2.INTER_LINEAR))


def _blend(region: Image, picture: Image, mask: Mask) -> None:
    wide = cv2.merge((mask, mask, mask))
    over = cv2.multiply(picture, wide, scale=1 / 255)
    region[:] = cv2.add(over, cv2.multiply(region, 255 - wide, scale=1 / 255))


def contact_shadow(canvas: Canvas, falls: tuple[float, float], soft_px: float) -> Field:
    """Return the share of a lamp's light blocked by higher objects, 0..1, shape (CANVAS_PX, CANVAS_PX).

    Args:
        canvas: the objects.
        falls: the shift (x, y) of shadows, in pixels per millimetre of height.
        soft_px: the sigma of the shadows' edges.
    """
    shade = np.zeros_like(canvas.heights)
    for height_mm in (1.2, 2.4):
        beside = _shifted(canvas.heights, falls, height_mm)
        higher = cv2.subtract(beside, canvas.heights) > 10 * height_mm - 4
        shade[higher] = 255
    for mask, height_mm in canvas.tall:
        for part in (0.25, 0.5, 0.75, 1.0):
            shade = np.maximum(shade, _shifted(mask, falls, part * height_mm))
        shade[mask > 127] = 0
    softened = cv2.GaussianBlur(shade, (0, 0), soft_px)
    return np.asarray(softened, np.float32) * np.float32(1 / 255)


def _shifted(layer: Mask, falls: tuple[float, float], height_mm: float) -> Mask:
    shift = np.array([[1, 0, falls[0] * height_mm], [0, 1, falls[1] * height_mm]])
    return bytes_of(cv2.warpAffine(layer, shift, (CANVAS_PX, CANVAS_PX), borderMode=cv2.BORDER_REPLICATE))
