"""Detection of the blue buttons printed on a patch, one for each button of income, at the middle of its cells."""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

# A printed button's radius.
_RADIUS_CELLS: Final = 0.32
# Edge of the square in which a button is compared: the button, and the print around it.
_WINDOW_CELLS: Final = 0.8
# Largest distance of a button from the middle of its cell, by print or because the patch was nudged.
_REACH_CELLS: Final = 0.2
# The least blueness of a button above that of paper, in CIELAB units: faded ones had 6, labels less than 2.
_BLUER: Final = 4.0
# Blueness above that of paper from which a pixel counts as blue without doubt, in CIELAB units.
_MUCH_BLUER: Final = 15.0
# The least blueness of a button above paper, relative to the likeliest button of its patch: on 625 simulated patches,
# under all lights, 99 % of the printed ones had 0.92 and more; of bare cells that look like a disc 99 % had 0.77 at
# most.
_ONE_BLUE: Final = 0.8
_BUTTON_AREA_CELLS: Final = 0.264
# Mean correlation of a cell without a button, used as the upper limit for cells that are not blue.
_PLAIN: Final = 0.48


def button_correlations(
    closeup: NDArray[np.uint8], middles: Sequence[tuple[float, float]], cell_px: int, paper: float | None = None
) -> list[float]:
    """Return the evidence, as a correlation, for a blue button printed on each cell of a patch.

    Args:
        closeup: a straight-on picture of the patch, `cell_px` a cell, shape (height, width, 3), uint8, BGR.
        middles: middles of its cells, (x, y) in pixels.
        cell_px: pixels a cell.
        paper: blueness of paper in this light; None to measure it.

    Returns:
        For each cell the best correlation of its blueness with a disc, -1..1; 0 if the cell is not entirely in the
        picture. All buttons of a patch are printed in one blue: a disc much less blue than the likeliest one counts no
        more than a cell without a button.
    """
    paper = paper_blueness(closeup) if paper is None else paper
    discs = [_likeliest_disc(closeup, middle, cell_px) for middle in middles]
    blues = [disc.blue - paper for disc in discs]
    blue_discs = [(disc.correlation, blue) for disc, blue in zip(discs, blues, strict=True) if blue > _BLUER]
    _, likeliest = max(blue_discs, default=(0.0, 0.0))
    least = max(_BLUER, _ONE_BLUE * likeliest)
    return [
        disc.correlation if blue > least else min(disc.correlation, _PLAIN)
        for disc, blue in zip(discs, blues, strict=True)
    ]


class _Disc(NamedTuple):
    """A disc's best fit in a cell: its correlation there, and its mean blueness."""

    correlation: float
    blue: float


def _likeliest_disc(closeup: NDArray[np.uint8], middle: tuple[float, float], cell_px: int) -> _Disc:
    (height, width), half = closeup.shape[:2], cell_px / 2
    if not (half <= middle[0] <= width - half and half <= middle[1] <= height - half):
        return _Disc(0.0, -np.inf)
    disc = button_disc(cell_px)
    reach = round((_WINDOW_CELLS / 2 + _REACH_CELLS) * cell_px)
    left, top = round(middle[0]) - reach, round(middle[1]) - reach
    around = blueness(closeup[max(top, 0) : top + 2 * reach, max(left, 0) : left + 2 * reach])
    _, best, _, (column, row) = cv2.minMaxLoc(cv2.matchTemplate(around, disc, cv2.TM_CCOEFF_NORMED))
    found = around[row : row + len(disc), column : column + len(disc)][disc > 0]
    return _Disc(float(best), float(found.mean()))


def buttons_by_area(
    closeup: NDArray[np.uint8], middles: Sequence[tuple[float, float]], cell_px: int, paper: float
) -> float:
    """Return the number of buttons whose area equals the blue area on some cells, whatever its shape.

    Args:
        closeup: as for `button_correlations`.
        middles: middles of the cells, (x, y) in pixels.
        cell_px: pixels a cell.
        paper: blueness of paper in this light.
    """
    blue = blueness(closeup) > paper + _MUCH_BLUER
    corners = [(round(x - cell_px / 2), round(y - cell_px / 2)) for x, y in middles]
    seen = sum(int(blue[max(y, 0) : y + cell_px, max(x, 0) : x + cell_px].sum()) for x, y in corners)
    return seen / cell_px**2 / _BUTTON_AREA_CELLS


def blueness(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the blueness of each pixel of a picture (height, width, 3), BGR, independent of brightness; 0 is grey."""
    # CIELAB's b runs from blue to yellow.
    return 128.0 - cv2.cvtColor(image, cv2.COLOR_BGR2LAB)[:, :, 2].astype(np.float32)


def paper_blueness(closeup: NDArray[np.uint8]) -> float:
    """Return the blueness of white paper in this light: the lower quartile over the brightest pixels."""
    light = cv2.cvtColor(closeup, cv2.COLOR_BGR2LAB)[:, :, 0]
    return float(np.percentile(blueness(closeup)[light >= np.percentile(light, 95)], 25))


@cache
def button_disc(cell_px: int) -> NDArray[np.float32]:
    """Return a square mask of a button: 1 inside the button, 0 around it."""
    size = round(_WINDOW_CELLS * cell_px)
    across = (np.arange(size) - (size - 1) / 2) / cell_px
    return (np.hypot(across[:, None], across[None, :]) < _RADIUS_CELLS).astype(np.float32)
