"""The buttons that each player has in hand, read from the tokens in a photograph."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.patchwork.photograph.time_board import time_board_in
from vision.geometry.rectify import GRID_CORNERS
from vision.tokens.discs import SeenDiscs, find_discs
from vision.tokens.heaps import HeapDoubt, find_heaps
from vision.tokens.kinds import known_kinds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from vision.geometry.homography import Homography
    from vision.tokens.discs import Disc
    from vision.tokens.heaps import Heap
    from vision.tokens.kinds import AnyKind

REACH_CELLS: Final = 7.0
"""Distance from a board beyond which tokens are no player's; on table recordings they lay 1.0 to 5.0 cells away."""
_BANK: Final = (1.5, 2)
"""Factor and excess by which the bank has more tokens than any player; on five recordings it had 1.8 to 3 times."""
_BARE: Final = 0.3
"""Value of `Disc.beside` that some token of a heap must stay below; otherwise it is print on patches, or flowers."""
_TRACK: Final = 1.1
"""Width of a time board's outline, in widths of its printed area."""


class HandDoubt(StrEnum):
    """A reason why a player's buttons are not sure although each visible token is."""

    WHICH_HEAP = "which-heap"
    OTHER_NOT_SEEN = "other-not-seen"


@dataclass(frozen=True, slots=True)
class SeenHand:
    """The tokens before one player.

    Attributes:
        seat: the player's seat.
        tokens: the number of visible tokens by value, the largest value first.
        doubts: codes of the reasons why these may not be all, or not the player's; empty if they are sure.
        discs_px: (x, y, radius) of each token in the photograph.
        is_learnt: whether it was learnt in play that this player's tokens lie there.
    """

    seat: int
    tokens: Mapping[int, int]
    doubts: tuple[str, ...]
    discs_px: tuple[tuple[float, float, float], ...] = ()
    is_learnt: bool = False

    @property
    def value(self) -> int:
        """The value of the visible tokens."""
        return sum(value * count for value, count in self.tokens.items())

    @property
    def sure(self) -> bool:
        """True if these are certainly the player's buttons, all of them and no others."""
        return not self.doubts

    @property
    def is_least(self) -> bool:
        """True if these are certainly the player's buttons, though others may lie under them."""
        return self.is_learnt and set(self.doubts) <= {HeapDoubt.STACKED}


@dataclass(frozen=True, slots=True, eq=False)
class SeenHeaps:
    """The heaps of tokens in a photograph, without the markers on a time board.

    Attributes:
        heaps: the heaps, the largest first.
        boards: by seat, the outline of its board, shape (4, 2), in table space.
        discs: the round objects off the time board, and the view in which they were seen.
    """

    heaps: tuple[Heap, ...]
    boards: Mapping[int, NDArray[np.float64]]
    discs: SeenDiscs

    def near(self, seat: int) -> tuple[Heap, ...]:
        """Return the heaps that lie within reach of a seat's board."""
        return tuple(heap for heap in self.heaps if heap.distance(self.boards[seat]) <= REACH_CELLS)


def read_hands(image: NDArray[np.uint8], places: Mapping[int, Homography]) -> Mapping[int, SeenHand]:
    """Return by seat the tokens before each player who has any.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        places: by seat, the maps from cell space to pixels of the photograph.
    """
    return hands_of(see_heaps(image, places))


def see_heaps(
    image: NDArray[np.uint8],
    places: Mapping[int, Homography],
    kinds: Sequence[AnyKind] | None = None,
    track: Homography | None = None,
    *,
    looks_for_track: bool = True,
) -> SeenHeaps:
    """Return the heaps of tokens in a photograph.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        places: by seat, the maps from cell space to pixels of the photograph.
        kinds: the kinds of tokens; None for those of the known set.
        track: the place of the time board, or None if unknown.
        looks_for_track: whether an unknown time board is searched for, which takes longer than all else.
    """
    kinds = known_kinds() if kinds is None else kinds
    seen = find_discs(image, list(places.values()))
    # Without heaps there are no markers to exclude either.
    if track is None and looks_for_track and _heaps(seen, kinds):
        track = time_board_in(image, list(places.values()))
    if track is not None:
        seen = SeenDiscs(tuple(disc for disc in seen.discs if not _within(disc, track, seen)), seen.view)
    return SeenHeaps(_heaps(seen, kinds), dict(zip(places, seen.view.boards, strict=True)), seen)


