"""The places of the players' buttons, learnt in play: where tokens repeatedly matched the recorded numbers."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from companion.patchwork.ending.places import is_same, middle_of
from companion.patchwork.ending.values import TokenValues
from companion.patchwork.photograph.hands import HandDoubt, SeenHand, discs_px, hands_of
from vision.tokens.heaps import HeapDoubt
from vision.tokens.kinds import known_kinds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from companion.patchwork.photograph.hands import SeenHeaps
    from vision.tokens.heaps import Heap
    from vision.tokens.kinds import AnyKind, Kind
    from vision.tokens.likeness import LearntKind

_TIMES: Final = 3
"""So many different sums of the books have to have lain in a place: buttons printed on a patch are worth one."""
_RARELY: Final = 4
"""More than the books say lies there at the most once in so many looks that are right."""
_AS_OFTEN: Final = 2
"""With so many different sums a doubt has come to nothing before it is forgiven."""
_PROMISING: Final = 2
"""With so many handfuls that are worth what the books say, what the tokens are worth may still be learnt."""
_NEVER_FORGIVEN: Final = frozenset({HeapDoubt.STACKED, HeapDoubt.HIDDEN})
"""What may lie under a token is another matter each time that one is paid or earned."""
_TELLS_OF_MORE: Final = _NEVER_FORGIVEN | {HeapDoubt.UNKNOWN}
"""A heap with none of these doubts that is worth less than the books say has hidden tokens from the look."""


@dataclass(eq=False)
class _Place:
    """A place beside a board in which tokens, or things that look like them, were seen.

    Attributes:
        middle: (x, y) in cells from the middle of the board.
        sums: those of the books that lay there.
        doubts: by code, the sums that were right in spite of it.
        right: how many looks showed there what the books say.
        at_edge: the most tokens that a look showed there, and all of them, though the picture ends beside them.
        over: how many showed more, perhaps because a player had not paid yet.
        under: how much less others showed, though nothing seemed to be hidden.
        is_known: whether something lay there when the player's own place was right.
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
        """True if tokens lay there again and again that no look has shown: one on the other, or of another value."""
        # Who has miscounted lacks the same sum in each look.
        return _RARELY * len(self.under) > self.right and len(set(self.under)) > 1

    def is_at(self, middle: NDArray[np.float64]) -> bool:
        """Return whether a heap lies there."""
        return is_same(self.middle, middle)


class LearntHands:
    """The places of both players' buttons.

    A place is a player's once tokens worth what the books say have lain there at three different sums, and hardly ever
    any worth more. What keeps a single photograph from being sure, such as patches whose printed buttons look like
    tokens, or an edge of the picture, is then known not to matter; what may lie under a token is not. What tokens of
    other sets are worth is learnt, too.

    Args:
        known: the kinds of a set whose looks are known.
    """

    def __init__(self, known: Sequence[Kind] | None = None) -> None:
        self._known = known_kinds() if known is None else tuple(known)
        self._values = TokenValues([kind.value for kind in known_kinds()])
        self._places: dict[int, list[_Place]] = {}
        self._own: dict[int, _Place] = {}

    @property
    def is_vain(self) -> bool:
        """True if nothing has lain anywhere that was worth what the books say, whatever the tokens may be worth."""
        is_right = any(place.sums for places in self._places.values() for place in places)
        return not is_right and self._values.agreed < _PROMISING

    @property
    def learnt_kinds(self) -> tuple[LearntKind, ...]:
        """The kinds of tokens whose value was learnt in play."""
        return self._values.kinds

    @property
    def kinds(self) -> tuple[AnyKind, ...]:
        """The kinds of tokens: those that were learnt, and those of the known set that these do not contradict."""
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
        """Return by seat the tokens before each player, by what was learnt, or else by this look alone."""
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
        """Return the only place that may be a player's, or None."""
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
            # Who has more tokens than ever may have laid some beyond the edge.
            doubts.add(HeapDoubt.AT_EDGE.value)
        others = [each for each in seen.near(seat) if each is not heap]
        known = [place for place in self._places[seat] if place.is_known]
        if any(not any(place.is_at(middle_of(each.discs, seen.boards[seat])) for place in known) for each in others):
            doubts.add(HandDoubt.WHICH_HEAP.value)
        return SeenHand(seat, heap.counts, tuple(sorted(doubts)), discs_px(heap, seen.discs), is_learnt=True)
