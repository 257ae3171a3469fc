"""Heaps of neighbouring tokens, and doubts about their value."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import reductions
from vision.tokens.discs import Disc, SeenDiscs
from vision.tokens.kinds import AnyKind, kind_of

NEAR_CELLS: Final = 4.0
"""Distance below which two tokens are in one heap. On table recordings gaps within a heap were 2.5 cells at most, gaps
between a player's and the bank's 5.3 at least.
"""
# Share of a rim with something beside it from which there may be a token below. Of those lying on another each had 0.19
# and more; of single ones on plain cloth or wood a few had as much, those with a shadow or a neighbour.
_BESIDE: Final = 0.15
# Lightness of the shadow below which there may be two tokens of one size exactly on one another: they had 0.37 to 0.74
# of the ground's lightness beside the rim, single ones 0.82 and more.
_SHADE: Final = 0.81
# `Disc.even` below which a rim is of two tokens: two almost on one another had 0.59 and 0.66, single ones 0.7.
_EVEN: Final = 0.68
# Ratio to its kind's median radius from which a token may have another one under it that sticks out.
_LARGER: Final = 1.09
# The greatest number of tokens in a heap; a print that resembles them has more.
_MOST: Final = 40
# Distance from the picture's edge below which a token may have unseen neighbours: the widest gap within a heap.
_EDGE_CELLS: Final = 2.6
# Width of the strip along the picture's edge in which a token that is cut off would be visible.
_STRIP_CELLS: Final = 0.8
# Margin around a token within which other objects belong to its heap.
_MARGIN_CELLS: Final = 1.5
# Difference of an object from the ground in CIELAB units, with half the weight of lightness.
_FOREIGN: Final = 16.0
# Area in cells from which an object is no stain or grain.
_FOREIGN_CELLS: Final = 0.12
_COLOURS: Final = np.array([0.5, 1.0, 1.0])
_SMOOTH_CELLS: Final = 0.08
# A board's outline and its shadow, in widths of its grid.
_BOARD: Final = 1.08
# Margin around a token that contains its side and its shadow.
_RIM_CELLS: Final = 0.3


class HeapDoubt(StrEnum):
    """A reason for an uncertain value of a heap."""

    STACKED = "stacked"
    UNKNOWN = "unknown"
    HIDDEN = "hidden"
    AT_EDGE = "at-edge"
    MANY = "many"
    OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Heap:
    """A group of neighbouring tokens.

    Attributes:
        discs: the visible tokens.
        counts: numbers of visible tokens by value, largest value first.
        doubts: reasons for more or other tokens; empty if the value is certain.
    """

    discs: tuple[Disc, ...]
    counts: Mapping[int, int]
    doubts: frozenset[HeapDoubt]

    @property
    def value(self) -> int:
        """The value of the visible tokens."""
        return sum(value * count for value, count in self.counts.items())

    def distance(self, outline: NDArray[np.float64]) -> float:
        """Return the distance in cells between an outline (n, 2) in table space and the nearest token's middle."""
        return distance_cells(self.discs, outline)


def distance_cells(discs: Sequence[Disc], outline: NDArray[np.float64]) -> float:
    """Return the distance between an outline (n, 2) in table space and the nearest disc's middle."""
    polygon = outline.astype(np.float32)
    return max(0.0, -max(cv2.pointPolygonTest(polygon, disc.middle, measureDist=True) for disc in discs))


def find_heaps(seen: SeenDiscs, kinds: Sequence[AnyKind]) -> tuple[Heap, ...]:
    """Return the heaps of tokens, largest first.

    Args:
        seen: the discs on a table.
        kinds: the kinds of the set.
    """
    kind_by_disc = {disc: kind_of(disc, kinds) for disc in seen.discs}
    discs = {disc if kind is None else kind.evened(disc): kind for disc, kind in kind_by_disc.items()}
    tokens = {disc: kind for disc, kind in discs.items() if kind is not None}
    seen = SeenDiscs(tuple(discs), seen.view)
    radii = {
        kind: float(np.median([disc.radius_cells for disc in tokens if tokens[disc] == kind]))
        for kind in kinds
        if kind in tokens.values()
    }
    wide = frozenset(disc for disc, kind in tokens.items() if disc.radius_cells > _LARGER * radii[kind])
    heaps = [_heap(group, tokens, wide, seen) for group in together(tuple(tokens))]
    return tuple(sorted(heaps, key=lambda heap: -len(heap.discs)))


def together(discs: Sequence[Disc]) -> list[tuple[Disc, ...]]:
    """Return the discs grouped into heaps."""
    groups: list[tuple[Disc, ...]] = []
    for disc in discs:
        near = [group for group in groups if any(disc.off(other) < NEAR_CELLS for other in group)]
        apart = [group for group in groups if group not in near]
        groups = [*apart, (disc, *(each for group in near for each in group))]
    return groups


