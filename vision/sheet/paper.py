"""The optical density of pencil on a page, relative to its own paper.

The light on the page is fitted to bare paper, in logarithms, by a plane in each neighbourhood; subtracting it removes
the light's colour, its fall-off and its soft shadows. The remainder is optical density: the absorption in each channel.
"""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sheet.page import FLAT_PX_PER_MM
from vision.sheet.regions import Window, picked, total_of

_Layer: TypeAlias = NDArray[np.float64]

# Resolution of the paper's samples: one a millimetre.
_BLOCKS_PER_MM: Final = 1
# Quantile of a block's pixels that is its paper: print and stray strokes only darken a block.
_PAPER_RANK: Final = 0.7
# The least share of free pixels for a block to be used.
_LEAST_SHARE: Final = 0.06
# Neighbourhoods, each with the weighted share of free blocks from which it is used; otherwise the wider one is, and
# without any of them a curved surface over the whole page.
_REACHES_MM: Final = ((9.0, 0.01), (3.0, 0.04))
# Sampling step within a block.
_STEP_PX: Final = 2
# Avoids a division by 0 for a neighbourhood without bare paper.
_LEAST_WEIGHT: Final = 1e-7
# Regularisation of a plane's slope: a weight at a neighbourhood's width.
_LEVEL: Final = 3e-3
# Powers of x and y in the sums that a plane is fitted by.
_SECOND_ORDER: Final = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2))
# The kernel that changes nothing.
_AS_IT_IS: Final = np.ones((1, 1))
# Iterations of reweighting, in which outliers lose weight.
_ROUNDS: Final = 3
# Deviation from the fit, in any channel, at which a block counts half.
_OFF: Final = 0.05
# Added to linear light before the logarithm, so that noise in the dark counts little.
_FLOOR: Final = 0.002
# Grey level from which a channel may be overexposed.
_FULL_LEVEL: Final = 254
# Edge of the averaging square: less than the white between two strokes.
_GRAIN_PX: Final = 3
# Edge of the square whose mean is subtracted, which preserves strokes and removes light.
_TEXTURE_PX: Final = 9
# Difference of density between the channels below which there is no colour: bare paper.
_BLANK_CHROMA: Final = 0.035
# Largest texture, relative to the paper's own, of a colourless region that counts as paper, possibly in a shadow.
_BLANK_TEXTURE: Final = 2.0


def page_density(
    flat: NDArray[np.uint8],
    free: NDArray[np.bool_],
    windows: Iterable[Window],
    blank: NDArray[np.uint8] | None = None,
) -> NDArray[np.float32]:
    """Return the optical density of the pencil on the paper, channel by channel.

    Args:
        flat: the rectified page, shape (rows, columns, 3), uint8, BGR.
        free: where there is bare paper, print and stray strokes aside, shape (rows, columns).
        windows: regions that may hold pencil; those that turn out to be blank help to measure the light.
        blank: the page before colouring, of the shape of `flat`, whose print is subtracted; None to keep the print.

    Returns:
        Natural logarithms, shape (rows, columns, 3); 0 on bare paper, positive for absorption.
    """
    light = log_light(flat) if blank is None else log_light(flat) - log_light(blank)
    first = paper_light(light, free)
    first -= light
    density = paper_light(light, _with_blanks(first, free, windows))
    density -= light
    return np.asarray(cv2.blur(density, (_GRAIN_PX, _GRAIN_PX)), np.float32)


def _with_blanks(density: NDArray[np.float32], free: NDArray[np.bool_], windows: Iterable[Window]) -> NDArray[np.bool_]:
    total = cv2.blur(total_of(density), (_GRAIN_PX, _GRAIN_PX))
    texture = np.asarray(cv2.absdiff(total, cv2.blur(total, (_TEXTURE_PX, _TEXTURE_PX))), np.float32)
    smooth = _BLANK_TEXTURE * float(np.median(picked(texture, free))) if free.any() else 0.0
    more = free.copy()
    for window in windows:
        mean = window.pixels(density).mean(axis=0)
        if np.linalg.norm(mean - mean.mean()) < _BLANK_CHROMA and np.median(window.pixels(texture)) < smooth:
            more[window.box] |= window.mask
    return more


