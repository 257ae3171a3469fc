"""Fixtures of quilts as a reading returns them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from companion.patchwork.photograph.photo import SeenQuilt
from vision.geometry import GRID_CORNERS, through_corners

PLACES = {
    1: ((60, 80), (330, 84), (334, 352), (56, 350)),
    2: ((400, 80), (640, 84), (634, 320), (396, 318)),
}
SureOf = Callable[..., SeenQuilt]


@pytest.fixture
def seen() -> SureOf:
    """A function that returns a seat's quilt from nine strings; `likely` overrides chances by (row, column)."""

    def seen(seat: int, rows: list[str], likely: dict[tuple[int, int], float] | None = None) -> SeenQuilt:
        chances = np.array([[0.999 if cell == "X" else 0.001 for cell in row] for row in rows])
        for cell, chance in (likely or {}).items():
            chances[cell] = chance
        return SeenQuilt(seat, through_corners(GRID_CORNERS, PLACES[seat]), chances)

    return seen
