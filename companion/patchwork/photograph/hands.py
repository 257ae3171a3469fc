"""The buttons that each player has in hand, read from the tokens in a photograph."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.mat import load_mats
from companion.games.patchwork.components import TIME_TRACKS
from companion.patchwork.photograph.photo import SeenQuilt
from vision.fiducials import FiducialDetector
from vision.geometry import GRID_CORNERS, FailedFit, Homography
from vision.timeboard.board import known_layouts
from vision.timeboard.finding import find_time_board
from vision.tokens.discs import Disc, SeenDiscs, find_discs
from vision.tokens.heaps import Heap, HeapDoubt, find_heaps
from vision.tokens.kinds import AnyKind, known_kinds
from vision.tokens.tiles import Tile, find_tiles


def time_board_in(image: NDArray[np.uint8], boards: Sequence[Homography]) -> Homography | None:
    """Return the map from a time board's space to a photograph, or None if no board of a known printing is found.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        boards: the maps from each quilt board's cell space to the photograph.
    """
    # A photograph does not say which edition it shows, and their marks differ.
    for track in TIME_TRACKS.values():
        found = find_time_board(image, boards, track.income, track.leather, known_layouts())
        if not isinstance(found, FailedFit):
            return found.place
    return None


# Distance from its middle to a board's grid beyond which it is no player's; two recordings and a photograph had 4 to
# 7.5.
_REACH_CELLS: Final = 8.0
# The distance by which it lies nearer to its owner's board than to the other one.
_NEARER_CELLS: Final = 1.0
# Log-odds below which an object is certainly no patch: the tile had -3.5 on two recordings and -1.2 in a photograph, a
# patch of two by two cells 0.3.
_NO_PATCH: Final = -1.0
# Log-odds from which an object is a patch of any shape: the tile had up to 0.3 on simulated tables, patches 4 to 6.
_A_PATCH: Final = 2.0
LIKE_IT: Final = "square"
"""The patch of two by two cells, which may be mistaken for the tile while it lies on neither quilt."""


def seat_of_tile(image: NDArray[np.uint8], quilts: Sequence[SeenQuilt]) -> int | None:
    """Return the seat whose board the 7x7 tile lies beside in a photograph, or None if that is not certain."""
    is_sewn = any(piece.patch == LIKE_IT for quilt in quilts for piece in quilt.pieces)
    return owner_in(image, {quilt.seat: quilt.place for quilt in quilts}, is_square_sewn=is_sewn)


def owner_in(image: NDArray[np.uint8], places: Mapping[int, Homography], *, is_square_sewn: bool) -> int | None:
    """Return the seat that has the tile in a photograph, as `owner_of` does, given by seat the boards' places in it."""
    boards, seats = list(places.values()), list(places)
    if owner_of(find_tiles(image, boards), seats, is_square_sewn=is_square_sewn) is None:
        return None
    # Only now is it worth a second to check whether it lies by the time board.
    tiles = find_tiles(image, boards, time_board_in(image, boards))
    return owner_of(tiles, seats, is_square_sewn=is_square_sewn)


def owner_of(tiles: Sequence[Tile], seats: Sequence[int], *, is_square_sewn: bool) -> int | None:
    """Return the seat of the only object that may be the tile; None if there is none, several, or it lies between.

    A tile nearer to the time board than to a player's board has not been won.

    Args:
        tiles: the objects of its size.
        seats: the seats of the boards from which they were measured, in the same order.
        is_square_sewn: whether the patch that looks like it (`LIKE_IT`) certainly lies on a quilt.
    """
    near = [tile for tile in tiles if min(tile.away_cells) < _REACH_CELLS and tile.piece < _A_PATCH]
    if len(near) != 1 or (near[0].piece >= _NO_PATCH and not is_square_sewn):
        return None
    if near[0].piece > min(tile.piece for tile in tiles):
        # An object elsewhere is less like a patch: that one is the tile.
        return None
    own, other = sorted(zip(near[0].away_cells, seats, strict=True))
    is_won = own[0] < near[0].off_track_cells
    return own[1] if is_won and other[0] - own[0] >= _NEARER_CELLS else None


REACH_CELLS: Final = 7.0
"""Distance from a board beyond which tokens are no player's; on table recordings they lay 1.0 to 5.0 cells away."""
# Factor and excess by which the bank has more tokens than any player; on five recordings it had 1.8 to 3 times.
_BANK: Final = (1.5, 2)
# Value of `Disc.beside` that some token of a heap must stay below; otherwise it is print on patches, or flowers.
_BARE: Final = 0.3
# Doubts that together leave open whether there are tokens at all: of ten such heaps before players in 23 photographs,
# nine were buttons printed on patches, squares of a time board, or flowers of a cloth.
_PERHAPS_NONE: Final = frozenset({HeapDoubt.OTHERS, HeapDoubt.UNKNOWN})
# Width of a time board's outline, in widths of its printed area.
_TRACK: Final = 1.1


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
    """Return by seat the tokens before each player who certainly has any; `places` are as for `see_heaps`."""
    hands = hands_of(see_heaps(image, places))
    return {seat: hand for seat, hand in hands.items() if not set(hand.doubts) >= _PERHAPS_NONE}


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
    seen = _off_markers(find_discs(image, list(places.values())), image)
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


def _off_markers(seen: SeenDiscs, image: NDArray[np.uint8]) -> SeenDiscs:
    """Return the discs without those in the markers of mats, whose black squares may look like tokens."""
    if not seen.discs:
        return seen
    quads = [quad.astype(np.float32) for quad in FiducialDetector(load_mats()[0].dictionary).detect(image).values()]
    middles = seen.view.to_image(np.array([disc.middle for disc in seen.discs]))
    off = (
        all(cv2.pointPolygonTest(quad, (float(x), float(y)), measureDist=False) < 0 for quad in quads)
        for x, y in middles
    )
    return SeenDiscs(tuple(disc for disc, is_off in zip(seen.discs, off, strict=True) if is_off), seen.view)


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
