"""A dealt or entered circle seen on the table, whose pieces are identified by their places in the deal."""

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
"""The number of pieces that must be named with certainty to determine where the deal begins."""
_LEAST_SHARE: Final = 0.9
"""Share of those that must lie where they were dealt; below it, the circle was laid otherwise and is not watched."""


class DealtCircle:
    """A receiver of the seen circle instead of the desk, because the order of a dealt circle is not in doubt.

    Args:
        market: the circle, clockwise from the neutral token.
        watch: called with the circle's places and the picture that shows it.
    """

    def __init__(self, market: Sequence[str], watch: Callable[[SeenMarket, PlacedPicture], None]) -> None:
        self._market, self._watch = tuple(market), watch

    def look(self, share: float | None) -> None:
        """Ignore the progress of the look: no player waits for it."""

    def lay_out(
        self, seen: SeenMarket, image: NDArray[np.uint8], boards: Mapping[int, Homography] | None = None
    ) -> None:
        """Start watching the circle if it lies as it was dealt."""
        dealt = as_dealt(seen, self._market)
        if dealt is not None and boards:
            self._watch(dealt, PlacedPicture(image, dict(boards)))


def as_dealt(seen: SeenMarket, market: Sequence[str]) -> SeenMarket | None:
    """Return the circle named by the deal, first the piece behind the neutral token, or None if it lies otherwise.

    All pieces must be seen; those with sure names determine where the deal begins. If there are more pieces than
    patches, unnamed ones are left out, because the 7x7 tile also lies beside the circle.
    """
    count, lying = len(PATCHES), seen.pieces
    if len(lying) > count:
        lying = tuple(piece for piece in lying if piece.patch is not None)
    if len(lying) != count:
        return None
    named = {number: piece.patch for number, piece in enumerate(lying) if piece.sure}
    # The picture may begin anywhere in the deal: the rotation that most sure names agree on counts.
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
