"""The values of a set's tokens, learnt in play from the recorded numbers of buttons."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from companion.patchwork.ending.equations import Solution, solved
from companion.patchwork.ending.places import is_same, middle_of
from companion.patchwork.photograph.hands import REACH_CELLS
from vision.tokens.heaps import distance_cells, together
from vision.tokens.likeness import LearntKind, Likenesses

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from companion.patchwork.ending.equations import Equation
    from companion.patchwork.photograph.hands import SeenHeaps
    from vision.tokens.discs import Disc


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
