"""What is measured on the straight-on view of one quilt before anything is known about it: its cells and their edges.

Everything is taken from logarithms, in which light is a sum: luminance, and two differences of channels that are
the same in bright and in dim light.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.rectify import CELL_PX, MARGIN_CELLS, SIDE, cell_window

if TYPE_CHECKING:
    from numpy.typing import NDArray

LINES: Final = SIDE + 1
REACH_PX: Final = 8
"""How far to both sides of an edge its profile goes: a printed button begins where it ends."""
STRIPES: Final = 6
"""Parts along an edge that are looked at one by one."""
BLOCKS: Final = 3
"""Parts of a cell along each side that are looked at one by one."""

_DARK: Final = 8.0
_CELL_INSET_PX: Final = 5
_EDGE_INSET_PX: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class BoardLook:
    """One board's measurements; channels are log-luminance, log red over green, log blue over green.

    Attributes:
        planes: the view itself, shape (VIEW_PX, VIEW_PX, 3), float32.
        pixels: the inside of each cell, shape (SIDE, SIDE, 22, 22, 3), float32.
        colour: median of each cell, shape (SIDE, SIDE, 3), float64.
        texture: standard deviation of each cell, shape (SIDE, SIDE, 3), float64.
        blocks: mean of each ninth of a cell, shape (SIDE, SIDE, BLOCKS * BLOCKS, 3), float64.
        profiles: across each edge, shape (2, LINES, SIDE, STRIPES, 2 * REACH_PX, 3), float64: axis 0 has the lines
            between columns, [0, line, row]; axis 1 those between rows, [1, line, column].
        rim: median of the printed border beside the cells at the board's edge, shape (4, SIDE, 3), float64: above,
            right, below and left, by column or row.
    """

    planes: NDArray[np.float32]
    pixels: NDArray[np.float32]
    colour: NDArray[np.float64]
    texture: NDArray[np.float64]
    blocks: NDArray[np.float64]
    profiles: NDArray[np.float64]
    rim: NDArray[np.float64]


def look_at_board(view: NDArray[np.uint8]) -> BoardLook:
    """Measure a rectified view (VIEW_PX, VIEW_PX, 3), uint8, BGR."""
    planes = _planes(view)
    windows = [[planes[cell_window(row, column, _CELL_INSET_PX)] for column in range(SIDE)] for row in range(SIDE)]
    pixels = np.array(windows, np.float32)
    flat = pixels.reshape(SIDE, SIDE, -1, 3).astype(np.float64)
    return BoardLook(
        planes=planes,
        pixels=pixels,
        colour=np.asarray(np.median(flat, axis=2)),
        texture=np.asarray(flat.std(axis=2)),
        blocks=_blocks(pixels),
        profiles=np.stack([_profiles(planes), _profiles(planes.transpose(1, 0, 2))]),
        rim=_rim(planes),
    )


def _planes(view: NDArray[np.uint8]) -> NDArray[np.float32]:
    calm = cv2.GaussianBlur(view, (0, 0), 0.8).astype(np.float32)
    blue, green, red = np.moveaxis(np.log(calm + _DARK), 2, 0)
    return np.stack([(blue + green + red) / 3, red - green, blue - green], axis=2).astype(np.float32)


def _blocks(pixels: NDArray[np.float32]) -> NDArray[np.float64]:
    side = pixels.shape[2] // BLOCKS
    cut = pixels[:, :, : side * BLOCKS, : side * BLOCKS]
    parts = cut.reshape(SIDE, SIDE, BLOCKS, side, BLOCKS, side, 3).mean(axis=(3, 5), dtype=np.float64)
    return np.asarray(parts.reshape(SIDE, SIDE, BLOCKS * BLOCKS, 3))


def _profiles(planes: NDArray[np.float32]) -> NDArray[np.float64]:
    """Across each line between columns, shape (LINES, SIDE, STRIPES, 2 * REACH_PX, 3)."""
    margin_px, length_px = round(MARGIN_CELLS * CELL_PX), CELL_PX - 2 * _EDGE_INSET_PX
    found = np.empty((LINES, SIDE, STRIPES, 2 * REACH_PX, 3))
    for line, row in np.ndindex(LINES, SIDE):
        left = margin_px + line * CELL_PX - REACH_PX
        top = margin_px + row * CELL_PX + _EDGE_INSET_PX
        strip = planes[top : top + length_px, left : left + 2 * REACH_PX]
        found[line, row] = strip.reshape(STRIPES, length_px // STRIPES, 2 * REACH_PX, 3).mean(axis=1)
    return found


def _rim(planes: NDArray[np.float32]) -> NDArray[np.float64]:
    """The border is 5 mm wide, a quarter of a cell; 2 to 6 px off the grid it is seen beside any line and outline."""
    sides = []
    first, last = round(MARGIN_CELLS * CELL_PX), round((MARGIN_CELLS + SIDE) * CELL_PX)
    for strip in (
        planes[first - 6 : first - 2, first:last],
        planes[first:last, last + 2 : last + 6].transpose(1, 0, 2),
        planes[last + 2 : last + 6, first:last],
        planes[first:last, first - 6 : first - 2].transpose(1, 0, 2),
    ):
        parts = strip.reshape(strip.shape[0], SIDE, CELL_PX, 3).transpose(1, 0, 2, 3)
        sides.append(np.median(parts.reshape(SIDE, -1, 3), axis=1))
    return np.array(sides, np.float64)
