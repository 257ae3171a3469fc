"""How much each cell of a quilt looks changed, compared with how it is expected to look.

Light and patches both change a picture. What tells them apart: light multiplies (so views are compared as logarithms),
it is smooth over a cell, and it leaves the print's structure alone; a patch brings a structure of its own. The cues:
how far the structure differs, how much is left over once the window's light is divided out, and how colour and
brightness moved against the whole board's drift.

Cues are taken in small windows that tile the view, sixteen to a cell, and as medians: a window tells what most of it
shows, so that a neighbour that reaches over its edge, and the shadow there, change nothing. A patch that lies a quarter
of a cell beside the grid covers whole windows too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

import cv2
import numpy as np

from vision.rectify import CELL_PX, MARGIN_CELLS, SIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

_Number = TypeVar("_Number", bound=np.generic)

RING: Final = SIDE + 2
"""Cells a side of the lattice of evidence: the grid and one ring around it."""

WINDOW_PX: Final = 8
"""Edge of a window: a quarter of a cell."""
PER_CELL: Final = CELL_PX // WINDOW_PX
"""Windows along a cell's edge."""

_DARK: Final = 6.0
"""Added to each channel before the logarithm: below it is sensor noise."""
_MEAN: Final = np.full((1, 3), 1 / 3, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A view made ready for comparison.

    Attributes:
        log: logarithm of the view, shape (VIEW_PX, VIEW_PX, 3), float32, channels blue, green, red.
        luminance: mean of the three, shape (VIEW_PX, VIEW_PX), float32.
        structure: luminance less its surroundings, limited so that no single edge rules, same shape.
    """

    log: NDArray[np.float32]
    luminance: NDArray[np.float32]
    structure: NDArray[np.float32]


def look_at(view: NDArray[np.uint8]) -> Look:
    """Make a rectified view (VIEW_PX, VIEW_PX, 3), uint8, ready for comparison."""
    calm = cv2.GaussianBlur(view, (0, 0), 1.0).astype(np.float32)
    return look_of_log(np.asarray(cv2.log(calm + _DARK), np.float32))


def look_of_log(log: NDArray[np.float32]) -> Look:
    """The look whose logarithm is given, shape (VIEW_PX, VIEW_PX, 3), float32."""
    luminance = np.asarray(cv2.transform(log, _MEAN), np.float32)
    detail = luminance - cv2.GaussianBlur(luminance, (0, 0), 5.0)
    return Look(log, luminance, np.clip(detail, -0.15, 0.15))


@dataclass(frozen=True, slots=True, eq=False)
class Cues:
    """What was measured in each window of the view, each of shape (VIEW_PX / WINDOW_PX, VIEW_PX / WINDOW_PX), float32.

    Spreads are medians of absolute values, scaled to the standard deviation of a normal distribution.

    Attributes:
        discord: spread of the difference of the structures.
        leftover: spread of the log-luminance ratio around its median.
        colour: how far the colour moved against the board's drift, in log units.
        brightness: likewise the luminance, signed.
        texture: spread of the expected structure.
        new_texture: spread of the structure seen.
    """

    discord: NDArray[np.float32]
    leftover: NDArray[np.float32]
    colour: NDArray[np.float32]
    brightness: NDArray[np.float32]
    texture: NDArray[np.float32]
    new_texture: NDArray[np.float32]


def measure(current: Look, expected: Look) -> Cues:
    """Compare a look with the expected one, in every window."""
    ratio = current.log - expected.log
    luminance = _windows(current.luminance - expected.luminance)
    brightness = _median(luminance)
    leftover = _spread(luminance - brightness[:, :, None])
    steady = _steadiest(leftover)
    red = _off_drift(_median(_windows(ratio[:, :, 2] - ratio[:, :, 1])), steady)
    blue = _off_drift(_median(_windows(ratio[:, :, 0] - ratio[:, :, 1])), steady)
    return Cues(
        discord=_spread(_windows(current.structure - expected.structure)),
        leftover=leftover,
        colour=np.hypot(red, blue),
        brightness=_off_drift(brightness, steady),
        texture=_spread(_windows(expected.structure)),
        new_texture=_spread(_windows(current.structure)),
    )


_FIRST: Final = round(MARGIN_CELLS * PER_CELL)
_GRID: Final = slice(_FIRST, _FIRST + SIDE * PER_CELL)


def own_windows(cue: NDArray[_Number]) -> NDArray[_Number]:
    """The windows of the quilt itself, without those around it, shape (SIDE * PER_CELL, SIDE * PER_CELL)."""
    return cue[_GRID, _GRID]


def by_cell(cue: NDArray[_Number], down: int = 0, right: int = 0) -> NDArray[_Number]:
    """The windows of each cell of the lattice, shape (PER_CELL, PER_CELL, RING, RING).

    Args:
        cue: one value a window.
        down: by how many windows the lattice is shifted down, -2..2.
        right: likewise to the right.
    """
    top, left = _FIRST - PER_CELL + down, _FIRST - PER_CELL + right
    part = cue[top : top + RING * PER_CELL, left : left + RING * PER_CELL]
    return part.reshape(RING, PER_CELL, RING, PER_CELL).transpose(1, 3, 0, 2)


def _windows(image: NDArray[np.float32]) -> NDArray[np.float32]:
    """The pixels of each window, shape (windows, windows, WINDOW_PX ** 2)."""
    count = image.shape[0] // WINDOW_PX
    tiles = image.reshape(count, WINDOW_PX, count, WINDOW_PX).transpose(0, 2, 1, 3)
    return np.ascontiguousarray(tiles.reshape(count, count, -1))


def _median(windows: NDArray[np.float32]) -> NDArray[np.float32]:
    """The upper median of each window: half a pixel's worth beside the median, and cheaper."""
    middle = windows.shape[2] // 2
    return np.asarray(np.partition(windows, middle, axis=2)[:, :, middle], np.float32)


def _spread(windows: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1.4826 * _median(np.abs(windows)), np.float32)


def _steadiest(leftover: NDArray[np.float32]) -> NDArray[np.bool_]:
    """The third of the quilt's own windows that changed least; the board's drift of light is taken from them."""
    own = own_windows(leftover)
    return np.asarray(own <= np.quantile(own, 1 / 3), np.bool_)


def _off_drift(values: NDArray[np.float32], steady: NDArray[np.bool_]) -> NDArray[np.float32]:
    return np.asarray(values - np.median(own_windows(values)[steady]), np.float32)
