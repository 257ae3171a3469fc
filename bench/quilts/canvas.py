"""The canvas on which a board is drawn from above, and its basic shapes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.cells import SIDE

if TYPE_CHECKING:
    from bench.pieces.textures import Field
    from bench.quilts.laying import Laid

FINE_PX: Final = 40
"""The drawing's resolution in pixels per cell; the camera's picture is coarser."""
MARGIN: Final = 1.5
SIDE_PX: Final = round((SIDE + 2 * MARGIN) * FINE_PX)

Points: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.uint8]
Affine: TypeAlias = NDArray[np.float64]


@dataclass(eq=False)
class Scene:
    """A drawn board.

    Attributes:
        picture: shape (SIDE_PX, SIDE_PX, 3), float32, 0..255.
        laid: its pieces.
        buttons: the centres (x, y) of the printed buttons, in cells.
        labels: the centres (x, y) of the labels, in cells.
        placed: whether these are known; for cut-outs they are not.
    """

    picture: Field
    laid: list[Laid]
    buttons: list[Points] = field(default_factory=list)
    labels: list[Points] = field(default_factory=list)
    placed: bool = True


def cells_px(points: Points) -> Points:
    """Return points of cell space as pixels of a drawing."""
    return np.asarray((np.asarray(points, np.float64) + MARGIN) * FINE_PX - 0.5)


def rectangle(corners: Points) -> Mask:
    """Return the mask of a rectangle, given by its upper left and lower right corners in cells."""
    (left, top), (right, bottom) = corners
    return polygon(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]))


def polygon(points: Points) -> Mask:
    """Return the antialiased mask of a polygon, given in cells."""
    mask = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    cv2.fillPoly(mask, [np.rint(cells_px(points) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask


def box_of(mask: Mask, margin_px: int) -> tuple[slice, slice]:
    """Return the rows and columns of a mask's bounding box with a margin."""
    left, top, wide, high = cv2.boundingRect(mask)
    return (
        slice(max(top - margin_px, 0), top + high + margin_px),
        slice(max(left - margin_px, 0), left + wide + margin_px),
    )


def cast_shadow(picture: Field, mask: Mask, shift: tuple[float, float], blur_px: float, depth: float) -> None:
    """Darken a picture by the shadow of a mask, shifted by (x, y) pixels; `depth` is the share of light removed."""
    here = box_of(mask, round(3 * blur_px + max(map(abs, shift))) + 2)
    part = mask[here]
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)
    cast = cv2.GaussianBlur(cv2.warpAffine(part, move, part.shape[::-1]), (0, 0), blur_px)
    picture[here] *= (1 - np.float32(depth) * cast.astype(np.float32) / 255)[..., None]


def draw_circle(picture: Field, centre: Points, radius: float, colour: Field, width: int) -> None:
    """Draw a circle, given in pixels; a `width` of -1 fills it."""
    at = tuple(np.rint(centre * 16).astype(int).tolist())
    shade = tuple(float(value) for value in np.clip(colour, 0, 255))
    cv2.circle(picture, at, round(radius * 16), shade, width, cv2.LINE_AA, 4)


def moved_by(moved: Affine, points: Points) -> Points:
    """Return points, shape (n, 2), mapped by a piece's displacement, shape (2, 3)."""
    return np.asarray(points @ moved[:, :2].T + moved[:, 2])
