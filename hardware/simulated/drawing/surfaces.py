"""Table tops: wood and cloth, as large pictures at `PX_PER_MM`."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.drawing.images import Field, Image, floats_of

PX_PER_MM: Final = 1.25
SIZE_MM: Final = (1900, 1500)
_SHAPE: Final = (round(SIZE_MM[1] * PX_PER_MM), round(SIZE_MM[0] * PX_PER_MM))

# Blue-green-red of the dark and the light wood.
WOODS: Final = (((52, 92, 136), (110, 160, 200)), ((34, 60, 96), (70, 112, 158)), ((92, 128, 158), (150, 188, 212)))
CLOTHS: Final = (((214, 222, 224), (150, 70, 40)), ((196, 208, 214), (86, 96, 108)), ((210, 220, 226), (60, 60, 170)))

_BAND_ROWS: Final = 16

TOPS: Final = 16
"""The number of different table tops."""


@lru_cache(maxsize=TOPS)  # thirteen megabytes and a tenth of a second each; an evening has one, tests use all
def table_top(which: int) -> Image:
    """Return one of `TOPS` table tops, (height, width, 3), uint8; its middle is the origin of table space."""
    return _drawn(which, _SHAPE)


@lru_cache(maxsize=TOPS)
def table_corner(which: int, rows: int, columns: int) -> Image:
    """Return a table top's upper left corner alone, (rows, columns, 3), in half the time or less."""
    return _drawn(which, (rows, columns))


def _drawn(which: int, part: tuple[int, int]) -> Image:
    rng = np.random.default_rng(800 + which)
    if which % 3 < 2:
        dark, light = WOODS[int(rng.integers(len(WOODS)))]
        return _wood(dark, light, rng, part)
    ground, thread = CLOTHS[int(rng.integers(len(CLOTHS)))]
    return _gingham(ground, thread, rng, part)


def _noise(cells: tuple[int, int], rng: np.random.Generator) -> Field:
    """Return smooth noise of about unit strength with `cells` (rows, columns) bumps over a table top."""
    small = rng.standard_normal(cells, dtype=np.float32)
    return floats_of(cv2.resize(small, _SHAPE[::-1], interpolation=cv2.INTER_CUBIC))


def _wood(dark: tuple[int, ...], light: tuple[int, ...], rng: np.random.Generator, part: tuple[int, int]) -> Image:
    y = np.linspace(0, SIZE_MM[1], _SHAPE[0], dtype=np.float32)[:, None]
    # Noise for the whole table top, so that a corner looks like the same part of it.
    wander, fine, finer, pores, broad = (
        _noise(cells, rng)[:, : part[1]] for cells in ((7, 5), (420, 14), (1300, 40), (900, 120), (4, 3))
    )

    def weight(rows: slice) -> Field:
        along = y[rows] + wander[rows] * 16
        rings = np.sin(along * 0.21) + 0.6 * np.sin(along * 0.53 + 1.0)
        grain = 0.32 * fine[rows] + 0.22 * finer[rows]
        pitted = np.clip(pores[rows] - 1.3, 0, 1)
        return floats_of(np.clip(0.5 + 0.13 * rings + 0.42 * grain + 0.12 * broad[rows] - 0.35 * pitted, 0, 1))

    return _mixed(dark, light, part, weight)


def _gingham(low: tuple[int, ...], high: tuple[int, ...], rng: np.random.Generator, part: tuple[int, int]) -> Image:
    columns = part[1]
    wave = float(rng.uniform(11, 16))
    bend = _noise((6, 8), rng) * 1.5
    x = np.linspace(0, SIZE_MM[0], _SHAPE[1], dtype=np.float32)[None, :columns]
    y = np.linspace(0, SIZE_MM[1], _SHAPE[0], dtype=np.float32)[:, None] + bend.T[: _SHAPE[0], : _SHAPE[1]].mean()
    down = np.clip(np.sin(y * np.pi / wave) * 6 + 0.5, 0, 1)
    weft, warp = (0.035 * rng.standard_normal(shape) for shape in ((_SHAPE[0], 1), (1, _SHAPE[1])))
    bend, warp = bend[:, :columns], warp[:, :columns]
    rough = _noise((200, 250), rng)[:, :columns]

    def weight(rows: slice) -> NDArray[np.floating]:
        across = np.clip(np.sin((x + bend[rows]) * np.pi / wave) * 6 + 0.5, 0, 1)
        woven: NDArray[np.floating] = (across + down[rows]) / 2 + (weft[rows] + warp) + 0.03 * rough[rows]
        return woven.clip(0, 1)

    return _mixed(low, high, part, weight)


def _mixed(
    low: tuple[int, ...], high: tuple[int, ...], shape: tuple[int, int], weight: Callable[[slice], NDArray[np.floating]]
) -> Image:
    """Return a blend of two colours by weight, computed a few rows at a time, which fit into the processor's cache."""
    start, end = np.array(low, np.float32), np.array(high, np.float32)
    picture: Image = np.empty((*shape, 3), np.uint8)
    for first in range(0, shape[0], _BAND_ROWS):
        rows = slice(first, min(first + _BAND_ROWS, shape[0]))
        weights = weight(rows)
        for channel in range(3):
            picture[rows, :, channel] = start[channel] + (end - start)[channel] * weights
    return picture
