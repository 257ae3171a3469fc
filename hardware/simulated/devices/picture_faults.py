"""Faults of single pictures, as by a sensor that hangs, a poor contact, or a faulty driver."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Spoilt(StrEnum):
    """A fault of a picture."""

    FROZEN = "frozen"
    """The previous picture again."""
    BLACK = "black"
    TORN = "torn"
    """The upper half is current, the lower one of the previous picture."""
    SMALL = "small"
    """Half the correct width and height."""
    LATE = "late"
    """The current picture, a second late."""


def spoiled(image: NDArray[np.uint8], before: NDArray[np.uint8] | None, how: Spoilt) -> NDArray[np.uint8]:
    """Return a picture with a fault.

    Args:
        image: the current picture, (height, width, 3), uint8.
        before: the previous picture, of the same size; None if there was none.
        how: the fault.
    """
    match how:
        case Spoilt.FROZEN if before is not None:
            return before
        case Spoilt.BLACK:
            return np.zeros_like(image)
        case Spoilt.TORN if before is not None:
            return np.concatenate((image[: len(image) // 2], before[len(image) // 2 :]))
        case Spoilt.SMALL:
            return np.ascontiguousarray(image[::2, ::2])
        case _:
            return image
