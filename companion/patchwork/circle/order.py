"""The order of the circle: clockwise around the time board along the line of pieces, from the neutral token on."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.patchwork.circle.seen import UnclearStretch
from vision.pieces.maps import MAP_PX, PieceMaps

_LEAST_TRACK_CELLS: Final = 10.0
# Least and greatest area of a neutral token: a pawn's head, or a pebble as large as a patch's cell.
_TOKEN_CELLS: Final = (0.12, 1.4)
# Log-odds at its most certain point.
_LEAST_TOKEN: Final = 1.0
# The number of pieces from which other lines are considered.
_LEAST_PIECES: Final = 5
# The greatest distance from the token to the next piece.
_NEAR_CELLS: Final = 3.0
# The greatest distance from the token to the middle of the smallest piece if it stands behind that one.
_BEHIND_LAST_CELLS: Final = 4.0
# The excess length up to which another line may be the one that was laid. Of 338 circles laid at random, as by
# `bench.circle.order`, 26 had a shorter line than the one that people followed, the worst by 1.04 cells.
_HARDLY_CELLS: Final = 1.6
# The distance beyond which pieces are not tried as neighbours, unless the shortest line makes them such.
_REACH_CELLS: Final = 9.0
# The reduction of the distance from the smallest piece to the token behind it, so that every line takes that step.
_STANDS_BEHIND: Final = 1e3


@dataclass(frozen=True, slots=True, eq=False)
class CircleOrder:
    """The order in which pieces follow one another.

    Attributes:
        order: the pieces' numbers, clockwise.
        begins: "token", "domino" or "nowhere": what determines the first piece.
        token: (x, y) of the neutral token in table space, or None.
        unclear: the stretches for which another line is hardly longer.
    """

    order: tuple[int, ...]
    begins: str
    token: NDArray[np.float64] | None
    unclear: tuple[UnclearStretch, ...] = ()


def order_circle(maps: PieceMaps, centres: NDArray[np.float64], last: int | None, *, full: bool) -> CircleOrder:
    """Return the order of pieces.

    Args:
        maps: the evidence maps of the table.
        centres: the pieces' middles, shape (n, 2), table space.
        last: the number of the smallest piece, or None if it is not among them.
        full: whether no piece was taken yet; then the token stands behind the smallest one, by the rules.
    """
    if not len(centres):
        return CircleOrder((), "nowhere", None)
    token = _token(maps, centres)
    behind = None
    if full and last is not None and token is not None and np.hypot(*(token - centres[last])) <= _BEHIND_LAST_CELLS:
        behind = token
    line = _clockwise_line(centres, middle_of(maps, centres), last, behind, closed=full)
    order = line.order
    # While all pieces lie there the rules have put the token behind the smallest one, wherever it was seen.
    if last is not None and (full or token is None):
        begin, begins = order.index(last) + 1, "domino"
    elif token is not None:
        begin, begins = gap_for(token, centres, order), "token"
    else:
        begin, begins = 0, "nowhere"
    order = (*order[begin:], *order[:begin])
    place = {number: at for at, number in enumerate(order, start=1)}
    unclear = tuple(UnclearStretch(tuple(tuple(place[each] for each in way) for way in ways)) for ways in line.unclear)
    return CircleOrder(order, begins, token, unclear)


def middle_of(maps: PieceMaps, centres: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the circle's centre, (x, y) in table space: the time board if it is seen, else the pieces' own middle."""
    seen = (maps.track > 0).astype(np.uint8)
    count, _, stats, middles = cv2.connectedComponentsWithStats(seen)
    areas = stats[1:, cv2.CC_STAT_AREA] / MAP_PX**2
    if count > 1 and areas.max() >= _LEAST_TRACK_CELLS:
        return np.asarray((middles[1 + int(areas.argmax())] + 0.5) / MAP_PX, np.float64)
    box = cv2.minAreaRect(centres.astype(np.float32))
    return np.asarray(box[0], np.float64)


