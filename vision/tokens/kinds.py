"""The kinds of tokens in a set: what each is worth, how large it is and of which colour."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.tokens.discs import Disc

_LEAST_CHROMA: Final = 10.0
"""What has less colour than this is of no kind: in the darkest room that was measured blue tokens had 13."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of token.

    Attributes:
        value: in buttons.
        radius_cells: the least and the largest radius.
        hue_deg: the least and the largest angle of its colour in CIELAB's plane of a and b, clockwise around 0.
    """

    value: int
    radius_cells: tuple[float, float]
    hue_deg: tuple[float, float]

    def fits(self, disc: Disc) -> bool:
        """Return whether a disc is of this size and colour."""
        _, a, b = disc.face
        from_least = (float(np.degrees(np.arctan2(b, a))) - self.hue_deg[0]) % 360
        small, large = self.radius_cells
        coloured = np.hypot(a, b) >= _LEAST_CHROMA and from_least <= self.hue_deg[1] - self.hue_deg[0]
        return bool(coloured and small <= disc.radius_cells <= large)


def kind_of(disc: Disc, kinds: Sequence[Kind]) -> Kind | None:
    """Return the only kind that a disc may be of; None if there is none, or several."""
    fitting = [kind for kind in kinds if kind.fits(disc)]
    return fitting[0] if len(fitting) == 1 else None


@cache
def known_kinds() -> tuple[Kind, ...]:
    """Return the kinds of the set with a colour for each value, the smallest value first."""
    read = tomllib.loads(files(__package__).joinpath("kinds.toml").read_text("utf-8"))
    return tuple(Kind(each["value"], _range(each["radius_cells"]), _range(each["hue_deg"])) for each in read["kinds"])


def _range(numbers: Sequence[float]) -> tuple[float, float]:
    low, high = numbers
    return float(low), float(high)
