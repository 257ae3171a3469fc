"""The changes of the circle observed at a purchase, and while pieces were followed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class SeenPurchase:
    """The change of the circle at a purchase.

    Attributes:
        place: the number, from 0, of the place that was left empty, or None if that is not certain.
        seen: whether the piece was seen to be missing there.
        still: the place where the patch of the decision certainly still lies, or None.
        instead: the place from which another piece is certainly missing instead, or None.
        is_beyond: whether the missing piece lay further round the circle than those on offer.
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
        moved: by number of the place, from 0, the distance in cells by which its piece was displaced in this step.
        is_done: whether every piece was searched for; if not, the next step continues.
    """

    moved: Mapping[int, float]
    is_done: bool
