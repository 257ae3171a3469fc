"""The lens chart, and the fit of a lens to pictures of it held in different ways.

Coordinate space: millimetres on the chart, origin at its top-left corner, x to the right, y down. The same chart fits
A4 and US Letter.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from companion.languages import counted, said
from vision.geometry import FailedFit

DICTIONARY: Final = "DICT_5X5_50"
"""Different from the mats' dictionary, so that a chart on the table is never taken for a mat."""
COLUMNS: Final = 7
ROWS: Final = 9
SQUARE_MM: Final = 26.0
MARKER_MM: Final = 20.0
CORNERS: Final = (COLUMNS - 1) * (ROWS - 1)
"""Number of inner corners, the points detected in a picture of the whole chart."""

SIZE_MM: Final = (COLUMNS * SQUARE_MM, ROWS * SQUARE_MM)


@cache
def charuco_board() -> cv2.aruco.CharucoBoard:
    """Return OpenCV's representation of the chart; with an odd number of rows its old and new layouts are equal."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, dictionary)


def black_squares_mm() -> list[NDArray[np.float64]]:
    """Return the chessboard's black squares, each its corners clockwise from the top left, shape (4, 2)."""
    places = [(column, row) for row in range(ROWS) for column in range(COLUMNS) if (row + column) % 2 == 0]
    unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    return [(unit + place) * SQUARE_MM for place in places]


def markers_mm() -> dict[int, NDArray[np.float64]]:
    """Return, by ID, the corners of each marker's black square, clockwise from the top left, shape (4, 2)."""
    board = charuco_board()
    numbers = np.asarray(board.getIds()).reshape(-1)
    return {
        int(number): np.asarray(corners, np.float64).reshape(4, 3)[:, :2]
        for number, corners in zip(numbers, board.getObjPoints(), strict=True)
    }


def inner_corners_mm() -> NDArray[np.float64]:
    """Return the inner corners, in the order of OpenCV's corner IDs, shape (CORNERS, 2)."""
    return np.asarray(charuco_board().getChessboardCorners(), np.float64).reshape(-1, 3)[:, :2]


LEAST_VIEWS: Final = 6
LEAST_CORNERS: Final = 12
"""The least number of corners in a picture: fewer could be explained by a few mislocated ones."""
MOST_RESIDUAL_PX: Final = 0.8
"""The greatest residual of a valid fit: beyond it the lens exceeds the model, or the chart was not flat."""
LEAST_COVERAGE: Final = 0.55
"""The least share of the picture's parts with a chart in them; distortion is strongest at the edges, where charts are
rare.
"""
LEAST_TILT_DEG: Final = 15.0
"""The least angle between two pictures: from one side alone, a long lens far away looks like a short one nearby."""
# Parts of a picture along x and y, for the coverage.
_PARTS: Final = (6, 4)
# Ratio to the median error from which pictures are excluded, because the chart was moving.
_OUTLIER: Final = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class ChartView:
    """The chart in one picture.

    Attributes:
        ids: of the detected inner corners, shape (n,).
        corners_px: their places in camera space, shape (n, 2).
        size_px: (width, height) of the picture.
    """

    ids: NDArray[np.int64]
    corners_px: NDArray[np.float64]
    size_px: tuple[int, int]

    @property
    def parts(self) -> frozenset[tuple[int, int]]:
        """The parts of the picture, (column, row) of 6 by 4, that contain corners."""
        places = (self.corners_px / self.size_px * _PARTS).astype(int)
        return frozenset((int(column), int(row)) for column, row in places)


@dataclass(frozen=True, slots=True, eq=False)
class LensFit:
    """A fitted lens, with the quality of the fit.

    Attributes:
        lens: the lens.
        residual_px: root mean square distance of the corners from the lens' prediction.
        views: number of pictures used.
        coverage: share of the picture's parts with corners, 0..1.
    """

    lens: Lens
    residual_px: float
    views: int
    coverage: float


_SIZES: Final = said("the pictures of the chart have different sizes; take them all with the same camera setting")


