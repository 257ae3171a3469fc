"""Places whose order is unclear: another way through the two neighbours is hardly longer."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.games.patchwork import PATCHES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from companion.patchwork.circle.piece import CircleSighting

_HARDLY_CELLS: Final = 0.8
"""A way that is longer by less may be the one that was laid. Of 40 simulated circles 5 were put into a wrong order: all
of them had such a place, as had 8 of the others."""
_FURTHEST: Final = 3
"""So many places a piece may be off, at most."""
_LEAST_PIECES: Final = 5


@lru_cache(maxsize=8)
def unclear_order(pieces: tuple[CircleSighting, ...]) -> Mapping[int, tuple[int, ...]]:
    """Return, for each place (from 1) with an unclear order, the other places whose pieces may belong there.

    Args:
        pieces: clockwise.
    """
    cell_px = _cell_px(pieces)
    count = len(pieces)
    if count < _LEAST_PIECES or cell_px <= 0:
        return {}
    middles = np.array([cv2.minAreaRect(piece.outline_px.astype(np.float32))[0] for piece in pieces]) / cell_px
    unclear: dict[int, set[int]] = {}
    for first in range(count):
        for further in range(1, _FURTHEST + 1):
            if _longer(middles, first, further) < _HARDLY_CELLS:
                places = {(first + step) % count + 1 for step in range(further + 1)}
                for place in places:
                    unclear.setdefault(place, set()).update(places - {place})
    return {place: tuple(sorted(others)) for place, others in unclear.items()}


def _longer(middles: NDArray[np.float64], first: int, further: int) -> float:
    """Return by how much the way grows, in cells, if a piece comes so many places later."""
    count = len(middles)
    before, here, after = ((first + step) % count for step in (-1, 0, 1))
    later, beyond = (first + further) % count, (first + further + 1) % count
    return (
        _way(middles, (before, after))
        + _way(middles, (later, here, beyond))
        - _way(middles, (before, here, after))
        - _way(middles, (later, beyond))
    )


def _way(middles: NDArray[np.float64], through: Sequence[int]) -> float:
    return float(np.hypot(*np.diff(middles[list(through)], axis=0).T).sum())


def _cell_px(pieces: Sequence[CircleSighting]) -> float:
    """Return the size of a cell, in pixels, by the areas of the named pieces; 0 if there are none."""
    sides = [
        float(np.sqrt(cv2.contourArea(piece.outline_px.astype(np.float32)) / PATCHES[piece.patch].size))
        for piece in pieces
        if piece.patch is not None and piece.sure
    ]
    return float(np.median(sides)) if sides else 0.0
