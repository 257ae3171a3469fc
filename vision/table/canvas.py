"""A fixed part of the table from straight above, in which pieces keep their size and shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.homography import Homography
from vision.table.plane import table_plane

CELL_PX: Final = 10
"""A cell's edge on the canvas: enough to distinguish prints; a whole circle takes some 400 by 300 pixels."""
# The greatest length of a canvas: a view so oblique that more is needed is unreadable there.
_MOST_PX: Final = 1200
# The least light, as a share of the earlier light, in which anything is visible.
_LEAST_LIGHT: Final = 0.05
# Resolution of the picture before warping, relative to the canvas: at a finer one, threads would flicker.
_FINER: Final = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class CanvasView:
    """The canvas in one picture.

    Attributes:
        picture: shape (height, width, 3), float32, BGR, `CELL_PX` pixels a cell.
        seen: mask of what is in the picture, shape (height, width), bool.
    """

    picture: NDArray[np.float32]
    seen: NDArray[np.bool_]

    def relit(self, light: NDArray[np.float64]) -> CanvasView:
        """Return the view divided by a factor of light for each channel, shape (3,)."""
        factor = np.maximum(light, _LEAST_LIGHT).astype(np.float32)
        return CanvasView(np.asarray(self.picture / factor, np.float32), self.seen)


class TableCanvas:
    """The canvas that contains some points of a picture, and the table around them.

    Args:
        boards: maps from the quilt boards' cell space to the picture, one or two.
        points_px: points of the picture to contain, shape (n, 2).
        around_cells: margin of the table around them.
    """

    def __init__(self, boards: Sequence[Homography], points_px: NDArray[np.float64], around_cells: float) -> None:
        plane = table_plane(boards)
        points = plane.inverse(points_px)
        first = points.min(axis=0) - around_cells
        size = np.ceil((points.max(axis=0) + around_cells - first) * CELL_PX).astype(int)
        self._size = (min(_MOST_PX, int(size[0])), min(_MOST_PX, int(size[1])))
        to_cells = np.array([[1 / CELL_PX, 0.0, first[0]], [0.0, 1 / CELL_PX, first[1]], [0.0, 0.0, 1.0]])
        self.to_picture = plane.after(Homography(to_cells))
        x, y = self._size[0] / 2, self._size[1] / 2
        before, after = self.to_picture(np.array([[x - CELL_PX / 2, y], [x + CELL_PX / 2, y]]))
        self._shrink = min(1.0, _FINER * CELL_PX / max(1.0, float(np.hypot(*(after - before)))))

    @property
    def shape(self) -> tuple[int, int]:
        """Its height and width."""
        return self._size[1], self._size[0]

    def view(self, image: NDArray[np.uint8], shift: Homography) -> CanvasView:
        """Return the canvas as seen in a picture.

        Args:
            image: shape (height, width, 3), uint8, BGR.
            shift: maps pixels of the picture that the canvas was made for to pixels of this one.
        """
        small = image
        if self._shrink < 1:
            small = np.asarray(
                cv2.resize(image, None, fx=self._shrink, fy=self._shrink, interpolation=cv2.INTER_AREA), np.uint8
            )
        across, down = small.shape[1] / image.shape[1], small.shape[0] / image.shape[0]
        shrink = np.array([[across, 0, (across - 1) / 2], [0, down, (down - 1) / 2], [0, 0, 1.0]])
        to_small = shrink @ shift.after(self.to_picture).matrix
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        picture = cv2.warpPerspective(small, to_small, self._size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        shown = np.full(small.shape[:2], 255, np.uint8)
        seen = cv2.warpPerspective(shown, to_small, self._size, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP)
        return CanvasView(np.asarray(picture, np.float32), np.asarray(seen > 0))
