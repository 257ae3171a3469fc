"""Fixtures of circles as the camera's reading returns them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES
from companion.patchwork.circle.seen import CircleSighting, SeenMarket

ORDER = (*(patch for patch in PATCHES if patch != "domino"), "domino")
MarketOf = Callable[..., SeenMarket]


@pytest.fixture
def piece_of() -> Callable[..., CircleSighting]:
    """A square outline at (x, y) with a name."""

    def piece_of(
        patch: str | None, x: float = 50.0, y: float = 50.0, sure: float = 0.99, whole: bool = True
    ) -> CircleSighting:
        corners = np.array([[x - 9, y - 9], [x + 9, y - 9], [x + 9, y + 9], [x - 9, y + 9]])
        chances = () if patch is None else ((patch, sure),)
        return CircleSighting(patch, corners, (x, y), chances, sure=patch is not None and sure > 0.9, whole=whole)

    return piece_of


@pytest.fixture
def market_of(piece_of: Callable[..., CircleSighting]) -> MarketOf:
    """A circle of named pieces around (300, 200)."""

    def market_of(
        patches: Sequence[str | None] = ORDER, begins: str = "domino", **changed: CircleSighting
    ) -> SeenMarket:
        angles = 2 * np.pi * np.arange(len(patches)) / max(1, len(patches))
        pieces = [
            changed.get((patch or "").replace("-", "_"))
            or piece_of(patch, float(300 + 200 * np.cos(angle)), float(200 + 150 * np.sin(angle)))
            for patch, angle in zip(patches, angles, strict=True)
        ]
        return SeenMarket(tuple(pieces), (505.0, 190.0), begins)

    return market_of
