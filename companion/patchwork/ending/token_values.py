"""The players' tokens, learnt in play: the places where they lie, and the values of tokens of unknown sets."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.patchwork.photograph.hands import REACH_CELLS, HandDoubt, SeenHand, SeenHeaps, discs_px, hands_of
from vision.tokens.discs import Disc
from vision.tokens.heaps import Heap, HeapDoubt, distance_cells, together
from vision.tokens.kinds import AnyKind, Kind, LearntKind, Likenesses, known_kinds

# The number of different recorded numbers that a place must have matched: buttons printed on a patch are worth one.
_TIMES: Final = 3
# Right looks at a place per look with more than the recorded number, at least.
_RARELY: Final = 4
# The number of different recorded numbers matched in spite of a doubt after which the doubt is ignored.
_AS_OFTEN: Final = 2
# The number of handfuls worth the recorded number from which the tokens' values may still be learnt.
_PROMISING: Final = 2
# Doubts that are never ignored: tokens may be hidden anew each time that buttons are paid or earned.
_NEVER_FORGIVEN: Final = frozenset({HeapDoubt.STACKED, HeapDoubt.HIDDEN})
# Doubts that explain too small a value; a heap with too small a value and none of these had unseen tokens.
_TELLS_OF_MORE: Final = _NEVER_FORGIVEN | {HeapDoubt.UNKNOWN}


class LearntHands:
    """The places of both players' buttons.

    A place is a player's once tokens worth the recorded number have lain there at three different numbers, and hardly
    ever any worth more. Doubts that make a single photograph uncertain, such as patches whose printed buttons look like
    tokens, or an edge of the picture, are then known to be irrelevant; hidden tokens are not. The values of the tokens
    of other sets are learnt, too.

    Args:
        known: the kinds of tokens whose appearance is known.
    """

    def __init__(self, known: Sequence[Kind] | None = None) -> None:
        self._known = known_kinds() if known is None else tuple(known)
        self._values = TokenValues([kind.value for kind in known_kinds()])
        self._places: dict[int, list[_Place]] = {}
        self._own: dict[int, _Place] = {}

    @property
    def is_vain(self) -> bool:
        """True if no tokens ever matched the recorded numbers, whatever their values may be."""
        is_right = any(place.sums for places in self._places.values() for place in places)
        return not is_right and self._values.agreed < _PROMISING

    @property
    def learnt_kinds(self) -> tuple[LearntKind, ...]:
        """The kinds of tokens whose value was learnt in play."""
        return self._values.kinds

    @property
    def kinds(self) -> tuple[AnyKind, ...]:
        """The kinds of tokens: those that were learnt, and those of the known set that do not contradict them."""
        learnt = self._values.kinds
        known = [
            kind
            for kind in self._known
            if not any(kind.fits(each.looks) and each.value != kind.value for each in learnt)
        ]
        return (*learnt, *known)

    def learn(self, seen: SeenHeaps, booked: Mapping[int, int]) -> None:
        """Learn from a look in play and the recorded number of buttons by seat at that time."""
        self._values.learn(seen, booked)
        for seat in seen.boards:
            lie = [(self._place(seat, heap, seen), heap) for heap in seen.near(seat)]
            for place, heap in lie:
                self._judge(place, heap, booked[seat])
            own = self._own.get(seat) or self._found(seat)
            if own is not None:
                self._own[seat] = own
                if any(place is own and heap.value == booked[seat] for place, heap in lie):
                    for place, _ in lie:
                        place.is_known = True

    def hands(self, seen: SeenHeaps) -> Mapping[int, SeenHand]:
        """Return by seat the tokens before each player, as learnt, or else by this look alone."""
        hands = dict(hands_of(seen))
        for seat, own in self._own.items():
            if seat in seen.boards and (heap := self._heap_at(own, seat, seen)) is not None:
                hands[seat] = self._hand(seat, own, heap, seen)
        return hands

    def _place(self, seat: int, heap: Heap, seen: SeenHeaps) -> _Place:
        middle = middle_of(heap.discs, seen.boards[seat])
        places = self._places.setdefault(seat, [])
        place = next((each for each in places if each.is_at(middle)), None)
        if place is None:
            places.append(place := _Place(middle))
        return place

    def _judge(self, place: _Place, heap: Heap, booked: int) -> None:
        if heap.value == booked:
            place.right += 1
            place.sums.add(booked)
            for doubt in heap.doubts:
                place.doubts[doubt].add(booked)
            if HeapDoubt.AT_EDGE in heap.doubts:
                place.at_edge = max(place.at_edge, len(heap.discs))
        elif heap.value > booked:
            place.over += 1
        elif not heap.doubts & _TELLS_OF_MORE:
            place.under.append(booked - heap.value)

    def _found(self, seat: int) -> _Place | None:
        """Return the only place that qualifies as a player's, or None."""
        hands = [place for place in self._places.get(seat, ()) if place.is_hand]
        return hands[0] if len(hands) == 1 else None

    def _heap_at(self, own: _Place, seat: int, seen: SeenHeaps) -> Heap | None:
        there = [heap for heap in seen.near(seat) if own.is_at(middle_of(heap.discs, seen.boards[seat]))]
        return there[0] if len(there) == 1 else None

    def _hand(self, seat: int, own: _Place, heap: Heap, seen: SeenHeaps) -> SeenHand:
        doubts = {
            doubt.value for doubt in heap.doubts if doubt in _NEVER_FORGIVEN or len(own.doubts[doubt]) < _AS_OFTEN
        }
        if own.hides:
            doubts.add(HeapDoubt.STACKED.value)
        if HeapDoubt.AT_EDGE in heap.doubts and len(heap.discs) > own.at_edge:
            # With more tokens than ever before, some may lie beyond the edge.
            doubts.add(HeapDoubt.AT_EDGE.value)
        others = [each for each in seen.near(seat) if each is not heap]
        known = [place for place in self._places[seat] if place.is_known]
        if any(not any(place.is_at(middle_of(each.discs, seen.boards[seat])) for place in known) for each in others):
            doubts.add(HandDoubt.WHICH_HEAP.value)
        return SeenHand(seat, heap.counts, tuple(sorted(doubts)), discs_px(heap, seen.discs), is_learnt=True)


