"""Pieces that were pushed aside: a piece that is not at its spot is looked for around it, turned as it may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.table.canvas import CELL_PX
from vision.table.spots import Spot, correlations, filled, spot_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.table.canvas import CanvasView

REACH_CELLS: Final = 5.0
"""An elbow pushes a piece so far, at most."""
_COARSE: Final = 2
"""The first search is made on pictures so many times smaller."""
_TURN_STEP_DEG: Final = 10.0
_FINE_DEG: Final = (-5.0, -2.5, 0.0, 2.5, 5.0)
_LIKELY: Final = 4
"""Turns that are looked at finely: small prints blur when they are made smaller, and the best one need not be right."""
_FINE_PX: Final = 4
"""Around the coarse search's best place."""
_FOUND: Final = 0.74
"""Correlation from which it is that piece. What looked most like one that had been taken off other tables, off other
pieces and quilts, had 0.62."""
_MOST_OVERLAP: Final = 0.15
"""Of it may lie on another piece that is known."""


@dataclass(frozen=True, slots=True, eq=False)
class Strayed:
    """A piece that was found beside its spot.

    Attributes:
        spot: its new one.
        moved_cells: how far its middle has moved.
        turned_deg: by how much it was turned, clockwise in the picture, -180..180.
        alike: the correlation of its look there, -1..1.
    """

    spot: Spot
    moved_cells: float
    turned_deg: float
    alike: float


@dataclass(frozen=True, slots=True, eq=False)
class _Turned:
    """A piece's look turned about its middle: the look, its mask, and the map from the spot's pixels to the look's."""

    look: NDArray[np.float32]
    mask: NDArray[np.bool_]
    matrix: NDArray[np.float64]


def find_strayed(
    spot: Spot, view: CanvasView, light: NDArray[np.float64], others: Sequence[NDArray[np.float64]] = ()
) -> Strayed | None:
    """Return where a piece lies now that is not at its spot, or None if it is not surely found around it.

    Args:
        spot: its spot.
        view: the canvas now.
        light: see `light_between`: from the view in which the spot looked so to this one.
        others: the outlines of pieces that are known to lie elsewhere; on them it does not lie.
    """
    coarse = [_best(spot, view, angle, _COARSE, spot.middle, REACH_CELLS * CELL_PX) for angle in _turns()]
    likely = sorted(coarse, key=lambda found: -found[0])[:_LIKELY]
    fine = (_best(spot, view, angle + step, 1, there, _FINE_PX) for _, there, angle in likely for step in _FINE_DEG)
    best = max(fine, key=lambda found: found[0])
    return None if best[0] < _FOUND else _settled(spot, view, light, best, others)


def find_slid(spot: Spot, view: CanvasView, light: NDArray[np.float64], slid: tuple[int, int]) -> Strayed | None:
    """Return where a piece lies now that has slid a little, and turned, or None if it is not surely found there.

    Args:
        spot: its spot.
        view: the canvas now.
        light: as for `find_strayed`.
        slid: (right, down) how far it seems to have slid, in pixels of the canvas.
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
    """Return a piece at its new place; its own look stays the one that is known, in the light of then."""
    alike, middle, angle = found
    matrix = _moved(spot.middle, middle, angle)
    outline = np.asarray(spot.outline @ matrix[:, :2].T + matrix[:, 2])
    if _covered(outline, others, view.seen.shape) > _MOST_OVERLAP:
        return None
    new = spot_of(view, outline, others)
    if new is None:
        return None
    known, mask = _known_look(spot, new, matrix)
    # What lies around is learnt anew, as it would have looked in the light of then.
    around = new.look / np.maximum(light.astype(np.float32), np.float32(0.05))
    look = np.where((mask & new.piece)[..., None], known, around).astype(np.float32)
    moved = float(np.hypot(*(middle - spot.middle))) / CELL_PX
    turned = (angle + 180.0) % 360.0 - 180.0
    return Strayed(Spot(look, new.corner, new.outline, new.piece, new.rim), moved, turned, alike)


def _known_look(spot: Spot, new: Spot, matrix: NDArray[np.float64]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return the piece's known look in the new spot's pixels, and where it is known."""
    there = matrix.copy()
    there[:, 2] += matrix[:, :2] @ np.array(spot.corner, np.float64) - np.array(new.corner, np.float64)
    size = new.piece.shape[::-1]
    look = cv2.warpAffine(spot.look, there, size, flags=cv2.INTER_LINEAR)
    mask = cv2.warpAffine(spot.piece.astype(np.uint8), there, size, flags=cv2.INTER_NEAREST)
    return np.asarray(look, np.float32), np.asarray(mask > 0)


def _moved(middle: NDArray[np.float64], there: NDArray[np.float64], angle_deg: float) -> NDArray[np.float64]:
    """Return the map, shape (2, 3), that turns the canvas about a middle, clockwise as seen, and moves it elsewhere."""
    angle = np.radians(angle_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.column_stack([turn, there - turn @ middle])


def _best(
    spot: Spot, view: CanvasView, angle_deg: float, coarse: int, around: NDArray[np.float64], reach_px: float
) -> tuple[float, NDArray[np.float64], float]:
    """Return how well the piece, so turned, fits at the best place near a point; that place of its middle; the turn."""
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
    """Return the piece's look, cut to the piece, turned about its middle and made smaller."""
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
    # The ground beyond its edge, and the shadow there, have stayed behind.
    own = filled([outline], spot.piece.shape).astype(np.uint8)
    mask = cv2.warpAffine(own, matrix, (width, height), flags=cv2.INTER_NEAREST)
    return _Turned(np.asarray(look, np.float32), np.asarray(mask > 0), matrix)


def _covered(outline: NDArray[np.float64], others: Sequence[NDArray[np.float64]], shape: tuple[int, ...]) -> float:
    """Return the share of an outline that lies within others."""
    own = filled([outline], shape)
    area = max(1, int(np.count_nonzero(own)))
    return int(np.count_nonzero(own & filled(others, shape))) / area
