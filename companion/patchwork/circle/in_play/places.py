"""The places of the circle, as the watch over it follows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from vision.table.spots import Spot

CERTAIN: Final = 0.95
"""The chance from which a patch is certain."""


@dataclass(slots=True)
class WatchedPlace:
    """A place of the circle.

    Attributes:
        spot: its spot, or None if it cannot be watched.
        chances: the probability of each patch in this place.
        gone: whether its piece was taken, by the recorded decisions.
        is_astray: whether its piece was put back by hand, and has not been found since.
    """

    spot: Spot | None
    chances: dict[str, float]
    gone: bool = False
    is_astray: bool = False

    @property
    def certain(self) -> str | None:
        """The patch that certainly lies here, or None if that is not certain."""
        return next((patch for patch, chance in self.chances.items() if chance >= CERTAIN), None)


@dataclass(frozen=True, slots=True)
class Before:
    """The state before a decision, restored when it is undone.

    Attributes:
        place: the number of the place, from 0, from which the decision took a piece, or None.
        stood_at: where the neutral token stood, as a place's number, or None if unknown.
        taken: the number of patches taken.
        chances: the chances of each place.
    """

    place: int | None
    stood_at: int | None
    taken: int
    chances: tuple[dict[str, float], ...]
