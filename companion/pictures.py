"""Pictures in files of any origin: decoded only if they are of a size that fits in memory."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_PX: Final = 1 << 26
"""As many as the sharpest telephones take by default. A file of some kilobytes can announce a hundred times as many."""
LONGEST_PX: Final = 1 << 14
_LEAST_SHARE: Final = 1 / 32
"""Shorter side over longer: what is narrower is no photograph, and vanishes when it is scaled down."""
_PNG: Final = b"\x89PNG\r\n\x1a\n"

# Read when OpenCV is imported. What cannot be decoded is told of here, not by OpenCV between the lines of the terminal.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PX))
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_WIDTH", str(LONGEST_PX))
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_HEIGHT", str(LONGEST_PX))
os.environ.setdefault("OPENCV_LOG_LEVEL", "FATAL")


class PictureError(Exception):
    """Raised for a picture that is one, and is not read."""


class TooLargeError(PictureError):
    """Raised for a picture of more pixels than are read."""


class TooSmallError(PictureError):
    """Raised for a picture with nothing to see in it.

    Attributes:
        width, height: in pixels.
    """

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self.width, self.height = width, height


def decoded(content: bytes, least_px: int | None = None) -> NDArray[np.uint8] | None:
    """Return a picture, shape (height, width, 3), uint8, BGR, turned as its camera was; None if it is none.

    Args:
        content: of its file, in any format that OpenCV reads.
        least_px: what the shorter side of a photograph must have; None for pictures of any shape.

    Raises:
        TooLargeError: it would take more memory than a photograph may.
        TooSmallError: a side is shorter than `least_px`, or far shorter than the other.
    """
    import cv2  # noqa: PLC0415  # Not before its limits are set; and most commands need no pictures.
    import numpy as np  # noqa: PLC0415

    if _is_too_large(content):
        raise TooLargeError
    try:
        image = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR) if content else None
    except cv2.error as error:
        if "CV_IO_MAX_IMAGE" in str(error):
            raise TooLargeError from error
        return None
    if image is None:
        return None
    height, width = image.shape[:2]
    if least_px is not None and min(height, width) < max(least_px, _LEAST_SHARE * max(height, width)):
        raise TooSmallError(width, height)
    return np.asarray(image, np.uint8)


def _is_too_large(content: bytes) -> bool:
    """Return whether a PNG announces more than is read; its library would tell of that on the terminal."""
    if len(content) < 24 or not content.startswith(_PNG):
        return False
    width, height = int.from_bytes(content[16:20]), int.from_bytes(content[20:24])
    return max(width, height) > LONGEST_PX or width * height > MOST_PX
