"""Type aliases of the renderer's arrays, and conversions from OpenCV's loosely typed results."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Image: TypeAlias = NDArray[np.uint8]
"""(height, width, 3), blue-green-red."""
Mask: TypeAlias = NDArray[np.uint8]
"""(height, width), 255 inside, 0 outside."""
Field: TypeAlias = NDArray[np.float32]
"""(height, width) or (height, width, 3), any unit."""


def bytes_of(values: Any) -> NDArray[np.uint8]:
    """Return the array as uint8, copied only if it is of another type."""
    return np.asarray(values, dtype=np.uint8)


def floats_of(values: Any) -> NDArray[np.float32]:
    """Return the array as float32, copied only if it is of another type."""
    return np.asarray(values, dtype=np.float32)


def clipped(values: Any) -> NDArray[np.uint8]:
    """Return numbers as grey levels, clipped to 0..255."""
    levels: NDArray[np.uint8] = np.clip(values, 0, 255).astype(np.uint8)
    return levels
