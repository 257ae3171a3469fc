"""The changes of the circle that were observed at a purchase, and while pieces were followed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class SeenPurchase:
    """The change of the circle at a purchase.

    Attributes:
        place: the number of the place, from 0, that was left empty, or None if that is not certain.
        seen: whether the piece was seen to be gone from there.
        still: the place where the patch of the decision certainly still lies, or None.
        instead: the place from which another piece has certainly gone instead, or None.
        is_beyond: whether the piece was seen to be gone from further round than what was on offer.
    """

    place: int | None
    seen: bool = False
    still: int | None = None
    instead: int | None = None
    is_beyond: bool = False


@dataclass(frozen=True, slots=True)
class FollowedPieces:
    """A step of following the pieces that should lie in the circle.

    Attributes:
        moved: the numbers of the places, from 0, whose pieces were found elsewhere in this step, and by how many cells.
        is_done: whether every piece was looked for; if not, the next step goes on.
    """

    moved: Mapping[int, float]
    is_done: bool
