"""Values of kinds of tokens that make most handfuls of them worth what the books say."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

_KINDS: Final = 6
"""Of so many kinds, the commonest ones, all values are tried."""
_PLACES: Final = 3
"""Of so many places by a board, those with the most different handfuls, one is a player's."""
_AGREE: Final = 6
"""So many different handfuls have to be worth what the books say. In 150 evenings of people who spread their tokens,
with this and the next one, one value was wrong, for two looks; with one fewer, for six."""
_BETTER: Final = 3
"""By so many fewer have to be right if a kind were worth anything else."""
_MOSTLY: Final = 2
"""More than one in so many of the looks at a place have to be right, and of those at each handful that counts."""
_RARELY: Final = 4
"""More than the books say may lie there once in so many looks that are right: a player has not paid yet."""

Handful: TypeAlias = tuple[tuple[int, int], ...]
"""How many tokens of each kind lie together: (kind, count), the lowest number first."""
Equations: TypeAlias = Counter[tuple[Handful, int]]
"""How often a handful lay in a place while the books said so many buttons."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The values of kinds of tokens.

    Attributes:
        values: by kind, each that is sure.
        agreed: how many different handfuls are worth what the books say with the likeliest values, sure or not.
    """

    values: Mapping[int, int] = field(default_factory=dict)
    agreed: int = 0


def solved(seats: Sequence[Sequence[Equations]], values: Sequence[int]) -> Solution:
    """Return the values of kinds of tokens.

    Players lay tokens on one another, and pay late: not all handfuls are right. The values that are taken are those
    with which most of them are, and without which clearly fewer would be.

    Args:
        seats: for each player, what lay in each place by their board.
        values: that a kind may have.
    """
    chosen = [sorted(places, key=len, reverse=True)[:_PLACES] for places in seats]
    kinds = _commonest(chosen)
    if not kinds:
        return Solution()
    tried = np.array(list(product(values, repeat=len(kinds))))
    right = np.sum([_right_of_player(places, kinds, tried) for places in chosen], axis=0)
    best = int(np.argmax(right))
    most = int(right[best])
    if most < _AGREE:
        return Solution(agreed=most)
    sure = {
        kind: int(tried[best, column])
        for column, kind in enumerate(kinds)
        if most - right[tried[:, column] != tried[best, column]].max() >= _BETTER
    }
    return Solution(sure, most)


def _commonest(seats: Sequence[Sequence[Equations]]) -> list[int]:
    found = Counter(kind for places in seats for equations in places for handful, _ in equations for kind, _ in handful)
    return sorted(kind for kind, _ in found.most_common(_KINDS))


def _right_of_player(places: Sequence[Equations], kinds: Sequence[int], tried: NDArray[np.int_]) -> NDArray[np.int_]:
    """Return for each row of values how many different handfuls are right, in the place where most are."""
    right = [_right_in(equations, kinds, tried) for equations in places]
    return np.asarray(np.max([np.zeros(len(tried), np.int_), *right], axis=0), np.int_)


def _right_in(equations: Equations, kinds: Sequence[int], tried: NDArray[np.int_]) -> NDArray[np.int_]:
    """Return for each row of values how many handfuls of a place are right; none if most looks at it are not."""
    known = [each for each in equations if all(kind in kinds for kind, _ in each[0])]
    if not known:
        return np.zeros(len(tried), np.int_)
    counts = np.array([[dict(handful).get(kind, 0) for kind in kinds] for handful, _ in known])
    booked, times = np.array([booked for _, booked in known]), np.array([equations[each] for each in known])
    off = tried @ counts.T - booked
    right = (off == 0) * times
    # A handful that others lie under is worth now this, now that by the books.
    alike = [sum(equations[each] for each in known if each[0] == handful) for handful, _ in known]
    often = (_MOSTLY * right > np.array(alike)).sum(axis=1)
    is_over = _RARELY * ((off > 0) * times).sum(axis=1) > right.sum(axis=1)
    is_mostly_right = _MOSTLY * right.sum(axis=1) > times.sum()
    return np.asarray(np.where(is_mostly_right & ~is_over, often, 0), np.int_)
