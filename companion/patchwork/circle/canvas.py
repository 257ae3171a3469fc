"""The table around the circle in a picture: its pieces, their order along the line, and the neutral token."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry import GRID_CORNERS, Homography
from vision.table.plane import CanvasView, PlacedPicture, TableCanvas, table_shift
from vision.table.spots import Glance, Pawn, find_pawn, left_from, light_between, standing_at
from vision.table.stray_search import REACH_CELLS

# Margin of the canvas around the circle, in cells, because pieces that were pushed out of it are searched for.
_AROUND_CELLS: Final = REACH_CELLS + 3.0
_STILL: Final = Homography(np.eye(3))


@dataclass(frozen=True, slots=True, eq=False)
class SeenCanvas:
    """The canvas in a picture.

    `light` has the factors of the light since the circle was seen, BGR, shape (3,); `quilts` the outlines of the
    quilts, in pixels of the canvas, each of shape (4, 2).
    """

    view: CanvasView
    light: NDArray[np.float64]
    quilts: tuple[NDArray[np.float64], ...]

    @property
    def relit(self) -> CanvasView:
        """The view in the light in which the circle was seen."""
        return self.view.relit(self.light)


class CircleCanvas:
    """The canvas that contains the circle.

    `outlines` are those of its pieces in pixels of the canvas, each of shape (n, 2); `first` is the canvas in the
    picture in which the circle was seen.
    """

    def __init__(self, scene: PlacedPicture, outlines_px: Sequence[NDArray[np.float64]]) -> None:
        self._boards = dict(scene.boards)
        boards = [self._boards[seat] for seat in sorted(self._boards)]
        self._canvas = TableCanvas(boards, np.concatenate(outlines_px), _AROUND_CELLS)
        self.outlines = [self.point(outline) for outline in outlines_px]
        self.first = SeenCanvas(self._canvas.view(scene.image, _STILL), np.ones(3), self._quilts(scene, _STILL))

    @property
    def shape(self) -> tuple[int, int]:
        """Its height and width in pixels."""
        return self._canvas.shape

    def point(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points of the picture in which the circle was seen, shape (..., 2), in pixels of the canvas."""
        return self._canvas.to_picture.inverse(points_px)

    def seen_in(self, scene: PlacedPicture) -> SeenCanvas | None:
        """Return the canvas in a later picture, or None if the boards moved relative to each other."""
        shift = table_shift(self._boards, scene.boards)
        if shift is None:
            return None
        view = self._canvas.view(scene.image, shift)
        return SeenCanvas(view, light_between(self.first.view, view), self._quilts(scene, shift))

    def _quilts(self, scene: PlacedPicture, shift: Homography) -> tuple[NDArray[np.float64], ...]:
        to_canvas = shift.after(self._canvas.to_picture).inverse
        return tuple(to_canvas(board(GRID_CORNERS)) for board in scene.boards.values())


_EVEN: Final = 0.65
_PER_CORRELATION: Final = 12.0
_MOST_GONE, MOST_THERE = 4.0, -4.0
# Parameters of a place's log-likelihood ratio gone / there: the correlation at which it is 0, its slope and limits; and
# the share of the surrounding table that looks different from which an object covers the place, so that no piece counts
# as gone. On recordings of other tables 2,655 pieces in place correlated by 0.90 and more, 1,728 that had gone by 0.44
# and less.
_COVERED: Final = 0.3
# Share of the table around a place that looks different, beyond which a hand is there and no piece is searched for.
_BURIED: Final = 0.7
# Pixels of the canvas that a piece must have slid before its spot follows it: less is noise.
_SLID_PX: Final = 2


def gone_ratio(compared: Glance) -> float:
    """Return the log-likelihood ratio gone / there of a place; 0 if something covers it."""
    ratio = float(np.clip(_PER_CORRELATION * (_EVEN - compared.alike), MOST_THERE, _MOST_GONE))
    return ratio if ratio < 0 else ratio * max(0.0, 1 - compared.disturbed / _COVERED)


def is_worth_a_search(compared: Glance) -> bool:
    """Return whether a piece may lie beside its place, so that a search is worthwhile."""
    return compared.alike < _EVEN and compared.disturbed < _BURIED