@dataclass(eq=False)
class _Place:
    """A place beside a board in which tokens, or things that look like them, were seen.

    Attributes:
        middle: (x, y) in cells from the middle of the board.
        sums: the recorded numbers that were matched there.
        doubts: by doubt, the recorded numbers that were matched in spite of it.
        right: the number of looks that showed the recorded number there.
        at_edge: the most tokens in a right look although the picture ends beside them.
        over: the number of looks that showed more, perhaps because a player had not paid yet.
        under: the shortfalls of other looks in which nothing seemed to be hidden.
        is_known: whether tokens lay there in a look in which the player's own place was right.
    """

    middle: NDArray[np.float64]
    sums: set[int] = field(default_factory=set)
    doubts: defaultdict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    right: int = 0
    at_edge: int = 0
    over: int = 0
    under: list[int] = field(default_factory=list)
    is_known: bool = False

    @property
    def is_hand(self) -> bool:
        """True if the tokens there are a player's."""
        return len(self.sums) >= _TIMES and _RARELY * self.over <= self.right

    @property
    def hides(self) -> bool:
        """True if tokens there repeatedly went unseen: covered by others, or misjudged in value."""
        # A player's miscount would be the same shortfall in each look.
        return _RARELY * len(self.under) > self.right and len(set(self.under)) > 1

    def is_at(self, middle: NDArray[np.float64]) -> bool:
        """Return whether a heap with this middle lies in this place."""
        return is_same(self.middle, middle)


@dataclass(eq=False)
class _HeapPlace:
    """A place by a board, and all handfuls of tokens that lay there.

    Attributes:
        middle: (x, y) in cells from the middle of the board.
        lay: each handful that lay there and the recorded number at that time, one per look.
        discs: by the same pair, each token of those handfuls with its kind.
    """

    middle: NDArray[np.float64]
    lay: list[Equation] = field(default_factory=list)
    discs: defaultdict[Equation, list[tuple[int, Disc]]] = field(default_factory=lambda: defaultdict(list))


