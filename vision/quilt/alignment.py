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


# Turns of a board that was pushed, in degrees: a push of 15 mm turns one by up to 4.
_TURNS_DEG: Final = (0.0, -1.5, 1.5, -3.0, 3.0)
# Moves by a cell in each direction, (x, y) in view pixels; the first is none.
_A_CELL: Final = ((0, 0), (CELL_PX, 0), (-CELL_PX, 0), (0, CELL_PX), (0, -CELL_PX))
# Likeness from which no better motion is searched for: a board a cell beside its place has at most 0.65.
_SURE: Final = 0.8
# When refining a motion ends: after so many rounds, or once the correlation gains no more than this.
_ECC_ENDS: Final = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 50, 1e-4)
_ECC_BLUR_PX: Final = 5
# Tiles of one cell around each crossing of the grid's lines, those of its edge included: the border, half a cell wide,
# tells the grid from one a cell beside it.
_CROSSINGS: Final = SIDE + 1
BOARD_PX: Final = slice(
    round((MARGIN_CELLS - 0.5) * CELL_PX), round((MARGIN_CELLS - 0.5) * CELL_PX) + _CROSSINGS * CELL_PX
)
"""The pixels of a view, in each direction, that show the board and half a cell around it."""
# The same with a border of 12 pixels, which is the board's own: what is around it may not have moved with it.
_BORDERED_PX: Final = slice(BOARD_PX.start + 4, BOARD_PX.stop - 4)


# Share of the greatest contrast below which a tile of the expected look is blank: those of `without` have none.
_FLAT: Final = 0.02


def likeness(current: NDArray[np.float32], remembered: NDArray[np.float32]) -> float:
    """Return how much of a board lies where it is expected: the mean correlation of the tiles around its crossings.

    Pixels without structure in the expected look do not count, nor do tiles that are blank there.

    A print in its place has 0.95, less in the dark; a board three millimetres beside it at most 0.3. A patch, a hand or
    a shadow lowers only the tiles that it covers.

    Args:
        current: structure of the current view (see `vision.quilt.look.Look`), shape (VIEW_PX, VIEW_PX), float32.
        remembered: structure of the expected view, in the same form.
    """
    then, shown = _crossings(remembered), _crossings((remembered != 0).astype(np.float32))
    now, then = _centred(_crossings(current), shown), _centred(then, shown)
    spread_now, spread_then = (np.linalg.norm(tiles, axis=1) + np.float32(1e-6) for tiles in (now, then))
    # What lies on cells of which only the board below is known says nothing about the board.
    known = spread_then > _FLAT * spread_then.max()
    return float(((now * then).sum(axis=1) / (spread_now * spread_then))[known].mean()) if known.any() else 0.0


