"""Pairs of views with the true changes between them, and their files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.geometry import CELL_PX, MARGIN_CELLS, SIDE, VIEW_PX
from vision.quilt.look import WINDOW_PX, WINDOWS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

MARGIN_PX: Final = round(MARGIN_CELLS * CELL_PX)
# The range of a window's changed share in which it counts as neither changed nor unchanged, and is not trained on.
_MIXED: Final = (0.2, 0.8)


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """An expected and a current view.

    Attributes:
        expected: shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.
        current: same shape.
        changed: whether each window has changed, shape (WINDOWS, WINDOWS), bool.
        counts: whether each window is trained on, same shape, bool.
    """

    expected: NDArray[np.uint8]
    current: NDArray[np.uint8]
    changed: NDArray[np.bool_]
    counts: NDArray[np.bool_]


def pair_of(
    expected: NDArray[np.floating] | NDArray[np.uint8],
    current: NDArray[np.floating] | NDArray[np.uint8],
    changed: NDArray[np.bool_],
    unknown: NDArray[np.bool_],
) -> Pair:
    """Return the pair of two views, with masks, shape (VIEW_PX, VIEW_PX), of changed pixels and of unknown ones."""
    share = _by_window(changed)
    counts = ((share <= _MIXED[0]) | (share >= _MIXED[1])) & (_by_window(unknown) < 0.1)
    return Pair(_picture(expected), _picture(current), share > 0.5, counts)


def pixels_of(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the mask of the view's pixels, shape (VIEW_PX, VIEW_PX), for a mask of cells, shape (SIDE, SIDE)."""
    pixels = np.zeros((VIEW_PX, VIEW_PX), np.bool_)
    inner = slice(MARGIN_PX, MARGIN_PX + SIDE * CELL_PX)
    pixels[inner, inner] = np.kron(cells, np.ones((CELL_PX, CELL_PX), np.bool_))
    return pixels


def save_pairs(path: Path, pairs: Sequence[Pair]) -> None:
    """Save pairs to a file."""
    arrays = {name: np.stack([getattr(pair, name) for pair in pairs]) for name in Pair.__dataclass_fields__}
    np.savez(path, **arrays)  # type: ignore[arg-type]  # numpy's stub takes its own option for one of the names


def load_pairs(path: Path) -> list[Pair]:
    """Return the pairs of a file."""
    with np.load(path) as arrays:
        kept = [arrays[name] for name in Pair.__dataclass_fields__]
    return [Pair(*each) for each in zip(*kept, strict=True)]


def _by_window(pixels: NDArray[np.bool_]) -> NDArray[np.float64]:
    tiles = np.ascontiguousarray(pixels).reshape(WINDOWS, WINDOW_PX, WINDOWS, WINDOW_PX)
    return np.asarray(tiles.mean(axis=(1, 3)))


def _picture(view: NDArray[np.floating] | NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(np.clip(np.rint(view), 0, 255).astype(np.uint8))
