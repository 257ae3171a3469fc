"""A watch over the circle during play: the piece that has gone shows which patch was taken.

Its findings are evidence, never a verdict; it has none for places under a hand, or if the boards have moved relative to
each other. Pieces that were pushed aside are followed.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.components import PATCHES
from companion.patchwork.circle.canvas import (
    MOST_THERE,
    START,
    CircleCanvas,
    CircleOrders,
    PawnFinder,
    SeenCanvas,
    gone_ratio,
    has_slid,
    is_worth_a_search,
)
from vision.table.plane import CELL_PX, PlacedPicture
from vision.table.spots import Spot, compare, filled, spot_of
from vision.table.stray_search import Strayed, find_slid, find_strayed

ON_OFFER: Final = 3
"""Pieces behind the neutral token that may be taken (rulebook, action B)."""
# The log prior ratio of a piece on offer to one further round the circle being taken: players err.
_OUT_OF_ORDER: Final = 4.0
# The same if the offer is derived from the token's position instead of the decisions: one time in ten it is wrong.
_BY_TOKEN: Final = 2.0
# The least probability that a patch is none of the seen pieces, because its logarithm is taken.
_LEAST: Final = 1e-3
_SEEN_GONE: Final = 2.5
# Log-likelihood ratios from which a piece is seen to be gone, or in its place: those of correlations of 0.44 and 0.86.
# On the recordings of `compare`, pieces that had gone had up to the former, those in place more than the latter.
_SEEN_THERE: Final = -2.5
_PLAUSIBLE: Final = 0.3
CERTAIN: Final = 0.95
"""The chance from which a patch is certain."""
# Margin around the outline of a taken piece, in cells, in which the neutral token may stand.
_AROUND_GAP_CELLS: Final = 0.5
# Margin around a piece, in cells, that shows its own print and shadow.
_OFF_PIECES_CELLS: Final = 0.2
# Corners of the area around the neutral token's initial place.
_AROUND_TOKEN: Final = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * CELL_PX


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
    """The state before a decision, restored when it is undone; places and gaps are numbers from 0, None if unknown."""

    place: int | None
    stood_at: int | None
    taken: int
    chances: tuple[dict[str, float], ...]


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


class CircleWatch:
    """The circle as it was seen before the first move, and the pieces that have gone since.

    Args:
        outlines_px: the outlines of the pieces, clockwise, each of shape (n, 2).
        chances: for each piece the known probabilities of patches.
        begins: whether the first piece is the one behind the neutral token.
        token_px: (x, y) of the neutral token, or None if it was not seen.
    """

    def __init__(
        self,
        scene: PlacedPicture,
        outlines_px: Sequence[NDArray[np.float64]],
        chances: Sequence[Mapping[str, float]],
        *,
        begins: bool,
        token_px: tuple[float, float] | None = None,
    ) -> None:
        self._canvas = CircleCanvas(scene, outlines_px)
        outlines, first = self._canvas.outlines, self._canvas.first
        self._token = None if token_px is None else self._canvas.point(np.array(token_px))
        self._pawn = PawnFinder()
        # The place, from 0, in whose gap the neutral token certainly stood at the last rest, or `START`.
        self.pawn_at: int | None = None
        self._orders = CircleOrders([(each.min(axis=0) + each.max(axis=0)) / 2 / CELL_PX for each in outlines])
        self._places = []
        for number, (outline, likely) in enumerate(zip(outlines, chances, strict=True)):
            others = [*outlines[:number], *outlines[number + 1 :]]
            self._places.append(WatchedPlace(spot_of(first.view, outline, others), dict(likely)))
        if self._token is not None:
            self._pawn.learn(first.view, self._gaps(first)[START], self._token)
        self._before: list[Before] = []
        self._taken = 0
        self._stands_at: int | None = START if begins else None
        self._waiting: deque[int] = deque()
        self._lost: set[int] = set()

    def set_patch(self, place: int, patch: str | None) -> None:
        """Set the patch in a place, counted from 0; None: no patch of the game."""
        for number, each in enumerate(self._places):
            if number == place:
                each.chances = {} if patch is None else {patch: 1.0}
            elif patch is not None:
                each.chances.pop(patch, None)

    def set_orders(self, orders: Sequence[Sequence[int]]) -> None:
        """Set the possible orders of the places, as their numbers from 0, clockwise.

        Patches on offer by any of them may be taken; only what is wrong by all of them is reported.
        """
        self._orders.follow(orders)

    # ------------------------------------------------------------------ what was taken

    def likelihoods(self, patches: Sequence[str], scene: PlacedPicture) -> NDArray[np.float64]:
        """Return each patch's log-likelihood of having just been taken; only their differences are meaningful."""
        ratios = self._ratios(patches, self._canvas.seen_in(scene))
        return np.log([sum(self._weights(patch, ratios).values()) + self._unseen(patch) for patch in patches])

    def instead_of(self, patch: str, scene: PlacedPicture) -> str | None:
        """Return the patch on offer that is certainly missing while `patch` is certainly still there, or None."""
        canvas = self._canvas.seen_in(scene)
        taken = self._judged(patch, self._ratios((patch,), canvas), canvas)
        return None if taken.instead is None else self.holds(taken.instead)

    def gone_ratios(self, scene: PlacedPicture) -> dict[int, float]:
        """Return by place, from 0, the log-likelihood ratio gone / there of its first piece, taken or not."""
        canvas = self._canvas.seen_in(scene)
        if canvas is None:
            return {}
        return {n: self._ratio_there(n, canvas) for n, place in enumerate(self._places) if place.spot is not None}

    def record_taken(self, patch: str, scene: PlacedPicture) -> SeenPurchase:
        """Record that a patch was taken, and return what the circle shows of it."""
        canvas = self._canvas.seen_in(scene)
        # Before it is recorded: from then on the place counts as empty.
        taken = self._judged(patch, self._ratios((patch,), canvas), canvas)
        place = taken.place if taken.instead is None else taken.instead
        # If only a part of the circle was seen, neither its order nor its beginning is reliable.
        is_whole = self._stands_at is not None and len(self._places) >= len(PATCHES)
        if is_whole and taken.seen and taken.place not in self._on_offer():
            taken = replace(taken, is_beyond=True)
        self._take(patch, place)
        return taken

    def record_taken_before(self, patch: str) -> None:
        """Record that a patch was taken before the circle was watched; the place is known only by a certain name."""
        self._take(patch, next((number for number in self._lying if self.holds(number) == patch), None))

    def record_pass(self) -> None:
        """Record a decision that took no patch."""
        self._remember(None)

    def record_undo(self) -> None:
        """Record that the latest decision was undone: its piece lies in the circle again."""
        if not self._before:
            return
        before = self._before.pop()
        self._stands_at, self._taken = before.stood_at, before.taken
        for place, chances in zip(self._places, before.chances, strict=True):
            place.chances = dict(chances)
        if before.place is not None:
            self._places[before.place].gone = False
            # It will not be laid back exactly as it lay.
            self._places[before.place].is_astray = True

    def holds(self, place: int) -> str | None:
        """Return the patch that certainly lies in a place, counted from 0, or None if that is not certain."""
        return self._places[place].certain

    # ------------------------------------------------------------------ what was pushed aside

    def follow(self, scene: PlacedPicture) -> FollowedPieces:
        """Look at every piece that should lie in the circle, in a picture at rest, and search for one missing piece.

        Until `is_done`, each further step with a picture of the same rest searches for one more.
        """
        canvas = self._canvas.seen_in(scene)
        moved: dict[int, float] = {}
        if canvas is None:
            self.restart()
            return FollowedPieces(moved, is_done=True)
        if not self._waiting:
            self._look_at_all(canvas, moved)
        if self._waiting:
            number = self._waiting.popleft()
            if (strayed := self._search(number, canvas)) is not None:
                moved[number] = strayed.moved_cells
            elif self._ratio_there(number, canvas) >= _SEEN_GONE:
                self._lost.add(number)
        if not self._waiting:
            self._look_for_pawn(canvas)
        return FollowedPieces(moved, is_done=not self._waiting)

    def restart(self) -> None:
        """Restart, so that the next step looks at every piece again, because the table has changed."""
        self._waiting.clear()

    @property
    def lost(self) -> tuple[int, ...]:
        """The numbers of the places, from 0, whose pieces lie neither there nor nearby, though nothing covers them."""
        return tuple(sorted(self._lost))

    def out_of_order(self) -> tuple[int, ...]:
        """Return the numbers of the places, from 0, whose pieces are certainly out of order."""
        lying = {
            number: place.spot.middle / CELL_PX
            for number, place in enumerate(self._places)
            if place.spot is not None and not (place.gone or place.is_astray or number in self._lost)
        }
        return self._orders.out_of_order(lying)

    @property
    def pawn_astray(self) -> tuple[int, int] | None:
        """The gaps in which the neutral token should stand and stands; None unless that changes the patches on offer.

        Each is the number, from 0, of the place that became empty there, or `START`.
        """
        booked, stands = self._stands_at, self.pawn_at
        if booked is None or stands is None or not self._orders.lie_between(booked, stands, self._lying):
            return None
        return booked, stands

    def _look_for_pawn(self, canvas: SeenCanvas) -> None:
        """Find the gap in which the neutral token stands."""
        self.pawn_at = self._pawn.look(canvas.relit, self._gaps(canvas), self._stands_at)

    def _gaps(self, canvas: SeenCanvas) -> dict[int, NDArray[np.bool_]]:
        """Return the masks of where the neutral token may stand, by number of the place emptied there, or `START`."""
        shape = self._canvas.shape
        outlines = [each.spot.outline if each.spot else self._canvas.outlines[n] for n, each in enumerate(self._places)]
        lying = [outline for outline, place in zip(outlines, self._places, strict=True) if not place.gone]
        left = {n: outlines[n] for n, place in enumerate(self._places) if place.gone and place.spot is not None}
        if self._token is not None:
            left[START] = self._token + _AROUND_TOKEN
        taken = filled(lying, shape, _OFF_PIECES_CELLS) | filled(canvas.quilts, shape)
        return {number: filled([outline], shape, _AROUND_GAP_CELLS) & ~taken for number, outline in left.items()}

    def _look_at_all(self, canvas: SeenCanvas, moved: dict[int, float]) -> None:
        """Follow the pieces that have slid a little, and queue those to be searched for."""
        self._lost.clear()
        for number, place in enumerate(self._places):
            compared = None if place.gone or place.spot is None else compare(place.spot, canvas.view, canvas.light)
            if compared is None or place.spot is None:
                continue
            if is_worth_a_search(compared):
                self._waiting.append(number)
            elif gone_ratio(compared) <= _SEEN_THERE:
                place.is_astray = False
                slid = find_slid(place.spot, canvas.view, canvas.light, compared.slid) if has_slid(compared) else None
                if slid is not None:
                    place.spot = slid.spot
                    moved[number] = slid.moved_cells

    def _search(self, number: int, canvas: SeenCanvas) -> Strayed | None:
        """Search for a piece around its place, and follow it there."""
        place = self._places[number]
        if place.spot is None:
            return None
        others = [
            each.spot.outline
            for other, each in enumerate(self._places)
            if other != number and each.spot is not None and not self._is_away(other)
        ]
        strayed = find_strayed(place.spot, canvas.view, canvas.light, [*others, *canvas.quilts])
        if strayed is not None:
            place.spot, place.is_astray = strayed.spot, False
        return strayed

    def _is_away(self, number: int) -> bool:
        """Return whether a piece is known to be away from its place."""
        place = self._places[number]
        return place.gone or place.is_astray or number in self._lost or number in self._waiting

    # ------------------------------------------------------------------ how likely it is

    def _take(self, patch: str, place: int | None) -> None:
        """Record that a patch was taken from a place, or from an unknown one if `place` is None."""
        # First, because an undo restores what was known before.
        self._remember(place)
        self._stands_at = place
        self._taken += 1
        if place is not None:
            self._places[place].gone = True
            self._lost.discard(place)
            self.set_patch(place, patch)

    def _remember(self, place: int | None) -> None:
        chances = tuple(dict(each.chances) for each in self._places)
        self._before.append(Before(place, self._stands_at, self._taken, chances))

    def _judged(self, patch: str, ratios: Mapping[int, float], canvas: SeenCanvas | None) -> SeenPurchase:
        still = next((n for n in ratios if self.holds(n) == patch and ratios[n] <= _SEEN_THERE), None)
        if still is not None:
            return SeenPurchase(None, still=still, instead=self._gone_instead(still, canvas))
        weights = self._weights(patch, ratios)
        best = max(weights, key=lambda number: weights[number], default=None)
        if best is None or weights[best] < CERTAIN * (sum(weights.values()) + self._unseen(patch)):
            return SeenPurchase(None)
        plausible = self._places[best].chances[patch] >= _PLAUSIBLE
        return SeenPurchase(best, seen=plausible and ratios[best] >= _SEEN_GONE)

    def _gone_instead(self, still: int, canvas: SeenCanvas | None) -> int | None:
        """Return the one place on offer from which a piece has gone although the decision took another, or None."""
        near = [number for number in self._on_offer() if number != still]
        gone = [number for number in near if self._ratio(number, canvas) >= _SEEN_GONE]
        return gone[0] if len(gone) == 1 else None

    def _ratios(self, patches: Sequence[str], canvas: SeenCanvas | None) -> dict[int, float]:
        """Return the log-likelihood ratio gone / there of each place that may hold one of the patches."""
        return {
            number: self._ratio(number, canvas)
            for number, each in enumerate(self._places)
            if not each.gone and any(patch in each.chances for patch in patches)
        }

    def _ratio(self, number: int, canvas: SeenCanvas | None) -> float:
        """Return the log-likelihood ratio gone / there of a piece, which may have been pushed aside."""
        place = self._places[number]
        if canvas is None or place.spot is None or place.is_astray:
            return 0.0
        compared = compare(place.spot, canvas.view, canvas.light)
        if compared is None:
            return 0.0
        # A lost piece was searched for in vain at this rest.
        if number not in self._lost and is_worth_a_search(compared) and self._search(number, canvas) is not None:
            return MOST_THERE
        return gone_ratio(compared)

    def _ratio_there(self, number: int, canvas: SeenCanvas) -> float:
        """Return the log-likelihood ratio gone / there of a piece at exactly its place."""
        spot = self._places[number].spot
        compared = None if spot is None else compare(spot, canvas.view, canvas.light)
        return 0.0 if compared is None else gone_ratio(compared)

    def _weights(self, patch: str, ratios: Mapping[int, float]) -> dict[int, float]:
        """Return the weight of each place as the source of the patch, by the evidence and the patches on offer."""
        near = self._on_offer()
        penalty = _BY_TOKEN if self._stands_at is None else _OUT_OF_ORDER
        return {
            number: self._places[number].chances[patch] * float(np.exp(ratio - (0.0 if number in near else penalty)))
            for number, ratio in ratios.items()
            if patch in self._places[number].chances
        }

    def _unseen(self, patch: str) -> float:
        """Return the probability, above zero, that a patch is none of the seen pieces."""
        return max(0.0, 1 - sum(each.chances.get(patch, 0.0) for each in self._places if not each.gone)) + _LEAST

    def _on_offer(self) -> frozenset[int]:
        """Return the places behind the neutral token, or all of them if its position is unknown.

        If the decisions do not determine its position, it is where the token was seen at the last rest. Pieces that
        were not seen may lie between the others, or an object that is no piece, or a place may have become empty at an
        unknown time: as many more places may be on offer.
        """
        stands_at = self.pawn_at if self._stands_at is None else self._stands_at
        if stands_at is None:
            return frozenset(self._lying)
        unplaced = self._taken - sum(place.gone for place in self._places)
        return self._orders.behind(stands_at, self._lying, ON_OFFER + abs(len(PATCHES) - len(self._places)) + unplaced)

    @property
    def _lying(self) -> list[int]:
        """The numbers of the places, from 0, whose pieces were not taken."""
        return [number for number, each in enumerate(self._places) if not each.gone]
