"""The faults of single pictures: a sensor hangs, a contact is poor, a driver mixes things up."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Spoilt(StrEnum):
    """A fault of a picture."""

    FROZEN = "frozen"
    """The picture before once more."""
    BLACK = "black"
    TORN = "torn"
    """The upper half is of this moment, the lower one of the picture before."""
    SMALL = "small"
    """Half as wide and high as it should be."""
    LATE = "late"
    """The picture of this moment, a second late."""


def spoiled(image: NDArray[np.uint8], before: NDArray[np.uint8] | None, how: Spoilt) -> NDArray[np.uint8]:
    """Return a picture with a fault.

    Args:
        image: of this moment, (height, width, 3), uint8.
        before: the picture before, of the same size; None if there was none.
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
