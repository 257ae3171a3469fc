"""Pictures: decoding of files of any origin within limits on their size in memory, encoding, and drawing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

MOST_PX: Final = 1 << 26
"""The largest number of pixels decoded, the default of the sharpest phones; a file of some kilobytes can declare a
hundred times as many."""
LONGEST_PX: Final = 1 << 14
MOST_READ_PX: Final = 13_000_000
"""The number of pixels that are read of a photograph; a larger one is read at a half of its size or less. Reading that
many takes 450 MB."""
SMALL_READ_PX: Final = 3_400_000
"""The same on a machine with little memory."""
# The memory below which a machine has little: a Raspberry Pi Zero 2 has 512 MB, less what its graphics take.
_SMALL_BYTES: Final = 700 << 20
# The least ratio of the shorter to the longer side; anything narrower is no photograph, and vanishes when scaled down.
_LEAST_SHARE: Final = 1 / 32
_PNG: Final = b"\x89PNG\r\n\x1a\n"

# Read when OpenCV is imported. Decoding errors are reported here, so OpenCV must not print them to the terminal.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PX))
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_WIDTH", str(LONGEST_PX))
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_HEIGHT", str(LONGEST_PX))
os.environ.setdefault("OPENCV_LOG_LEVEL", "FATAL")


class PictureError(Exception):
    """Raised for a valid picture that is not accepted."""


class TooLargeError(PictureError):
    """Raised for a picture with too many pixels."""


class TooSmallError(PictureError):
    """Raised for a picture that is too small or too narrow.

    Attributes:
        width, height: the picture's size, in pixels.
    """

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self.width, self.height = width, height


def most_read_px(memory_bytes: int | None = None) -> int:
    """Return the number of pixels that are read on a machine with this memory, or on this one."""
    if memory_bytes is None:
        memory_bytes = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return SMALL_READ_PX if memory_bytes < _SMALL_BYTES else MOST_READ_PX


def reduced(picture: NDArray[np.uint8], most_px: int) -> tuple[NDArray[np.uint8], int]:
    """Return a picture at a half, a quarter or an eighth of its size if it has more than `most_px`, and the divisor."""
    import cv2  # noqa: PLC0415  # As below.

    divisor = next((each for each in (1, 2, 4) if picture.shape[0] * picture.shape[1] / each**2 <= most_px), 8)
    if divisor == 1:
        return picture, 1
    small = cv2.resize(picture, None, fx=1 / divisor, fy=1 / divisor, interpolation=cv2.INTER_AREA)
    return small.astype("uint8", copy=False), divisor


def jpeg(picture: NDArray[np.uint8], quality: int, longest_px: int | None = None) -> bytes:
    """Return a picture encoded as JPEG of this quality, 0 to 100, reduced first if a side is longer than that."""
    import cv2  # noqa: PLC0415  # As below.

    scale = 1.0 if longest_px is None else longest_px / max(picture.shape[:2])
    shown = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    return cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


SHIFT: Final = 4
"""The number of fractional bits in the fixed-point coordinates with which OpenCV draws."""


def polyline(
    picture: NDArray[np.uint8],
    points: NDArray[np.float64],
    *strokes: tuple[int, Sequence[int]],
    closed: bool = True,
) -> None:
    """Draw lines through points (x, y) in pixels, which need not be whole.

    Args:
        picture: shape (height, width, 3), uint8, BGR.
        points: shape (n, 2).
        strokes: the lines' width in pixels, and their colour; a wider dark line below makes one visible on any ground.
        closed: whether the last point is joined to the first.
    """
    import cv2  # noqa: PLC0415  # As below.

    fine = (points * (1 << SHIFT)).round().astype("int32").reshape(-1, 1, 2)
    for width_px, colour in strokes:
        cv2.polylines(picture, [fine], closed, colour, width_px, cv2.LINE_AA, SHIFT)


def disc(
    picture: NDArray[np.uint8],
    middle: NDArray[np.float64],
    radius_px: float,
    colour: Sequence[int],
    line_px: float | None = None,
) -> None:
    """Draw a filled circle, or a line of this width along it; its centre (x, y) in pixels need not be whole."""
    import cv2  # noqa: PLC0415  # As below.

    x, y = (middle * (1 << SHIFT)).round().astype(int).tolist()
    thickness = -1 if line_px is None else max(1, round(line_px))
    cv2.circle(picture, (x, y), round(radius_px * (1 << SHIFT)), colour, thickness, cv2.LINE_AA, SHIFT)


def decoded(content: bytes, least_px: int | None = None, most_px: int | None = None) -> NDArray[np.uint8] | None:
    """Return a picture, shape (height, width, 3), uint8, BGR, rotated by its Exif orientation; None if it is none.

    Args:
        content: the file's content, in any format that OpenCV reads.
        least_px: the least length of the shorter side; None for pictures of any shape.
        most_px: the number of pixels from which a picture is decoded at a half, a quarter or an eighth of its size,
            which for JPEG takes that much less memory; None to decode it whole.

    Raises:
        TooLargeError: it has more than `MOST_PX` pixels, or a side longer than `LONGEST_PX`.
        TooSmallError: a side is shorter than `least_px`, or far shorter than the other.
    """
    import cv2  # noqa: PLC0415  # After its limits are set, and only for commands that need pictures.
    import numpy as np  # noqa: PLC0415

    if _is_too_large(content):
        raise TooLargeError
    try:
        data = np.frombuffer(content, np.uint8)
        image = cv2.imdecode(data, _reduction(data, most_px)) if content else None
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


def _reduction(data: NDArray[np.uint8], most_px: int | None) -> int:
    """Return OpenCV's flag for decoding a picture at a size of at most `most_px`."""
    import cv2  # noqa: PLC0415

    if most_px is None:
        return cv2.IMREAD_COLOR
    try:
        eighth = cv2.imdecode(data, cv2.IMREAD_REDUCED_COLOR_8)
    except cv2.error:
        # An eighth of less than 8 pixels is none.
        return cv2.IMREAD_COLOR
    whole_px = 0 if eighth is None else 64 * eighth.shape[0] * eighth.shape[1]
    flags = (cv2.IMREAD_COLOR, cv2.IMREAD_REDUCED_COLOR_2, cv2.IMREAD_REDUCED_COLOR_4)
    # An eighth is measured in whole pixels, so that a picture may seem a few rows larger than it is.
    fitting = (flag for power, flag in enumerate(flags) if whole_px / 4**power <= 1.02 * most_px)
    return next(fitting, cv2.IMREAD_REDUCED_COLOR_8)


def _is_too_large(content: bytes) -> bool:
    """Return whether a PNG declares too many pixels; its library would print an error to the terminal."""
    if len(content) < 24 or not content.startswith(_PNG):
        return False
    width, height = int.from_bytes(content[16:20]), int.from_bytes(content[20:24])
    return max(width, height) > LONGEST_PX or width * height > MOST_PX
