"""A circle that the companion dealt, or was told, seen on the table: each piece is known by its place in the deal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion.games.patchwork import PATCHES
from vision.table.placed import PlacedPicture

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from companion.patchwork.circle.seen import SeenMarket
    from vision.geometry.homography import Homography

_LEAST_NAMED: Final = 12
"""The number of pieces that must be named with certainty to tell how the circle lies."""
_LEAST_SHARE: Final = 0.9
"""Share of those that have to lie where they were dealt; below, it was laid otherwise, and is not watched."""


class DealtCircle:
    """A receiver of the circle, in the place of the desk where doubts are settled: of a deal there are none.

    Args:
        market: the circle, clockwise from the neutral token.
        watch: receives the circle's places and the picture that shows it.
    """

    def __init__(self, market: Sequence[str], watch: Callable[[SeenMarket, PlacedPicture], None]) -> None:
        self._market, self._watch = tuple(market), watch

    def look(self, share: float | None) -> None:
        """Ignore the progress of the look: no player waits for it."""

    def lay_out(
        self, seen: SeenMarket, image: NDArray[np.uint8], boards: Mapping[int, Homography] | None = None
    ) -> None:
        """Let the circle be watched if it lies there as it was dealt."""
        dealt = as_dealt(seen, self._market)
        if dealt is not None and boards:
            self._watch(dealt, PlacedPicture(image, dict(boards)))


def as_dealt(seen: SeenMarket, market: Sequence[str]) -> SeenMarket | None:
    """Return a circle as it was dealt, first the piece behind the neutral token, or None if it lies otherwise.

    All pieces have to be seen; those that are surely named tell at which of them the deal begins. What is of no name is
    left out if there is more than the circle has: the 7x7 tile lies beside it, too.
    """
    count, lying = len(PATCHES), seen.pieces
    if len(lying) > count:
        lying = tuple(piece for piece in lying if piece.patch is not None)
    if len(lying) != count:
        return None
    named = {number: piece.patch for number, piece in enumerate(lying) if piece.sure}
    agreeing = [
        sum(market[(number - first) % count] == patch for number, patch in named.items()) for first in range(count)
    ]
    first = agreeing.index(max(agreeing))
    if len(named) < _LEAST_NAMED or agreeing[first] < _LEAST_SHARE * len(named):
        return None
    pieces = (*lying[first:], *lying[:first])
    known = tuple(
        replace(piece, patch=patch, chances=((patch, 1.0),), sure=True)
        for piece, patch in zip(pieces, market, strict=True)
    )
    return replace(seen, pieces=known, begins="domino", unclear=())
