"""The order of the circle: along the line of pieces, clockwise around the time board, from the neutral token on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.patchwork.circle.order.tour import gap_for, shortest_tour, shortest_way
from vision.pieces.maps import MAP_PX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.pieces.maps import PieceMaps

_LEAST_TRACK_CELLS: Final = 10.0
_TOKEN_CELLS: Final = (0.12, 1.4)
"""Area of a neutral token: a pawn's head, or a pebble as large as a patch's cell."""
_LEAST_TOKEN: Final = 1.0
"""Log-odds at its surest point."""
_NEAR_CELLS: Final = 3.0
"""From the token to the next piece, at most."""


@dataclass(frozen=True, slots=True, eq=False)
class CircleOrder:
    """The order in which pieces follow one another.

    Attributes:
        order: numbers of the pieces, clockwise.
        begins: "token", "domino" or "nowhere".
        token: (x, y) of the neutral token in table space, or None.
    """

    order: tuple[int, ...]
    begins: str
    token: NDArray[np.float64] | None


def order_circle(maps: PieceMaps, centres: NDArray[np.float64], last: int | None, *, full: bool) -> CircleOrder:
    """Put pieces into order.

    Args:
        maps: what was seen of the table.
        centres: the pieces' middles, shape (n, 2), table space.
        last: number of the smallest piece, if it is among them.
        full: whether no piece was taken yet; then the token stands behind the smallest one, as the rules have it.
    """
    if not len(centres):
        return CircleOrder((), "nowhere", None)
    order = _clockwise_line(centres, middle_of(maps, centres), closed=full)
    token = _token(maps, centres)
    if last is not None and (full or token is None):
        begin, begins = order.index(last) + 1, "domino"
    elif token is not None:
        begin, begins = gap_for(token, centres, order), "token"
    else:
        begin, begins = 0, "nowhere"
    return CircleOrder((*order[begin:], *order[:begin]), begins, token)


def middle_of(maps: PieceMaps, centres: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the circle's centre, (x, y) in table space: the time board if it is seen, else the pieces' own middle."""
    seen = (maps.track > 0).astype(np.uint8)
    count, _, stats, middles = cv2.connectedComponentsWithStats(seen)
    areas = stats[1:, cv2.CC_STAT_AREA] / MAP_PX**2
    if count > 1 and areas.max() >= _LEAST_TRACK_CELLS:
        return np.asarray((middles[1 + int(areas.argmax())] + 0.5) / MAP_PX, np.float64)
    box = cv2.minAreaRect(centres.astype(np.float32))
    return np.asarray(box[0], np.float64)


def _clockwise_line(centres: NDArray[np.float64], middle: NDArray[np.float64], *, closed: bool) -> list[int]:
    """Return the pieces clockwise along the line they lie in; if not all are seen, it need not be closed.

    A line with corners, or one that goes round a board, has pieces whose directions from the middle are not in order.
    """
    angles = _clockwise(centres, middle)
    begin = [int(number) for number in np.argsort(angles, kind="stable")]
    order = shortest_tour(centres, begin) if closed else shortest_way(centres, begin)
    line = [*order, order[0]] if closed else order
    steps = np.angle(np.exp(1j * np.diff(angles[line])))
    return order if steps.sum() >= 0 else order[::-1]


def _clockwise(points: NDArray[np.float64], middle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Angles that grow clockwise as one looks at the picture: y points down."""
    off = points - middle
    return np.asarray(np.arctan2(off[:, 1], off[:, 0]))


def _token(maps: PieceMaps, centres: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return the surest token beside a piece, (x, y) in table space, or None."""
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
    """Return which points lie no further from a piece than the next piece would."""
    apart = np.hypot(*np.moveaxis(points[:, None] - np.asarray(centres)[None], -1, 0))
    return np.asarray(apart.min(axis=1) < 2 * _NEAR_CELLS)
