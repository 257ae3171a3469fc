"""Enlargement of small photographs for drawing into them."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

LEAST_WIDTH_PX: Final = 1600
"""Width at which drawn lines and words are legible, whatever the photograph's own width."""


def enlarged(image: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float]:
    """Return a copy of a photograph, enlarged if it is small, and the scale factor (at least 1).

    Args:
        image: shape (height, width, 3), uint8, BGR.
    """
    scale = max(1.0, LEAST_WIDTH_PX / image.shape[1])
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_CUBIC), np.uint8), scale
