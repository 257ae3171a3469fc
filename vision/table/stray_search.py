"""Search for a piece that was pushed aside, around its spot and at any angle."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table.plane import CELL_PX, CanvasView
from vision.table.spots import Spot, correlations, filled, spot_of

REACH_CELLS: Final = 5.0
"""The greatest distance by which an elbow pushes a piece."""
# Downscaling factor of the first search.
_COARSE: Final = 2
_TURN_STEP_DEG: Final = 10.0
_FINE_DEG: Final = (-5.0, -2.5, 0.0, 2.5, 5.0)
# Rotations examined closely: small prints blur when scaled down, and the best one need not be right.
_LIKELY: Final = 4
# Reach of the fine search around the coarse search's best place.
_FINE_PX: Final = 4
# Correlation from which a piece is recognised. The best match of a removed piece on other tables, pieces and quilts had
# 0.62.
_FOUND: Final = 0.74
# The greatest share of the piece that may overlap another known piece.
_MOST_OVERLAP: Final = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class Strayed:
    """A piece that was found beside its spot.

    Attributes:
        spot: its new spot.
        moved_cells: distance that its middle has moved.
        turned_deg: rotation, clockwise in the picture, -180..180.
        alike: the correlation of its look there, -1..1.
    """

    spot: Spot
    moved_cells: float
    turned_deg: float
    alike: float


@dataclass(frozen=True, slots=True, eq=False)
class _Turned:
    """A piece's look rotated about its middle: the look, its mask, and the map from the spot's pixels to the look's."""

    look: NDArray[np.float32]
    mask: NDArray[np.bool_]
    matrix: NDArray[np.float64]


def find_strayed(
    spot: Spot, view: CanvasView, light: NDArray[np.float64], others: Sequence[NDArray[np.float64]] = ()
) -> Strayed | None:
    """Return the new place of a piece that is not at its spot, or None if it is not found with certainty.

    Args:
        spot: its spot.
        view: the canvas now.
        light: the result of `light_between` from the view of the spot to this one.
        others: the outlines of pieces known to lie elsewhere, which it cannot overlap.
    """
    coarse = [_best(spot, view, angle, _COARSE, spot.middle, REACH_CELLS * CELL_PX) for angle in _turns()]
    likely = sorted(coarse, key=lambda found: -found[0])[:_LIKELY]
    fine = (_best(spot, view, angle + step, 1, there, _FINE_PX) for _, there, angle in likely for step in _FINE_DEG)
    best = max(fine, key=lambda found: found[0])
    return None if best[0] < _FOUND else _settled(spot, view, light, best, others)


def find_slid(spot: Spot, view: CanvasView, light: NDArray[np.float64], slid: tuple[int, int]) -> Strayed | None:
    """Return the new place of a piece that has slid a little, and rotated, or None if it is not found with certainty.

    Args:
        spot: its spot.
        view: the canvas now.
        light: as for `find_strayed`.
        slid: estimated shift (right, down), in pixels of the canvas.
    """
    there = spot.middle + np.array(slid, np.float64)
    found = max((_best(spot, view, step, 1, there, _FINE_PX) for step in _FINE_DEG), key=lambda found: found[0])
    return None if found[0] < _FOUND else _settled(spot, view, light, found, ())


def _turns() -> NDArray[np.float64]:
    return np.arange(0.0, 360.0, _TURN_STEP_DEG)


def _settled(
    spot: Spot,
    view: CanvasView,
    light: NDArray[np.float64],
    found: tuple[float, NDArray[np.float64], float],
    others: Sequence[NDArray[np.float64]],
) -> Strayed | None:
    """Return a piece at its new place; its known look is kept, in the light of the original view."""
    alike, middle, angle = found
    matrix = _moved(spot.middle, middle, angle)
    outline = np.asarray(spot.outline @ matrix[:, :2].T + matrix[:, 2])
    if _covered(outline, others, view.seen.shape) > _MOST_OVERLAP:
        return None
    new = spot_of(view, outline, others)
    if new is None:
        return None
    known, mask = _known_look(spot, new, matrix)
    # The surroundings are learnt anew, converted to the light of the original view.
    around = new.look / np.maximum(light.astype(np.float32), np.float32(0.05))
    look = np.where((mask & new.piece)[..., None], known, around).astype(np.float32)
    moved = float(np.hypot(*(middle - spot.middle))) / CELL_PX
    turned = (angle + 180.0) % 360.0 - 180.0
    return Strayed(Spot(look, new.corner, new.outline, new.piece, new.rim), moved, turned, alike)


