"""A picture of the table with a game's annotations."""

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
    """A frame with what was known when it was taken.

    Attributes:
        frame: the frame.
        reading: returns the frame annotated with its reading, or None if nothing was read.
        crop: returns a seat's board or sheet rectified, with doubtful parts marked, or None if it is out of view.
        question: the identity of the open question or complaint, or None if there is none.
    """

    frame: Frame
    reading: Callable[[], Picture] | None = None
    crop: Callable[[int], Picture | None] = _nothing
    question: Hashable = None