def full_scale(flat: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the mask of pixels with an overexposed channel, given a picture of shape (rows, columns, 3)."""
    return np.asarray(cv2.inRange(flat, (0, 0, 0), (_FULL_LEVEL - 1,) * 3) == 0)


def log_light(flat: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the logarithm of linear light, of the same shape as the picture (sRGB)."""
    grey = np.arange(256) / 255
    linear = np.where(grey <= 0.04045, grey / 12.92, ((grey + 0.055) / 1.055) ** 2.4)
    table = np.log(linear + _FLOOR).astype(np.float32)
    return np.asarray(cv2.LUT(flat, table), np.float32)


def paper_light(light: NDArray[np.float32], free: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return the light that bare paper would reflect everywhere.

    Args:
        light: logarithms, shape (rows, columns, 3).
        free: where there is bare paper, print and stray strokes aside, shape (rows, columns).

    Returns:
        Logarithms, of the shape of `light`.
    """
    blocks, weights = _blocks(light, free)
    trust = weights.copy()
    field = np.zeros_like(blocks)
    for _ in range(_ROUNDS):
        field = _smooth(blocks, trust)
        off = np.abs(blocks - field).max(axis=0) / _OFF
        trust = weights / (1 + off**2) ** 2
    rows, columns = light.shape[:2]
    return np.asarray(cv2.resize(cv2.merge(tuple(field)), (columns, rows), interpolation=cv2.INTER_LINEAR), np.float32)


def _blocks(light: NDArray[np.float32], free: NDArray[np.bool_]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return each block's paper, channel by channel, shape (3, n, m), and how much of it is free, shape (n, m)."""
    size = round(FLAT_PX_PER_MM / _BLOCKS_PER_MM) // _STEP_PX
    light, free = light[::_STEP_PX, ::_STEP_PX], free[::_STEP_PX, ::_STEP_PX]
    rows, columns = light.shape[0] // size, light.shape[1] // size
    green = np.where(free, light[..., 1], np.float32(-np.inf))[: rows * size, : columns * size]
    pixels = green.reshape(rows, size, columns, size).swapaxes(1, 2).reshape(rows, columns, size * size)
    count = np.count_nonzero(pixels > -np.inf, axis=2)
    # Pixels that are not free sort to the front: the rank counts from the bright end.
    place = size * size - 1 - ((1 - _PAPER_RANK) * count).astype(np.intp)
    order = np.argsort(pixels, axis=2)
    chosen = np.take_along_axis(order, place[..., None], axis=2)[..., 0]
    first_row, first_column = np.ogrid[: rows * size : size, : columns * size : size]
    values = light[first_row + chosen // size, first_column + chosen % size]
    enough = count >= _LEAST_SHARE * size * size
    planes = np.where(enough, np.moveaxis(values, 2, 0), 0.0)
    return np.asarray(planes, np.float32, order="C"), np.asarray(np.where(enough, np.sqrt(count) / size, 0), np.float32)


def _smooth(blocks: NDArray[np.float32], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the paper's light, from the widest neighbourhood to the narrowest with enough data."""
    field = _surface(blocks, weights)
    for reach, enough in _REACHES_MM:
        finer, known = _planes(blocks, weights, reach)
        share = np.clip(known / enough - 1, 0, 1)
        field = np.asarray(share * finer + (1 - share) * field, np.float32)
    return field


def _surface(blocks: NDArray[np.float32], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the surface of second order through all blocks, by their weights."""
    y, x = np.mgrid[: weights.shape[0], : weights.shape[1]] / max(weights.shape) - 0.5
    basis = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y]).reshape(6, -1)
    heavy = basis * weights.ravel()
    terms, *_ = np.linalg.lstsq(heavy @ basis.T, heavy @ blocks.reshape(3, -1).T, rcond=None)
    return np.asarray((terms.T @ basis).reshape(blocks.shape), np.float32)


def _planes(
    blocks: NDArray[np.float32], weights: NDArray[np.float32], reach_mm: float
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Return the value, at each block, of the plane through its neighbours; and their weight."""
    one, x, y, xx, xy, yy = _moments(weights, reach_mm, _SECOND_ORDER)
    sides = [_moments(plane, reach_mm, _SECOND_ORDER[:3]) for plane in weights * blocks]
    side, side_x, side_y = (np.stack(layers) for layers in zip(*sides, strict=True))
    return _height((one, x, y), (xx, xy, yy), (side, side_x, side_y)), one


def _height(
    leans: tuple[_Layer, _Layer, _Layer], spreads: tuple[_Layer, _Layer, _Layer], sides: tuple[_Layer, _Layer, _Layer]
) -> NDArray[np.float32]:
    """Return the height, at the origin, of the plane with these moments; nearly level if its slope is uncertain."""
    one, along_x, along_y = leans
    one, xx, xy, yy = one + _LEAST_WEIGHT, spreads[0] + _LEVEL, spreads[1], spreads[2] + _LEVEL
    by_one, by_x, by_y = xx * yy - xy * xy, xy * along_y - yy * along_x, along_x * xy - along_y * xx
    whole = one * by_one + along_x * by_x + along_y * by_y
    return np.asarray((by_one * sides[0] + by_x * sides[1] + by_y * sides[2]) / whole, np.float32)


def _moments(values: NDArray[np.float32], reach_mm: float, powers: Sequence[tuple[int, int]]) -> list[_Layer]:
    """Return weighted sums over the neighbourhood of each block; the outside of the page has no weight.

    Args:
        values: of the blocks, shape (n, m).
        reach_mm: sigma of the neighbourhood.
        powers: for each sum, of the distances in x and y, in reaches, that each neighbour is multiplied by.
    """
    size = round(8 * reach_mm + 1) | 1
    near = cv2.getGaussianKernel(size, reach_mm)
    far = (np.arange(size)[:, None] - size // 2) / reach_mm
    # Sums of the same power of x share the pass along the rows.
    across = {power: _filtered(values, near * far**power, _AS_IT_IS) for power in {x for x, _ in powers}}
    return [np.asarray(_filtered(across[x], _AS_IT_IS, near * far**y), np.float64) for x, y in powers]


def _filtered(values: NDArray[np.float32], across: _Layer, down: _Layer) -> NDArray[np.float32]:
    summed = cv2.sepFilter2D(values, cv2.CV_32F, across, down, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(summed, np.float32)
