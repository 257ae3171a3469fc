"""Where the order is not clear."""

from __future__ import annotations

import numpy as np

from companion.games.patchwork import PATCHES
from companion.patchwork.circle.order.unclear import unclear_order
from companion.patchwork.circle.piece import CircleSighting
from companion.patchwork.circle.seen import SeenMarket

ORDER = (*(patch for patch in PATCHES if patch != "domino"), "domino")
CELL = 8.0


def circle(beside: tuple[int, ...] = (), count: int = 33, size: float = CELL) -> SeenMarket:
    """A ring of pieces; those `beside`, by place, lie in one direction, one further out than the other."""
    pieces = []
    for place, patch in enumerate(ORDER[:count], start=1):
        angle, away = 0.19 * place, 250.0
        if place in beside:
            angle, away = 0.19 * float(np.mean(beside)), 232.0 if place == beside[0] else 268.0
        middle = 300 + away * np.array([np.cos(angle), np.sin(angle)])
        corners = middle + size * np.sqrt(PATCHES[patch].size) / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        pieces.append(CircleSighting(patch, corners, (middle[0], middle[1]), ((patch, 1.0),), sure=True))
    return SeenMarket(tuple(pieces), None, "domino")


def test_a_line_of_pieces_is_clear() -> None:
    assert unclear_order(circle().pieces) == {}
    assert circle().doubtful == ()


def test_pieces_side_by_side_may_come_in_either_order() -> None:
    seen = circle(beside=(8, 9))
    assert unclear_order(seen.pieces) == {8: (9,), 9: (8,)}
    assert [(doubt.place, doubt.candidates) for doubt in seen.doubtful] == [
        (8, (ORDER[7], ORDER[8])),
        (9, (ORDER[8], ORDER[7])),
    ]


def test_where_nothing_can_be_measured_nothing_is_said() -> None:
    assert unclear_order(circle(count=4).pieces) == {}
    assert unclear_order(circle(size=0.0).pieces) == {}
