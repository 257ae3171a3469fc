"""Evidence of changes between the expected and the current view of a quilt, by a small convolutional network.

Both light and patches change a picture. The network was trained (`bench.changes`) to distinguish them on pairs of views
under moving, coloured shadows, reflections, noise and blur: light is smooth or has one edge across many cells and
preserves a print's structure, while a patch brings a structure and a rim of its own. Its receptive field is about three
cells around each window. Log-likelihood ratios of cells follow from those of their windows.
"""

from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CELL_PX, MARGIN_CELLS, VIEW_PX
from vision.networks import load_network
from vision.quilt.look import Look, by_cell

# Every eighth pixel of the grid, which is enough for the median change of light.
_GRID: Final = slice(round(MARGIN_CELLS * CELL_PX), VIEW_PX - round(MARGIN_CELLS * CELL_PX), 8)
CHANNELS: Final = 11
"""Channels of a pair: three of the ratio of the lights, and four of each look."""
# Edge of the box in which the contrast of a structure is measured: most of a cell.
_CONTRAST_PX: Final = 25
# Contrast below which there is only noise, which must not be amplified.
_LEAST_CONTRAST: Final = np.float32(0.03)


def channels(expected: Look, current: Look) -> NDArray[np.float32]:
    """Return the network's input for two looks, shape (CHANNELS, VIEW_PX, VIEW_PX), float32.

    They are the ratio of the lights (brightness, and two colours) less its median over the grid; then for each look its
    structure, plain and at normalised contrast, its brightest channel (overexposure hides changes) and its warmth.
    """
    shown = np.empty((CHANNELS, VIEW_PX, VIEW_PX), np.float32)
    ratio = current.log - expected.log
    usual = np.median(ratio[_GRID, _GRID].reshape(-1, 3), axis=0)
    blue, green, red = cv2.split(ratio)
    np.clip(current.luminance - expected.luminance - usual.mean(), -2, 2, out=shown[0])
    np.clip(4 * (red - green - (usual[2] - usual[1])), -2, 2, out=shown[1])
    np.clip(4 * (blue - green - (usual[0] - usual[1])), -2, 2, out=shown[2])
    for first, look in ((3, expected), (7, current)):
        _show(look, shown[first : first + 4])
    return shown


def _show(look: Look, shown: NDArray[np.float32]) -> None:
    """Write a look's own channels into an array of shape (4, VIEW_PX, VIEW_PX)."""
    contrast = cv2.sqrt(cv2.blur(look.detail * look.detail, (_CONTRAST_PX, _CONTRAST_PX)) + _LEAST_CONTRAST**2)
    np.clip(5 * look.detail, -2, 2, out=shown[0])
    np.clip(0.5 * look.detail / contrast, -2, 2, out=shown[1])
    blue, green, red = cv2.split(look.view)
    np.subtract(cv2.max(cv2.max(blue, green), red) / np.float32(128), 1, out=shown[2])
    dim, _, warm = cv2.split(look.log)
    np.clip(warm - dim, -1.5, 1.5, out=shown[3])


def changed(expected: Look, current: Look) -> NDArray[np.float64]:
    """Return log p(look | changed) - log p(look | as expected) for each window, shape (WINDOWS, WINDOWS), float64.

    Args:
        expected: the expected look of the quilt.
        current: the current look, registered like the expected one.
    """
    network = load_network(__package__, "changes.onnx")
    network.setInput(channels(expected, current)[None])
    return np.asarray(network.forward()[0], np.float64)


SHIFTS: Final = tuple(product((0, -1, 1), repeat=2))
"""Shifts (down, right) of a patch, in windows; the first one is none."""
LIMIT: Final = 12.0
"""Limit of a single cell's evidence, so that glare or a thread cannot outweigh all other cells."""
# Limit of a single window's evidence.
_WINDOW_LIMIT: Final = 4.0
# Weight of a cell's half that looks bare: a patch covers both halves, so such a half counts again.
_BARE_HALF: Final = 0.7
_OUTER, _INNER = 0.7, 1.3
# The weights of a cell's windows: the outer ones are reached by a neighbour's overhang and its shadow.
_IMPORTANCE: Final = np.outer(*[np.sqrt([_OUTER**2 / _INNER, _INNER, _INNER, _OUTER**2 / _INNER])] * 2)
# Weight against correlation: neighbouring windows share a print, and their evidence counts less than its sum.
_SHARED: Final = 0.25


def log_likelihood_ratio(windows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log p(look | changed) - log p(look | as expected) for each cell of the lattice at each shift.

    Args:
        windows: the ratio of each window, shape (WINDOWS, WINDOWS).

    Returns:
        Shape (len(SHIFTS), RING, RING), within +-LIMIT.
    """
    return np.stack([cell_ratios(by_cell(windows, down, right)) for down, right in SHIFTS])


def core_ratio(windows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean ratio of the four middle windows of each cell, (RING, RING), within +-_WINDOW_LIMIT."""
    middles = by_cell(windows)[1:-1, 1:-1]
    return np.asarray(np.clip(middles, -_WINDOW_LIMIT, _WINDOW_LIMIT).mean(axis=(0, 1)))


def cell_ratios(windows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the ratios of cells, shape (rows, columns), from those of their windows, shape (4, 4, rows, columns)."""
    weighed = np.clip(windows, -_WINDOW_LIMIT, _WINDOW_LIMIT) * (_SHARED * _IMPORTANCE[:, :, None, None])
    rows, columns = weighed.sum(axis=1), weighed.sum(axis=0)
    halves = np.stack([rows[:2].sum(axis=0), rows[2:].sum(axis=0), columns[:2].sum(axis=0), columns[2:].sum(axis=0)])
    bare = np.minimum(halves.min(axis=0), 0.0)
    return np.asarray(np.clip(rows.sum(axis=0) + _BARE_HALF * bare, -LIMIT, LIMIT))
