"""The neutral token in the circle: the gap in which it certainly stands."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.table.canvas import CanvasView
from vision.table.pawn import Pawn, find_pawn, left_from, standing_at

START: Final = -1
"""The number of the gap in which it stands at the beginning, before the first place."""


class PawnFinder:
    """A finder of the neutral token in the gaps of the circle.

    Its appearance is learnt at the set-up if it was seen there by itself, and better once it has been moved as the
    decisions require: an object has left one gap, and the same object stands in the next one.
    """

    def __init__(self) -> None:
        self._pawn: Pawn | None = None
        self._has_moved = False
        # By the decisions, the gap in which it stands and the previous one, each with the view when last seen so.
        self._stands: tuple[int, CanvasView] | None = None
        self._stood: tuple[int, CanvasView] | None = None

    def learn(self, view: CanvasView, gap: NDArray[np.bool_], place: NDArray[np.float64]) -> None:
        """Learn its appearance at the place where it was seen before the first move.

        Args:
            view: the canvas at that time.
            gap: mask, of the canvas' shape, of where it may stand.
            place: (x, y) of its place, in pixels of the canvas.
        """
        self._pawn = standing_at(view, gap, place)

    def look(self, view: CanvasView, gaps: Mapping[int, NDArray[np.bool_]], booked: int | None) -> int | None:
        """Return the number of the gap in which it stands, or None if that is not certain.

        Args:
            view: the canvas at rest, in the light in which the circle was seen.
            gaps: by number, the mask of where a token may stand, of the canvas' shape.
            booked: the gap in which it should stand, or None if that is unknown.
        """
        if booked is None:
            # Where it should stand is unknown, which makes it all the more useful to know where it stands.
            found = None if self._pawn is None or not gaps else find_pawn(self._pawn, view, _any(gaps))
            return None if found is None else _gap_of(found, gaps, booked)
        if booked not in gaps:
            return None
        if self._stands is not None and self._stands[0] != booked:
            self._stood = self._stands
        self._stands = (booked, view)
        if not self._has_moved and (learnt := self._learnt(view, gaps, booked)) is not None:
            self._pawn, self._has_moved = learnt, True
        if self._pawn is None:
            return None
        found = self._found(self._pawn, view, gaps, booked)
        return None if found is None else _gap_of(found, gaps, booked)

    def _found(
        self, pawn: Pawn, view: CanvasView, gaps: Mapping[int, NDArray[np.bool_]], booked: int
    ) -> NDArray[np.bool_] | None:
        """Return the token's mask; first searched for where it should stand and stood before, then in all gaps.

        The larger the searched area, the more of it may have the token's colour.
        """
        stood = booked if self._stood is None else self._stood[0]
        likely = gaps[booked] | gaps.get(stood, gaps[booked])
        found = find_pawn(pawn, view, likely)
        return find_pawn(pawn, view, _any(gaps)) if found is None else found

    def _learnt(self, view: CanvasView, gaps: Mapping[int, NDArray[np.bool_]], booked: int) -> Pawn | None:
        """Return the appearance of the object that left the previous gap, if the same one stands in the present gap."""
        if self._stood is None or self._stood[0] == booked or self._stood[0] not in gaps:
            return None
        left_gap = gaps[self._stood[0]] & ~gaps[booked]
        left = left_from(self._stood[1], view, left_gap)
        both = left_gap | gaps[booked]
        found = None if left is None else find_pawn(left, view, both)
        return None if found is None or (found & left_gap).any() else left


def _any(gaps: Mapping[int, NDArray[np.bool_]]) -> NDArray[np.bool_]:
    return np.asarray(np.any(list(gaps.values()), axis=0))


def _gap_of(found: NDArray[np.bool_], gaps: Mapping[int, NDArray[np.bool_]], booked: int | None) -> int:
    """Return the number of the gap that contains most of a mask; `booked` wins ties."""
    shares = {number: int(np.count_nonzero(gap & found)) for number, gap in gaps.items()}
    return max(shares, key=lambda number: (shares[number], number == booked))
