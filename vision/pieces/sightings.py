"""The pieces on a table as they were seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from vision.pieces.fit import Fit
    from vision.pieces.label_places import LabelPlace
    from vision.pieces.maps import PieceMaps
    from vision.pieces.polyominoes import Cells

_ANY: Final = 1000
"""Stands for any number of a shape: more than a table can hold."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A piece as it was seen.

    Attributes:
        fits: the best fit of each shape that it may have, the best first.
        margin: by how much the neighbourhood is explained worse if it is no piece of the first shape.
        label: log-odds that a label is printed on it.
        cell: log-odds that a piece lies in its worst cell.
        edge: log-odds that its worst edge is one, or is none between two cells.
        spill: how much around it looks like a piece that is none of the others, 0..1.
        whole: whether it ends within the picture on all sides.
        at_edge: whether it ends so near where the picture ends, or borders on what does, that it may go on beyond.
        touching: numbers of the pieces that it touches or lies upon.
        agreed: whether the other look, too, saw this shape here: a print like the ground makes the second too sure.
    """

    fits: tuple[Fit, ...]
    margin: float
    label: float
    cell: float
    edge: float
    spill: float
    whole: bool
    at_edge: bool
    touching: tuple[int, ...]
    agreed: bool = True

    @property
    def outline(self) -> NDArray[np.float64]:
        """The corners of the likeliest shape, (n, 2) in table space."""
        return self.fits[0].outline


@dataclass(frozen=True, slots=True, eq=False)
class Stray:
    """A part of a piece that fits no shape: its outline (n, 2) in table space, and whether all of it is seen."""

    outline: NDArray[np.float64]
    whole: bool


@dataclass(frozen=True, slots=True, eq=False)
class Sightings:
    """All pieces that were seen on a table.

    Attributes:
        pieces: those that fit a shape.
        strays: those that do not.
        maps: what both come from, for callers that look for more in them.
    """

    pieces: tuple[Sighting, ...]
    strays: tuple[Stray, ...]
    maps: PieceMaps


def _quality(piece: Sighting) -> float:
    return piece.fits[0].quality


@dataclass(frozen=True, slots=True)
class Box:
    """The pieces to be expected on a table, before the picture is read.

    Attributes:
        shapes: the shapes that pieces may have.
        counts: how many there are of each; if empty, any number.
        surety: how likely it is that the likeliest shape of a piece is right, 0..1.
        read_label: returns the log-likelihoods of the shapes by the label in a place, the greatest being 0; None if
            labels are not read.
    """

    shapes: tuple[Cells, ...]
    counts: tuple[int, ...] = ()
    surety: Callable[[Sighting], float] = _quality
    read_label: Callable[[LabelPlace], NDArray[np.float64]] | None = None

    def without(self, taken: Sequence[int]) -> NDArray[np.int64]:
        """Return the numbers left of each shape when some, given by their numbers, are taken out, shape (shapes,)."""
        if not self.counts:
            return np.full(len(self.shapes), _ANY, np.int64)
        return np.clip(np.array(self.counts) - np.bincount(taken, minlength=len(self.shapes)), 0, None)

    def read(self, places: tuple[LabelPlace, ...]) -> NDArray[np.float64]:
        """Return the labels' log-likelihoods of the shapes, shape (places, shapes); 0 if they are not read."""
        blank = np.zeros((len(places), len(self.shapes)))
        if self.read_label is None or not places:
            return blank
        return np.array([self.read_label(place) for place in places])
