"""Pieces detected on a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from vision.pieces.polyominoes import Cells

if TYPE_CHECKING:
    from vision.pieces.fit import Fit
    from vision.pieces.label_places import LabelPlace
    from vision.pieces.maps import PieceMaps

# Count for an unlimited supply: more than a table can hold.
_ANY: Final = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A detected piece.

    Attributes:
        fits: the best fit of each possible shape, best first.
        margin: loss in score of the best choice without the first shape in this place.
        label: log-odds that a label is printed on it.
        cell: log-odds that a piece lies in its worst cell.
        edge: log-odds of its worst edge; inverted for an edge between two cells.
        spill: mean probability of pieces around it that no other fit explains, 0..1.
        whole: whether it is entirely within the picture.
        at_edge: whether it may continue beyond the picture: it ends near its edge, or borders on a cut-off region.
        touching: numbers of the pieces that it touches or overlaps.
        agreed: whether the first look, too, found this shape here; the second is too sure if a print is like the
            ground.
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
    """A part of a piece that fits no shape: its outline (n, 2) in table space, and whether it is wholly in view."""

    outline: NDArray[np.float64]
    whole: bool


@dataclass(frozen=True, slots=True, eq=False)
class Sightings:
    """All pieces detected on a table.

    Attributes:
        pieces: those that fit a shape.
        strays: those that do not.
        maps: the network's maps, for further searches by the caller.
    """

    pieces: tuple[Sighting, ...]
    strays: tuple[Stray, ...]
    maps: PieceMaps


def _quality(piece: Sighting) -> float:
    return piece.fits[0].quality


@dataclass(frozen=True, slots=True)
class Box:
    """Prior knowledge of the pieces on a table.

    Attributes:
        shapes: the shapes that pieces may have.
        counts: the number of pieces of each shape; if empty, unlimited.
        surety: function that returns the probability that a piece's first shape is right, 0..1.
        read_label: function that returns the log-likelihoods of the shapes by the label in a place, the greatest being
            0; None if labels are not read.
    """

    shapes: tuple[Cells, ...]
    counts: tuple[int, ...] = ()
    surety: Callable[[Sighting], float] = _quality
    read_label: Callable[[LabelPlace], NDArray[np.float64]] | None = None

    def without(self, taken: Sequence[int]) -> NDArray[np.int64]:
        """Return the remaining number of each shape after removal of the given shapes, shape (shapes,)."""
        if not self.counts:
            return np.full(len(self.shapes), _ANY, np.int64)
        return np.clip(np.array(self.counts) - np.bincount(taken, minlength=len(self.shapes)), 0, None)

    def read(self, places: tuple[LabelPlace, ...]) -> NDArray[np.float64]:
        """Return the labels' log-likelihoods of the shapes, shape (places, shapes); 0 if they are not read."""
        blank = np.zeros((len(places), len(self.shapes)))
        if self.read_label is None or not places:
            return blank
        return np.array([self.read_label(place) for place in places])
