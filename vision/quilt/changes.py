"""Evidence of changes between the expected and the current view of a quilt, by a small convolutional network.

Both light and patches change a picture. The network was trained (`bench.changes`) to distinguish them on pairs of views
under moving, coloured shadows, reflections, noise and blur: light is smooth or has one edge across many cells and
preserves a print's structure, while a patch brings a structure and a rim of its own. Its receptive field is about three
cells around each window. Log-likelihood ratios of cells follow from those of their windows.

What a ratio is worth depends on how well its cell is seen. Blur, a smeared lens, noise, darkness and few pixels all do
the same to a print that lies where it is expected: less of it is found again. So a cell is seen as well as the prints
in it and around it that look as expected correlate with what they are expected to be. `python -m bench.changes
calibrate` shows how often evidence is right at each visibility, on boards drawn for it and seen through degraded
cameras; the tables here are its result, rounded down.
"""

from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CELL_PX, MARGIN_CELLS, SIDE, VIEW_PX
from vision.networks import load_network
from vision.quilt.look import RING, WINDOWS, Look, by_cell
from vision.reductions import brightest

# Every eighth pixel of the grid, which is enough for the median change of light.
_GRID: Final = slice(round(MARGIN_CELLS * CELL_PX), VIEW_PX - round(MARGIN_CELLS * CELL_PX), 8)
CHANNELS: Final = 11
"""Channels of a pair: three of the ratio of the lights, and four of each look."""
# Edge of the box in which the contrast of a structure is measured: most of a cell.
_CONTRAST_PX: Final = 25
# Contrast below which there is only noise, which must not be amplified.
_LEAST_CONTRAST: Final = np.float32(0.03)
_WARMTH: Final = np.array([[-1.0, 0.0, 1.0]])


def channels(expected: Look, current: Look) -> NDArray[np.float32]:
    """Return the network's input for two looks, shape (CHANNELS, VIEW_PX, VIEW_PX), float32.

    They are the ratio of the lights (brightness, and two colours) less its median over the grid; then for each look its
    structure, plain and at normalised contrast, its brightest channel (overexposure hides changes) and its warmth.
    """
    shown = np.empty((CHANNELS, VIEW_PX, VIEW_PX), np.float32)
    ratio = current.log - expected.log
    blue, green, red = np.median(ratio[_GRID, _GRID].reshape(-1, 3), axis=0)
    np.clip(current.luminance - expected.luminance - (blue + green + red) / 3, -2, 2, out=shown[0])
    # Each less its median, in one pass over the picture.
    np.clip(cv2.transform(ratio, np.array([[0, -4, 4, 4 * (green - red)]])), -2, 2, out=shown[1])
    np.clip(cv2.transform(ratio, np.array([[4, -4, 0, 4 * (green - blue)]])), -2, 2, out=shown[2])
    for first, look in ((3, expected), (7, current)):
        _show(look, shown[first : first + 4])
    return shown


def _show(look: Look, shown: NDArray[np.float32]) -> None:
    """Write a look's own channels into an array of shape (4, VIEW_PX, VIEW_PX)."""
    contrast = cv2.sqrt(cv2.sqrBoxFilter(look.detail, cv2.CV_32F, (_CONTRAST_PX, _CONTRAST_PX)) + _LEAST_CONTRAST**2)
    np.clip(5 * look.detail, -2, 2, out=shown[0])
    np.clip(cv2.divide(look.detail, contrast, scale=0.5), -2, 2, out=shown[1])
    np.subtract(brightest(look.view) / np.float32(128), 1, out=shown[2])
    np.clip(cv2.transform(look.log, _WARMTH), -1.5, 1.5, out=shown[3])


def changes_network() -> cv2.dnn.Net:
    """Return a network for `changed`; it is worth its memory for as long as a look takes."""
    return load_network(__package__, "changes.onnx")


def changed(expected: Look, current: Look, network: cv2.dnn.Net | None = None) -> NDArray[np.float64]:
    """Return log p(look | changed) - log p(look | as expected) for each window, shape (WINDOWS, WINDOWS), float64.

    Args:
        expected: the expected look of the quilt.
        current: the current look, registered like the expected one.
        network: a network to use again, which saves its loading and a third of the memory's cost, or None.
    """
    network = changes_network() if network is None else network
    network.setInput(channels(expected, current)[None])
    return np.asarray(network.forward()[0], np.float64)


# The ratio of a window that says clearly enough that nothing has changed.
_CLEAR: Final = -2.0


