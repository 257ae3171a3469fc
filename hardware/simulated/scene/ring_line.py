"""The closed line that a circle of patches follows on the table."""

from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

_ROUNDINGS: Final = 4
_STEP_MM: Final = 1.0


class RingLine:
    """A rounded polygon, measured along its length.

    Args:
        corners_mm: (n, 2) in table space, clockwise as seen from above; they are rounded.
        start: position of length 0, as a share of the whole, 0..1.
    """

    def __init__(self, corners_mm: Points, start: float = 0.0) -> None:
        points = corners_mm
        for _ in range(_ROUNDINGS):
            points = _corners_cut(points)
        closed = np.vstack((points, points[:1]))
        lengths = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))))
        self.length_mm = float(lengths[-1])
        self._polygon = (start, closed, lengths)

    @cached_property
    def _course(self) -> tuple[Points, Points]:
        """Points about a millimetre apart, and the directions there; of most lines only the length is needed."""
        start, closed, lengths = self._polygon
        steps = max(8, round(self.length_mm / _STEP_MM))
        along = (start + np.arange(steps) / steps) % 1.0 * self.length_mm
        points = np.column_stack([np.interp(along, lengths, closed[:, axis]) for axis in (0, 1)])
        way = np.roll(points, -2, axis=0) - np.roll(points, 2, axis=0)
        return points, np.degrees(np.arctan2(way[:, 1], way[:, 0]))

    def step(self, length_mm: float) -> int:
        """Return the number of the point at a length along the line."""
        points, _ = self._course
        return round(length_mm / self.length_mm * len(points)) % len(points)

    def at(self, length_mm: float) -> tuple[float, float, float]:
        """Return the point (x, y) at a length along the line, and its direction there, in degrees clockwise from x."""
        points, headings_deg = self._course
        step = self.step(length_mm)
        x, y = points[step]
        return float(x), float(y), float(headings_deg[step])

    def ahead(self, step: int, count: int) -> tuple[Points, Points]:
        """Return the next points, (count, 2), beginning with one of a number, and the directions there, (count,)."""
        points, headings_deg = self._course
        steps = np.arange(step, step + count) % len(points)
        return points[steps], headings_deg[steps]


def _corners_cut(points: Points) -> Points:
    """Return each corner replaced by two points, a quarter of the way to its neighbours (Chaikin)."""
    ahead = np.roll(points, -1, axis=0)
    return np.stack((0.75 * points + 0.25 * ahead, 0.25 * points + 0.75 * ahead), axis=1).reshape(-1, 2)