def hands_of(seen: SeenHeaps) -> Mapping[int, SeenHand]:
    """Return by seat the tokens before each player, by their places in this photograph alone."""
    return _hands(seen.heaps, seen.boards, seen.discs) if seen.heaps else {}


def _heaps(seen: SeenDiscs, kinds: Sequence[AnyKind]) -> tuple[Heap, ...]:
    return tuple(heap for heap in find_heaps(seen, kinds) if _is_heap(heap))


def _is_heap(heap: Heap) -> bool:
    return HeapDoubt.MANY not in heap.doubts and any(disc.beside < _BARE for disc in heap.discs)


def _within(disc: Disc, track: Homography, seen: SeenDiscs) -> bool:
    middle = np.mean(GRID_CORNERS, axis=0)
    at = track.inverse(seen.view.to_image(np.array(disc.middle)))
    return bool((np.abs(at - middle) < _TRACK * middle).all())


def _hands(heaps: Sequence[Heap], boards: Mapping[int, NDArray[np.float64]], seen: SeenDiscs) -> Mapping[int, SeenHand]:
    """Assign each heap to the player before whom it lies, except the bank."""
    players = _without_bank(heaps, len(boards))
    near: dict[int, list[Heap]] = {seat: [] for seat in boards}
    for heap in players:
        away = {seat: heap.distance(outline) for seat, outline in boards.items()}
        nearest = min(away, key=lambda seat: away[seat])
        if away[nearest] <= REACH_CELLS:
            near[nearest].append(heap)
    one_each = len(players) == len(boards) and all(len(own) == 1 for own in near.values())
    return {seat: _hand(seat, own, near, seen, one_each=one_each) for seat, own in near.items() if own}


def _hand(
    seat: int, own: Sequence[Heap], near: Mapping[int, Sequence[Heap]], seen: SeenDiscs, *, one_each: bool
) -> SeenHand:
    # `near` has the seats in the order of the view's boards.
    closest = min(own, key=lambda heap: heap.distance(seen.view.boards[list(near).index(seat)]))
    doubts = {doubt.value for doubt in closest.doubts}
    if not one_each:
        alone = not all(near.values())
        doubts.add(HandDoubt.OTHER_NOT_SEEN.value if alone else HandDoubt.WHICH_HEAP.value)
    return SeenHand(seat, closest.counts, tuple(sorted(doubts)), discs_px(closest, seen))


def discs_px(heap: Heap, seen: SeenDiscs) -> tuple[tuple[float, float, float], ...]:
    """Return (x, y, radius) of each token of a heap in the photograph."""
    return tuple(_in_picture(disc, seen) for disc in heap.discs)


def _without_bank(heaps: Sequence[Heap], players: int) -> Sequence[Heap]:
    """Return the heaps without the bank's, if there is one more than players and it is by far the largest."""
    if len(heaps) != players + 1:
        return heaps
    bank, *others = sorted(heaps, key=lambda heap: -len(heap.discs))
    most = max(len(heap.discs) for heap in others)
    times, more = _BANK
    return others if len(bank.discs) >= max(times * most, most + more) else heaps


def _in_picture(disc: Disc, seen: SeenDiscs) -> tuple[float, float, float]:
    x, y = disc.middle
    radius = disc.radius_cells
    middle, *rim = seen.view.to_image(np.array([[x, y], [x + radius, y], [x, y + radius]]))
    return float(middle[0]), float(middle[1]), float(np.mean([np.hypot(*(point - middle)) for point in rim]))
