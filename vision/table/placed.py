"""A picture of the table, with the places of the boards in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.geometry.homography import Homography


@dataclass(frozen=True, slots=True, eq=False)
class PlacedPicture:
    """A picture and the boards in it.

    Attributes:
        image: shape (height, width, 3), uint8, BGR.
        boards: by seat, the maps from cell space to its pixels.
    """

    image: NDArray[np.uint8]
    boards: Mapping[int, Homography]
