"""Painting of flat pieces with a height into a pinhole picture: shadow, cut edge, and the top with its parallax."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.drawing import Image, Pose, bytes_of
from hardware.simulated.drawing.pinhole import Matrix, Pinhole

if TYPE_CHECKING:
    from hardware.simulated.drawing.sprites import Sprite

Box: TypeAlias = tuple[int, int, int, int]
"""(left, top, right, bottom) in pixels, right and bottom excluded."""

Slope: TypeAlias = tuple[float, float]
"""The rise of an underside for each millimetre in x and in y."""
_Piece: TypeAlias = "tuple[Sprite, Pose, float, Slope]"

LEVEL: Final = (0.0, 0.0)
SHADOW_DEPTH: Final = 0.5
SHADOW_PAD_PX: Final = 6
# Size of the cache of boxes: still items are requested in each frame; moving hands must not fill the memory.
_BOXES_KEPT: Final = 1000


class Painter:
    """A painter of sprites for one camera, under a lamp at one side.

    Args:
        camera: the camera.
        lamp: length of a shadow, in millimetres (x, y) for each millimetre of height.
    """

    def __init__(self, camera: Pinhole, lamp: tuple[float, float]) -> None:
        self._camera = camera
        self._lamp = lamp
        self._planes: dict[float, Matrix] = {}
        self._boxes: dict[tuple[Sprite, Pose, float, Slope], Box] = {}

    def box(self, sprite: Sprite, pose: Pose, z_mm: float, slope: Slope = LEVEL) -> Box:
        """Return the part of the pinhole picture that painting may change, clipped to the picture."""
        piece = (sprite, pose, z_mm, slope)
        if piece not in self._boxes:
            if len(self._boxes) >= _BOXES_KEPT:
                self._boxes.clear()
            self._boxes[piece] = self._reach(*piece)
        return self._boxes[piece]

    def _reach(self, sprite: Sprite, pose: Pose, z_mm: float, slope: Slope) -> Box:
        height, width = sprite.mask.shape
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        transforms = (
            self._at(sprite, pose, z_mm + sprite.thick_mm, slope),
            self._at(sprite, pose, z_mm, slope),
            self._shadow(sprite, pose, z_mm, slope),
        )
        points = np.vstack([_apply(transform, corners) for transform in transforms])
        pad = SHADOW_PAD_PX + 2 * self._softness_px(sprite, z_mm)
        left, top = np.floor(points.min(axis=0) - pad).astype(int)
        right, bottom = np.ceil(points.max(axis=0) + pad).astype(int)
        wide, high = self._camera.canvas_px
        return max(0, int(left)), max(0, int(top)), min(wide, int(right)), min(high, int(bottom))

    def paint(self, canvas: Image, sprite: Sprite, pose: Pose, z_mm: float, clip: Box, slope: Slope = LEVEL) -> None:
        """Paint a piece, in place, inside a clip box.

        Args:
            canvas: the pinhole picture.
            sprite: the piece.
            pose: in table space.
            z_mm: height of its underside's middle above the table.
            clip: the box that may be changed.
            slope: of its underside.
        """
        whole = self.box(sprite, pose, z_mm, slope)
        inner = cut(whole, clip)
        if inner is None:
            return
        # A shadow is also blurred beyond the clip: the result must not depend on the clip.
        reach = 2 * self._softness_px(sprite, z_mm)
        box = cut(whole, (clip[0] - reach, clip[1] - reach, clip[2] + reach, clip[3] + reach)) or inner
        region = canvas[box[1] : box[3], box[0] : box[2]].copy()
        layers, mask = self._smoothed(sprite)
        self._cast_shadow(region, box, mask, (sprite, pose, z_mm, slope))
        self._paint_edge(region, box, mask, (sprite, pose, z_mm, slope))
        top = self._at(sprite, pose, z_mm + sprite.thick_mm, slope)
        # One picture with the mask as its fourth channel is warped in half the time of two.
        seen = _warp(layers, top, box)
        _blend(region, bytes_of(cv2.cvtColor(seen, cv2.COLOR_BGRA2BGR)), bytes_of(cv2.extractChannel(seen, 3)))
        left, upper, right, lower = inner
        canvas[upper:lower, left:right] = region[upper - box[1] : lower - box[1], left - box[0] : right - box[0]]

    def _cast_shadow(self, region: Image, box: Box, mask: Image, piece: _Piece) -> None:
        sprite, pose, z_mm, slope = piece
        # Paper casts no visible shadow.
        if sprite.thick_mm < 0.5:
            return
        # A tall object's shadow begins at its foot; cardboard is too thin for that to be visible.
        parts = (0.2, 0.4, 0.6, 0.8, 1.0) if sprite.thick_mm > 6 else (1.0,)
        shade = np.maximum.reduce([_warp(mask, self._shadow(sprite, pose, z_mm, slope, part), box) for part in parts])
        softness_px = self._softness_px(sprite, z_mm)
        shade = bytes_of(cv2.blur(shade, (softness_px, softness_px)))
        depth = SHADOW_DEPTH if z_mm < 8 else SHADOW_DEPTH * 0.8
        light = 255 - cv2.convertScaleAbs(shade, alpha=depth)
        region[:] = cv2.multiply(region, cv2.merge((light, light, light)), scale=1 / 255)

    def _paint_edge(self, region: Image, box: Box, mask: Image, piece: _Piece) -> None:
        sprite, pose, z_mm, slope = piece
        if sprite.thick_mm < 0.5:
            return
        # Close enough that the masks of a tall object leave no gaps.
        steps = 3 if sprite.thick_mm <= 6 else 8
        heights = np.linspace(z_mm, z_mm + sprite.thick_mm, steps, endpoint=False)
        side = _warp(mask, self._at(sprite, pose, float(heights[0]), slope), box)
        for height_mm in heights[1:]:
            side = np.maximum(side, _warp(mask, self._at(sprite, pose, float(height_mm), slope), box))
        row = np.full((region.shape[1], 3), sprite.side_bgr, np.uint8)
        _blend(region, np.tile(row, (region.shape[0], 1, 1)), side)

    def _softness_px(self, sprite: Sprite, z_mm: float) -> int:
        return 5 + int(min(20.0, (z_mm if z_mm > 8 else 0.0) * 0.6 + sprite.thick_mm * 0.15))

    def _at(self, sprite: Sprite, pose: Pose, z_mm: float, slope: Slope) -> Matrix:
        if slope != LEVEL:
            # A plane's height is given at the origin of table space, a piece's in its middle.
            origin_mm = z_mm - slope[0] * pose.x_mm - slope[1] * pose.y_mm
            return self._camera.plane(origin_mm, slope) @ pose.matrix @ _to_mm(sprite)
        plane = self._planes.get(z_mm)
        if plane is None:
            plane = self._planes[z_mm] = self._camera.plane(z_mm)
        return plane @ pose.matrix @ _to_mm(sprite)

    def _shadow(self, sprite: Sprite, pose: Pose, z_mm: float, slope: Slope, part: float = 1.0) -> Matrix:
        # The shadow of a hand or a carried piece falls mostly on the board; that of a lying piece on its own ground.
        floor_mm = z_mm if z_mm < 8 or slope != LEVEL else 3.0
        rise_mm = z_mm + part * sprite.thick_mm - floor_mm
        return self._at(sprite, pose.moved(self._lamp[0] * rise_mm, self._lamp[1] * rise_mm), floor_mm, slope)

    def _smoothed(self, sprite: Sprite) -> tuple[Image, Image]:
        """Return the picture with its mask as a fourth channel, and the mask, blurred against aliasing."""
        seen_px_per_mm = self._camera.focal_px / self._camera.centre_mm[2]
        return _softened(sprite, 0.42 * max(0.0, sprite.px_per_mm / seen_px_per_mm - 0.6))


@lru_cache(maxsize=128)  # a table's sprites; a nudged camera, or the next table's, needs mostly the same
def _softened(sprite: Sprite, sigma_px: float) -> tuple[Image, Image]:
    layers = cv2.merge((sprite.picture, sprite.mask))
    if sigma_px > 0.2:
        layers = cv2.GaussianBlur(layers, (0, 0), sigma_px, borderType=cv2.BORDER_REPLICATE)
    return bytes_of(layers), bytes_of(cv2.extractChannel(layers, 3))


def silhouette(camera: Pinhole, sprite: Sprite, pose: Pose, z_mm: float) -> Image:
    """Return the mask of a piece in the pinhole picture, (height, width), uint8, 255 inside."""
    levels = (0.0, 0.5 * sprite.thick_mm, sprite.thick_mm)
    seen = (camera.plane(z_mm + level) @ pose.matrix @ _to_mm(sprite) for level in levels)
    masks = [_warp(sprite.mask, transform, (0, 0, *camera.canvas_px)) for transform in seen]
    return bytes_of(np.maximum.reduce(masks))


def cut(box: Box, clip: Box) -> Box | None:
    """Return the intersection of two boxes, or None."""
    left, top = max(box[0], clip[0]), max(box[1], clip[1])
    right, bottom = min(box[2], clip[2]), min(box[3], clip[3])
    return (left, top, right, bottom) if left < right and top < bottom else None


def merged(boxes: Iterable[Box]) -> list[Box]:
    """Return the boxes, with overlapping ones joined into their bounding box."""
    left_over: list[Box] = []
    for box in boxes:
        grown, rest = box, []
        for other in left_over:
            if cut(grown, other) is None:
                rest.append(other)
            else:
                grown = (
                    min(grown[0], other[0]),
                    min(grown[1], other[1]),
                    max(grown[2], other[2]),
                    max(grown[3], other[3]),
                )
        left_over = [*rest, grown]
    return left_over


def _to_mm(sprite: Sprite) -> Matrix:
    height, width = sprite.mask.shape
    scale = 1 / sprite.px_per_mm
    return np.array([[scale, 0, -(width - 1) / 2 * scale], [0, scale, -(height - 1) / 2 * scale], [0, 0, 1]])


def _apply(transform: Matrix, points: NDArray[np.float64]) -> NDArray[np.float64]:
    lifted = np.column_stack((points, np.ones(len(points)))) @ transform.T
    flat: NDArray[np.float64] = lifted[:, :2] / lifted[:, 2:]
    return flat


def _warp(layer: Image, transform: Matrix, box: Box) -> Image:
    shift = np.array([[1.0, 0, -box[0]], [0, 1, -box[1]], [0, 0, 1]])
    size = (box[2] - box[0], box[3] - box[1])
    return bytes_of(cv2.warpPerspective(layer, shift @ transform, size, flags=cv2.INTER_LINEAR))


def _blend(region: Image, picture: Image, mask: Image) -> None:
    wide = cv2.merge((mask, mask, mask))
    over = cv2.multiply(picture, wide, scale=1 / 255)
    under = cv2.multiply(region, cv2.bitwise_not(wide), scale=1 / 255)
    cv2.add(over, under, dst=region)
