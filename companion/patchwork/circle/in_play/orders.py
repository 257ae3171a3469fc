"""The possible orders of the circle's places: what holds in any of them, or in all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.patchwork.circle.in_play.line import CircleLine
from companion.patchwork.circle.in_play.pawn import START

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class _Order:
    """One order of the places.

    Attributes:
        numbers: the places' numbers, from 0, clockwise; the last is the one before the neutral token's first gap.
        ranks: by number, its rank from 0; by `START`, that of its gap.
        line: the line of the places in this order.
    """

    numbers: tuple[int, ...]
    ranks: Mapping[int, int]
    line: CircleLine

    def out_of_order(self, lying: Mapping[int, NDArray[np.float64]]) -> frozenset[int]:
        """Return the numbers of the pieces that are certainly out of this order."""
        wrong = self.line.out_of_order({self.ranks[number]: middle for number, middle in lying.items()})
        return frozenset(self.numbers[rank] for rank in wrong)

    def behind(self, gap: int, lying: Collection[int]) -> list[int]:
        """Return the numbers of the pieces, clockwise from a gap on."""
        begin = self.ranks[gap] + 1
        return sorted(lying, key=lambda number: (self.ranks[number] - begin) % len(self.numbers))

    def lie_between(self, one: int, other: int, lying: Collection[int]) -> bool:
        """Return whether pieces lie between two gaps in both directions."""
        first, last = sorted((self.ranks[one], self.ranks[other]))
        return 0 < sum(first < self.ranks[number] < last for number in lying) < len(lying)


class CircleOrders:
    """The possible orders of the places: several, until a user says which it is.

    Args:
        middles: the places' middles in the order in which they were seen, each (x, y) in cells.
    """

    def __init__(self, middles: Sequence[NDArray[np.float64]]) -> None:
        self._middles = tuple(middles)
        self._orders: tuple[_Order, ...] = (self._order(range(len(self._middles))),)

    def follow(self, orders: Sequence[Sequence[int]]) -> None:
        """Set the possible orders, each as the numbers of the places from 0, clockwise from the first gap on."""
        if [tuple(order) for order in orders] != [order.numbers for order in self._orders]:
            self._orders = tuple(self._order(order) for order in orders)

    def out_of_order(self, lying: Mapping[int, NDArray[np.float64]]) -> tuple[int, ...]:
        """Return the numbers of the pieces that are certainly out of order in every possible order.

        Args:
            lying: by number, the middle of each piece that lies in the circle now, (x, y) in cells.
        """
        return tuple(sorted(frozenset.intersection(*(order.out_of_order(lying) for order in self._orders))))

    def behind(self, gap: int, lying: Collection[int], count: int) -> frozenset[int]:
        """Return the numbers of the pieces that in any order are among the first `count` behind a gap."""
        return frozenset(number for order in self._orders for number in order.behind(gap, lying)[:count])

    def lie_between(self, one: int, other: int, lying: Collection[int]) -> bool:
        """Return whether in every order pieces lie between two gaps in both directions."""
        return all(order.lie_between(one, other, lying) for order in self._orders)

    def _order(self, order: Sequence[int]) -> _Order:
        ranks = {START: -1, **{number: rank for rank, number in enumerate(order)}}
        return _Order(tuple(order), ranks, CircleLine([self._middles[number] for number in order]))
