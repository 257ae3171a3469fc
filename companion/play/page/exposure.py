"""A picture of the table with what a game draws into it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    import numpy as np
    from numpy.typing import NDArray

    from hardware.ports import Frame

Picture: TypeAlias = "NDArray[np.uint8]"
"""Shape (height, width, 3), uint8, BGR."""


def _nothing(seat: int) -> None:
    del seat


@dataclass(frozen=True, slots=True)
class Exposure:
    """A frame with the knowledge at its time.

    Attributes:
        frame: the frame.
        reading: draws the frame with what was read in it, or None if nothing was.
        crop: draws a seat's board or sheet straight on, doubts marked, or returns None if it is out of view.
        question: identifies the open question or complaint, or None if there is none.
    """

    frame: Frame
    reading: Callable[[], Picture] | None = None
    crop: Callable[[int], Picture | None] = _nothing
    question: Hashable = None
