"""The layout of a time board's spaces, with one data file for each printing.

*Board space*: x to the right and y down from the upper left corner of the printed area, which is a square of
`vision.geometry.rectify.SIDE` by `SIDE`, like a quilt's grid. So a time board is rectified, tracked and compared like a
quilt.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.rectify import SIDE

LAYOUTS: Final = ("square", "even")
"""The known printings, by the names of their files."""
SPACES: Final = 54


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The spaces of one printing.

    Attributes:
        name: of the printing.
        rectangles: (n, 4) in board space: left, top, right, bottom; a space has one or several.
        owners: (n,) the space of each rectangle.
        printed: by space, the place of the mark before it in board space, if that is not the border's middle.
    """

    name: str
    rectangles: NDArray[np.float64]
    owners: NDArray[np.int_]
    printed: Mapping[int, tuple[float, float]] = field(default_factory=dict)

    def distances(self, x: float, y: float) -> NDArray[np.float64]:
        """Return the distance of a point from each space, shape (SPACES,), in board space; 0 on the space itself."""
        left, top, right, bottom = self.rectangles.T
        away = np.hypot(np.maximum(np.maximum(left - x, x - right), 0), np.maximum(np.maximum(top - y, y - bottom), 0))
        nearest = np.full(SPACES, np.inf)
        np.minimum.at(nearest, self.owners, away)
        return nearest

    def middles(self) -> NDArray[np.float64]:
        """Return the middle of each space, shape (SPACES, 2); of one with several rectangles, of the largest."""
        sizes = np.prod(self.rectangles[:, 2:] - self.rectangles[:, :2], axis=1)
        middles = np.zeros((SPACES, 2))
        for index in np.argsort(sizes, kind="stable"):
            left, top, right, bottom = self.rectangles[index]
            middles[self.owners[index]] = (left + right) / 2, (top + bottom) / 2
        return middles

    def marks(self, borders: Sequence[int]) -> NDArray[np.float64]:
        """Return the places of printed marks, shape (n, 2): mark p is between spaces p - 1 and p.

        Args:
            borders: the spaces before which the marks are, neither 0 nor the centre.
        """
        places = [self.printed.get(border) or self._border(border - 1, border) for border in borders]
        return np.array(places).reshape(-1, 2)

    def _border(self, before: int, after: int) -> tuple[float, float]:
        one, other = (self.rectangles[self.owners == space][0] for space in (before, after))
        left, top = np.maximum(one[:2], other[:2])
        right, bottom = np.minimum(one[2:], other[2:])
        return float(left + right) / 2, float(top + bottom) / 2


def layout_of_points(name: str, middles: NDArray[np.float64], marks: Mapping[int, tuple[float, float]]) -> Layout:
    """Return the layout of a printing of which only points are known, such as those an owner has tapped.

    Each space is taken as a square that extends half way to the nearest other one.

    Args:
        name: of the printing.
        middles: of each space, shape (SPACES, 2), in widths of the printed area from its upper left corner.
        marks: by space, the place of the mark before it, in the same units.
    """
    apart = np.abs(middles[:, None] - middles[None]).max(axis=2)
    np.fill_diagonal(apart, np.inf)
    half = apart.min(axis=1, keepdims=True) / 2
    rectangles = np.hstack([middles - half, middles + half])
    printed = {space: (x * SIDE, y * SIDE) for space, (x, y) in marks.items()}
    return Layout(name, rectangles * SIDE, np.arange(SPACES), printed)


def known_layouts() -> tuple[Layout, ...]:
    """Return the layouts of all known printings."""
    return tuple(load_layout(name) for name in LAYOUTS)


@cache
def load_layout(name: str) -> Layout:
    """Return the layout of this name, one of `LAYOUTS`."""
    text = files(__package__).joinpath("layouts", f"{name}.toml").read_text(encoding="utf-8")
    spaces = tomllib.loads(text)["spaces"]
    owners = [int(space) for space, rectangles in spaces.items() for _ in rectangles]
    rectangles = [rectangle for own in spaces.values() for rectangle in own]
    return Layout(name, np.array(rectangles, np.float64) * SIDE, np.array(owners))