class TokenValues:
    """The values of the tokens on a table, whatever their colours and sizes.

    Each look is an equation for each player: so many tokens of each kind are worth the recorded number of buttons.

    Args:
        values: the values that a token may have.
    """

    def __init__(self, values: Sequence[int]) -> None:
        self._values, self._looks = tuple(values), Likenesses()
        self._places: dict[int, list[_HeapPlace]] = {}
        self._solution = Solution()
        # The kinds whose value is sure by now.
        self.kinds: tuple[LearntKind, ...] = ()

    @property
    def agreed(self) -> int:
        """The number of different handfuls of tokens that the likeliest values explain."""
        return self._solution.agreed

    def learn(self, seen: SeenHeaps, booked: Mapping[int, int]) -> None:
        """Learn from a look in play and the recorded number of buttons by seat at that time."""
        kinds = {disc: kind for disc in seen.discs.discs if (kind := self._looks.learn(disc)) is not None}
        for group in together(tuple(kinds)):
            handful = tuple(sorted(Counter(kinds[disc] for disc in group).items()))
            for seat, outline in seen.boards.items():
                if distance_cells(group, outline) <= REACH_CELLS:
                    place = self._place(seat, group, outline)
                    place.lay.append((handful, booked[seat]))
                    place.discs[handful, booked[seat]] += [(kinds[disc], disc) for disc in group]
        self._solution = solved([[each.lay for each in places] for places in self._places.values()], self._values)
        self.kinds = tuple(self._learnt(kind, value) for kind, value in self._solution.values.items())

    def _learnt(self, kind: int, value: int) -> LearntKind:
        """Return a kind with the appearance of its tokens in handfuls that hide none, by the recorded numbers."""
        alone = [disc for each, disc in self._alone() if each == kind]
        if not alone:
            return LearntKind(value, self._looks[kind])
        beside, shade = np.median([(disc.beside, disc.shade) for disc in alone], axis=0).tolist()
        return LearntKind(value, self._looks[kind], beside, shade)

    def _alone(self) -> Iterator[tuple[int, Disc]]:
        """Yield the tokens, with their kinds, of the handfuls worth the recorded number."""
        values = self._solution.values
        for place in (each for places in self._places.values() for each in places):
            for (handful, booked), discs in place.discs.items():
                if sum(values.get(kind, 0) * count for kind, count in handful) == booked:
                    yield from discs

    def _place(self, seat: int, group: Sequence[Disc], outline: NDArray[np.float64]) -> _HeapPlace:
        middle, places = middle_of(group, outline), self._places.setdefault(seat, [])
        place = next((each for each in places if is_same(each.middle, middle)), None)
        if place is None:
            places.append(place := _HeapPlace(middle))
        return place


# Distance within which heaps are in the same place; on table recordings a heap's middle moved by 1.2.
_SAME_CELLS: Final = 3.0