def _heap(group: tuple[Disc, ...], tokens: Mapping[Disc, AnyKind], wide: frozenset[Disc], seen: SeenDiscs) -> Heap:
    counts = Counter(tokens[disc].value for disc in group)
    doubts = set[HeapDoubt]()
    if any(_may_hide_another(disc) for disc in group) or wide.intersection(group) or _overlap(group):
        doubts.add(HeapDoubt.STACKED)
    if not all(disc.is_whole for disc in group):
        doubts.add(HeapDoubt.HIDDEN)
    if any(disc not in tokens and any(disc.off(token) < NEAR_CELLS / 2 for token in group) for disc in seen.discs):
        doubts.add(HeapDoubt.UNKNOWN)
    if len(group) > _MOST:
        doubts.add(HeapDoubt.MANY)
    if not _all_seen(np.array([disc.middle for disc in group]), _EDGE_CELLS, seen):
        doubts.add(HeapDoubt.AT_EDGE)
    if _is_cut_off(group, seen):
        doubts |= {HeapDoubt.AT_EDGE, HeapDoubt.HIDDEN}
    if _others(group, seen):
        doubts.add(HeapDoubt.OTHERS)
    return Heap(group, dict(sorted(counts.items(), reverse=True)), frozenset(doubts))


def _may_hide_another(disc: Disc) -> bool:
    return disc.beside >= _BESIDE or disc.shade < _SHADE or disc.even < _EVEN


def _overlap(group: Sequence[Disc]) -> bool:
    pairs = ((one, other) for number, one in enumerate(group) for other in group[:number])
    return any(one.off(other) < 0.9 * (one.radius_cells + other.radius_cells) for one, other in pairs)


def _is_cut_off(group: Sequence[Disc], seen: SeenDiscs) -> bool:
    """Return whether an object near a heap, perhaps a token of it, is cut off by the photograph's edge."""
    around = _around(group, seen, NEAR_CELLS)
    strip = round(_STRIP_CELLS * around.cell_px)
    inner = cv2.erode(around.seen.astype(np.uint8), np.ones((2 * strip + 1, 2 * strip + 1), np.uint8)) > 0
    return not inner.all() and _foreign(replace(around, bare=around.bare & ~inner), around.ground)


def _all_seen(middles: NDArray[np.float64], reach: float, seen: SeenDiscs) -> bool:
    """Return whether the surroundings of some points (n, 2) are in the photograph."""
    height, width = seen.view.seen.shape
    directions = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    around = reach * np.stack([np.cos(directions), np.sin(directions)], axis=1)
    points = ((middles[:, None] + around) * seen.view.cell_px).astype(int)
    if (points < 0).any() or (points >= [width, height]).any():
        return False
    return bool(seen.view.seen[points[..., 1], points[..., 0]].all())


@dataclass(frozen=True, slots=True, eq=False)
class _Around:
    """The table near a heap: its colours, CIELAB, the ground's, and the masks of the picture and of bare ground.

    The bare ground is near the heap, and covered by neither tokens nor boards.
    """

    lab: NDArray[np.float32]
    ground: NDArray[np.float32]
    seen: NDArray[np.bool_]
    bare: NDArray[np.bool_]
    cell_px: int


def _around(group: Sequence[Disc], seen: SeenDiscs, reach: float) -> _Around:
    px, view = seen.view.cell_px, seen.view
    middles = np.array([disc.middle for disc in group])
    low = np.floor((middles.min(axis=0) - reach) * px).astype(int)
    high = np.ceil((middles.max(axis=0) + reach) * px).astype(int)
    size = tuple((high - low).tolist())
    shift = np.array([[1.0, 0.0, -low[0]], [0.0, 1.0, -low[1]]])
    picture = cv2.warpAffine(view.picture, shift, size, borderMode=cv2.BORDER_REPLICATE)
    shown = cv2.warpAffine(view.seen.astype(np.uint8), shift, size, flags=cv2.INTER_NEAREST) > 0
    near, tokens = (np.zeros(size[::-1], np.uint8) for _ in range(2))
    for disc in group:
        x, y = (np.array(disc.middle) * px - low).round().astype(int).tolist()
        cv2.circle(near, (x, y), round(reach * px), 1, -1)
        cv2.circle(tokens, (x, y), round((disc.radius_cells + _RIM_CELLS) * px), 1, -1)
    bare = (near > 0) & (tokens == 0) & shown & ~_outlines(view.boards, low, px, size)
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32)
    smooth = np.asarray(cv2.GaussianBlur(lab, (0, 0), _SMOOTH_CELLS * px), np.float32)
    ground = np.median(smooth[bare], axis=0) if bare.any() else smooth[0, 0]
    return _Around(smooth, np.asarray(ground, np.float32), np.asarray(shown), np.asarray(bare), px)


def _outlines(
    boards: Sequence[NDArray[np.float64]], low: NDArray[np.int_], px: int, size: tuple[int, ...]
) -> NDArray[np.bool_]:
    mask = np.zeros(size[::-1], np.uint8)
    for corners in boards:
        middle = corners.mean(axis=0)
        cv2.fillConvexPoly(mask, np.round((middle + _BOARD * (corners - middle)) * px - low).astype(np.int32), 1)
    return np.asarray(mask > 0)


def _others(group: Sequence[Disc], seen: SeenDiscs) -> bool:
    """Return whether other objects lie among the tokens: a tile, a token that is not a disc, a patch."""
    around = _around(group, seen, _MARGIN_CELLS)
    return int(np.count_nonzero(around.bare)) < around.cell_px**2 or _foreign(around, around.ground)


def _foreign(around: _Around, ground: NDArray[np.float32]) -> bool:
    """Return whether an object lies on the supposedly bare ground."""
    away = reductions.length((around.lab - ground) * _COLOURS)
    foreign = ((away > _FOREIGN) & around.bare).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(foreign)
    return bool((stats[1:, cv2.CC_STAT_AREA] > _FOREIGN_CELLS * around.cell_px**2).any())
