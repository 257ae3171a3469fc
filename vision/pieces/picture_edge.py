"""Pieces of a table that may be cut off by the edge of the photograph."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.fit import Fit
from vision.pieces.maps import MAP_PX, PieceMaps
from vision.table.plane import OverheadView

# The least length of a piece's border, in cells, that touches a cut-off region which it may be a part of.
_BORDER_CELLS: Final = 0.1


def map_pixels(points: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return points of table space as pixels of the maps, in OpenCV's polygon format."""
    return np.rint(points * MAP_PX - 0.5).astype(np.int32).reshape(-1, 1, 2)


def beyond_picture(view: OverheadView, shape: tuple[int, ...], reach_cells: float) -> NDArray[np.bool_]:
    """Return the mask, in the maps' shape, of all outside the picture, grown by `reach_cells` (negative: shrunk)."""
    seen = cv2.resize(view.seen.astype(np.uint8), shape[::-1], interpolation=cv2.INTER_NEAREST)
    framed = cv2.copyMakeBorder(seen, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    reach = round(abs(reach_cells) * MAP_PX)
    kernel = np.ones((2 * reach + 1,) * 2, np.uint8)
    return np.asarray((cv2.erode if reach_cells > 0 else cv2.dilate)(framed, kernel)[1:-1, 1:-1] == 0)


def ends_in(beyond: NDArray[np.bool_], fit: Fit) -> bool:
    """Return whether a corner of a fit lies in the mask, or outside of the maps."""
    columns, rows = map_pixels(fit.outline).reshape(-1, 2).T
    height, width = beyond.shape
    within = (columns >= 0) & (rows >= 0) & (columns < width) & (rows < height)
    return not within.all() or bool(beyond[rows, columns].any())


def leaves(beyond: NDArray[np.bool_], outline: NDArray[np.float64]) -> bool:
    """Return whether any part of an outline (n, 2), in table space, lies in the mask, or outside of the maps."""
    pixels = map_pixels(outline).reshape(-1, 2)
    height, width = beyond.shape
    if (pixels < 0).any() or (pixels >= (width, height)).any():
        return True
    filled = np.zeros(beyond.shape, np.uint8)
    cv2.fillPoly(filled, [map_pixels(outline)], 1)
    return bool((filled.astype(bool) & beyond).any())


def cut_off(maps: PieceMaps, fits: Sequence[Fit], edge: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return the mask, in the maps' shape, of pieces that no fit explains and that continue beyond the picture."""
    left = (maps.piece > 0).astype(np.uint8)
    for fit in fits:
        cv2.fillPoly(left, [map_pixels(fit.outline)], 0)
    _, numbers = cv2.connectedComponents(left)
    ending = np.unique(numbers[edge & (left > 0)])
    return np.isin(numbers, ending[ending > 0]).astype(np.uint8)


def borders_on(cut: NDArray[np.uint8], fit: Fit) -> bool:
    """Return whether a fit borders on a cut-off region and may be a part of it."""
    border = np.zeros(cut.shape, np.uint8)
    cv2.polylines(border, [map_pixels(fit.outline)], True, 1, MAP_PX // 2)
    return int((border & cut).sum()) >= _BORDER_CELLS * MAP_PX**2
