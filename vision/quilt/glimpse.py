"""A quilt at a glance: coarse enough to be compared in every frame, fine enough that no laid piece escapes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.rectify import CELL_PX, VIEW_PX

if TYPE_CHECKING:
    from numpy.typing import NDArray

SQUARES: Final = VIEW_PX // (CELL_PX // 2)
"""Squares along a view's side, of half a cell each: a single leather patch fills four."""
_DARK: Final = 8.0
_CHANGED: Final = 0.06
"""Log-ratio beyond which a square has changed, the change of all the light taken off. It errs towards changed: to look
again costs a moment, and to overlook a patch would keep the players waiting."""
_COVERED: Final = 0.2
"""Log-ratio beyond which something else lies on a square."""
_BAND: Final = 2
"""Squares from a view's edge inwards that no patch on the quilt reaches, not even one that hangs over by a third."""


def glimpse(view: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The mean log-brightness of each square of a view, for each colour.

    Args:
        view: a quilt from straight above, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.

    Returns:
        Shape (SQUARES, SQUARES, 3), float32.
    """
    small = cv2.resize(view, (SQUARES, SQUARES), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(np.log(small + _DARK), np.float32)


def is_alike(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Whether two glimpses show the same, whatever the lamps do meanwhile; both of shape (SQUARES, SQUARES, 3)."""
    ratio = one - other
    return float(np.abs(ratio - np.median(ratio, axis=(0, 1))).max()) <= _CHANGED


def covered_around(one: NDArray[np.float32], other: NDArray[np.float32]) -> int:
    """How many squares around the quilt show something else; both glimpses of shape (SQUARES, SQUARES, 3).

    Arms come from outside: whoever reaches over a quilt or holds a patch above it covers some.
    """
    band = np.ones(one.shape[:2], np.bool_)
    band[_BAND:-_BAND, _BAND:-_BAND] = False
    ratio = one[band] - other[band]
    return int(np.count_nonzero((np.abs(ratio - np.median(ratio, axis=0)) > _COVERED).any(axis=1)))
