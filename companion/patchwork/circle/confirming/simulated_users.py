"""Simulated players who settle the camera's doubts about the circle, as users of the page would."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.patchwork.circle.confirming.answers import LiesBehind, PlaceIs, RunsSo
from companion.patchwork.circle.confirming.proposal import Certainty

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.patchwork.circle.confirming.answers import CircleAnswer
    from companion.patchwork.circle.confirming.desk import CircleDesk
    from companion.patchwork.circle.confirming.proposal import Proposal
    from companion.patchwork.circle.order.unclear_stretches import UnclearStretch

ANSWER_S: Final = 2.0
"""Seconds that a player looks at a place before answering."""
_WIDTH: Final = 0.7
"""Distance from a patch, in widths of the piece, beyond which a piece is no patch of the circle."""


@dataclass(frozen=True, slots=True)
class TrueCircle:
    """The circle as it really lies.

    Attributes:
        market: patch ids, clockwise.
        middles_px: by patch, (x, y) of its middle in the picture.
    """

    market: Sequence[str]
    middles_px: Mapping[str, tuple[float, float]]


class Bystanders:
    """A simulated player who answers a doubtful place every few seconds, until nothing is in doubt.

    Args:
        desk: the desk at which the circle is confirmed.
        circle: returns the circle as it really lies; called once something is in doubt.
        answer_s: seconds per answer.
    """

    def __init__(self, desk: CircleDesk, circle: Callable[[], TrueCircle], answer_s: float = ANSWER_S) -> None:
        self._desk, self._circle, self._answer_s = desk, circle, answer_s
        self._known: TrueCircle | None = None
        self._answered: int | None = None
        self._next_s = float("-inf")

    def tick(self, now_s: float) -> None:
        """Answer the next doubt when it is due; a tick of the turn loop."""
        laid = self._desk.laid
        if laid is None or laid.known or laid.number == self._answered or laid.proposal.settled:
            self._next_s = now_s + self._answer_s
            return
        if now_s < self._next_s:
            return
        self._next_s, self._answered = now_s + self._answer_s, laid.number
        if self._known is None:
            self._known = self._circle()
        answer = next_answer(laid.proposal, self._known)
        if answer is not None:
            self._desk.submit(answer)


def next_answer(proposal: Proposal, circle: TrueCircle) -> CircleAnswer | None:
    """Return a player's next answer about a seen circle, or None if nothing is in doubt."""
    nearest = [_nearest(piece.outline_px, circle) for piece in proposal.seen.pieces]
    for stretch in proposal.unclear:
        way = _true_way(stretch, nearest, circle.market)
        if way is not None:
            return RunsSo(stretch.places[0], way)
    lying = _lying(nearest, circle)
    for place in proposal.places:
        if place.certainty is Certainty.DOUBTFUL:
            return PlaceIs(place.number, lying[place.number - 1])
    follows = dict(zip(circle.market, (circle.market[-1], *circle.market[:-1]), strict=True))
    for patch in circle.market:
        if patch in proposal.missing and follows[patch] not in proposal.missing:
            return _behind(patch, proposal, circle)
    return None


def _true_way(stretch: UnclearStretch, nearest: Sequence[str | None], market: Sequence[str]) -> int | None:
    """Return the number of the way in which a stretch really runs, or None if it is not among its ways.

    Args:
        stretch: the stretch.
        nearest: for each place the patch that lies there, or None for no patch.
        market: the circle as it really lies.
    """
    count, first, last = len(nearest), stretch.places[0], stretch.places[-1]
    for number, way in enumerate(stretch.ways):
        line = [nearest[place - 1] for place in ((first - 2) % count + 1, *way, last % count + 1)]
        at = [market.index(patch) for patch in line if patch is not None]
        # Going along the circle from each patch to the next makes less than one full turn.
        if sum((there - here) % len(market) for here, there in pairwise(at)) < len(market):
            return number
    return None


def _lying(nearest: list[str | None], circle: TrueCircle) -> list[str | None]:
    """Return the patch in each place; if every patch was seen, in the true order."""
    count = len(circle.market)
    if len(nearest) != count or len(set(nearest)) != count or None in nearest:
        return nearest
    turned = [[*circle.market[first:], *circle.market[:first]] for first in range(count)]
    best = max(turned, key=lambda order: sum(one == other for one, other in zip(order, nearest, strict=True)))
    return list(best)


def _nearest(outline_px: np.ndarray[tuple[int, ...], np.dtype[np.float64]], circle: TrueCircle) -> str | None:
    """Return the patch at a piece's outline, (n, 2), in the picture, or None for no patch."""
    low, high = outline_px.min(axis=0), outline_px.max(axis=0)
    names = list(circle.middles_px)
    off = np.hypot(*(np.array([circle.middles_px[name] for name in names]) - (low + high) / 2).T)
    nearest = int(off.argmin())
    return names[nearest] if off[nearest] <= _WIDTH * float((high - low).max()) else None


def _behind(patch: str, proposal: Proposal, circle: TrueCircle) -> CircleAnswer:
    """Return the answer that places an unseen patch; those before it have been placed by then."""
    at = circle.market.index(patch)
    before = [*circle.market[at:], *circle.market[:at]][::-1]
    places = {place.patch: place.number for place in proposal.places if place.patch is not None}
    return LiesBehind(next((places[each] for each in before if each in places), 1), patch)
