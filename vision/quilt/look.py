"""A view of a quilt prepared for comparison: light is multiplicative, so views are compared as logarithms."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

# Added to each channel before the logarithm: below it is sensor noise.
_DARK: Final = 6.0
# The logarithm of each grey level.
_LOGARITHMS: Final = np.log(np.arange(256, dtype=np.float32) + np.float32(_DARK))
_MEAN: Final = np.full((1, 3), 1 / 3, np.float32)
# Edge of the box whose mean is subtracted: about half a cell, which removes light and preserves a print.
_SURROUNDINGS_PX: Final = 15
# Limit of a single edge's contribution, as a log-ratio.
_STEEPEST: Final = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A view with the derived images that comparisons need.

    Attributes:
        view: the rectified view, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.
        log: its logarithm, slightly blurred against noise, same shape, float32.
        luminance: mean of the three channels of `log`, shape (VIEW_PX, VIEW_PX), float32.
        detail: luminance less the mean of its surroundings, same shape.
        structure: detail, clipped so that no single edge dominates, same shape.
    """

    view: NDArray[np.uint8]
    log: NDArray[np.float32]
    luminance: NDArray[np.float32]
    detail: NDArray[np.float32]
    structure: NDArray[np.float32]


def look_at(view: NDArray[np.uint8]) -> Look:
    """Prepare a rectified view, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR, for comparison."""
    log = np.asarray(cv2.LUT(cv2.GaussianBlur(view, (3, 3), 0.8), _LOGARITHMS), np.float32)
    luminance = np.asarray(cv2.transform(log, _MEAN), np.float32)
    detail = luminance - cv2.blur(luminance, (_SURROUNDINGS_PX, _SURROUNDINGS_PX))
    return Look(view, log, luminance, detail, np.clip(detail, -_STEEPEST, _STEEPEST))