def _known_look(spot: Spot, new: Spot, matrix: NDArray[np.float64]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return the piece's known look in the new spot's pixels, and the mask of known pixels."""
    there = matrix.copy()
    there[:, 2] += matrix[:, :2] @ np.array(spot.corner, np.float64) - np.array(new.corner, np.float64)
    size = new.piece.shape[::-1]
    look = cv2.warpAffine(spot.look, there, size, flags=cv2.INTER_LINEAR)
    mask = cv2.warpAffine(spot.piece.astype(np.uint8), there, size, flags=cv2.INTER_NEAREST)
    return np.asarray(look, np.float32), np.asarray(mask > 0)


def _moved(middle: NDArray[np.float64], there: NDArray[np.float64], angle_deg: float) -> NDArray[np.float64]:
    """Return the map, shape (2, 3), that rotates the canvas about a middle, clockwise, and moves it elsewhere."""
    angle = np.radians(angle_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.column_stack([turn, there - turn @ middle])


def _best(
    spot: Spot, view: CanvasView, angle_deg: float, coarse: int, around: NDArray[np.float64], reach_px: float
) -> tuple[float, NDArray[np.float64], float]:
    """Return the rotated piece's correlation at its best place near a point; the place of its middle; the angle."""
    turned = _turned(spot, angle_deg, coarse)
    height, width = turned.mask.shape
    first = np.floor((around - reach_px) / coarse - np.array([width, height]) / 2).astype(int)
    last = np.ceil((around + reach_px) / coarse + np.array([width, height]) / 2).astype(int)
    limit = np.array(view.seen.shape[::-1]) // coarse
    first, last = np.maximum(first, 0), np.minimum(last, limit)
    if ((last - first) < (width, height)).any():
        return -1.0, around, angle_deg
    left, top = (int(each) * coarse for each in first)
    right, bottom = (int(each) * coarse for each in last)
    room, seen = view.picture[top:bottom, left:right], view.seen[top:bottom, left:right]
    if coarse > 1:
        size = ((right - left) // coarse, (bottom - top) // coarse)
        room = np.asarray(cv2.resize(room, size, interpolation=cv2.INTER_AREA), np.float32)
        seen = cv2.resize(seen.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    scores = correlations(room, turned.look, turned.mask)
    out = cv2.filter2D((~seen).astype(np.float32), -1, turned.mask.astype(np.float32), anchor=(0, 0))
    scores[out[: scores.shape[0], : scores.shape[1]] > 0] = -1.0
    row, column = divmod(int(scores.argmax()), scores.shape[1])
    corner = np.array([column, row]) + first
    middle = turned.matrix[:, :2] @ (spot.middle - np.array(spot.corner)) + turned.matrix[:, 2]
    return float(scores.max()), np.asarray((corner + middle + (0.5 - 0.5 / coarse)) * coarse), angle_deg


def _turned(spot: Spot, angle_deg: float, coarse: int) -> _Turned:
    """Return the piece's look, cropped, rotated about its middle and scaled down."""
    outline = spot.outline - np.array(spot.corner)
    matrix = _moved(np.zeros(2), np.zeros(2), angle_deg) / coarse
    corners = outline @ matrix[:, :2].T
    first = np.floor(corners.min(axis=0) - 2)
    last = np.ceil(corners.max(axis=0) + 2)
    matrix[:, 2] = -first
    width, height = (last - first).astype(int).tolist()
    flags = cv2.INTER_AREA if coarse > 1 else cv2.INTER_LINEAR
    source = cv2.GaussianBlur(spot.look, (0, 0), 0.5 * coarse) if coarse > 1 else spot.look
    look = cv2.warpAffine(source, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    # The ground and the shadow beyond its edge have not moved along.
    own = filled([outline], spot.piece.shape).astype(np.uint8)
    mask = cv2.warpAffine(own, matrix, (width, height), flags=cv2.INTER_NEAREST)
    return _Turned(np.asarray(look, np.float32), np.asarray(mask > 0), matrix)


def _covered(outline: NDArray[np.float64], others: Sequence[NDArray[np.float64]], shape: tuple[int, ...]) -> float:
    """Return the share of an outline that lies within others."""
    own = filled([outline], shape)
    area = max(1, int(np.count_nonzero(own)))
    return int(np.count_nonzero(own & filled(others, shape))) / area