def has_slid(compared: Glance) -> bool:
    """Return whether a piece has slid far enough for its spot to follow it."""
    return max(map(abs, compared.slid)) >= _SLID_PX


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
        """Learn its appearance at its place, (x, y) in pixels of the canvas, in the mask of a gap."""
        self._pawn = standing_at(view, gap, place)

    def look(self, view: CanvasView, gaps: Mapping[int, NDArray[np.bool_]], booked: int | None) -> int | None:
        """Return the number of the gap in which it stands, or None if that is not certain.

        The view is in the light in which the circle was seen; each gap, by number, is the mask of where a token may
        stand; `booked` is the gap in which it should stand, or None if that is unknown.
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


# Distance below which a piece counts as lying in its own place.
_UNMOVED_CELLS: Final = 1.0
# Difference in detour below which two gaps of the line are equally possible for a piece; see `order.unclear`.
_HARDLY_CELLS: Final = 0.8
_LEAST_PIECES: Final = 4


class CircleLine:
    """The places of the circle in one order, clockwise, to locate pieces along it.

    Their middles are (x, y) in cells; fewer than four have no order. The last place is the one before the neutral
    token's first gap.
    """

    def __init__(self, middles: Sequence[NDArray[np.float64]], numbers: Sequence[int] | None = None) -> None:
        self.numbers = tuple(range(len(middles)) if numbers is None else numbers)
        self._ranks = {START: -1, **{number: rank for rank, number in enumerate(self.numbers)}}
        self._middles = np.array([middles[number] for number in self.numbers], np.float64).reshape(-1, 2)
        count = len(self._middles)
        self._is_clear = [count >= _LEAST_PIECES and self._gap(n, self._middles[n]) == n for n in range(count)]

    def out_of_order(self, lying: Mapping[int, NDArray[np.float64]]) -> tuple[int, ...]:
        """Return the numbers, from 0, of pieces certainly out of order, given the middle, (x, y) in cells, of each."""
        ranked = {self._ranks[number]: middle for number, middle in lying.items()}
        moved = {rank for rank, middle in ranked.items() if self._has_left(rank, middle)}
        stayed = sorted(set(ranked) - moved)
        wrong = [rank for rank in moved if self._is_wrong(rank, ranked[rank], stayed)]
        wrong += self._swapped(sorted(moved - set(wrong)), ranked)
        return tuple(sorted({self.numbers[rank] for rank in wrong}))

    def behind(self, gap: int, lying: Collection[int]) -> list[int]:
        """Return the numbers of the pieces, clockwise from a gap on."""
        begin = self._ranks[gap] + 1
        return sorted(lying, key=lambda number: (self._ranks[number] - begin) % len(self.numbers))

    def lie_between(self, one: int, other: int, lying: Collection[int]) -> bool:
        """Return whether pieces lie between two gaps in both directions."""
        first, last = sorted((self._ranks[one], self._ranks[other]))
        return 0 < sum(first < self._ranks[number] < last for number in lying) < len(lying)

    def _has_left(self, number: int, middle: NDArray[np.float64]) -> bool:
        return float(np.hypot(*(middle - self._middles[number]))) > _UNMOVED_CELLS

    def _is_wrong(self, number: int, middle: NDArray[np.float64], stayed: Sequence[int]) -> bool:
        """Return whether a piece has moved past one that has not."""
        gap = self._gap(number, middle) if self._is_clear[number] else None
        if gap is None or gap == number:
            return False
        count = len(self._middles)
        # It lies before the piece in `gap`: ahead it has not passed that one, behind it has.
        ahead, behind = (gap - number) % count, (number - gap) % count
        if ahead <= behind:
            return any(0 < (other - number) % count < ahead for other in stayed)
        return any(0 < (number - other) % count <= behind for other in stayed)

    def _swapped(self, moved: Sequence[int], lying: Mapping[int, NDArray[np.float64]]) -> list[int]:
        """Return neighbours that have both moved, each beyond the other along the line between their places."""
        swapped = []
        # The line is closed: the last place lies before the first.
        for one, other in zip(moved, [*moved[1:], *moved[:1]], strict=True):
            along = self._middles[other] - self._middles[one]
            length = float(np.hypot(*along))
            if length > 0 and float((lying[other] - lying[one]) @ along) / length < -_HARDLY_CELLS:
                swapped += [one, other]
        return swapped

    def _gap(self, number: int, middle: NDArray[np.float64]) -> int | None:
        """Return the place before which a piece lies in the line of all other places, or None if that is unclear.

        For the gap that the piece itself has left this is `number`, not the next place.
        """
        others = [other for other in range(len(self._middles)) if other != number]
        here = self._middles[others]
        before = np.roll(here, 1, axis=0)
        longer = np.hypot(*(here - middle).T) + np.hypot(*(before - middle).T) - np.hypot(*(here - before).T)
        best, second = np.argsort(longer)[:2].tolist()
        if longer[second] - longer[best] < _HARDLY_CELLS:
            return None
        gap = others[best]
        # The next place, before which the gap lies that the piece itself has left.
        own = others[number % len(others)]
        return number if gap == own else gap


class CircleOrders:
    """The possible orders of the places, whose middles are (x, y) in cells: several, until a user says which it is."""

    def __init__(self, middles: Sequence[NDArray[np.float64]]) -> None:
        self._middles = tuple(middles)
        self._orders: tuple[CircleLine, ...] = (CircleLine(self._middles),)

    def follow(self, orders: Sequence[Sequence[int]]) -> None:
        """Set the possible orders, each as the numbers of the places from 0, clockwise from the first gap on."""
        if [tuple(order) for order in orders] != [order.numbers for order in self._orders]:
            self._orders = tuple(CircleLine(self._middles, order) for order in orders)

    def out_of_order(self, lying: Mapping[int, NDArray[np.float64]]) -> tuple[int, ...]:
        """Return the numbers of the pieces out of order in every order; `lying` as for `CircleLine.out_of_order`."""
        return tuple(sorted(set.intersection(*({*order.out_of_order(lying)} for order in self._orders))))

    def behind(self, gap: int, lying: Collection[int], count: int) -> frozenset[int]:
        """Return the numbers of the pieces that in any order are among the first `count` behind a gap."""
        return frozenset(number for order in self._orders for number in order.behind(gap, lying)[:count])

    def lie_between(self, one: int, other: int, lying: Collection[int]) -> bool:
        """Return whether in every order pieces lie between two gaps in both directions."""
        return all(order.lie_between(one, other, lying) for order in self._orders)
