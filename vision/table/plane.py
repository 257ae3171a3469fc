"""The table from straight above: the plane of both quilt boards and the loose pieces, and its motion in the picture.

*Table space* counts in cells of a quilt board's grid, x to the right and y down, from the view's upper left corner.
Boards and pieces are of the same cardboard, so their tops lie in one plane. A *canvas* is a fixed part of the table, in
which pieces keep their size and shape from picture to picture.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import reductions
from vision.geometry import GRID_CORNERS, SIDE, Homography, translation

# Iterations of fitting one plane to both boards.
_ROUNDS: Final = 30
# The greatest distance from the boards' middle: no circle of patches is wider, and an oblique view reaches the horizon.
_FURTHEST_CELLS: Final = 42.0
# The least size of a cell in the picture for the table to be searched there.
_LEAST_PX: Final = 8.0
# The least size of a black area that is no part of the photograph; a smaller one is a dark spot.
_BLACK_PX: Final = 50
# Half a step along x, to measure a cell's size.
_HALF_CELL: Final = np.array([0.5, 0.0])


@dataclass(frozen=True, slots=True, eq=False)
class OverheadView:
    """A table from straight above.

    Attributes:
        picture: shape (height, width, 3), uint8, BGR, `cell_px` pixels a cell.
        seen: mask of what is in the photograph, shape (height, width), bool.
        cell_px: pixels a cell.
        to_image: map from table space to pixels of the photograph.
        boards: the boards' grids in table space, each (4, 2).
    """

    picture: NDArray[np.uint8]
    seen: NDArray[np.bool_]
    cell_px: int
    to_image: Homography
    boards: tuple[NDArray[np.float64], ...]


def table_plane(boards: Sequence[Homography]) -> Homography:
    """Return one map for the whole table, from the first board's extended cell space to pixels of the photograph.

    Args:
        boards: one or two maps from a board's cell space to the photograph; the boards are equal squares.
    """
    first = boards[0]
    if len(boards) < 2:
        return first
    grid = np.array([[x, y] for y in (0, 4.5, 9) for x in (0, 4.5, 9)], np.float64)
    seen = np.vstack([board(grid) for board in boards])
    plane = first
    for _ in range(_ROUNDS):
        other = _rigid(grid, plane.inverse(boards[1](grid)))
        matrix, _ = cv2.findHomography(np.vstack([grid, other]), seen)
        plane = Homography(np.asarray(matrix, np.float64))
    return plane


def _rigid(points: NDArray[np.float64], target: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the points, rotated and shifted onto the target by least squares, without scaling."""
    middle, aim = points.mean(axis=0), target.mean(axis=0)
    u, _, vt = np.linalg.svd((points - middle).T @ (target - aim))
    turn = u @ np.diag([1.0, np.sign(np.linalg.det(u @ vt))]) @ vt
    return np.asarray((points - middle) @ turn + aim)


