"""The evidence for a time board in a place: its income marks are alike, and unlike everything else on it.

The design of a printing is unknown. But one button is printed at every income mark, and at no other border between two
spaces; and the places of leather patches show five similar objects. Only a time board in the right orientation has such
marks in just these places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision import channels
from vision.geometry.rectify import SIDE
from vision.quantile import quantiles
from vision.timeboard.layout import SPACES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.timeboard.layout import Layout

NOISE: Final = 8.0
"""Squared distance of colours, in Lab, between equal marks in a dim picture."""
_MARK_CELLS: Final = 0.2
"""Smoothing sigma: a printed button's radius is about 0.22 of a quilt's cell."""
_SURROUNDINGS: Final = 3.0
"""Ratio of the surroundings' sigma; they are subtracted, because light is smooth and cloths differ."""
_BRIGHT: Final = 200.0
"""Grey level to which the brightest part of a picture is scaled, so that contrasts in the dark count equally."""
_NEAREST: Final = 0.1
"""Share of all other places on the board that may look like the marks: two blue cloths meet here and there."""
_LEATHER_COUNTS: Final = 0.5
"""Weight of leather patches: they are laid by hand, and some have gone."""
_LEATHER_LIMIT: Final = 10.0
"""Limit of their evidence: dark spots are alike everywhere."""


@dataclass(frozen=True, slots=True)
class Alikeness:
    """The evidence for a time board in a place.

    Attributes:
        income: difference of the income marks from everything else on the board, in units of the variation among them.
        leather: the same for the places of leather patches.
    """

    income: float
    leather: float

    @property
    def total(self) -> float:
        """The combined evidence."""
        return self.income + _LEATHER_COUNTS * min(self.leather, _LEATHER_LIMIT)


@dataclass(frozen=True, slots=True, eq=False)
class MarkPlaces:
    """The points to compare on a board of one printing, each (n, 2), in board space.

    Attributes:
        layout: the printing.
        income: the income marks, without the last one, because the shape of the centre differs between printings.
        leather: the marks of leather patches.
        others: borders without a mark, and the middles of spaces.
    """

    layout: Layout
    income: NDArray[np.float64]
    leather: NDArray[np.float64]
    others: NDArray[np.float64]


def mark_places(layout: Layout, income: Sequence[int], leather: Sequence[int]) -> MarkPlaces:
    """Return the places of a printing's marks, given the spaces before which they are."""
    last = SPACES - 1
    marked = {*income, *leather}
    plain = [border for border in range(1, last) if border not in marked]
    others = np.vstack([layout.marks(plain), layout.middles()[1:last]])
    inner = [[mark for mark in marks if mark < last] for marks in (income, leather)]
    return MarkPlaces(layout, layout.marks(inner[0]), layout.marks(inner[1]), others)


def contrasts(picture: NDArray[np.uint8], cell_px: float) -> NDArray[np.float32]:
    """Return the difference of each pixel from its surroundings, in Lab, shape (height, width, 3).

    Args:
        picture: of a table from straight above, BGR.
        cell_px: pixels a cell of a quilt.
    """
    brightest = max(20.0, float(np.percentile(channels.brightest(picture), 95)))
    bright = np.clip(picture.astype(np.float32) * np.float32(_BRIGHT / brightest / 255), 0, 1)
    lab = cv2.cvtColor(bright, cv2.COLOR_BGR2LAB)
    sigma = _MARK_CELLS * cell_px
    fine, coarse = (cv2.GaussianBlur(lab, (0, 0), each) for each in (sigma, _SURROUNDINGS * sigma))
    return np.asarray(fine - coarse, np.float32)


def alikeness(shown: NDArray[np.float32], places: MarkPlaces, to_picture: NDArray[np.float64]) -> Alikeness:
    """Return the evidence for a board of this printing in a place.

    Args:
        shown: the result of `contrasts`.
        places: the places of the marks.
        to_picture: (2, 3) from board space to the picture.
    """
    others = _at(shown, places.others, to_picture)
    return Alikeness(*(_difference(_at(shown, each, to_picture), others) for each in (places.income, places.leather)))


def pose_matrix(x: float, y: float, size: float, turn_deg: float, scale: float = 1.0) -> NDArray[np.float64]:
    """Return the map, shape (2, 3), from board space to a picture.

    Args:
        x: x of the board's middle, in cells of a quilt.
        y: y of the board's middle, in cells of a quilt.
        size: width of the board, in cells of a quilt.
        turn_deg: clockwise rotation, in degrees.
        scale: pixels a cell.
    """
    angle = np.radians(turn_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * size / SIDE
    shift = np.array([x, y]) - turn @ np.array([SIDE / 2, SIDE / 2])
    return np.asarray(np.column_stack([turn, shift]) * scale)


def _at(
    shown: NDArray[np.float32], points: NDArray[np.float64], to_picture: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return the values at points of board space, shape (n, 3); 0 outside of the picture."""
    there = (points @ to_picture[:, :2].T + to_picture[:, 2] - 0.5).astype(np.float32)
    if not len(there):
        return np.zeros((0, 3), np.float32)
    values = cv2.remap(shown, there[None, :, 0], there[None, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(values[0], np.float32)


def _difference(marks: NDArray[np.float32], others: NDArray[np.float32]) -> float:
    if not len(marks):
        return 0.0
    usual = marks.mean(axis=0)
    spread = float(((marks - usual) ** 2).sum(axis=1).mean())
    (nearest,) = quantiles(((others - usual) ** 2).sum(axis=1), _NEAREST)
    return min(nearest, float((usual**2).sum())) / (spread + NOISE)
