"""Plane-to-plane transforms, and the rectification of a quilt: one warp from the camera's frame to a straight-on view.

Two coordinate spaces are used here. *Cell space*: x counts columns and y rows from the outer corner of A1, so the grid
spans (0, 0) to (9, 9). *View space*: pixels of the rectified view, `CELL_PX` a cell, with `MARGIN_CELLS` around the
grid, so that a patch that overhangs the edge is visible too.
"""

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

# Condition number above which a map has no usable inverse; a camera's, from millimetres to pixels, has 1e5.
_WORST_CONDITION: Final = 1e12


@dataclass(frozen=True, slots=True, eq=False)
class Homography:
    """A projective map from one plane to another.

    Attributes:
        matrix: shape (3, 3), float64; maps (x, y, 1) of the source plane to the target plane.
    """

    matrix: NDArray[np.float64]

    def __call__(self, points: ArrayLike) -> NDArray[np.float64]:
        """Map points of shape (..., 2), (x, y) in the source plane, to the target plane."""
        source = np.asarray(points, np.float64)
        if source.size == 0:  # OpenCV returns another shape for no points
            return source
        mapped = cv2.perspectiveTransform(source.reshape(-1, 1, 2), self.matrix)
        return np.asarray(mapped, np.float64).reshape(source.shape)

    @property
    def inverse(self) -> "Homography":
        """The inverse map."""
        return Homography(np.asarray(np.linalg.inv(self.matrix), np.float64))

    def after(self, first: "Homography") -> "Homography":
        """Return the map that applies `first` and then this one."""
        return Homography(self.matrix @ first.matrix)

    def residuals(self, source: ArrayLike, target: ArrayLike) -> NDArray[np.float64]:
        """Return distances between mapped source points and target points, shape (n,), in target units."""
        offsets = self(source) - np.asarray(target, np.float64)
        return np.asarray(np.hypot(offsets[..., 0], offsets[..., 1]))


@dataclass(frozen=True, slots=True)
class FailedFit:
    """A fit that did not succeed; falsy, with the reason."""

    reason: str

    def __bool__(self) -> bool:
        return False


def through_corners(source: ArrayLike, target: ArrayLike) -> Homography:
    """Return the homography that maps four points exactly onto four others, each of shape (4, 2)."""
    matrix = cv2.getPerspectiveTransform(np.asarray(source, np.float32), np.asarray(target, np.float32))
    return Homography(np.asarray(matrix, np.float64))


def fit_homography(source: ArrayLike, target: ArrayLike, tolerance: float) -> Homography | FailedFit:
    """Fit a homography to point pairs of shape (n, 2), ignoring outliers beyond `tolerance` (target units).

    If all points fit within the tolerance, all of them are used: RANSAC would drop different ones in each frame whose
    residuals are close to the tolerance, as on a curled sheet, and the fit would jump. RANSAC runs with OpenCV's fixed
    seed, so equal points give an equal fit.
    """
    source_points, target_points = np.asarray(source, np.float64), np.asarray(target, np.float64)
    if len(source_points) < 4:
        return FailedFit(f"{len(source_points)} point pairs, at least 4 are needed")
    everything = _fitted(source_points, target_points, 0, tolerance)
    if isinstance(everything, Homography) and everything.residuals(source_points, target_points).max() <= tolerance:
        return everything
    return _fitted(source_points, target_points, cv2.RANSAC, tolerance)


def _fitted(
    source: NDArray[np.float64], target: NDArray[np.float64], method: int, tolerance: float
) -> Homography | FailedFit:
    # OpenCV's type stubs do not say that it may return None.
    fitted: tuple[Any, Any] = cv2.findHomography(source, target, method, tolerance)
    matrix = fitted[0]
    # A plane collapsed to a line has no inverse; OpenCV returns such a matrix for collinear points.
    if matrix is None or not np.isfinite(matrix).all() or np.linalg.cond(matrix) > _WORST_CONDITION:
        return FailedFit("no homography explains the points")
    return Homography(np.asarray(matrix, np.float64))


def translation(x: float, y: float) -> Homography:
    """Return the map that shifts by (x, y)."""
    return Homography(np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]]))


SIDE: Final = 9
"""Cells along a quilt board's side, by the rules of the game."""
CELL_PX: Final = 32
"""Edge of a cell in a view, in pixels."""
MARGIN_CELLS: Final = 1.5
"""Margin around the grid in a view: the ring of cells that an overhanging patch covers, and half a cell for shifts."""
VIEW_PX: Final = round((SIDE + 2 * MARGIN_CELLS) * CELL_PX)
"""Edge of a view."""
GRID_CORNERS: Final = np.array([[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]])
"""Outer corners of the grid in cell space: A1, I1, I9, A9; shape (4, 2)."""

