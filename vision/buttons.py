"""Finds the blue buttons that are printed on a patch, one for each button of income, at the middle of its cells."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_RADIUS_CELLS: Final = 0.32
_WINDOW_CELLS: Final = 0.8
_REACH_CELLS: Final = 0.2
"""How far from the middle of its cell a button may be printed, or a patch may be nudged."""
_BLUER: Final = 4.0
"""By how much a button is bluer than paper, at least, in CIELAB's units: faded ones were seen at 6, labels below 2."""
_MUCH_BLUER: Final = 15.0
"""By how much what is blue beyond doubt is bluer than paper."""
_BUTTON_AREA_CELLS: Final = 0.264
_PLAIN: Final = 0.48
"""What a cell without a button correlates with one, on average; what is not blue tells no more than that."""


def button_correlation(
    closeup: NDArray[np.uint8], middle: tuple[float, float], cell_px: int, paper: float | None = None
) -> float:
    """How much a cell looks as if a blue button were printed on it.

    Args:
        closeup: a straight-on picture of a patch, `cell_px` a cell, shape (height, width, 3), uint8, BGR.
        middle: the cell's middle (x, y) in pixels.
        cell_px: pixels a cell.
        paper: how blue paper looks in this light; None to measure it.

    Returns:
        The best correlation of the cell's blueness with a disc, -1..1; 0 where the cell is not wholly in the picture.
    """
    (height, width), half = closeup.shape[:2], cell_px / 2
    if not (half <= middle[0] <= width - half and half <= middle[1] <= height - half):
        return 0.0
    disc = _disc(cell_px)
    paper = paper_blueness(closeup) if paper is None else paper
    reach = round((_WINDOW_CELLS / 2 + _REACH_CELLS) * cell_px)
    left, top = round(middle[0]) - reach, round(middle[1]) - reach
    around = closeup[max(top, 0) : top + 2 * reach, max(left, 0) : left + 2 * reach]
    scores = cv2.matchTemplate(blueness(around), disc, cv2.TM_CCOEFF_NORMED)
    _, best, _, (column, row) = cv2.minMaxLoc(scores)
    found = blueness(around)[row : row + len(disc), column : column + len(disc)][disc > 0]
    return best if found.mean() > paper + _BLUER else min(best, _PLAIN)


def buttons_by_area(
    closeup: NDArray[np.uint8], middles: Sequence[tuple[float, float]], cell_px: int, paper: float
) -> float:
    """As how many buttons so much blue would be seen on some cells, whatever its form.

    Args:
        closeup: as for `button_correlation`.
        middles: of the cells, (x, y) in pixels.
        cell_px: pixels a cell.
        paper: how blue paper looks in this light.
    """
    blue = blueness(closeup) > paper + _MUCH_BLUER
    corners = [(round(x - cell_px / 2), round(y - cell_px / 2)) for x, y in middles]
    seen = sum(int(blue[max(y, 0) : y + cell_px, max(x, 0) : x + cell_px].sum()) for x, y in corners)
    return seen / cell_px**2 / _BUTTON_AREA_CELLS


def blueness(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """How blue each pixel of a picture (height, width, 3), BGR, is, whatever its brightness; 0 is grey."""
    # CIELAB's b runs from blue to yellow.
    return 128.0 - cv2.cvtColor(image, cv2.COLOR_BGR2LAB)[:, :, 2].astype(np.float32)


def paper_blueness(closeup: NDArray[np.uint8]) -> float:
    """How blue white paper looks in this light: the least blue of what is brightest, such as a patch's label."""
    light = cv2.cvtColor(closeup, cv2.COLOR_BGR2LAB)[:, :, 0]
    return float(np.percentile(blueness(closeup)[light >= np.percentile(light, 95)], 25))


@cache
def _disc(cell_px: int) -> NDArray[np.float32]:
    size = round(_WINDOW_CELLS * cell_px)
    across = (np.arange(size) - (size - 1) / 2) / cell_px
    return (np.hypot(across[:, None], across[None, :]) < _RADIUS_CELLS).astype(np.float32)
