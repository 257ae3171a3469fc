"""Alignment to a board that was nudged: small tiles of its remembered view are searched for in the current one."""

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CELL_PX, MARGIN_CELLS, SIDE, FailedFit, Homography

REACH_PX: Final = 9
"""Largest shift of a tile, in view pixels: a bit over a quarter of a cell."""

TRUSTED_SHARE: Final = 0.4
"""The share of the tiles that must agree on a motion unless it is tiny: a few tiles agree on any motion."""

# Edge of a tile: most of a cell, one in the middle of each.
_TILE_PX: Final = 24
# The least correlation of a tile that counts as found; below, a hand, glare or another print covers it.
_LEAST_CORRELATION: Final = 0.75
# The least standard deviation of the log-luminance in a tile; flatter ones match anywhere.
_LEAST_TEXTURE: Final = 0.015
# The least number of tiles: two determine a similarity's four parameters; three times as many do not agree by chance.
_LEAST_TILES: Final = 6
# Largest deviation of a tile from the common motion: somewhat more than the tile's own error.
_TOLERANCE_PX: Final = 1.2
# View pixels per pixel of the coarse picture in which a far move is searched for.
_COARSE_PX: Final = 4
# The least correlation of a far move that is worth confirming.
_FAR_CORRELATION: Final = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """The motion of the board from the remembered view to the current one.

    Attributes:
        motion: maps view pixels of the remembered view to those of the current one.
        shift_px: shift of the board's middle, in view pixels.
        agreeing: number of tiles that agree on this motion.
        share: those tiles as a share of all tiles with enough texture.
    """

    motion: Homography
    shift_px: float
    agreeing: int
    share: float


def align(current: NDArray[np.float32], remembered: NDArray[np.float32]) -> Alignment | FailedFit:
    """Find the motion of the board between two views.

    Args:
        current: log-luminance of the current view, shape (VIEW_PX, VIEW_PX), float32.
        remembered: log-luminance of the view to compare with, in the same form.

    Returns:
        The similarity motion that most tiles agree on; a failed fit where too few tiles were found again (another
        place, a hand over the board, a flat print).
    """
    places, moves, looked_for = _tile_moves(current, remembered)
    if len(places) < _LEAST_TILES:
        return FailedFit(f"only {len(places)} of {looked_for} tiles were found again")
    # OpenCV's type stubs do not say that both may be None.
    fitted: tuple[Any, Any] = cv2.estimateAffinePartial2D(
        places, places + moves, method=cv2.RANSAC, ransacReprojThreshold=_TOLERANCE_PX
    )
    matrix, inliers = fitted
    agreeing = int(np.count_nonzero(inliers)) if inliers is not None else 0
    if matrix is None or agreeing < _LEAST_TILES:
        return FailedFit(f"only {agreeing} of {looked_for} tiles agree on how the board moved")
    motion = Homography(np.vstack([np.asarray(matrix, np.float64), [0.0, 0.0, 1.0]]))
    middle = (SIDE / 2 + MARGIN_CELLS) * CELL_PX
    shift_px = float(motion.residuals([[middle, middle]], [[middle, middle]])[0])
    return Alignment(motion, shift_px, agreeing, agreeing / looked_for)


def far_move(current: NDArray[np.float32], remembered: NDArray[np.float32]) -> tuple[float, float] | None:
    """Return an estimate of a quilt's move, up to the margin's width, that is too far for `align`.

    Args:
        current: log-luminance of the current view, shape (VIEW_PX, VIEW_PX), float32.
        remembered: log-luminance of the view to compare with, in the same form.

    Returns:
        The move, (x, y) in view pixels, to within some pixels; None if nothing similar is in view. It needs to be
        confirmed by aligning the view taken from there.
    """
    margin, grid = round(MARGIN_CELLS * CELL_PX), SIDE * CELL_PX
    quilt = _coarse(remembered[margin : margin + grid, margin : margin + grid])
    scores = cv2.matchTemplate(_coarse(current), quilt, cv2.TM_CCOEFF_NORMED)
    _, best, _, (column, row) = cv2.minMaxLoc(scores)
    if best < _FAR_CORRELATION:
        return None
    return float(column * _COARSE_PX - margin), float(row * _COARSE_PX - margin)


def _coarse(luminance: NDArray[np.float32]) -> NDArray[np.float32]:
    small = cv2.resize(luminance, None, fx=1 / _COARSE_PX, fy=1 / _COARSE_PX, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _tile_moves(
    current: NDArray[np.float32], remembered: NDArray[np.float32]
) -> tuple[NDArray[np.float64], NDArray[np.float64], int]:
    """Return centres (x, y) of the tiles found again, the shift of each, and the number of tiles with texture."""
    places, moves, looked_for = [], [], 0
    for row in range(-1, SIDE + 1):
        for column in range(-1 + row % 2, SIDE + 1, 2):  # every second tile, as on a chessboard, is enough
            top = round((row + MARGIN_CELLS) * CELL_PX) + (CELL_PX - _TILE_PX) // 2
            left = round((column + MARGIN_CELLS) * CELL_PX) + (CELL_PX - _TILE_PX) // 2
            tile = remembered[top : top + _TILE_PX, left : left + _TILE_PX]
            if cv2.meanStdDev(tile)[1].item() < _LEAST_TEXTURE:  # in a third of numpy's time
                continue
            looked_for += 1
            around = current[top - REACH_PX : top + _TILE_PX + REACH_PX, left - REACH_PX : left + _TILE_PX + REACH_PX]
            move = _find(tile, around)
            if move is not None:
                places.append((left + _TILE_PX / 2, top + _TILE_PX / 2))
                moves.append(move)
    return np.array(places, np.float64).reshape(-1, 2), np.array(moves, np.float64).reshape(-1, 2), looked_for


def _find(tile: NDArray[np.float32], around: NDArray[np.float32]) -> tuple[float, float] | None:
    """Return the shift (x, y) of the tile in its surroundings, or None if it was not found inside them."""
    scores = cv2.matchTemplate(around, tile, cv2.TM_CCOEFF_NORMED)
    _, best, _, (column, row) = cv2.minMaxLoc(scores)
    last = 2 * REACH_PX
    if best < _LEAST_CORRELATION or not (0 < column < last and 0 < row < last):
        return None
    x = column + _parabola(scores[row, column - 1], best, scores[row, column + 1])
    y = row + _parabola(scores[row - 1, column], best, scores[row + 1, column])
    return x - REACH_PX, y - REACH_PX


def _parabola(before: float, here: float, after: float) -> float:
    """Return the vertex of the parabola through three neighbouring scores, from -0.5 to 0.5."""
    bend = float(before) - 2 * float(here) + float(after)
    return 0.0 if bend >= 0 else min(max(0.5 * (float(before) - float(after)) / bend, -0.5), 0.5)
