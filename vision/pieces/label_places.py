"""Detection of the labels printed on a table's pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.maps import MAP_PX, PieceMaps

# Log-odds from which a pixel may be of a label. Of 2440 pieces wholly in view on 102 simulated circles, in all lights,
# 71 then have no label and 29 have more than one; with 0, and each label in one part, 164 have none.
_SEEN: Final = -0.5
# Area in cells below which a part is noise.
_LEAST_CELLS: Final = 0.12
# Parts whose middles are nearer than this are of one label: the labels of two touching pieces are a cell apart.
_ONE_LABEL_CELLS: Final = 0.75
# Log-odds above `_SEEN`, integrated over cells, from which a label is plain. Of those pieces' labels 92 % have more;
# false detections on them have 0.27 at most.
_PLAIN: Final = 0.3


@dataclass(frozen=True, slots=True)
class LabelPlace:
    """The place of a printed label.

    Attributes:
        x: of its middle, in cells of table space.
        y: of its middle, in cells of table space.
        angle_deg: direction of its length, clockwise from the rows of table space; either end may be its left one.
        length: visible extent in that direction, in cells.
        width: extent across, in cells.
        plainness: clarity, 0..1.
    """

    x: float
    y: float
    angle_deg: float
    length: float = 0.0
    width: float = 0.0
    plainness: float = 1.0

    @property
    def at(self) -> NDArray[np.float64]:
        """Its middle, (x, y) in table space."""
        return np.array([self.x, self.y])

    @property
    def is_plain(self) -> bool:
        """True if it is more likely a label than a false detection."""
        return self.plainness > 0.5

    def box(self, margin: float) -> NDArray[np.float64]:
        """Return the corners of a box around it, with a margin in cells, shape (4, 2), in table space."""
        size = (self.length + 2 * margin, self.width + 2 * margin)
        return np.asarray(cv2.boxPoints(((self.x, self.y), size, self.angle_deg)), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A part of a label: the indices (row, column) of its pixels in the map, shape (n, 2), and their evidence."""

    points: NDArray[np.intp]
    likely: NDArray[np.float32]

    @property
    def weight(self) -> float:
        return float(self.likely.sum())

    @property
    def middle(self) -> NDArray[np.float64]:
        """The centre of mass, (x, y) in table space."""
        return np.asarray((self.likely @ self.points[:, ::-1] / self.likely.sum() + 0.5) / MAP_PX)

    def joined(self, other: _Part) -> _Part:
        return _Part(np.vstack([self.points, other.points]), np.concatenate([self.likely, other.likely]))


def label_places(maps: PieceMaps) -> tuple[LabelPlace, ...]:
    """Return all labels in the maps, those with the strongest evidence first."""
    whole: list[_Part] = []
    for part in sorted(_parts(maps.label), key=lambda each: -each.weight):
        for number, larger in enumerate(whole):
            if np.hypot(*(larger.middle - part.middle)) < _ONE_LABEL_CELLS:
                whole[number] = larger.joined(part)
                break
        else:
            whole.append(part)
    return tuple(_place(part) for part in whole if len(part.points) >= _LEAST_CELLS * MAP_PX**2)


def _parts(label: NDArray[np.float32]) -> list[_Part]:
    count, numbers, stats, _ = cv2.connectedComponentsWithStats((label > _SEEN).astype(np.uint8))
    parts = []
    for number in range(1, count):
        left, top, width, height, _ = stats[number].tolist()
        window = slice(top, top + height), slice(left, left + width)
        inside = numbers[window] == number
        parts.append(_Part(np.argwhere(inside) + np.array([top, left]), label[window][inside] - np.float32(_SEEN)))
    return parts


def _place(part: _Part) -> LabelPlace:
    _, (width, height), angle = cv2.minAreaRect(part.points[:, ::-1].astype(np.float32))
    # Extends from pixels' middles to their borders.
    sides = np.array([width + 1, height + 1]) / MAP_PX
    x, y = part.middle.tolist()
    return LabelPlace(
        x,
        y,
        float(angle if width >= height else angle + 90),
        float(sides.max()),
        float(sides.min()),
        min(1.0, part.weight / MAP_PX**2 / _PLAIN) ** 2,
    )
