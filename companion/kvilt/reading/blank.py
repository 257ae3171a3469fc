"""A sheet without markers, located by a picture of it that was taken while it was blank."""

from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from companion.bounded import read_bytes
from companion.errors import CompanionError
from companion.games.kvilt import PageLayout
from companion.languages import said, system_says
from companion.pictures import PictureError, decoded
from vision.sheet.blank import BlankSheet
from vision.sheet.page import FLAT_PX_PER_MM

_LARGEST_BYTES: Final = 64 << 20
_SIZE_SLACK: Final = 0.02


class BlankPictureError(CompanionError):
    """Raised if the picture of a blank sheet cannot be used; the message says what to do."""


def blank_of(layout: PageLayout) -> BlankSheet:
    """Return the blank sheet for a layout without markers; cached while its picture file stays the same.

    Raises:
        BlankPictureError: the picture is missing or unreadable, or its shape differs from the page's.
    """
    path = Path(layout.fiducials.blank)
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise BlankPictureError(
            said("{file}: the picture of the blank sheet cannot be read: {why}", file=str(path), why=system_says(error))
        ) from error
    return _blank(path, (status.st_mtime_ns, status.st_size), layout.size)


@lru_cache(maxsize=2)
def _blank(path: Path, stamp: tuple[int, int], size_mm: tuple[float, float]) -> BlankSheet:
    if stamp[1] > _LARGEST_BYTES:
        raise BlankPictureError(
            said(
                "{file}: larger than {limit} MB: this is not a picture of a blank sheet",
                file=str(path),
                limit=str(_LARGEST_BYTES >> 20),
            )
        )
    try:
        image = decoded(read_bytes(path))
    except (OSError, PictureError):
        image = None
    if image is None:
        raise BlankPictureError(
            said(
                "{file}: is not a picture; photograph the blank sheet again: companion kvilt define PHOTO",
                file=str(path),
            )
        )
    size_px = (round(size_mm[0] * FLAT_PX_PER_MM), round(size_mm[1] * FLAT_PX_PER_MM))
    height, width = image.shape[:2]
    if abs(width / height - size_px[0] / size_px[1]) > _SIZE_SLACK * width / height:
        raise BlankPictureError(
            said(
                "{file}: {pixels} pixels do not have the shape of a page of {page} mm; photograph the blank sheet "
                "again: companion kvilt define PHOTO",
                file=str(path),
                pixels=f"{width} x {height}",
                page=f"{size_mm[0]:g} x {size_mm[1]:g}",
            )
        )
    if (width, height) != size_px:
        image = np.asarray(cv2.resize(image, size_px, interpolation=cv2.INTER_AREA), np.uint8)
    return BlankSheet(image, size_mm)
