"""The kinds of tokens in a set, known or learnt, with their values, sizes and colours."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.tokens.discs import Disc

# Scale of differences in radius, as the logarithm of their ratio: on simulated tables 0.03 within a kind, 0.1 and more
# between two of a colour.
_RADII: Final = 0.08
# Scale of differences in CIELAB's a and b: up to 5 within a kind in one light, 16 and more between two of one size.
_CHROMA: Final = 11.0
# Scale of differences in lightness, of 255: shadows on a table take a quarter, white is twice as light as black.
_LIGHTNESS: Final = 45.0
# The greatest ratio of one kind's lightness between two places.
_SHADE: Final = 1.4
_MOST_BESIDE: Final = 0.7
# Limits of a kind's own border and shade: more is not of its look, but means that its surroundings were never seen
# bare.
_LEAST_SHADE: Final = 0.7
# The greatest number of kinds, which no set or table exceeds; further ones are ignored.
_MOST: Final = 24


@dataclass(frozen=True, slots=True)
class Likeness:
    """The appearance of a kind of tokens.

    Attributes:
        radius_cells: of the rim.
        face: colour, CIELAB: lightness 0..255, a and b around 0.
    """

    radius_cells: float
    face: tuple[float, float, float]

    def unlike(self, disc: Disc) -> float:
        """Return the normalised difference of a disc; up to 1 it may be of this kind."""
        (light, a, b), (own_light, own_a, own_b) = disc.face, self.face
        # In shade, chroma decreases in proportion to lightness.
        brighter = min(max(own_light / max(light, 1.0), 1 / _SHADE), _SHADE)
        off = float(np.hypot(brighter * a - own_a, brighter * b - own_b))
        size = float(np.log(disc.radius_cells / self.radius_cells))
        terms = size / _RADII, off / _CHROMA, (light - own_light) / _LIGHTNESS
        return float(np.sqrt(sum(term * term for term in terms)))


@dataclass(frozen=True, slots=True)
class LearntKind:
    """A kind of tokens with a learnt value.

    Attributes:
        value: value in buttons.
        looks: its appearance.
        beside: share of directions in which something borders on its rim (`Disc.beside`) when nothing lies under it:
            for some kinds a printed ring is taken for the rim.
        shade: of its shadow (`Disc.shade`) in the same case.
    """

    value: int
    looks: Likeness
    beside: float = 0.0
    shade: float = 1.0

    def fits(self, disc: Disc) -> bool:
        """Return whether a disc may be of this kind."""
        return self.looks.unlike(disc) <= 1

    def evened(self, disc: Disc) -> Disc:
        """Return a disc of this kind without the border that all discs of the kind have."""
        beside, shade = min(self.beside, _MOST_BESIDE), min(max(self.shade, _LEAST_SHADE), 1.0)
        return replace(disc, beside=max(0.0, disc.beside - beside), shade=disc.shade / shade)


class Likenesses:
    """The kinds of tokens found on a table, numbered from 0."""

    def __init__(self) -> None:
        self._sums: list[NDArray[np.float64]] = []
        self._counts: list[int] = []

    def __getitem__(self, kind: int) -> Likeness:
        radius, *face = (self._sums[kind] / self._counts[kind]).tolist()
        light, a, b = face
        return Likeness(float(np.exp(radius)), (light, a, b))

    def learn(self, disc: Disc) -> int | None:
        """Add a disc and return the number of its kind; None if it is no whole token, or of one kind too many."""
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


# The least chroma of a kind: in the darkest room that was measured blue tokens had 13.
_LEAST_CHROMA: Final = 10.0


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of token.

    Attributes:
        value: value in buttons.
        radius_cells: the least and the largest radius.
        hue_deg: the least and the largest angle of its colour in CIELAB's plane of a and b, clockwise around 0.
    """

    value: int
    radius_cells: tuple[float, float]
    hue_deg: tuple[float, float]

    def fits(self, disc: Disc | Likeness) -> bool:
        """Return whether a disc, or a likeness, is of this size and colour."""
        _, a, b = disc.face
        from_least = (float(np.degrees(np.arctan2(b, a))) - self.hue_deg[0]) % 360
        small, large = self.radius_cells
        coloured = np.hypot(a, b) >= _LEAST_CHROMA and from_least <= self.hue_deg[1] - self.hue_deg[0]
        return bool(coloured and small <= disc.radius_cells <= large)

    def evened(self, disc: Disc) -> Disc:
        """Return a disc of this kind unchanged, because nothing borders on its rim when it lies alone."""
        return disc


class AnyKind(Protocol):
    """A kind of token, by any means of recognition."""

    @property
    def value(self) -> int:
        """Its value in buttons."""

    def fits(self, disc: Disc) -> bool:
        """Return whether a disc may be of this kind."""

    def evened(self, disc: Disc) -> Disc:
        """Return a disc of this kind without the border that all discs of the kind have."""


def kind_of(disc: Disc, kinds: Sequence[AnyKind]) -> AnyKind | None:
    """Return the kind of a disc; None if no kind fits, or kinds of several values do."""
    fitting = [kind for kind in kinds if kind.fits(disc)]
    return fitting[0] if len({kind.value for kind in fitting}) == 1 else None


@cache
def known_kinds() -> tuple[Kind, ...]:
    """Return the kinds of the set with a colour for each value, smallest value first."""
    read = tomllib.loads(files(__package__).joinpath("kinds.toml").read_text("utf-8"))
    return tuple(Kind(each["value"], _range(each["radius_cells"]), _range(each["hue_deg"])) for each in read["kinds"])


def _range(numbers: Sequence[float]) -> tuple[float, float]:
    low, high = numbers
    return float(low), float(high)
