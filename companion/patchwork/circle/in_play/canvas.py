"""The part of the table around the circle: as it was when the circle was seen, and in a later picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.geometry.homography import Homography
from vision.geometry.rectify import GRID_CORNERS
from vision.table.canvas import TableCanvas
from vision.table.shift import table_shift
from vision.table.spots import light_between
from vision.table.stray_search import REACH_CELLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.table.canvas import CanvasView
    from vision.table.placed import PlacedPicture

_AROUND_CELLS: Final = REACH_CELLS + 3.0
"""Margin of the canvas around the circle, in cells, because pieces that were pushed out of it are searched for."""
_STILL: Final = Homography(np.eye(3))


@dataclass(frozen=True, slots=True, eq=False)
class SeenCanvas:
    """The canvas in a picture.

    Attributes:
        view: the canvas as seen.
        light: factors of the light since the circle was seen, BGR, shape (3,).
        quilts: outlines of the quilts, in pixels of the canvas, each of shape (4, 2).
    """

    view: CanvasView
    light: NDArray[np.float64]
    quilts: tuple[NDArray[np.float64], ...]

    @property
    def relit(self) -> CanvasView:
        """The view in the light in which the circle was seen."""
        return self.view.relit(self.light)


class CircleCanvas:
    """The canvas that contains the circle.

    Args:
        scene: the picture in which the circle was seen.
        outlines_px: outlines of its pieces there, each of shape (n, 2).

    Attributes:
        outlines: the same outlines, in pixels of the canvas.
        first: the canvas in the picture in which the circle was seen.
    """

    def __init__(self, scene: PlacedPicture, outlines_px: Sequence[NDArray[np.float64]]) -> None:
        self._boards = dict(scene.boards)
        boards = [self._boards[seat] for seat in sorted(self._boards)]
        self._canvas = TableCanvas(boards, np.concatenate(outlines_px), _AROUND_CELLS)
        self.outlines = [self.point(outline) for outline in outlines_px]
        self.first = SeenCanvas(self._canvas.view(scene.image, _STILL), np.ones(3), self._quilts(scene, _STILL))

    @property
    def shape(self) -> tuple[int, int]:
        """Its height and width in pixels."""
        return self._canvas.shape

    def point(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points of the picture in which the circle was seen, shape (..., 2), in pixels of the canvas."""
        return self._canvas.to_picture.inverse(points_px)

    def seen_in(self, scene: PlacedPicture) -> SeenCanvas | None:
        """Return the canvas in a later picture, or None if the boards moved relative to each other."""
        shift = table_shift(self._boards, scene.boards)
        if shift is None:
            return None
        view = self._canvas.view(scene.image, shift)
        return SeenCanvas(view, light_between(self.first.view, view), self._quilts(scene, shift))

    def _quilts(self, scene: PlacedPicture, shift: Homography) -> tuple[NDArray[np.float64], ...]:
        to_canvas = shift.after(self._canvas.to_picture).inverse
        return tuple(to_canvas(board(GRID_CORNERS)) for board in scene.boards.values())
