"""Values of kinds of tokens for which most handfuls of tokens are worth the recorded number of buttons."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.patchwork.photograph.hands import REACH_CELLS, SeenHeaps
from vision.tokens.discs import Disc
from vision.tokens.heaps import distance_cells, together
from vision.tokens.likeness import LearntKind, Likenesses


@dataclass(eq=False)
class _Place:
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
        self._places: dict[int, list[_Place]] = {}
        self._solution = Solution()
        self._kinds: tuple[LearntKind, ...] = ()

    @property
    def kinds(self) -> tuple[LearntKind, ...]:
        """The kinds whose value is sure by now."""
        return self._kinds

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
        self._kinds = tuple(self._learnt(kind, value) for kind, value in self._solution.values.items())

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

    def _place(self, seat: int, group: Sequence[Disc], outline: NDArray[np.float64]) -> _Place:
        middle, places = middle_of(group, outline), self._places.setdefault(seat, [])
        place = next((each for each in places if is_same(each.middle, middle)), None)
        if place is None:
            places.append(place := _Place(middle))
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
_RARELY: Final = 4

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
    """Return the values of kinds of tokens.

    Players stack tokens, and pay late, so not all handfuls match. The values chosen are those for which most do and
    without which clearly fewer would.

    Args:
        seats: for each player, the equations of each place by their board, one per look.
        values: the values that a kind may have.
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
    is_over = _RARELY * ((off > 0) * times).sum(axis=1) > right.sum(axis=1)
    is_mostly_right = _MOSTLY * right.sum(axis=1) > times.sum()
    return np.asarray(np.where(is_mostly_right & ~is_over, often, 0), np.int_)
