"""The kinds of tokens in a set, with their values, sizes and colours."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from vision.tokens.likeness import Likeness

if TYPE_CHECKING:
    from vision.tokens.discs import Disc

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
