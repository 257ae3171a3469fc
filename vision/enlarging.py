"""A copy of a photograph that is large enough to draw into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_WIDTH_PX: Final = 1600
"""Lines and words that are drawn into it can be read at this width, whatever the photograph's own."""


def enlarged(image: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float]:
    """Return a copy of a photograph, enlarged where it is small, and how many of its pixels one of the photograph is.

    Args:
        image: shape (height, width, 3), uint8, BGR.
    """
    scale = max(1.0, LEAST_WIDTH_PX / image.shape[1])
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_CUBIC), np.uint8), scale