def view_table(image: NDArray[np.uint8], boards: Sequence[Homography], cell_px: int) -> OverheadView:
    """Return the table from straight above.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        boards: maps from each board's cell space to the photograph.
        cell_px: pixels a cell of the view.
    """
    plane = table_plane(boards)
    middle = _middle(plane, boards)
    left, top, right, bottom = _extent(plane, image, boards)
    to_image = plane.after(translation(left, top))
    size = (round((right - left) * cell_px), round((bottom - top) * cell_px))
    to_view = np.array([[cell_px, 0, -0.5], [0, cell_px, -0.5], [0, 0, 1.0]])
    small, shrink = _shrunk(image, plane, middle, cell_px)
    matrix = to_view @ to_image.inverse.matrix @ shrink.inverse.matrix
    picture = cv2.warpPerspective(small, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = cv2.warpPerspective(_photographed(small), matrix, size, flags=cv2.INTER_NEAREST) > 0
    grids = tuple(to_image.inverse(board(GRID_CORNERS)) for board in boards)
    return OverheadView(np.asarray(picture, np.uint8), np.asarray(seen), cell_px, to_image, grids)


def _photographed(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the mask of the photographed part of a picture, 255 or 0, shape (height, width).

    An undistorted picture has black corners, which are 0.
    """
    shown = np.full(image.shape[:2], 255, np.uint8)
    black = np.pad((reductions.brightest(image) == 0).astype(np.uint8), 1)
    if not black.any():
        return shown
    _, numbers, stats, _ = cv2.connectedComponentsWithStats(black)
    inner = numbers[1:-1, 1:-1]
    border = np.unique(np.concatenate([inner[0], inner[-1], inner[:, 0], inner[:, -1]]))
    beyond = [n for n in border.tolist() if n > 0 and stats[n, cv2.CC_STAT_AREA] >= _BLACK_PX]
    shown[np.isin(inner, beyond)] = 0
    return shown


def _middle(plane: Homography, boards: Sequence[Homography]) -> NDArray[np.float64]:
    return plane.inverse(np.mean([board([SIDE / 2, SIDE / 2]) for board in boards], axis=0))


def _extent(plane: Homography, image: NDArray[np.uint8], boards: Sequence[Homography]) -> NDArray[np.float64]:
    """Return (left, top, right, bottom), in cells, of the part of the photograph with a readable size.

    If there is none, because the picture is tiny, it is the boards alone.
    """
    middle = _middle(plane, boards)
    across = np.arange(middle[0] - _FURTHEST_CELLS, middle[0] + _FURTHEST_CELLS)
    down = np.arange(middle[1] - _FURTHEST_CELLS, middle[1] + _FURTHEST_CELLS)
    points = np.stack(np.meshgrid(across, down), axis=-1)
    ahead = points @ plane.matrix[2, :2] + plane.matrix[2, 2]
    at, beside, below = (plane(points + offset) for offset in ([0.0, 0.0], [1.0, 0.0], [0.0, 1.0]))
    size_px = np.minimum(np.hypot(*np.moveaxis(beside - at, -1, 0)), np.hypot(*np.moveaxis(below - at, -1, 0)))
    height, width = image.shape[:2]
    around = size_px[..., None]
    inside = (at > -around).all(axis=-1) & (at < np.array([width, height]) + around).all(axis=-1)
    shown = points[inside & (size_px > _LEAST_PX) & (ahead * (plane.matrix[2, :2] @ middle + plane.matrix[2, 2]) > 0)]
    if not len(shown):
        shown = np.concatenate([plane.inverse(board(GRID_CORNERS)) for board in boards])
    return np.concatenate([shown.min(axis=0) - 0.5, shown.max(axis=0) + 1.5])


def _shrunk(
    image: NDArray[np.uint8], plane: Homography, middle: NDArray[np.float64], cell_px: int
) -> tuple[NDArray[np.uint8], Homography]:
    """Return the photograph, scaled down if it is finer than the view (threads would flicker), and the map to it."""
    size_px = float(np.hypot(*(plane(middle + _HALF_CELL) - plane(middle - _HALF_CELL))))
    scale = min(1.0, 1.15 * cell_px / size_px)
    if scale >= 1:
        return image, Homography(np.eye(3))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    down, across = small.shape[0] / image.shape[0], small.shape[1] / image.shape[1]
    shrink = np.array([[across, 0, (across - 1) / 2], [0, down, (down - 1) / 2], [0, 0, 1.0]])
    return np.asarray(small, np.uint8), Homography(shrink)


@dataclass(frozen=True, slots=True, eq=False)
class PlacedPicture:
    """A picture and the boards in it.

    Attributes:
        image: shape (height, width, 3), uint8, BGR.
        boards: by seat, the maps from cell space to its pixels.
    """

    image: NDArray[np.uint8]
    boards: Mapping[int, Homography]


STILL_PX: Final = 2.0
"""Motion of a corner below which it counts as still, by the accuracy of detection."""
# Residual of a corner from which a board was moved by hand.
_AS_ONE_PX: Final = 2.0


def table_shift(before: Mapping[int, Homography], now: Mapping[int, Homography]) -> Homography | None:
    """Return the map from an earlier picture's pixels to a later one's, for objects on the table.

    Args:
        before: by seat, the maps from cell space to the earlier picture's pixels.
        now: by seat, the maps from cell space to the later picture's pixels.

    Returns:
        The identity if a board has stayed, and therefore the camera; one map if both have moved together; None if they
        have not, or it cannot be determined.
    """
    seats = [seat for seat in before if seat in now]
    was = {seat: before[seat](GRID_CORNERS) for seat in seats}
    is_ = {seat: now[seat](GRID_CORNERS) for seat in seats}
    if any(np.hypot(*(is_[seat] - was[seat]).T).max() < STILL_PX for seat in seats):
        return Homography(np.eye(3))
    if len(seats) < 2:
        return None
    source, target = np.concatenate([was[seat] for seat in seats]), np.concatenate([is_[seat] for seat in seats])
    # A map through eight corners of two squares always exists; its residuals show whether it is valid.
    shift = Homography(np.asarray(cv2.findHomography(source, target)[0], np.float64))
    return shift if shift.residuals(source, target).max() < _AS_ONE_PX else None


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

    def relit(self, light: NDArray[np.float64]) -> "CanvasView":
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
