"""A pawn among pieces: its look is learnt where it stands alone, or has left a place, and its colour tells it then.

What it is made of is not known beforehand, and it stands upright: from elsewhere the camera sees another side of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.table.canvas import CELL_PX
from vision.table.spots import grown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.table.canvas import CanvasView

_DARK: Final = 8.0
"""Grey levels added before logarithms are taken, so that noise in the dark counts little."""
_CELLS: Final = (0.1, 1.5)
"""Area of a pawn as it is seen: a slim one from above, and a tall one from aside with its shadow."""
_CHANGED: Final = 0.22
"""Distance of colours, in logarithms, beyond which something else is there."""
_LIKE: Final = 0.3
"""Distance of colours up to which a pixel is the pawn's, as for the markers of `vision.timeboard`."""
_BRIGHTNESS: Final = 0.5
"""What brightness counts beside colour: the pawn's own shading changes with its place under a lamp."""
_SIZES: Final = (0.4, 2.2)
"""Of the size that it had, what a thing of its colour may have: it leans away from the camera elsewhere."""
_BESIDE_CELLS: Final = 0.2
_BESIDES: Final = 0.25
"""Of its size, so much of its colour may be seen elsewhere: beyond this distance from it, in cells."""
_ON_THE_GROUND: Final = 0.35
"""Distance from the ground's colour beyond which something stands there: a cloth's print is below it, or everywhere."""
_ALONE: Final = 0.5
"""Where more than one thing has changed, the second may be so large beside the first one, at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Pawn:
    """A pawn's look: its colour, shape (3,), logarithms in the light of the known view; its size on the canvas."""

    colour: NDArray[np.float64]
    size_px: float


def standing_at(view: CanvasView, region: NDArray[np.bool_], place: NDArray[np.float64]) -> Pawn | None:
    """Return the look of the one small thing in a region, if it stands on a place there, or None.

    Args:
        view: the canvas.
        region: around it, of the canvas' shape; most of it is bare ground.
        place: (x, y) in pixels of the canvas.
    """
    logs = _logs(view.picture)
    region = region & view.seen
    if not region.any():
        return None
    apart = _weighed(logs - np.median(logs[region], axis=0))
    parts = _parts((np.linalg.norm(apart, axis=-1) > _ON_THE_GROUND) & region)
    if not parts or not _holds(grown(parts[0], _BESIDE_CELLS), place):
        return None
    pawn = _pawn_of(parts, logs)
    return None if pawn is None or find_pawn(pawn, view, region) is None else pawn


def left_from(before: CanvasView, after: CanvasView, region: NDArray[np.bool_]) -> Pawn | None:
    """Return the look of the one small thing that stood in a region and has gone, or None if there is no such thing.

    Args:
        before: with it.
        after: without it, in the same light.
        region: where it stood, of the canvas' shape.
    """
    was, now = _logs(before.picture), _logs(after.picture)
    apart = now - was
    region = region & before.seen & after.seen
    if not region.any():
        return None
    apart = apart - np.median(apart[region], axis=0)
    changed = (np.linalg.norm(_weighed(apart), axis=-1) > _CHANGED) & region
    parts = _parts(changed)
    return _pawn_of(parts, was)


def _pawn_of(parts: Sequence[NDArray[np.bool_]], logs: NDArray[np.float32]) -> Pawn | None:
    """Return the look of the largest part, on a canvas of these logarithms, if it is alone, and as large as a pawn."""
    if not parts or (len(parts) > 1 and np.count_nonzero(parts[1]) > _ALONE * np.count_nonzero(parts[0])):
        return None
    size = int(np.count_nonzero(parts[0]))
    if not _CELLS[0] * CELL_PX**2 <= size <= _CELLS[1] * CELL_PX**2:
        return None
    pawn = Pawn(np.median(logs[_core(parts[0])], axis=0), float(size))
    # Its shadow is no part of its look.
    own = parts[0] & _is_like(logs, pawn)
    return Pawn(pawn.colour, float(max(1, int(np.count_nonzero(own)))))


def find_pawn(pawn: Pawn, view: CanvasView, region: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    """Return the mask of the one thing in a region that looks like a pawn, or None if none does, or more besides.

    On a ground of its own colour a pawn cannot be told.

    Args:
        pawn: its look.
        view: the canvas now, in the light in which that was learnt.
        region: where it may stand, of the canvas' shape.
    """
    like = region & view.seen
    like[like] = _is_like(_logs(view.picture[like]), pawn)
    parts = _parts(like)
    low, high = (share * pawn.size_px for share in _SIZES)
    if not parts or not low <= int(np.count_nonzero(parts[0])) <= high:
        return None
    besides = like & ~grown(parts[0], _BESIDE_CELLS)
    return None if int(np.count_nonzero(besides)) > _BESIDES * pawn.size_px else parts[0]


def _holds(mask: NDArray[np.bool_], place: NDArray[np.float64]) -> bool:
    column, row = np.rint(place).astype(int).tolist()
    height, width = mask.shape
    return 0 <= row < height and 0 <= column < width and bool(mask[row, column])


def _logs(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.log(colours + np.float32(_DARK)), np.float32)


def _is_like(logs: NDArray[np.float32], pawn: Pawn) -> NDArray[np.bool_]:
    return np.asarray(np.linalg.norm(_weighed(logs - pawn.colour.astype(np.float32)), axis=-1) <= _LIKE)


def _weighed(apart: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return differences of colours with brightness counted less, shape (..., 3)."""
    return np.asarray(apart - (1 - _BRIGHTNESS) * apart.mean(axis=-1, keepdims=True))


def _parts(mask: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    """Return the connected parts of a mask, without specks and holes, the largest first."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    whole = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, kernel)
    whole = cv2.morphologyEx(whole, cv2.MORPH_OPEN, kernel)
    count, parts, stats, _ = cv2.connectedComponentsWithStats(whole)
    order = sorted(range(1, count), key=lambda part: -int(stats[part, cv2.CC_STAT_AREA]))
    return [np.asarray(parts == part) for part in order]


def _core(part: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the inner half of a part: its rim is shaded."""
    depth = cv2.distanceTransform(part.astype(np.uint8), cv2.DIST_L2, 3)
    return np.asarray(depth >= 0.4 * depth.max())
