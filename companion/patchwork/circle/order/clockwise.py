"""The order of the circle: clockwise around the time board along the line of pieces, from the neutral token on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.patchwork.circle.order.tour import UnclearStretch, distances, gap_for, shortest_and_rivals, unclear_ways
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
    behind = token if full and last is not None and token is not None and _is_behind(token, centres[last]) else None
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


def _is_behind(token: NDArray[np.float64], last: NDArray[np.float64]) -> bool:
    return float(np.hypot(*(token - last))) <= _BEHIND_LAST_CELLS


def middle_of(maps: PieceMaps, centres: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the circle's centre, (x, y) in table space: the time board if it is seen, else the pieces' own middle."""
    seen = (maps.track > 0).astype(np.uint8)
    count, _, stats, middles = cv2.connectedComponentsWithStats(seen)
    areas = stats[1:, cv2.CC_STAT_AREA] / MAP_PX**2
    if count > 1 and areas.max() >= _LEAST_TRACK_CELLS:
        return np.asarray((middles[1 + int(areas.argmax())] + 0.5) / MAP_PX, np.float64)
    box = cv2.minAreaRect(centres.astype(np.float32))
    return np.asarray(box[0], np.float64)


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

    On a line with corners, or around a board, the pieces' directions from the middle are not in order.

    Args:
        centres: the pieces' middles, (n, 2).
        middle: the circle's middle.
        last: the number of the smallest piece, or None.
        token: (x, y) of the neutral token if it stands behind that piece: the line then leads past it.
        closed: whether the line is closed.
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
        distance[count, last] -= _STANDS_BEHIND
        distance[last, count] -= _STANDS_BEHIND
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