def _crossings(structure: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the tiles around the crossings, shape (tiles, pixels)."""
    board = structure[BOARD_PX, BOARD_PX].reshape(_CROSSINGS, CELL_PX, _CROSSINGS, CELL_PX)
    return board.transpose(0, 2, 1, 3).reshape(_CROSSINGS**2, CELL_PX**2)


def _centred(tiles: NDArray[np.float32], shown: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return tiles less the means of their pixels with `shown` 1; the others are 0."""
    count = np.maximum(shown.sum(axis=1, keepdims=True), 1)
    return np.asarray((tiles - (tiles * shown).sum(axis=1, keepdims=True) / count) * shown, np.float32)


def carried(structure: NDArray[np.float32], motion: Homography) -> NDArray[np.float32]:
    """Return a current picture, shape (VIEW_PX, VIEW_PX), as it would be had the board not made this motion."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = cv2.warpPerspective(structure, motion.matrix, structure.shape[::-1], flags=flags)
    return np.asarray(moved, np.float32)


def find_pushed(current: NDArray[np.float32], remembered: NDArray[np.float32]) -> tuple[Homography, float] | None:
    """Find a board that was pushed by up to the view's margin, and turned, while its surroundings stayed.

    Only the board itself is searched for: its printed lines, its border and what lies on it.

    Args:
        current: structure of the current view (see `vision.quilt.look.Look`), shape (VIEW_PX, VIEW_PX), float32.
        remembered: structure of the expected view, in the same form; 0 where it is unknown.

    Returns:
        The motion from the remembered view to the current one, in view pixels, and the board's likeness there; None if
        no motion fits.
    """
    best: tuple[Homography, float] | None = None
    for guess in _guesses(current, remembered):
        motion = _refined(guess, current, remembered)
        if motion is None:
            continue
        # The lines are alike from cell to cell: its border and its patches tell the board from itself a cell beside.
        for beside in (motion.after(_move(*move)) for move in _A_CELL):
            found = likeness(carried(current, beside), remembered)
            best = max(best or (beside, found), (beside, found), key=lambda each: each[1])
        if best is not None and best[1] >= _SURE:
            break
    return best


def _guesses(current: NDArray[np.float32], remembered: NDArray[np.float32]) -> list[Homography]:
    """Return rough motions of the board, one for each turn, as moves of what is known of it in a coarse picture."""
    first, known = _BORDERED_PX.start, _known(remembered).astype(np.float32)
    # Lines are too thin for a coarse picture, unless dark and bright ones count alike.
    now, then = (_coarse(np.abs(each)) for each in (current, remembered[_BORDERED_PX, _BORDERED_PX]))
    mask = (_coarse(known[_BORDERED_PX, _BORDERED_PX]) > 0.5).astype(np.float32)
    middle = (now.shape[1] / 2 - 0.5, now.shape[0] / 2 - 0.5)
    guesses = []
    for turn_deg in _TURNS_DEG:
        # Turned back by this much, the board is only moved.
        turned = cv2.warpAffine(
            now, cv2.getRotationMatrix2D(middle, turn_deg, 1.0), now.shape[::-1], borderMode=cv2.BORDER_REPLICATE
        )
        scores = cv2.matchTemplate(turned, then, cv2.TM_CCOEFF_NORMED, mask=mask)
        _, _, _, (column, row) = cv2.minMaxLoc(np.nan_to_num(scores, nan=-1.0, posinf=-1.0))
        guesses.append(
            _turn(turn_deg, current.shape).after(_move(column * _COARSE_PX - first, row * _COARSE_PX - first))
        )
    return guesses


def _turn(turn_deg: float, shape: tuple[int, ...]) -> Homography:
    """Return the turn of a view about its middle by which `warpAffine` shows it turned back."""
    middle = (shape[1] / 2 - 0.5, shape[0] / 2 - 0.5)
    back = np.vstack([cv2.getRotationMatrix2D(middle, turn_deg, 1.0), [0.0, 0.0, 1.0]])
    return Homography(back).inverse


def _move(x_px: float, y_px: float) -> Homography:
    return Homography(np.array([[1.0, 0.0, x_px], [0.0, 1.0, y_px], [0.0, 0.0, 1.0]]))


def _refined(guess: Homography, current: NDArray[np.float32], remembered: NDArray[np.float32]) -> Homography | None:
    """Return a rough motion of the board refined by what is known of it, or None if the pictures do not match there."""
    back = guess.inverse.matrix[:2].astype(np.float32)
    known = _known(remembered).astype(np.uint8)
    try:
        _, found = cv2.findTransformECC(current, remembered, back, cv2.MOTION_EUCLIDEAN, _ECC_ENDS, known, _ECC_BLUR_PX)
    except cv2.error:  # raised where it does not converge
        return None
    return Homography(np.vstack([np.asarray(found, np.float64), [0.0, 0.0, 1.0]])).inverse


def _known(structure: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return the pixels of the board and its border that a look knows, shape (VIEW_PX, VIEW_PX)."""
    known = np.zeros(structure.shape, np.bool_)
    known[_BORDERED_PX, _BORDERED_PX] = structure[_BORDERED_PX, _BORDERED_PX] != 0
    return known


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
