"""The line of the circle's places, to check whether displaced pieces are still in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

_UNMOVED_CELLS: Final = 1.0
"""Distance below which a piece counts as lying in its own place."""
_HARDLY_CELLS: Final = 0.8
"""Difference in detour below which two gaps of the line are equally possible for a piece; see `order.unclear`."""
_LEAST_PIECES: Final = 4


class CircleLine:
    """The places of the circle in their order, to locate pieces along it.

    Args:
        middles: the places' middles, clockwise, each (x, y) in cells; fewer than four have no order.
    """

    def __init__(self, middles: Sequence[NDArray[np.float64]]) -> None:
        self._middles = np.array(middles, np.float64).reshape(-1, 2)
        count = len(self._middles)
        self._is_clear = [count >= _LEAST_PIECES and self._gap(n, self._middles[n]) == n for n in range(count)]

    def out_of_order(self, lying: Mapping[int, NDArray[np.float64]]) -> tuple[int, ...]:
        """Return the numbers, from 0, of the pieces that are certainly out of order among those in the circle.

        Args:
            lying: by number, the middle of each piece that lies in the circle now, (x, y) in cells.
        """
        moved = {number for number, middle in lying.items() if self._has_left(number, middle)}
        stayed = sorted(set(lying) - moved)
        wrong = [number for number in moved if self._is_wrong(number, lying[number], stayed)]
        wrong += self._swapped(sorted(moved - set(wrong)), lying)
        return tuple(sorted(set(wrong)))

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