def middle_of(discs: Sequence[Disc], outline: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean position of some tokens, (x, y) in cells from the middle of a board."""
    return np.asarray(np.mean([disc.middle for disc in discs], axis=0) - outline.mean(axis=0), np.float64)


def is_same(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Return whether two middles belong to one place."""
    return float(np.linalg.norm(one - other)) <= _SAME_CELLS


# The number of kinds, the commonest ones, whose values are searched exhaustively.
_KINDS: Final = 6
# The number of places by a board, those with the most different handfuls, among which a player's is searched.
_PLACES: Final = 3
# The number of different handfuls that must be worth the recorded number.
_AGREE: Final = 6
# The number of these that must fail for every other value of a kind.
_BETTER: Final = 3
# The number of times that tokens of a kind must have come or gone between two consecutive right looks. In 100 evenings
# in which a tenth of the tokens were hardly ever seen no value was wrong with this, a few with less.
_CHANGES: Final = 3
# More than one in this many looks at a place must be right, and of those at each handful that counts.
_MOSTLY: Final = 2
# Right looks per look with more than the recorded number, at least: a player may not have paid yet.
_RIGHT_PER_SURPLUS: Final = 4
Handful: TypeAlias = tuple[tuple[int, int], ...]
"""The numbers of tokens of each kind that lie together: (kind, count), the lowest kind first."""
Equation: TypeAlias = tuple[Handful, int]
"""A handful that lay in a place, and the recorded number of buttons at that time."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The values of kinds of tokens.

    Attributes:
        values: by kind, each value that is sure.
        agreed: the number of different handfuls worth the recorded number by the likeliest values, sure or not.
    """

    values: Mapping[int, int] = field(default_factory=dict)
    agreed: int = 0


def solved(seats: Sequence[Sequence[Sequence[Equation]]], values: Sequence[int]) -> Solution:
    """Return the values of kinds of tokens, by the equations of each place by each player's board, one per look.

    Players stack tokens, and pay late, so not all handfuls match. The values chosen are those for which most do and
    without which clearly fewer would.
    """
    chosen = [sorted(places, key=lambda place: len(set(place)), reverse=True)[:_PLACES] for places in seats]
    found = Solution()
    # Values that are sure stay so, and so this ends.
    while (more := _solved_further(chosen, values, found.values)) != found:
        found = more
    return found


def _solved_further(
    seats: Sequence[Sequence[Sequence[Equation]]], values: Sequence[int], sure: Mapping[int, int]
) -> Solution:
    """Return the values of kinds, given those already sure, by a search over the commonest others."""
    others = _commonest(seats, sure)
    if not others:
        return Solution(sure, _agreed(seats, sure))
    kinds = [*sure, *others]
    tried = np.array([[*sure.values(), *each] for each in product(values, repeat=len(others))])
    right = np.sum([_right_of_player(places, kinds, tried) for places in seats], axis=0)
    best = int(np.argmax(right))
    most = int(right[best])
    if most < _AGREE:
        return Solution(sure, most)
    more = {
        kind: int(tried[best, column])
        for column, kind in enumerate(kinds)
        if kind not in sure
        and most - right[tried[:, column] != tried[best, column]].max() >= _BETTER
        and _changes(seats, kind, dict(zip(kinds, tried[best].tolist(), strict=True))) >= _CHANGES
    }
    return Solution({**sure, **more}, most)


def _changes(seats: Sequence[Sequence[Sequence[Equation]]], kind: int, values: Mapping[int, int]) -> int:
    """Return how often tokens of a kind came or went between two consecutive looks that were both right.

    A token that always lies beside an unseen one would be given the value of both.
    """
    pairs = [pair for places in seats for place in places for pair in pairwise(place)]
    changed = [pair for pair in pairs if len({dict(handful).get(kind, 0) for handful, _ in pair}) > 1]
    return sum(all(_is_right(each, values) for each in pair) for pair in changed)


def _is_right(equation: Equation, values: Mapping[int, int]) -> bool:
    handful, booked = equation
    return sum(values.get(kind, 0) * count for kind, count in handful) == booked


def _agreed(seats: Sequence[Sequence[Sequence[Equation]]], sure: Mapping[int, int]) -> int:
    tried = np.array([[*sure.values()]])
    return int(sum(_right_of_player(places, [*sure], tried)[0] for places in seats))


def _commonest(seats: Sequence[Sequence[Sequence[Equation]]], sure: Mapping[int, int]) -> list[int]:
    handfuls = [handful for places in seats for looks in places for handful, _ in set(looks)]
    found = Counter(kind for handful in handfuls for kind, _ in handful if kind not in sure)
    return sorted(kind for kind, _ in found.most_common(_KINDS))


def _right_of_player(
    places: Sequence[Sequence[Equation]], kinds: Sequence[int], tried: NDArray[np.int_]
) -> NDArray[np.int_]:
    """Return for each row of values the number of different right handfuls, in the place where most are right."""
    right = [_right_in(looks, kinds, tried) for looks in places]
    return np.asarray(np.max([np.zeros(len(tried), np.int_), *right], axis=0), np.int_)


def _right_in(looks: Sequence[Equation], kinds: Sequence[int], tried: NDArray[np.int_]) -> NDArray[np.int_]:
    """Return for each row of values the number of right handfuls of a place; 0 if most looks at it are not right."""
    equations = Counter(looks)
    known = [each for each in equations if all(kind in kinds for kind, _ in each[0])]
    if not known:
        return np.zeros(len(tried), np.int_)
    counts = np.array([[dict(handful).get(kind, 0) for kind in kinds] for handful, _ in known])
    booked, times = np.array([booked for _, booked in known]), np.array([equations[each] for each in known])
    off = tried @ counts.T - booked
    right = (off == 0) * times
    # A handful with hidden tokens under it has different recorded numbers at different times.
    alike = [sum(equations[each] for each in known if each[0] == handful) for handful, _ in known]
    often = (_MOSTLY * right > np.array(alike)).sum(axis=1)
    is_over = _RIGHT_PER_SURPLUS * ((off > 0) * times).sum(axis=1) > right.sum(axis=1)
    is_mostly_right = _MOSTLY * right.sum(axis=1) > times.sum()
    return np.asarray(np.where(is_mostly_right & ~is_over, often, 0), np.int_)
