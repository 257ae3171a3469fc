"""A coarse picture of a quilt: cheap enough to compare in every frame, fine enough to show any laid patch."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CELL_PX, MARGIN_CELLS, VIEW_PX

SQUARES: Final = VIEW_PX // (CELL_PX // 2)
"""Squares along a view's side, of half a cell each: a single leather patch fills four."""
# Grey levels added before logarithms are taken, so that noise in the dark counts little.
_DARK: Final = 8.0
# Log-ratio beyond which a square has changed, after a global change of light is removed. It errs towards changed:
# another look costs a moment, while a missed patch would keep the players waiting.
_CHANGED: Final = 0.06
# Log-ratio beyond which a square is covered by something else.
_COVERED: Final = 0.2
# Log-ratio beyond which a square of a quilt shows that something was laid, taken or pushed: twice the effect of a
# camera's noise and the neighbours' shadows at rest, and half the effect of a pale patch on an empty square.
_LAID: Final = 0.15
# The number of squares that may exceed it although nothing was moved: glare wanders.
_GLARES: Final = 1
# Squares from a view's edge to the quilt.
_MARGIN: Final = round(MARGIN_CELLS * 2)
# Squares from a view's edge inwards that no patch on the quilt reaches, even one that overhangs by a third.
_BAND: Final = 2


def thumbnail(view: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the log of the mean brightness of each square of a view, for each colour.

    Args:
        view: a quilt from straight above, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.

    Returns:
        Shape (SQUARES, SQUARES, 3), float32.
    """
    small = cv2.resize(view, (SQUARES, SQUARES), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(np.log(small + _DARK), np.float32)


def is_alike(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Return whether two coarse pictures, shape (SQUARES, SQUARES, 3), are equal apart from the light."""
    ratio = one - other
    return float(np.abs(ratio - np.median(ratio, axis=(0, 1))).max()) <= _CHANGED


def is_untouched(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Return whether nothing was laid, taken or pushed on a quilt between two coarse pictures, (SQUARES, SQUARES, 3).

    It tolerates noise, and changes around the quilt, which `is_alike` does not.
    """
    return int(np.count_nonzero(changed_squares(one, other))) <= _GLARES


def changed_squares(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return the changed squares of a quilt, apart from a global change of the light.

    Args:
        one: a coarse picture, shape (SQUARES, SQUARES, 3).
        other: another of the same quilt.

    Returns:
        Shape (18, 18), bool: two squares by two for each cell.
    """
    quilt = (one - other)[_MARGIN:-_MARGIN, _MARGIN:-_MARGIN]
    return np.asarray((np.abs(quilt - np.median(quilt, axis=(0, 1))) > _LAID).any(axis=2))


def covered_around(one: NDArray[np.float32], other: NDArray[np.float32]) -> int:
    """Return the number of squares around the quilt that are covered by something that reaches over to it; 0 for none.

    Arms come from outside: an arm that reaches over a quilt, or holds a patch above it, covers some squares from the
    edge of the view to the quilt. An object put down beside a board, or removed from there, does not reach the quilt.

    Args:
        one: a coarse picture, shape (SQUARES, SQUARES, 3).
        other: another of the same quilt.
    """
    ratio = one - other
    return reaching((np.abs(ratio - np.median(ratio[_band()], axis=0)) > _COVERED).any(axis=2))


def reaching(covered: NDArray[np.bool_]) -> int:
    """Return the number of covered squares around the quilt, shape (SQUARES, SQUARES), that reach over to it."""
    band = _band()
    covered = covered.copy()
    covered[_MARGIN:-_MARGIN, _MARGIN:-_MARGIN] = False
    count, parts = cv2.connectedComponents(covered.astype(np.uint8), connectivity=8)
    return max((_within(parts == part, band) for part in range(1, count) if (parts == part)[~band].any()), default=0)


def _band() -> NDArray[np.bool_]:
    """Return the mask of the squares along a view's edge, shape (SQUARES, SQUARES)."""
    band = np.ones((SQUARES, SQUARES), np.bool_)
    band[_BAND:-_BAND, _BAND:-_BAND] = False
    return band


def _within(part: NDArray[np.bool_], band: NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(part & band))
