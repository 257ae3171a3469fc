"""Spots of the table where a piece lay: whether it still lies there, has gone, or is covered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.geometry.homography import Homography

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

CELL_PX: Final = 10
"""Spots are compared at so many pixels a cell."""
_AROUND_CELLS: Final = 0.8
"""Of the table round the outline that belongs to the spot."""
_RIM_CELLS: Final = (0.2, 0.7)
"""From the outline: nearer lies the shadow of its edge."""
_EDGE_CELLS: Final = 0.15
"""Beyond the outline that counts to the piece: where it ends is what tells most."""
_SLID_CELLS: Final = 0.35
"""People brush pieces so far without looking."""
_DIFFERENT: Final = 26.0
"""By so much a pixel's colour differs, summed over the channels, once light and shade are made alike."""
_LOCAL_LIGHT: Final = 1.12
"""Light and shade change by so much more in one place than on all of the table."""
_COARSE_PX: Final = (48, 36)
"""Width and height of the pictures whose light is compared: 48 by 36 means of blocks."""
_LEAST_RIM: Final = 12
"""Pixels, for the rim to tell anything."""


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """A piece's place as it looked.

    Attributes:
        look: the picture of it, `CELL_PX` pixels a cell, shape (height, width, 3), float32, BGR.
        to_picture: maps that picture's pixels to those of the picture in which it was seen.
        piece: where the piece lies in it and a little beyond its edge, shape (height, width), bool.
        rim: the table around it, without other pieces, of the same shape.
    """

    look: NDArray[np.float32]
    to_picture: Homography
    piece: NDArray[np.bool_]
    rim: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Glance:
    """A spot compared with a later picture.

    Attributes:
        alike: correlation of the piece with what is there now, -1..1, at the best place nearby.
        disturbed: share of the table around it that looks different, 0..1; a hand reaches over it.
    """

    alike: float
    disturbed: float


def spot_of(
    image: NDArray[np.uint8],
    outline_px: NDArray[np.float64],
    cell_px: float,
    others_px: Sequence[NDArray[np.float64]] = (),
) -> Spot | None:
    """Return a spot to watch, or None if it is not wholly in the picture.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        outline_px: corners of the piece's outline in it, shape (n, 2).
        cell_px: how large a cell of the boards looks there.
        others_px: the outlines of other pieces.
    """
    around = _AROUND_CELLS * cell_px
    first, last = outline_px.min(axis=0) - around, outline_px.max(axis=0) + around
    if (first < 0).any() or (last > np.array(image.shape[1::-1]) - 1).any():
        return None
    scale = cell_px / CELL_PX
    size = np.ceil((last - first) / scale).astype(int)
    to_picture = Homography(np.array([[scale, 0.0, first[0]], [0.0, scale, first[1]], [0.0, 0.0, 1.0]]))
    piece = _filled([(outline_px - first) / scale], size)
    others = _filled([(other - first) / scale for other in others_px], size)
    near, far = (_grown(piece, cells) for cells in _RIM_CELLS)
    rim = far & ~near & ~_grown(others, _EDGE_CELLS)
    return Spot(_view(image, to_picture, size), to_picture, _grown(piece, _EDGE_CELLS), rim)


def light_between(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the factor by which a table has become lighter from one picture to another, by channel, shape (3,).

    Most of the table looks the same in both: hands cover less than half of it.
    """
    was, now = (cv2.resize(image, _COARSE_PX, interpolation=cv2.INTER_AREA) + 1.0 for image in (before, after))
    return np.asarray(np.median((now / was).reshape(-1, 3), axis=0))


def compare(
    spot: Spot, image: NDArray[np.uint8], to_image: Homography, light: NDArray[np.float64] | None = None
) -> Glance | None:
    """Compare the spot with a later picture; return None if it is not in that picture.

    Args:
        spot: as it looked.
        image: the later picture, shape (height, width, 3), uint8, BGR.
        to_image: maps the earlier picture's pixels to its own.
        light: see `light_between`; None: the light is the same.
    """
    height, width = spot.piece.shape
    there = to_image.after(spot.to_picture)
    corners = there(np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))
    if (corners < 0).any() or (corners > np.array(image.shape[1::-1]) - 1).any():
        return None
    now = _view(image, there, np.array([width, height]))
    return Glance(_alike(spot, now), _disturbed(spot, now, np.ones(3) if light is None else light))


def _view(image: NDArray[np.uint8], to_picture: Homography, size: NDArray[np.int_]) -> NDArray[np.float32]:
    """Return the spot in a picture, smoothed as far as it is made smaller."""
    matrix = to_picture.inverse.matrix
    fine = np.diag([2.0, 2.0, 1.0]) @ matrix
    width, height = (int(side) for side in size)
    large = cv2.warpPerspective(image, fine, (2 * width, 2 * height), flags=cv2.INTER_LINEAR)
    return np.asarray(cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA), np.float32)


def _alike(spot: Spot, now: NDArray[np.float32]) -> float:
    """Return the piece's correlation with what lies there now, the best of those nearby."""
    reach = round(_SLID_CELLS * CELL_PX)
    rows, columns = np.nonzero(spot.piece)
    top, bottom, left, right = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
    mask = spot.piece[top:bottom, left:right].astype(np.float32)
    piece = spot.look[top:bottom, left:right]
    top, left = max(0, top - reach), max(0, left - reach)
    room = now[top : bottom + reach, left : right + reach]
    scores = cv2.matchTemplate(room, piece, cv2.TM_CCOEFF_NORMED, mask=np.dstack([mask] * 3))
    return float(np.clip(np.nan_to_num(scores, nan=-1.0, posinf=-1.0, neginf=-1.0), -1.0, 1.0).max())


def _disturbed(spot: Spot, now: NDArray[np.float32], light: NDArray[np.float64]) -> float:
    """Return how much of the rim looks different, beyond what another light does to the table and to this place."""
    if np.count_nonzero(spot.rim) < _LEAST_RIM:
        return 0.0
    before, after = spot.look[spot.rim], now[spot.rim]
    here = np.median(after, axis=0) / np.maximum(np.median(before, axis=0), 1.0)
    here = np.clip(here, light / _LOCAL_LIGHT, light * _LOCAL_LIGHT)
    apart = np.abs(after - before * here).sum(axis=1)
    return float(np.mean(apart > _DIFFERENT * max(0.5, float(np.mean(here)))))


def _filled(outlines: Sequence[NDArray[np.float64]], size: NDArray[np.int_]) -> NDArray[np.bool_]:
    mask = np.zeros((int(size[1]), int(size[0])), np.uint8)
    if outlines:
        cv2.fillPoly(mask, [np.rint(outline).astype(np.int32) for outline in outlines], (1,))
    return mask.astype(np.bool_)


def _grown(mask: NDArray[np.bool_], cells: float) -> NDArray[np.bool_]:
    reach = 2 * round(cells * CELL_PX) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    return np.asarray(cv2.dilate(mask.astype(np.uint8), kernel), np.bool_)