def see_chart(image: NDArray[np.uint8]) -> ChartView | FailedFit:
    """Find the chart in a picture, shape (height, width, 3), uint8, BGR; the fit fails if too little of it is seen."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    # OpenCV's type stubs do not say that both may be None.
    found: tuple[Any, ...] = cv2.aruco.CharucoDetector(charuco_board()).detectBoard(grey)
    corners, ids = found[0], found[1]
    seen = 0 if ids is None else len(np.asarray(ids).reshape(-1))
    if seen < LEAST_CORNERS:
        return FailedFit(said("only {seen} of the chart’s {all} corners can be seen", seen=seen, all=CORNERS))
    height, width = image.shape[:2]
    # OpenCV 4 gives shapes (n, 1) and (n, 1, 2), OpenCV 5 (n,) and (n, 2).
    return ChartView(
        np.asarray(ids, np.int64).reshape(-1), np.asarray(corners, np.float64).reshape(-1, 2), (width, height)
    )


def coverage(views: Sequence[ChartView]) -> float:
    """Return the share of the picture's parts with corners, 0..1."""
    return len(frozenset().union(*(view.parts for view in views))) / (_PARTS[0] * _PARTS[1])


def fit_lens(views: Sequence[ChartView]) -> LensFit | FailedFit:
    """Fit the lens of the views; a failed fit names what the pictures lack."""
    if len({view.size_px for view in views}) > 1:
        return FailedFit(_SIZES)
    if len(views) < LEAST_VIEWS:
        return FailedFit(
            counted(
                "the chart is visible in {count} picture, but at least {least} are needed",
                "the chart is visible in {count} pictures, but at least {least} are needed",
                len(views),
                least=LEAST_VIEWS,
            )
        )
    fitted = _fitted(views)
    kept = [view for view, error in zip(views, fitted.errors_px, strict=True) if error <= _limit(fitted.errors_px)]
    # With too few left, the residual of all says what is wrong.
    if LEAST_VIEWS <= len(kept) < len(views):
        fitted = _fitted(kept)
    else:
        kept = list(views)
    covered = coverage(kept)
    wanting = _wanting(fitted, covered)
    return FailedFit(wanting) if wanting else LensFit(fitted.lens, fitted.residual_px, len(kept), covered)


def _limit(errors_px: NDArray[np.float64]) -> float:
    # Among very precise pictures a small error is no outlier.
    return max(_OUTLIER * float(np.median(errors_px)), 0.3)


def _wanting(fitted: "_Fitted", covered: float) -> str:
    """Return a sentence on what the views lack; empty if nothing."""
    if not np.isfinite(fitted.residual_px) or fitted.residual_px > MOST_RESIDUAL_PX:
        return said(
            "the lens fits the chart only to {px} px, but {most} px are needed: glue the chart to something flat "
            "and hold it still",
            px=round(fitted.residual_px, 2),
            most=MOST_RESIDUAL_PX,
        )
    if covered < LEAST_COVERAGE:
        return said(
            "the chart was seen in only {percent}% of the picture: hold it near the picture’s corners too",
            percent=round(100 * covered),
        )
    if fitted.tilt_deg < LEAST_TILT_DEG:
        return said("the chart was always seen from the same side: tilt it in different directions")
    return ""


@dataclass(frozen=True, slots=True, eq=False)
class _Fitted:
    lens: Lens
    residual_px: float
    errors_px: NDArray[np.float64]
    tilt_deg: float


def _fitted(views: Sequence[ChartView]) -> _Fitted:
    on_chart = np.column_stack([inner_corners_mm(), np.zeros(CORNERS)]).astype(np.float32)
    fitted: tuple[Any, ...] = cv2.calibrateCameraExtended(
        [on_chart[view.ids] for view in views],
        [view.corners_px.astype(np.float32) for view in views],
        views[0].size_px,
        np.eye(3),
        np.zeros(5),
        # A third radial term improves nothing up to a right angle's view, and diverges in corners without a chart.
        flags=cv2.CALIB_FIX_K3,
    )
    residual_px, matrix, distortion, turns, _, _, _, errors = fitted
    terms = tuple(float(term) for term in np.asarray(distortion).reshape(-1)[:5])
    focal = (float(matrix[0, 0]), float(matrix[1, 1]))
    lens = Lens(views[0].size_px, focal, (float(matrix[0, 2]), float(matrix[1, 2])), terms)
    return _Fitted(lens, float(residual_px), np.asarray(errors, np.float64).reshape(-1), _tilt_deg(turns))


def _tilt_deg(turns: Sequence[NDArray[np.float64]]) -> float:
    """Return the largest angle between the chart's normals in the views."""
    sides = np.array([cv2.Rodrigues(np.asarray(turn, np.float64))[0][:, 2] for turn in turns])
    return float(np.degrees(np.arccos(np.clip((sides @ sides.T).min(), -1.0, 1.0))))