def _token(maps: PieceMaps, centres: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return the most certain token next to a piece, (x, y) in table space, or None."""
    count, numbers, stats, middles = cv2.connectedComponentsWithStats((maps.token > 0).astype(np.uint8))
    best, surest = None, _LEAST_TOKEN
    for number in range(1, count):
        area = stats[number, cv2.CC_STAT_AREA] / MAP_PX**2
        at = (middles[number] + 0.5) / MAP_PX
        odds = float(maps.token[numbers == number].max())
        if not _TOKEN_CELLS[0] <= area <= _TOKEN_CELLS[1] or odds < surest:
            continue
        if np.hypot(*(centres - at).T).min() <= _NEAR_CELLS:
            best, surest = at, odds
    return best


def in_the_ring(
    points: NDArray[np.float64], centres: Sequence[NDArray[np.float64]] | NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Return which points are no further from a piece than the next piece may be, bool."""
    distance = np.hypot(*np.moveaxis(points[:, None] - np.asarray(centres)[None], -1, 0))
    return np.asarray(distance.min(axis=1) < 2 * _NEAR_CELLS)


@dataclass(frozen=True, slots=True)
class _Line:
    """The pieces' numbers along their line, and for each unclear stretch the possible ways through it."""

    order: tuple[int, ...]
    unclear: tuple[tuple[tuple[int, ...], ...], ...]


def _clockwise_line(
    centres: NDArray[np.float64],
    middle: NDArray[np.float64],
    last: int | None,
    token: NDArray[np.float64] | None,
    *,
    closed: bool,
) -> _Line:
    """Return the pieces clockwise along their line, which may be open if not all pieces are seen.

    On a line with corners, or around a board, the pieces' directions from the middle are not in order. The line leads
    past the neutral token, (x, y), if it stands behind `last`, the smallest piece.
    """
    count = len(centres)
    distance = _distances(centres, last, token, closed=closed)
    begin = [int(number) for number in np.argsort(_clockwise(centres, middle), kind="stable")]
    start = [*begin, *range(count, len(distance))]
    tour, rivals = shortest_and_rivals(distance, start, _HARDLY_CELLS, _REACH_CELLS)
    order = _without(tour, count, starts_behind=not closed)
    if not _is_clockwise(centres[order], middle, closed=closed):
        tour, order = tour[::-1], order[::-1]
    if token is not None and last is not None and tour[(tour.index(last) + 1) % len(tour)] != count:
        # It stands before the smallest piece, against the rules, so it is no evidence of the line.
        return _clockwise_line(centres, middle, last, None, closed=closed)
    ways = unclear_ways(tour, rivals, distance, _HARDLY_CELLS) if count >= _LEAST_PIECES else []
    return _Line(tuple(order), tuple(found for way in ways if len(found := _of_pieces(way, count)) > 1))


def _distances(
    centres: NDArray[np.float64], last: int | None, token: NDArray[np.float64] | None, *, closed: bool
) -> NDArray[np.float64]:
    """Return the distances between the pieces and one more point: the token, or the closing of an open line."""
    count = len(centres)
    if closed and (token is None or last is None):
        return distances(centres)
    # An open line closes through the extra point, at no cost from either end.
    distance = np.zeros((count + 1, count + 1))
    distance[:count, :count] = distances(centres)
    if token is not None and last is not None:
        distance[count, :count] = distance[:count, count] = np.hypot(*(centres - token).T)
        distance[[count, last], [last, count]] -= _STANDS_BEHIND
    return distance


def _without(tour: list[int], count: int, *, starts_behind: bool) -> list[int]:
    """Return a tour without the additional point; an open tour begins behind it."""
    begin = tour.index(count) if starts_behind else 0
    return [number for number in (*tour[begin:], *tour[:begin]) if number < count]


def _of_pieces(ways: list[tuple[int, ...]], count: int) -> tuple[tuple[int, ...], ...]:
    """Return the distinct ways through a stretch without the additional point."""
    return tuple(dict.fromkeys(tuple(number for number in way if number < count) for way in ways))


def _is_clockwise(line: NDArray[np.float64], middle: NDArray[np.float64], *, closed: bool) -> bool:
    """Return whether points, (n, 2), are in clockwise order: by their area or, if open, around the middle."""
    if closed:
        following = np.roll(line, -1, axis=0)
        # With the y axis down, a positive area is clockwise.
        return float((line[:, 0] * following[:, 1] - line[:, 1] * following[:, 0]).sum()) >= 0
    steps = np.angle(np.exp(1j * np.diff(_clockwise(line, middle))))
    return float(steps.sum()) >= 0


def _clockwise(points: NDArray[np.float64], middle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return angles that increase clockwise in the picture, whose y axis points down."""
    off = points - middle
    return np.asarray(np.arctan2(off[:, 1], off[:, 0]))


# Number of pieces up to which every order of a stretch is tried; for more, only the rivals that were found.
_ALL_WAYS: Final = 6


def unclear_ways(
    tour: Sequence[int], rivals: Sequence[Sequence[int]], distance: NDArray[np.float64], most: float
) -> list[list[tuple[int, ...]]]:
    """Return the stretches of a tour for which other ways are hardly longer.

    Args:
        tour: the numbers of the points.
        rivals: tours of all points that are hardly longer.
        distance: the distances between points, (n, n).
        most: the greatest excess length of such a way.

    Returns:
        For each stretch its ways as numbers of points, the tour's own first, then in order of decreasing likelihood.
    """
    lined_up = [aligned(rival, tour) for rival in rivals]
    runs: list[set[int]] = []
    for rival in lined_up:
        for run in _moved_runs(tour, rival):
            shared = [other for other in runs if other & run]
            runs = [*(other for other in runs if not other & run), run.union(*shared)]
    return [_ways(_in_turn(run, len(tour)), tour, lined_up, distance, most) for run in runs]


def _moved_runs(tour: Sequence[int], rival: Sequence[int]) -> Iterator[set[int]]:
    """Yield the runs of adjacent positions, from 0, within which a rival has moved points."""
    count = len(tour)
    place = {number: at for at, number in enumerate(tour)}
    # A moved point crosses every border between its old and its new place; the others part the runs.
    crossed = np.zeros(count, bool)
    for at, number in enumerate(rival):
        ahead = (place[number] - at) % count
        first, steps = (at, ahead) if ahead <= count // 2 else (place[number], count - ahead)
        crossed[(first + np.arange(steps)) % count] = True
    if crossed.all():
        yield set(range(count))
        return
    for first in np.flatnonzero(crossed & ~np.roll(crossed, 1)).tolist():
        steps = int(np.argmin(np.roll(crossed, -first)))
        yield {(first + step) % count for step in range(steps + 1)}


def _in_turn(run: set[int], count: int) -> list[int]:
    """Return the positions of a run, clockwise."""
    first = next((place for place in sorted(run) if (place - 1) % count not in run), min(run))
    return [(first + step) % count for step in range(len(run))]


def _ways(
    run: list[int], tour: Sequence[int], rivals: Sequence[Sequence[int]], distance: NDArray[np.float64], most: float
) -> list[tuple[int, ...]]:
    """Return the ways through a run of positions, the tour's own first."""
    own = tuple(tour[place] for place in run)
    before, after = tour[run[0] - 1], tour[(run[-1] + 1) % len(tour)]

    def steps(way: Sequence[int]) -> NDArray[np.float64]:
        line = [before, *way, after]
        return np.asarray(distance[line[:-1], line[1:]])

    found = permutations(own) if len(own) <= _ALL_WAYS else (tuple(rival[place] for place in run) for rival in rivals)
    limit = steps(own).sum() + most
    others = {way for way in found if way != own and set(way) == set(own) and steps(way).sum() < limit}
    # People leave one wide gap rather than several that are half as wide.
    return [own, *sorted(others, key=lambda way: (float(np.sqrt(np.maximum(steps(way), 0.0)).sum()), way))]


# The reduction of a step's cost that forces it into a tour: more than any tour is long.
_FORCED: Final = 1e4
_MOST_ROUNDS: Final = 4
_LEAST_POINTS: Final = 5


def shortest_and_rivals(
    distance: NDArray[np.float64], start: Sequence[int], most: float, reach: float
) -> tuple[list[int], list[list[int]]]:
    """Return the shortest closed tour found, and those that are hardly longer.

    For each two points that are not neighbours in it, the shortest tour in which they are is sought. That finds a swap
    of two points as well as a spur whose points can be visited in many orders.

    Args:
        distance: the distances between points, (n, n), symmetric.
        start: the numbers of all points in an initial order.
        most: the greatest excess length of a rival.
        reach: the greatest distance between points that are made neighbours.
    """
    tour = shortest_tour(distance, start)
    for _ in range(_MOST_ROUNDS):
        rivals = list(_rivals(distance, tour, reach))
        shortest = min(rivals, key=lambda rival: length(rival, distance), default=tour)
        if length(shortest, distance) >= length(tour, distance):
            break
        tour = shortest
    limit = length(tour, distance) + most
    return tour, [rival for rival in rivals if length(rival, distance) < limit]


def _rivals(distance: NDArray[np.float64], tour: list[int], reach: float) -> Iterator[list[int]]:
    """Yield, for each two points that are not neighbours, a short tour in which they are."""
    if len(tour) < _LEAST_POINTS:
        return
    neighbours = {frozenset(pair) for pair in zip(tour, [*tour[1:], tour[0]], strict=True)}
    for one, other in combinations(tour, 2):
        if distance[one, other] > reach or {one, other} in neighbours:
            continue
        drawn = distance.copy()
        drawn[[one, other], [other, one]] -= _FORCED
        # From two starts, because the search ends at the nearest tour that no single change shortens.
        ways = [shortest_tour(drawn, start) for start in (tour, _joined(tour, one, other))]
        # By the true distances, without the reduction.
        yield min(ways, key=lambda way: length(way, distance))


def _joined(tour: list[int], one: int, other: int) -> list[int]:
    """Return a tour in which two points are neighbours, made by reversing the stretch behind the first."""
    first, last = sorted((tour.index(one), tour.index(other)))
    return [*tour[: first + 1], *tour[first + 1 : last + 1][::-1], *tour[last + 1 :]]


def aligned(rival: Sequence[int], tour: Sequence[int]) -> list[int]:
    """Return a closed tour, rotated and if necessary reversed to have most points at the same positions as `tour`."""
    count, base = len(tour), np.array(tour)
    turns = (np.arange(count)[:, None] + np.arange(count)) % count
    ways = np.concatenate([np.array(way)[turns] for way in (list(rival), list(rival)[::-1])])
    return [int(number) for number in ways[int((ways == base).sum(axis=1).argmax())]]


def gap_for(point: NDArray[np.float64], points: NDArray[np.float64], tour: Sequence[int]) -> int:
    """Return the position, from 0, in a tour before which a further point would be inserted."""
    here, before = points[list(tour)], points[[tour[-1], *tour[:-1]]]
    longer = np.hypot(*(here - point).T) + np.hypot(*(before - point).T) - np.hypot(*(here - before).T)
    return int(longer.argmin())


def distances(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distances between points, (n, 2), as (n, n)."""
    return np.asarray(np.hypot(*np.moveaxis(points[:, None] - points[None], -1, 0)))


def length(tour: Sequence[int], distance: NDArray[np.float64]) -> float:
    """Return the length of a closed tour."""
    return float(distance[list(tour), [*tour[1:], *tour[:1]]].sum())


# The most consecutive points that are moved together.
_LONGEST_CHAIN: Final = 4
# Lesser savings are rounding errors; changes for their sake would not end.
_SHORTER: Final = 1e-9
_MOST_STEPS: Final = 200


def shortest_tour(distance: NDArray[np.float64], start: Sequence[int]) -> list[int]:
    """Return a closed tour of all points that no simple change shortens.

    Stretches are reversed (2-opt) and chains of up to four points are moved elsewhere (Or-opt; I. Or, 1976), each time
    by the change that saves most, until neither helps. Distances are of shape (n, n); `start` is an initial order.
    """
    tour = np.array(start, np.intp)
    for _ in range(_MOST_STEPS if len(tour) > 3 else 0):
        saved, better = max(_changes(distance[tour[:, None], tour]), key=lambda change: change[0])
        if saved <= _SHORTER:
            break
        tour = tour[better()]
    return [int(number) for number in tour]


def _changes(between: NDArray[np.float64]) -> Iterator[tuple[float, Callable[[], NDArray[np.intp]]]]:
    """Yield for each kind of change the saving of the best one, and a function that returns the new order.

    The order is given as positions in the old one; it is computed on demand, because most changes are not applied. The
    distances, (n, n), are in the tour's order.
    """
    count = len(between)
    ahead = between[:, _following(count)]
    # Rows behind the last point are read from the next round.
    rounds, rounds_ahead = np.concatenate([between, between]), np.concatenate([ahead, ahead])
    steps = np.ascontiguousarray(ahead.diagonal())
    yield _turned(steps, between, rounds_ahead[1 : count + 1])
    for chain in range(1, min(_LONGEST_CHAIN, count - 3) + 1):
        ends = slice(chain - 1, count + chain - 1)
        yield _moved(chain, steps, (between, rounds[ends]), (ahead, rounds_ahead[ends]))


def _turned(
    steps: NDArray[np.float64], between: NDArray[np.float64], next_between: NDArray[np.float64]
) -> tuple[float, Callable[[], NDArray[np.intp]]]:
    """Return the saving and order of the best reversal of one stretch.

    `steps` are the distances from each point to the next one, `next_between` those between the points' successors.
    """
    count = len(steps)
    saved = steps[:, None] + steps[None] - between - next_between
    saved[_not_above(count)] = -np.inf
    first, last = divmod(int(saved.argmax()), count)

    def order() -> NDArray[np.intp]:
        numbers = np.arange(count)
        return np.concatenate([numbers[: first + 1], numbers[first + 1 : last + 1][::-1], numbers[last + 1 :]])

    return float(saved[first, last]), order


def _moved(
    chain: int,
    steps: NDArray[np.float64],
    between: tuple[NDArray[np.float64], NDArray[np.float64]],
    ahead: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> tuple[float, Callable[[], NDArray[np.intp]]]:
    """Return the saving and order of the best move of one chain of `chain` points.

    `between` has the distances from a chain's first and last point to every point, `ahead` those to their successors.
    """
    count = len(steps)
    before, last, after, inside = _chains(count, chain)
    left = steps[before] + steps[last] - between[0][before, after]
    # Rows: where the chain begins; columns: after which point it is put.
    forwards = between[0] + ahead[1] - steps
    backwards = between[1] + ahead[0] - steps
    longer = np.minimum(forwards, backwards)
    longer[inside] = np.inf
    saved = left[:, None] - longer
    first, behind = divmod(int(saved.argmax()), count)

    def order() -> NDArray[np.intp]:
        taken, rest = np.split(np.roll(np.arange(count), -first), [chain])
        gap = (behind - first) % count - chain + 1
        way = taken if forwards[first, behind] <= backwards[first, behind] else taken[::-1]
        return np.concatenate([rest[:gap], way, rest[gap:]])

    return float(saved[first, behind]), order


# The arrays below depend on numbers of points alone, and a circle takes hundreds of tours of one length.
@lru_cache(maxsize=64)
def _following(count: int) -> NDArray[np.intp]:
    """Return the next index of each of `count` positions, cyclically."""
    return (np.arange(count) + 1) % count


@lru_cache(maxsize=64)
def _not_above(count: int) -> NDArray[np.bool_]:
    """Return a mask of a square's elements on or below its diagonal."""
    return np.tri(count, dtype=np.bool_)


@lru_cache(maxsize=256)
def _chains(count: int, chain: int) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
    """Return, for each chain's start: the point before, the last, the one after, and where it may not be put."""
    numbers = np.arange(count)
    further = (numbers[None] - numbers[:, None]) % count
    inside = (further < chain) | (further == count - 1)
    return (numbers - 1) % count, (numbers + chain - 1) % count, (numbers + chain) % count, inside
