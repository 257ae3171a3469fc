"""The estimate of how a game will end, and the placements worth a look, for a search."""

import math
from functools import cache, lru_cache
from operator import mul
from typing import Final, NamedTuple

from companion.games.patchwork.cells import ALL_CELLS, SIDE, indices_of
from companion.games.patchwork.components import WINDOWS, placements
from companion.games.patchwork.strategy.position import IDS, LEATHER, Move, Position, affordable

_LEFT: Final = sum(1 << row * SIDE for row in range(SIDE))
_RIGHT: Final = _LEFT << SIDE - 1
_NOT_LEFT: Final = ALL_CELLS & ~_LEFT
_NOT_RIGHT: Final = ALL_CELLS & ~_RIGHT
_TOP: Final = (1 << SIDE) - 1
_BOTTOM: Final = _TOP << SIDE * (SIDE - 1)

# What an empty cell without an empty neighbour, and one with a single one, add to the number of edges: few patches can
# fill them. Chosen by hand, and confirmed by the weight that the fit below gives to the sum.
_HOLE: Final = 8
_DEAD_END: Final = 2
# The placements with the longest contact to what is covered that are looked at more closely, for each one wanted.
_CLOSER: Final = 3
_LEAST_CLOSER: Final = 12
# From this many covered cells of its best square of 7 by 7 on, a quilt is on its way to the tile.
_ON_THE_WAY: Final = 30

# The weights of the features of `_differences`, in points, at six times (the mean of both tokens' spaces), between
# which they are interpolated. Fitted to the final difference in points of 300 games that the search played against
# itself, with 50 visits a decision and every seventh decision at random, in both editions.
_TIMES: Final = (0.0, 12.0, 24.0, 36.0, 46.0, 53.0)
_WEIGHTS: Final = (
    (0.92, 0.61, 1.04, -0.06, -0.19, 0.00, 0.00, 0.63),
    (2.30, 1.20, 3.39, 1.42, 0.10, 0.00, 0.13, -0.26),
    (1.27, 1.01, 2.57, 1.26, 0.15, 0.00, 2.54, 1.20),
    (0.94, 1.01, 2.04, 1.12, 0.12, 5.53, 1.87, 0.30),
    (0.94, 0.94, 1.57, 1.36, 0.19, 6.97, 1.10, 1.41),
    (0.98, 1.11, 0.85, 1.83, 0.03, 6.19, 1.16, 0.92),
)
# The standard deviation of the estimate's error at the same times, in points.
_ERRORS: Final = (15.0, 13.5, 11.8, 9.7, 7.0, 3.6)
# A logistic curve of this steepness is nearly that of the normal distribution.
_LOGISTIC: Final = 1.7
# A chance nearer to 0 or 1 stands for no greater lead.
_SUREST: Final = 0.001


class Fragmentation(NamedTuple):
    """The raggedness of the empty part of a quilt.

    Attributes:
        edges: the edges of empty cells to covered ones and to the border.
        holes: the empty cells without an empty neighbour.
        dead_ends: the empty cells with a single empty neighbour.
    """

    edges: int
    holes: int
    dead_ends: int


def fragmentation(quilt: int) -> Fragmentation:
    """Return how ragged the empty part of a quilt (bit mask of covered cells) is."""
    free = ALL_CELLS & ~quilt
    left, right = (free & _NOT_LEFT) >> 1, (free & _NOT_RIGHT) << 1
    above, below = free >> SIDE, free << SIDE & ALL_CELLS
    edges = sum((free & ~each).bit_count() for each in (left, right, above, below))
    beside, over = left | right, above | below
    several = left & right | above & below | beside & over
    return Fragmentation(edges, (free & ~(beside | over)).bit_count(), (free & (beside | over) & ~several).bit_count())


def holes(quilt: int) -> int:
    """Return the empty cells of a quilt without an empty neighbour, as a bit mask."""
    free = ALL_CELLS & ~quilt
    beside = (free & _NOT_LEFT) >> 1 | (free & _NOT_RIGHT) << 1
    return free & ~(beside | free >> SIDE | free << SIDE)


@lru_cache(1 << 17)
def _raggedness(quilt: int) -> int:
    edges, holes, dead_ends = fragmentation(quilt)
    return edges + _HOLE * holes + _DEAD_END * dead_ends


def candidates(position: Position, most: int) -> list[Move]:
    """Return the moves worth a look: of each patch that can be bought its `most` best placements, and to advance.

    A leather patch that is due can only be placed.
    """
    quilt = position.sides[position.turn].quilt
    if position.is_leather_due:
        return [(LEATHER, cells) for cells in best_placements(LEATHER, quilt, most)]
    moves: list[Move] = [
        (patch, cells) for patch in affordable(position) for cells in best_placements(patch, quilt, most)
    ]
    moves.append(None)
    return moves


