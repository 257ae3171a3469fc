"""The shapes of the box in vision's form, and the patches that have each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.patchwork import PATCHES
from vision.pieces.polyominoes import ways_of

if TYPE_CHECKING:
    from vision.pieces.polyominoes import Cells


def _by_shape() -> dict[Cells, tuple[str, ...]]:
    shapes: dict[Cells, tuple[str, ...]] = {}
    for patch in PATCHES.values():
        shape = min(ways_of(patch.cells))
        shapes[shape] = (*shapes.get(shape, ()), patch.id)
    return shapes


_BY_SHAPE: Final = _by_shape()
SHAPES: Final[tuple[Cells, ...]] = tuple(_BY_SHAPE)
"""The 30 different shapes, each in one of its orientations."""
PATCHES_OF: Final[tuple[tuple[str, ...], ...]] = tuple(_BY_SHAPE.values())
"""The patches of each shape; three shapes occur twice."""
