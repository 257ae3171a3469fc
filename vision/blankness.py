"""Detection of blank pictures, from a covered lens or from a sensor that delivers one grey."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

# Sampling step in both directions: reading every pixel of a large picture takes ten times as long.
_STEP_PX: Final = 8
# Blocks along each edge; averaging over a block removes nearly all of the sensor's noise.
_BLOCKS: Final = 16
# The largest difference, in grey levels, between the brightest and the darkest block of a blank picture, in the channel
# where they differ most. A simulated table has 160, and 8 in a twentieth of its light, where no quilt can be read;
# black with a noise of 6 levels has 3.
_ONE_GREY: Final = 8


def is_blank(image: NDArray[np.uint8]) -> bool:
    """Return whether a picture, shape (height, width, 3), uint8, has one uniform colour."""
    blocks = cv2.resize(image[::_STEP_PX, ::_STEP_PX], (_BLOCKS, _BLOCKS), interpolation=cv2.INTER_AREA)
    return int(np.ptp(blocks.reshape(-1, blocks.shape[-1]).astype(np.int16), axis=0).max()) < _ONE_GREY
