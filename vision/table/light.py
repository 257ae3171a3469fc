"""Measurement of the light on the whole table, outside of the boards."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import channels
from vision.geometry.homography import Homography
from vision.geometry.rectify import GRID_CORNERS

# Rows and columns of blocks of the picture, each with the median of its light.
_BLOCKS: Final = (18, 32)
# Converts grey levels to approximately linear light.
_GAMMA: Final = 2.2
# Grey level from which a channel is overexposed.
_FULL: Final = 250
# Extent of a board and its mat beyond the grid; they are not the table.
_BOARD_CELLS: Final = 1.0


@dataclass(frozen=True, slots=True)
class TableLight:
    """The light in a picture.

    Attributes:
        white: grey level of the brightest objects, 0..255: paper, or the patches' labels.
        full: share of the picture that is overexposed, 0..1.
        fall: relative fall of the light from the brightest side of the table to the darkest, 0..1.
    """

    white: float
    full: float
    fall: float


def table_light(image: NDArray[np.uint8], boards: Iterable[Homography]) -> TableLight:
    """Measure the light on a table.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        boards: maps from each board's cell space to pixels.
    """
    small = cv2.resize(image, (_BLOCKS[1] * 12, _BLOCKS[0] * 12), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    return TableLight(
        white=float(np.percentile(grey, 99.5)),
        full=float((channels.darkest(image) >= _FULL).mean()),
        fall=_fall(np.asarray(grey, np.float64), _beside(image.shape[1], image.shape[0], boards)),
    )


def _beside(width: int, height: int, boards: Iterable[Homography]) -> NDArray[np.bool_]:
    """Return the blocks that show no part of a board, (18, 32)."""
    table = np.full(_BLOCKS, 255, np.uint8)
    scale = np.array([_BLOCKS[1] / width, _BLOCKS[0] / height])
    for board in boards:
        around = np.where(GRID_CORNERS > 0, GRID_CORNERS + _BOARD_CELLS, GRID_CORNERS - _BOARD_CELLS)
        corners = board(around) * scale - 0.5
        cv2.fillConvexPoly(table, corners.round().astype(np.int32), (0,))
    return np.asarray(table > 0, np.bool_)


def _fall(grey: NDArray[np.float64], beside: NDArray[np.bool_]) -> float:
    blocks = np.median(grey.reshape(_BLOCKS[0], 12, _BLOCKS[1], 12), axis=(1, 3))
    light = _GAMMA * np.log(np.maximum(blocks, 4.0) / 255)
    rows, columns = np.nonzero(beside)
    terms = np.column_stack((np.ones(len(rows)), rows / _BLOCKS[0] - 0.5, columns / _BLOCKS[1] - 0.5))
    fit: NDArray[np.floating[Any]] = np.zeros(3)
    weights = np.ones(len(rows))
    for _ in range(12):
        # A robust fit, not the mean: patches and tokens lie there too.
        root = np.sqrt(weights)[:, None]
        fit = np.linalg.lstsq(terms * root, light[rows, columns] * root[:, 0], rcond=None)[0]
        weights = 1 / np.maximum(np.abs(light[rows, columns] - terms @ fit), 0.02)
    return 1 - float(np.exp(-np.abs(fit[1:]).sum()))
