"""Kinds of tokens told apart by their looks alone: which discs are of one size and colour, whatever they are worth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.tokens.discs import Disc

_RADII: Final = 0.08
"""Logarithm of the ratio of two radii: on simulated tables 0.03 within a kind, 0.1 and more between two of a colour."""
_CHROMA: Final = 11.0
"""CIELAB units in a and b: up to 5 within a kind in one light, 16 and more between two of one size."""
_LIGHTNESS: Final = 45.0
"""Of 255: shadows on a table take a quarter, what is white has twice as much as what is black."""
_SHADE: Final = 1.4
"""No more than this is one kind lighter in one place than in another."""
_MOST_BESIDE: Final = 0.7
_LEAST_SHADE: Final = 0.7
"""What borders on a kind's rims more than this, or shades them more, is no part of its look: it says that nothing was
seen around them."""
_MOST: Final = 24
"""More kinds no set has, and no table: what is seen after them is of none."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """The look of a kind of tokens.

    Attributes:
        radius_cells: of the rim.
        face: colour, CIELAB: lightness 0..255, a and b around 0.
    """

    radius_cells: float
    face: tuple[float, float, float]

    def unlike(self, disc: Disc) -> float:
        """Return how unlike a disc is; up to 1 it may be of this kind."""
        (light, a, b), (own_light, own_a, own_b) = disc.face, self.face
        # In shade colours are less by as much as lightness is.
        brighter = min(max(own_light / max(light, 1.0), 1 / _SHADE), _SHADE)
        off = float(np.hypot(brighter * a - own_a, brighter * b - own_b))
        size = float(np.log(disc.radius_cells / self.radius_cells))
        terms = size / _RADII, off / _CHROMA, (light - own_light) / _LIGHTNESS
        return float(np.sqrt(sum(term * term for term in terms)))


@dataclass(frozen=True, slots=True)
class LearntKind:
    """A kind of tokens whose value was learnt.

    Attributes:
        value: in buttons.
        looks: as it was seen.
        beside: the share of directions in which something borders on its rim (`Disc.beside`) while nothing lies under
            it: of some, it is a printed ring that is taken for the rim.
        shade: of its shadow (`Disc.shade`) meanwhile.
    """

    value: int
    looks: Likeness
    beside: float = 0.0
    shade: float = 1.0

    def fits(self, disc: Disc) -> bool:
        """Return whether a disc looks like it."""
        return self.looks.unlike(disc) <= 1

    def evened(self, disc: Disc) -> Disc:
        """Return a disc of this kind without what borders on all of them."""
        beside, shade = min(self.beside, _MOST_BESIDE), min(max(self.shade, _LEAST_SHADE), 1.0)
        return replace(disc, beside=max(0.0, disc.beside - beside), shade=disc.shade / shade)


class Likenesses:
    """The kinds of tokens that were seen on a table, each under a number, the first one 0."""

    def __init__(self) -> None:
        self._sums: list[NDArray[np.float64]] = []
        self._counts: list[int] = []

    def __getitem__(self, kind: int) -> Likeness:
        radius, *face = (self._sums[kind] / self._counts[kind]).tolist()
        light, a, b = face
        return Likeness(float(np.exp(radius)), (light, a, b))

    def learn(self, disc: Disc) -> int | None:
        """Take in a disc and return the number of its kind; None if it is no whole token, or of one kind too many."""
        if not disc.is_whole:
            return None
        unlike = [self[kind].unlike(disc) for kind in range(len(self._sums))]
        looks = np.array([np.log(disc.radius_cells), *disc.face])
        if unlike and min(unlike) <= 1:
            kind = int(np.argmin(unlike))
            self._sums[kind] += looks
            self._counts[kind] += 1
            return kind
        if len(self._sums) >= _MOST:
            return None
        self._sums.append(looks)
        self._counts.append(1)
        return len(self._sums) - 1
