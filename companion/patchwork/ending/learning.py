"""The places of the players' buttons, learnt in play: where tokens repeatedly matched the recorded numbers."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.patchwork.ending.equations import TokenValues, is_same, middle_of
from companion.patchwork.photograph.hands import HandDoubt, SeenHand, SeenHeaps, discs_px, hands_of
from vision.tokens.heaps import Heap, HeapDoubt
from vision.tokens.kinds import AnyKind, Kind, known_kinds
from vision.tokens.likeness import LearntKind

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
