"""A watch over the circle during play: the piece that has gone shows which patch was taken.

What it sees is evidence and never a verdict: if a hand is over a place, or the boards have moved each its own way,
it says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from calibration.locator import SEATS
from companion.games.patchwork import PATCHES
from vision.geometry.rectify import SIDE
from vision.table.shift import table_shift
from vision.table.spots import compare, light_between, spot_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from vision.geometry.homography import Homography
    from vision.table.placed import PlacedPicture
    from vision.table.spots import Glance, Spot

ON_OFFER: Final = 3
"""Pieces behind the neutral token that may be taken (rulebook, action B)."""
_OUT_OF_ORDER: Final = 4.0
"""By how much a piece further round is less likely taken than one on offer, before anybody looks: people err."""
_EVEN: Final = 0.65
_PER_CORRELATION: Final = 12.0
_MOST_GONE, _MOST_THERE = 4.0, -4.0
_COVERED: Final = 0.3
"""Log-likelihood ratio gone / there of a place: nought where it correlates like this, and its limits; where more than
that share of the table around looks different, something is over it. Of 716 pieces that lay there uncovered every one
correlated by 0.91 and more, of 273 that had gone every one by 0.37 and less, under other light, too."""
_LEAST: Final = 1e-3
_SEEN_GONE: Final = 2.5
_SEEN_THERE: Final = -2.5
_CERTAIN: Final = 0.95
_PLAUSIBLE: Final = 0.3


@dataclass(frozen=True, slots=True)
class SeenPurchase:
    """The change of the circle at a purchase.

    Attributes:
        place: the number of the place, from 0, that was left empty, or None if that is not certain.
        seen: whether the piece was seen to be gone from there.
        still: the place where the patch of the decision certainly still lies, or None.
        instead: the place from which another piece has certainly gone instead, or None.
    """

    place: int | None
    seen: bool = False
    still: int | None = None
    instead: int | None = None


@dataclass(slots=True)
class _WatchedPlace:
    """A place of the circle: its spot, or None if it cannot be watched; what lies there; whether it has gone."""

    spot: Spot | None
    chances: dict[str, float]
    gone: bool = False


@dataclass(frozen=True, slots=True)
class _Before:
    """The state before a decision, restored when it is undone."""

    place: int | None
    stood_at: int | None
    chances: tuple[dict[str, float], ...]


class CircleWatch:
    """The circle as it was seen before the first move, and the pieces that have gone since.

    Args:
        scene: the picture in which it was seen.
        outlines_px: of the pieces, clockwise, each of shape (n, 2).
        chances: for each piece how likely it is each patch, as far as that is known.
        begins: whether the first piece is the one behind the neutral token.
    """

    def __init__(
        self,
        scene: PlacedPicture,
        outlines_px: Sequence[NDArray[np.float64]],
        chances: Sequence[Mapping[str, float]],
        *,
        begins: bool,
    ) -> None:
        self._image, self._boards = scene.image, dict(scene.boards)
        cell_px = _cell_px(self._boards)
        self._places = []
        for number, (outline, likely) in enumerate(zip(outlines_px, chances, strict=True)):
            others = [*outlines_px[:number], *outlines_px[number + 1 :]]
            self._places.append(_WatchedPlace(spot_of(scene.image, outline, cell_px, others), dict(likely)))
        self._before: list[_Before] = []
        self._stands_at: int | None = -1 if begins else None

    def named(self, place: int, patch: str | None) -> None:
        """Set the patch in a place, counted from 0; None: no patch of the game."""
        for number, each in enumerate(self._places):
            if number == place:
                each.chances = {} if patch is None else {patch: 1.0}
            elif patch is not None:
                each.chances.pop(patch, None)

    def likelihoods(self, patches: Sequence[str], scene: PlacedPicture) -> NDArray[np.float64]:
        """Return how likely each patch is the one that has just been taken, by what the circle shows now.

        Args:
            patches: the candidates.
            scene: the table now.

        Returns:
            Log-likelihoods, one a candidate; only their differences mean anything.
        """
        ratios = self._ratios(patches, scene)
        return np.log([sum(self._weights(patch, ratios).values()) + self._unseen(patch) for patch in patches])

    def took(self, patch: str, scene: PlacedPicture) -> SeenPurchase:
        """Record that a patch was taken, and return what the circle shows of it."""
        ratios = self._ratios((patch,), scene)
        taken = self._judged(patch, ratios, scene)
        self._remember(taken.place)
        self._stands_at = taken.place
        if taken.place is not None:
            self._places[taken.place].gone = True
            self.named(taken.place, patch)
        return taken

    def passed(self) -> None:
        """Record a decision that took no patch."""
        self._remember(None)

    def undone(self) -> None:
        """Record that the latest decision was undone: its piece lies in the circle again."""
        if not self._before:
            return
        before = self._before.pop()
        self._stands_at = before.stood_at
        for place, chances in zip(self._places, before.chances, strict=True):
            place.chances = dict(chances)
        if before.place is not None:
            self._places[before.place].gone = False
            # It will not be laid back exactly as it lay.
            self._places[before.place].spot = None

    def holds(self, place: int) -> str | None:
        """Return the patch that certainly lies in a place, counted from 0, or None if that is not certain."""
        chances = self._places[place].chances
        return next((patch for patch, chance in chances.items() if chance >= _CERTAIN), None)

    def _remember(self, place: int | None) -> None:
        chances = tuple(dict(each.chances) for each in self._places)
        self._before.append(_Before(place, self._stands_at, chances))

    def _judged(self, patch: str, ratios: Mapping[int, float], scene: PlacedPicture) -> SeenPurchase:
        still = next((n for n in ratios if self.holds(n) == patch and ratios[n] <= _SEEN_THERE), None)
        if still is not None:
            return SeenPurchase(None, still=still, instead=self._gone_instead(still, scene))
        weights = self._weights(patch, ratios)
        best = max(weights, key=lambda number: weights[number], default=None)
        if best is None or weights[best] < _CERTAIN * (sum(weights.values()) + self._unseen(patch)):
            return SeenPurchase(None)
        plausible = self._places[best].chances[patch] >= _PLAUSIBLE
        return SeenPurchase(best, seen=plausible and ratios[best] >= _SEEN_GONE)

    def _gone_instead(self, still: int, scene: PlacedPicture) -> int | None:
        """Return the one place on offer from which a piece has gone although the decision took another, or None."""
        look = self._look(scene)
        near = [number for number in self._on_offer() if number != still]
        gone = [number for number in near if self._ratio(number, look) >= _SEEN_GONE]
        return gone[0] if len(gone) == 1 else None

    def _ratios(self, patches: Sequence[str], scene: PlacedPicture) -> dict[int, float]:
        """Return the log-likelihood ratio gone / there of each place that may hold one of the patches."""
        look = self._look(scene)
        return {
            number: self._ratio(number, look)
            for number, each in enumerate(self._places)
            if not each.gone and any(patch in each.chances for patch in patches)
        }

    def _look(self, scene: PlacedPicture) -> Callable[[Spot], Glance | None]:
        """Return a function that compares a spot with the table now; it returns None if nothing can be said."""
        shift = table_shift(self._boards, scene.boards)
        if shift is None:
            return lambda _: None
        light = light_between(self._image, scene.image)
        return lambda spot: compare(spot, scene.image, shift, light)

    def _ratio(self, number: int, look: Callable[[Spot], Glance | None]) -> float:
        spot = self._places[number].spot
        glance = None if spot is None else look(spot)
        return 0.0 if glance is None else gone_ratio(glance)

    def _weights(self, patch: str, ratios: Mapping[int, float]) -> dict[int, float]:
        """Return the weight of each place as the one that the patch was taken from, by what is seen."""
        near = self._on_offer()
        return {
            number: self._places[number].chances[patch]
            * float(np.exp(ratio - (0.0 if number in near else _OUT_OF_ORDER)))
            for number, ratio in ratios.items()
            if patch in self._places[number].chances
        }

    def _unseen(self, patch: str) -> float:
        """Return how likely a patch is none of the pieces that were seen, and not quite impossible."""
        return max(0.0, 1 - sum(each.chances.get(patch, 0.0) for each in self._places if not each.gone)) + _LEAST

    def _on_offer(self) -> frozenset[int]:
        """Return the places behind the neutral token, or all of them if its position is unknown.

        Pieces that were not seen may lie between: as many more places may be on offer.
        """
        lying = [number for number, each in enumerate(self._places) if not each.gone]
        stands_at = self._stands_at
        if stands_at is None:
            return frozenset(lying)
        behind = sorted(lying, key=lambda number: (number - stands_at - 1) % len(self._places))
        return frozenset(behind[: ON_OFFER + max(0, len(PATCHES) - len(self._places))])


def gone_ratio(glance: Glance) -> float:
    """Return the log-likelihood ratio gone / there of a place; 0 if something covers it."""
    ratio = float(np.clip(_PER_CORRELATION * (_EVEN - glance.alike), _MOST_THERE, _MOST_GONE))
    return ratio * max(0.0, 1 - glance.disturbed / _COVERED)


def _cell_px(boards: Mapping[int, Homography]) -> float:
    """Return how large a cell looks, in pixels."""
    corners = np.array([[0.0, 0.0], [SIDE, 0.0], [SIDE, SIDE], [0.0, SIDE]])
    sides = [boards[seat](corners) - np.roll(boards[seat](corners), 1, axis=0) for seat in SEATS if seat in boards]
    return float(np.mean(np.hypot(*np.concatenate(sides).T)) / SIDE)
