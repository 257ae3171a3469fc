"""Measurement of the light on an empty board, independent of its print."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import channels
from vision.geometry.homography import Homography
from vision.geometry.rectify import CELL_PX, MARGIN_CELLS, SIDE, rectify

# Converts grey levels to approximately linear light.
_GAMMA: Final = 2.2
# Grey level from which a channel is overexposed.
_FULL: Final = 250
# Margin excluded at a cell's edges, because of the grid's lines.
_INSET_PX: Final = 5
# Share of blue, green and red in brightness (ITU-R BT.601).
_LUMINANCE: Final = np.array([0.114, 0.587, 0.299])


@dataclass(frozen=True, slots=True)
class BoardLight:
    """The light on one board.

    Attributes:
        level: brightness as a grey level, 0..255: the median over its cells.
        full: share of overexposed pixels, 0..1.
        fall: relative fall of the light from the brightest side to the darkest, 0..1, of a plane fitted to it.
        veil: grey levels that a lamp's reflection adds equally to all colours at its brightest place.
        tint: relative change of the light's ratio of red to blue from side to side, 0..1.
    """

    level: float
    full: float
    fall: float
    veil: float
    tint: float


def board_light(image: NDArray[np.uint8], cells_to_image: Homography) -> BoardLight:
    """Measure the light on an empty board.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        cells_to_image: from cell space to pixels.
    """
    first, last = round(MARGIN_CELLS * CELL_PX), round((MARGIN_CELLS + SIDE) * CELL_PX)
    view = rectify(image, cells_to_image)[first:last, first:last]
    cells = _cell_colours(view)
    light = (cells / 255) ** _GAMMA
    bright = np.log(np.maximum(light @ _LUMINANCE, 1e-4))
    slope = _slope(bright)
    warm = _slope(np.log(np.maximum(light[..., 2], 1e-4)) - np.log(np.maximum(light[..., 0], 1e-4)))
    return BoardLight(
        level=float(np.median(cells @ _LUMINANCE)),
        full=float((channels.darkest(view) >= _FULL).mean()),
        fall=1 - float(np.exp(slope.min() - slope.max())),
        veil=_veil(cells),
        tint=1 - float(np.exp(warm.min() - warm.max())),
    )


def _cell_colours(view: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the median colour of each cell's middle, (9, 9, 3)."""
    squares = view.reshape(SIDE, CELL_PX, SIDE, CELL_PX, 3)[:, _INSET_PX:-_INSET_PX, :, _INSET_PX:-_INSET_PX]
    return np.asarray(np.median(squares, axis=(1, 3)), np.float64)


def _slope(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the plane through 9x9 values that fits most of them, (9, 9)."""
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    terms = np.column_stack((np.ones(SIDE * SIDE), rows.ravel(), columns.ravel()))
    weights = np.ones(SIDE * SIDE)
    flat = values.ravel()
    for _ in range(6):
        root = np.sqrt(weights)[:, None]
        fit = np.linalg.lstsq(terms * root, flat * root[:, 0], rcond=None)[0]
        off = np.abs(flat - terms @ fit)
        weights = 1 / np.maximum(off, 0.01)
    plane: NDArray[np.float64] = (terms @ fit).reshape(SIDE, SIDE)
    return plane


def _veil(cells: NDArray[np.float64]) -> float:
    """Return the grey levels that a lamp's reflection adds at its brightest place, 0 for none.

    A reflection adds the same to all channels, while a brighter light adds to each in proportion to its level.
    """
    levels = np.median(cells, axis=(0, 1))
    added = np.stack([channel - _slope(channel) for channel in np.moveaxis(cells, 2, 0)], axis=2)
    smooth = np.asarray(cv2.blur(added, (3, 3), borderType=cv2.BORDER_REPLICATE), np.float64)
    dark, light = int(np.argmin(levels)), int(np.argmax(levels))
    row, column = np.unravel_index(int(np.argmax(smooth[..., dark])), (SIDE, SIDE))
    peak = smooth[row, column]
    alike = peak[dark] / max(peak[light], 1.0)
    return float(peak[dark]) if alike > (1 + levels[dark] / max(levels[light], 1.0)) / 2 else 0.0