@lru_cache(1 << 17)
def best_placements(patch: int, quilt: int, most: int) -> tuple[int, ...]:
    """Return the placements of a patch that leave the least ragged quilts, as masks, the best first."""
    places = _places(patch) if quilt else _places_once(patch)
    touching = [
        (at_border + (around & quilt).bit_count(), mask) for mask, around, at_border in places if not mask & quilt
    ]
    touching.sort(reverse=True)
    closer = touching[: max(_LEAST_CLOSER, _CLOSER * most)]
    ranked = sorted((_raggedness(quilt | mask), mask) for _, mask in closer)
    return tuple(mask for _, mask in ranked[:most])


@lru_cache(len(IDS) + 1)
def _places(patch: int) -> tuple[tuple[int, int, int], ...]:
    """Return each placement on the empty board, with the cells around it and its number of edges on the border."""
    masks = tuple(1 << bit for bit in range(SIDE * SIDE)) if patch == LEATHER else placements(IDS[patch])
    return tuple((mask, _around(mask), _at_border(mask)) for mask in masks)


@cache
def _places_once(patch: int) -> tuple[tuple[int, int, int], ...]:
    """Return one of the placements that are the same on an empty quilt, turned and mirrored, as `_places` does."""
    found: dict[int, tuple[int, int, int]] = {}
    for place in _places(patch):
        found.setdefault(min(_turned_and_mirrored(place[0])), place)
    return tuple(found.values())


def _turned_and_mirrored(mask: int) -> list[int]:
    cells = [divmod(bit, SIDE) for bit in indices_of(mask)]
    seen: list[int] = []
    for _ in range(4):
        cells = [(column, SIDE - 1 - row) for row, column in cells]
        mirrored = [(row, SIDE - 1 - column) for row, column in cells]
        seen += [sum(1 << row * SIDE + column for row, column in each) for each in (cells, mirrored)]
    return seen


def _around(mask: int) -> int:
    spread = (mask & _NOT_RIGHT) << 1 | (mask & _NOT_LEFT) >> 1 | mask << SIDE & ALL_CELLS | mask >> SIDE
    return spread & ~mask


def _at_border(mask: int) -> int:
    return sum((mask & side).bit_count() for side in (_LEFT, _RIGHT, _TOP, _BOTTOM))


@lru_cache(1 << 17)
def _quilt_features(quilt: int) -> tuple[int, int, float]:
    """Return the empty cells, the raggedness, and the progress towards a square of 7 by 7."""
    square = max((quilt & window).bit_count() for window in WINDOWS)
    empty = SIDE * SIDE - quilt.bit_count()
    return empty, _raggedness(quilt), max(0, square - _ON_THE_WAY) ** 2 / 100


def _differences(position: Position) -> tuple[float, ...]:
    """Return seat 1's features less seat 2's: buttons, income to come, time, covered cells, order, tile, turn."""
    one, two = position.sides
    paid, last = position.track.paid, position.track.last
    empty_1, ragged_1, square_1 = _quilt_features(one.quilt)
    empty_2, ragged_2, square_2 = _quilt_features(two.quilt)
    is_open = not (one.bonus or two.bonus)
    return (
        one.buttons - two.buttons,
        one.income * paid[one.time][last] - two.income * paid[two.time][last],
        two.time - one.time,
        empty_2 - empty_1,
        ragged_2 - ragged_1,
        one.bonus - two.bonus,
        square_1 - square_2 if is_open else 0.0,
        1 if position.turn == 0 else -1,
    )


def estimate(position: Position) -> tuple[float, float]:
    """Return the expected lead of seat 1 at the end, in points, and the standard deviation of its error."""
    weights, error = _at(position.sides[0].time + position.sides[1].time)
    return sum(map(mul, weights, _differences(position))), error


@cache
def _at(spaces: int) -> tuple[tuple[float, ...], float]:
    """Return the weights of the features, and the error, when both tokens together have moved this far."""
    time = spaces / 2
    after = next(index for index, limit in enumerate(_TIMES[1:], start=1) if time <= limit)
    late = (time - _TIMES[after - 1]) / (_TIMES[after] - _TIMES[after - 1])
    early = 1 - late
    pairs = zip(_WEIGHTS[after - 1], _WEIGHTS[after], strict=True)
    weights = tuple(early * before + late * behind for before, behind in pairs)
    return weights, early * _ERRORS[after - 1] + late * _ERRORS[after]


def winning_chance(position: Position) -> float:
    """Return the chance that seat 1 wins, from 0 to 1; exact at the end of the game."""
    if position.turn < 0:
        return 1.0 - position.winner
    lead, error = estimate(position)
    return 1 / (1 + math.exp(-_LOGISTIC * lead / error))


def lead_of(position: Position, chance: float) -> float:
    """Return the lead in points that stands for a winning chance at this time of the game."""
    _, error = _at(position.sides[0].time + position.sides[1].time)
    bounded = min(max(chance, _SUREST), 1 - _SUREST)
    return error / _LOGISTIC * math.log(bounded / (1 - bounded))
