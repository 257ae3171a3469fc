"""Pictures in which nothing is to be seen: of a lens that is covered, or a sensor that gives one grey."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_STEP_PX: Final = 8
"""Every eighth pixel of every eighth row tells enough: all of a large picture cost ten times the time."""
_BLOCKS: Final = 16
"""Blocks along each edge; the mean of one shows next to nothing of a sensor's noise."""
_ONE_GREY: Final = 8
"""Grey levels between the brightest and the darkest block, in the channel where they differ most. A simulated table has
160, and 8 in a twentieth of its light, where no quilt is read any more; black with a noise of 6 levels has 3."""


def is_blank(image: NDArray[np.uint8]) -> bool:
    """Return whether a picture, shape (height, width, 3), uint8, is of one colour all over."""
    blocks = cv2.resize(image[::_STEP_PX, ::_STEP_PX], (_BLOCKS, _BLOCKS), interpolation=cv2.INTER_AREA)
    return int(np.ptp(blocks.reshape(-1, blocks.shape[-1]).astype(np.int16), axis=0).max()) < _ONE_GREY
