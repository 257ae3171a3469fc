"""Where labels are printed on the pieces of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.pieces import MAP_PX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.pieces import PieceMaps

_LEAST_CELLS: Final = 0.12


@dataclass(frozen=True, slots=True)
class LabelPlace:
    """Where a label is printed.

    Attributes:
        x: of its middle, in table space.
        y: likewise.
        angle_deg: the way that it runs along, clockwise from the rows of table space; either end may be its left one.
    """

    x: float
    y: float
    angle_deg: float

    @property
    def at(self) -> NDArray[np.float64]:
        """Its middle, (x, y) in table space."""
        return np.array([self.x, self.y])


def label_places(maps: PieceMaps) -> tuple[LabelPlace, ...]:
    """All labels that are seen."""
    count, numbers, stats, middles = cv2.connectedComponentsWithStats((maps.label > 0).astype(np.uint8))
    large = [n for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] >= _LEAST_CELLS * MAP_PX**2]
    x, y = ((middles + 0.5) / MAP_PX).T.tolist()
    return tuple(LabelPlace(x[n], y[n], _along_deg(numbers == n)) for n in large)


def _along_deg(inside: NDArray[np.bool_]) -> float:
    """The way that the points of a mask lie along."""
    _, (width, height), angle = cv2.minAreaRect(np.argwhere(inside)[:, ::-1].astype(np.float32))
    return float(angle if width >= height else angle + 90)