def unbiased(windows: NDArray[np.float64], own: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the ratios of windows less what the network takes for a change where there is none.

    Some prints look to it as if something lay on them, whatever they are compared with.

    Args:
        windows: the ratio of each window, shape (WINDOWS, WINDOWS).
        own: the same for the expected look compared with itself.
    """
    return np.asarray(windows - np.maximum(own - _CLEAR, 0.0))


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
    shifted = np.concatenate([by_cell(windows, down, right) for down, right in SHIFTS], axis=2)
    return cell_ratios(shifted).reshape(len(SHIFTS), RING, RING)


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


# The median of a normal deviation, in standard deviations.
_MEDIAN: Final = 0.6745
# The middle of a cell, which a patch that lies a little off the grid covers, too.
_MIDDLE: Final = slice(CELL_PX // 8, -(CELL_PX // 8))
# Steps between the lights of neighbouring cells that are not noticed: of brightness, and of both colours.
_LEAST_STEP: Final = np.array([0.02, 0.004, 0.004])


def light_of_cells(expected: Look, current: Look) -> NDArray[np.float64]:
    """Return by how much the light of each cell has changed, shape (RING, RING, 3): brightness, and two colours.

    The unit is the usual step between neighbouring cells, so that noise and uneven light make no large steps.
    """
    first = round((MARGIN_CELLS - 1) * CELL_PX)
    lattice = slice(first, first + RING * CELL_PX)
    ratio = current.log[lattice, lattice] - expected.log[lattice, lattice]
    # Whole rows first: that is quicker by far than all at once.
    rows = ratio.reshape(RING, CELL_PX, -1)[:, _MIDDLE].mean(axis=1, dtype=np.float64)
    cells = rows.reshape(RING, RING, CELL_PX, 3)[:, :, _MIDDLE].mean(axis=2)
    blue, green, red = np.moveaxis(cells, -1, 0)
    light = np.stack([(blue + green + red) / 3, red - green, blue - green], axis=-1)
    grid = light[1:-1, 1:-1]
    steps = np.concatenate([np.diff(grid, axis=axis).reshape(-1, 3) for axis in (0, 1)])
    return np.asarray(light / (np.median(np.abs(steps), axis=0) / _MEDIAN + _LEAST_STEP))


def lone_light(expected: Look, current: Look) -> NDArray[np.float64]:
    """Return by how much the light of each cell's middle has changed unlike that of the cells beside it, (SIDE, SIDE).

    It is a log-ratio, the least of all parts of the middle to the four cells: negative if all parts have become darker
    than each of them, positive if brighter, and 0 otherwise. So uneven light and larger shadows make none.
    """
    ratio = current.luminance - expected.luminance
    middles = by_cell(cv2.resize(ratio, (WINDOWS, WINDOWS), interpolation=cv2.INTER_AREA))[1:-1, 1:-1]
    cells, own = middles.mean(axis=(0, 1)), middles[:, :, 1:-1, 1:-1]
    beside = np.stack([cells[:-2, 1:-1], cells[2:, 1:-1], cells[1:-1, :-2], cells[1:-1, 2:]])
    darker = np.minimum(own.max(axis=(0, 1)) - beside.min(axis=0), 0.0)
    return np.asarray(darker + np.maximum(own.min(axis=(0, 1)) - beside.max(axis=0), 0.0), np.float64)


# Edge of the blocks in which products of the two looks are summed.
_BLOCK_PX: Final = 4
# Edge of the part that is compared for each cell, in blocks: the cell, and as much around it as shows the lines.
_PART: Final = CELL_PX // _BLOCK_PX + 2
# The first part's place, in blocks.
_FIRST_PART: Final = round((MARGIN_CELLS - 1) * CELL_PX) // _BLOCK_PX - 1
_PARTS: Final = slice(_FIRST_PART, _FIRST_PART + RING * CELL_PX // _BLOCK_PX, CELL_PX // _BLOCK_PX)
# Energy of the print below which little of it is left, whatever correlates: a contrast of a hundredth, by which
# visibility best predicted which ratios were right (of 0.0003 to 0.03).
_LEAST_ENERGY: Final = 1e-4
# Edges of the squares of cells around one that count for it: the nearest, or more if too few of them look as expected.
_AROUND: Final = (9, 5, 3)
# Cells that are enough.
_ENOUGH: Final = 1.8

_VISIBILITY: Final = (0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75)
# What a ratio at its limit that speaks for a bare or unchanged cell is worth at these visibilities, as its share.
# Of the cells that look surely bare where nothing can be seen, a twentieth were not: no fewer than of all cells.
_WORTH_AS_EXPECTED: Final = (0.02, 0.05, 0.14, 0.24, 0.34, 0.58, 0.58)
# What a ratio that speaks for a change is worth; half of what it says, at any visibility that was measured.
_WORTH_CHANGED: Final = (0.4, 0.5, 0.5, 0.5, 0.5, 0.55, 0.8)
# Visibility at which all is seen well: ratios keep the scale on which the reader's limits were chosen.
_WELL: Final = 0.9


def visibility(expected: Look, current: Look, as_expected: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return how well each cell of the lattice is seen, from 0, not at all, to 1; shape (RING, RING).

    Args:
        expected: the expected look of the quilt.
        current: the current look, registered like the expected one.
        as_expected: the cells that show no change, at any shift, shape (RING, RING), bool: only there can a print be
            found again.
    """
    found = np.where(as_expected, _found_again(expected, current), 0.0)
    around = np.zeros((RING, RING))
    for reach in _AROUND:
        count = _sum(as_expected.astype(np.float64), reach)
        around = np.where(count > _ENOUGH, _sum(found, reach) / np.maximum(count, 1.0), around)
    return around


def _found_again(expected: Look, current: Look) -> NDArray[np.float64]:
    """Return the correlation of the two looks in each cell of the lattice, from 0 to 1."""
    both, one, other = (
        _energy(products)
        for products in (
            expected.detail * current.detail,
            expected.detail * expected.detail,
            current.detail * current.detail,
        )
    )
    return np.asarray(np.clip(both / np.sqrt((one + _LEAST_ENERGY) * (other + _LEAST_ENERGY)), 0.0, 1.0))


def _energy(products: NDArray[np.float32]) -> NDArray[np.float64]:
    blocks = cv2.resize(products, None, fx=1 / _BLOCK_PX, fy=1 / _BLOCK_PX, interpolation=cv2.INTER_AREA)
    parts = cv2.boxFilter(blocks, -1, (_PART, _PART), anchor=(0, 0), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(parts[_PARTS, _PARTS], np.float64)


def _sum(values: NDArray[np.float64], reach: int) -> NDArray[np.float64]:
    return np.asarray(cv2.boxFilter(values, -1, (reach, reach), normalize=False, borderType=cv2.BORDER_CONSTANT))


def worth(ratios: NDArray[np.float64], seen: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log-likelihood ratios, changed / as expected, as what pictures of this visibility have shown them to be.

    Args:
        ratios: shape (..., RING, RING).
        seen: the cells' visibility, shape (RING, RING).
    """
    as_expected, changed = (np.interp(seen, _VISIBILITY, each) for each in (_WORTH_AS_EXPECTED, _WORTH_CHANGED))
    # Twice as strong a ratio speaks four times as surely for a bare cell.
    factor = np.where(ratios < 0, as_expected * np.abs(ratios) / LIMIT, changed)
    well = np.clip((seen - _VISIBILITY[-1]) / (_WELL - _VISIBILITY[-1]), 0.0, 1.0)
    return np.asarray(ratios * (factor + (1 - factor) * well))


# A cell's corners, which a round thing of a cell's width leaves free: a fifth of its edge, less its outermost pixels.
_CORNERS: Final = (slice(1, 1 + CELL_PX // 5), slice(-1 - CELL_PX // 5, -1))


def corner_light(expected: Look, current: Look) -> NDArray[np.float64]:
    """Return by how much the light of each cell has changed in its least changed corner, shape (SIDE, SIDE).

    It is a log-ratio, from 0; a change of the whole quilt's light, in each colour, counts for nothing. A patch changes
    all four corners of its cells; a button token leaves some as they were, even if a patch beside it reaches into
    others.
    """
    ratio = current.log - expected.log
    ratio = ratio - np.median(ratio[_GRID, _GRID].reshape(-1, 3), axis=0)
    first = round(MARGIN_CELLS * CELL_PX)
    grid = slice(first, first + SIDE * CELL_PX)
    cells = ratio[grid, grid].reshape(SIDE, CELL_PX, SIDE, CELL_PX, 3)
    corners = [cells[:, down, :, right].mean(axis=(1, 3)) for down, right in product(_CORNERS, repeat=2)]
    return np.asarray(np.abs(corners).max(axis=3).min(axis=0), np.float64)