_MARGIN_PX: Final = MARGIN_CELLS * CELL_PX
CELLS_TO_VIEW: Final = Homography(
    # Pixel centres lie on whole numbers, hence the half pixel.
    np.array([[CELL_PX, 0.0, _MARGIN_PX - 0.5], [0.0, CELL_PX, _MARGIN_PX - 0.5], [0.0, 0.0, 1.0]])
)


def rectify(image: NDArray[np.uint8], cells_to_image: Homography) -> NDArray[np.uint8]:
    """Return the straight-on view of one quilt.

    Args:
        image: a frame, shape (height, width, 3), uint8, BGR.
        cells_to_image: maps cell space to pixels of the frame.

    Returns:
        Shape (VIEW_PX, VIEW_PX, 3), uint8, BGR. Beyond the frame its edge pixels are repeated.
    """
    image_to_view = CELLS_TO_VIEW.after(cells_to_image.inverse).matrix
    rows, columns = _shown_part(cells_to_image, image.shape[1], image.shape[0])
    if image.ndim == 2 or (rows.stop - rows.start) * (columns.stop - columns.start) > _MOST_WIDENED_PX:
        return _warped(image, image_to_view)
    # OpenCV warps four channels in half the time of three, to the same values.
    wide = np.empty((*image.shape[:2], 4), np.uint8)
    cv2.cvtColor(image[rows, columns], cv2.COLOR_BGR2BGRA, dst=wide[rows, columns])
    return np.asarray(cv2.cvtColor(_warped(wide, image_to_view), cv2.COLOR_BGRA2BGR), np.uint8)


# Pixels from which adding a channel takes longer than it saves.
_MOST_WIDENED_PX: Final = 4 * VIEW_PX**2


def _warped(image: NDArray[np.uint8], image_to_view: NDArray[np.float64]) -> NDArray[np.uint8]:
    size_px = (VIEW_PX, VIEW_PX)
    view = cv2.warpPerspective(image, image_to_view, size_px, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view, np.uint8)


def _shown_part(cells_to_image: Homography, width_px: int, height_px: int) -> tuple[slice, slice]:
    """Return the rows and columns of a frame that a view shows, with a margin: all if the horizon is in view."""
    ends = (-MARGIN_CELLS, SIDE + MARGIN_CELLS)
    x, y, scale = cells_to_image.matrix @ np.array([[x, y, 1.0] for x in ends for y in ends]).T
    if scale.min() * scale.max() <= 0:
        return slice(0, height_px), slice(0, width_px)
    # Beyond the frame, the pixels of its edge are seen.
    sides = []
    for places, size_px in ((y / scale, height_px), (x / scale, width_px)):
        first, last = np.clip([places.min() - 2, places.max() + 3], [0, 1], [size_px - 1, size_px])
        sides.append(slice(int(first), int(last)))
    return sides[0], sides[1]


def cells_in_frame(cells_to_image: Homography, width_px: int, height_px: int) -> NDArray[np.bool_]:
    """Return which cells are entirely in a frame of this size, shape (SIDE + 2, SIDE + 2), bool, the ring included."""
    lines = np.arange(-1.0, SIDE + 2)
    corners = cells_to_image(np.stack(np.meshgrid(lines, lines), axis=-1).reshape(-1, 2))
    inside = ((corners >= 0) & (corners <= (width_px - 1, height_px - 1))).all(axis=1).reshape(SIDE + 3, SIDE + 3)
    return np.asarray(inside[:-1, :-1] & inside[:-1, 1:] & inside[1:, :-1] & inside[1:, 1:])


def cell_window(row: int, column: int, inset_px: int) -> tuple[slice, slice]:
    """Return the slices (rows, columns) of a view that hold one cell, less `inset_px` at each side.

    Rows and columns -1 and 9 name the ring around the grid.
    """
    top = round((row + MARGIN_CELLS) * CELL_PX)
    left = round((column + MARGIN_CELLS) * CELL_PX)
    return slice(top + inset_px, top + CELL_PX - inset_px), slice(left + inset_px, left + CELL_PX - inset_px)


def clockwise(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return four corners (4, 2) in clockwise order in the picture, from the upper left one."""
    off = quad - quad.mean(axis=0)
    turned = quad[np.argsort(np.arctan2(off[:, 1], off[:, 0]))]
    return np.roll(turned, -int(turned.sum(axis=1).argmin()), axis=0)
