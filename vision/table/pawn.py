"""Detection of a pawn among pieces, by a colour that is learnt where it stands alone, or has left a place.

Its material is not known beforehand, and it stands upright: elsewhere the camera sees another side of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table.canvas import CELL_PX, CanvasView
from vision.table.spots import grown

# Grey levels added before logarithms are taken, so that noise in the dark counts little.
_DARK: Final = 8.0
# Range of a pawn's visible area: a slim one from above, and a tall one from the side with its shadow.
_CELLS: Final = (0.1, 1.5)
# Distance of colours, in logarithms, beyond which the content has changed.
_CHANGED: Final = 0.22
# Distance of colours up to which a pixel is of the pawn, as for the markers of `vision.timeboard`.
_LIKE: Final = 0.3
# Weight of brightness against colour: the pawn's own shading changes with its place under a lamp.
_BRIGHTNESS: Final = 0.5
# Range of an object's size, relative to the learnt one: elsewhere the pawn leans away from the camera.
_SIZES: Final = (0.4, 2.2)
_BESIDE_CELLS: Final = 0.2
# Area of the same colour that is tolerated elsewhere, relative to the pawn's size: beyond `_BESIDE_CELLS` from it.
_BESIDES: Final = 0.25
# Distance from the ground's colour beyond which an object is there: a cloth's print is below it, or everywhere.
_ON_THE_GROUND: Final = 0.35
# The greatest size of a second changed object, relative to the first.
_ALONE: Final = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Pawn:
    """A pawn's appearance: its colour, shape (3,), logarithms in the known view's light; its size on the canvas."""

    colour: NDArray[np.float64]
    size_px: float


def standing_at(view: CanvasView, region: NDArray[np.bool_], place: NDArray[np.float64]) -> Pawn | None:
    """Return the appearance of the only small object in a region if it stands on a given place, or None.

    Args:
        view: the canvas.
        region: mask around it, of the canvas' shape; mostly bare ground.
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
    """Return the appearance of the only small object that has left a region, or None if there is none.

    Args:
        before: the canvas with it.
        after: the canvas without it, in the same light.
        region: mask of where it stood, of the canvas' shape.
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
    """Return the appearance of the largest part, on a canvas of these logarithms, if it is alone and pawn-sized."""
    if not parts or (len(parts) > 1 and np.count_nonzero(parts[1]) > _ALONE * np.count_nonzero(parts[0])):
        return None
    size = int(np.count_nonzero(parts[0]))
    if not _CELLS[0] * CELL_PX**2 <= size <= _CELLS[1] * CELL_PX**2:
        return None
    pawn = Pawn(np.median(logs[_core(parts[0])], axis=0), float(size))
    # Its shadow is excluded.
    own = parts[0] & _is_like(logs, pawn)
    return Pawn(pawn.colour, float(max(1, int(np.count_nonzero(own)))))


def find_pawn(pawn: Pawn, view: CanvasView, region: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    """Return the mask of the only object in a region that looks like the pawn, or None if there are none or several.

    A pawn cannot be found on a ground of its own colour.

    Args:
        pawn: its appearance.
        view: the current canvas, in the light of the learnt appearance.
        region: mask of where it may stand, of the canvas' shape.
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
    """Return differences of colours with a lower weight of brightness, shape (..., 3)."""
    return np.asarray(apart - (1 - _BRIGHTNESS) * apart.mean(axis=-1, keepdims=True))


def _parts(mask: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    """Return the connected parts of a mask, without specks and holes, largest first."""
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
