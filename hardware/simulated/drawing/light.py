"""The table's surface, and the light on it in the camera's picture: a fixed field and a slow global drift."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing import Field, Image, bytes_of, floats_of
from hardware.simulated.drawing.pinhole import Pinhole

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


COARSE = 4
"""Downscaling factor of the field, which is smooth (a hard shadow's edge is then a few pixels wide)."""


class LightField:
    """A field of light that is multiplied onto a picture, and the lamp's glare, which is added.

    It works in the frame's own gamma: a factor on light is its 1/2.2th power on grey levels.
    """

    def __init__(self, conditions: Conditions, camera: Pinhole, rng: np.random.Generator) -> None:
        width, height = camera.size_px
        small = (width // COARSE, height // COARSE)
        table = table_points(camera, small)
        gain = _gradient(table, conditions.gradient, rng)
        gain *= _window(table, conditions.window_shadow, rng)
        gain *= _edge_shadow(table, conditions.hard_shadow, rng)
        gain *= _vignette(small)
        self._size_px = (width, height)
        self._fixed = gain[..., None] * _tint(conditions, table, rng)
        self._gain = self._levels(self._fixed)
        self._shine: Image | None = None
        self._glare = _glare(conditions.glare, small, (width, height), rng)

    def lit_by(self, light: Field, shine: Image | None) -> None:
        """Apply a room's lamps.

        Args:
            light: factor on the fixed field, (height / COARSE, width / COARSE, 3), linear.
            shine: reflections, as large as a frame, in grey levels; None if nothing is glossy.
        """
        self._gain, self._shine = self._levels(self._fixed * light), shine

    def _levels(self, light: NDArray[np.floating]) -> Image:
        # 128 stands for 1: light may nearly double the grey levels.
        field = np.clip(light ** (1 / 2.2) * 128, 0, 255).astype(np.uint8)
        return bytes_of(cv2.resize(field, self._size_px, interpolation=cv2.INTER_LINEAR))

    def apply(self, image: Image, box: tuple[int, int, int, int]) -> Image:
        """Return the lit copy of a part of the frame; `box` is its (left, top, right, bottom) in pixels."""
        left, top, right, bottom = box
        lit = cv2.multiply(image, self._gain[top:bottom, left:right], scale=1 / 128)
        if self._glare is not None:
            lit = cv2.add(lit, self._glare[top:bottom, left:right])
        if self._shine is not None:
            # A screen blend: in grey levels, bright pixels gain least.
            shine = self._shine[top:bottom, left:right]
            lit = cv2.add(lit, cv2.multiply(shine, cv2.bitwise_not(bytes_of(lit)), scale=1 / 255))
        return bytes_of(lit)


class Drift:
    """A slow drift of brightness and colour over minutes, combined with the exposure in one table of grey levels."""

    def __init__(self, conditions: Conditions, rng: np.random.Generator) -> None:
        self._conditions = conditions
        self._phases = rng.uniform(0, 2 * np.pi, 4)
        self._periods_s = rng.uniform(60, 420, 4)
        self._level: tuple[float, ...] = ()
        self._table: Image = np.zeros((1, 256, 3), np.uint8)

    def under(self, conditions: Conditions) -> None:
        """Change the exposure and strength; the drift continues."""
        self._conditions, self._level = conditions, ()

    def apply(self, image: Image, t_s: float) -> Image:
        """Return the frame as exposed at `t_s`."""
        waves = np.sin(2 * np.pi * t_s / self._periods_s + self._phases)
        brightness = 1 + self._conditions.drift * (waves[0] + 0.5 * waves[1])
        warmth = self._conditions.drift * 0.4 * (waves[2] + 0.5 * waves[3])
        # Invisible steps are not worth a new table.
        level = tuple(np.round([brightness * (1 - warmth), brightness, brightness * (1 + warmth)], 3))
        if level != self._level:
            self._level, self._table = level, self._table_for(level)
        # Plane by plane takes two thirds of the time.
        planes = zip(cv2.split(image), cv2.split(self._table), strict=True)
        return bytes_of(cv2.merge([cv2.LUT(plane, table) for plane, table in planes]))

    def _table_for(self, level: tuple[float, ...]) -> Image:
        grey = np.arange(256)[:, None] / 255
        light = grey**2.2 * np.asarray(level) * self._conditions.exposure
        # A soft shoulder, like a camera's: highlights roll off before they saturate.
        rolled = np.where(light < 0.8, light, 0.8 + 0.2 * np.tanh((light - 0.8) / 0.2))
        levels = np.clip(np.clip(rolled, 0, 1) ** (1 / 2.2) * 255 + 0.5, 0, 255)
        table: Image = levels.astype(np.uint8).reshape(1, 256, 3)
        return table


def table_points(camera: Pinhole, size: tuple[int, int]) -> NDArray[np.float64]:
    """Return the points of the table for a small picture of the frame, (height, width, 2), millimetres.

    The lens' distortion is ignored.
    """
    width, height = size
    frame = np.stack(np.meshgrid(np.linspace(0, 1, width), np.linspace(0, 1, height)), axis=-1).reshape(-1, 2)
    canvas = frame * (np.asarray(camera.size_px) - 1) + (np.asarray(camera.canvas_px) - np.asarray(camera.size_px)) / 2
    flat = np.column_stack((canvas, np.ones(len(canvas)))) @ np.linalg.inv(camera.plane()).T
    points: NDArray[np.float64] = (flat[:, :2] / flat[:, 2:]).reshape(height, width, 2)
    return points


def _gradient(table: NDArray[np.float64], strength: float, rng: np.random.Generator) -> NDArray[np.float64]:
    angle = rng.uniform(0, 2 * np.pi)
    along = (table @ np.array([np.cos(angle), np.sin(angle)])) / 400
    far = 0.5 + 0.5 * np.tanh(1.2 * along)
    gain: NDArray[np.float64] = (1 - strength * far) * (1 + 0.35 * strength)
    return gain


def _window(table: NDArray[np.float64], depth: float, rng: np.random.Generator) -> NDArray[np.float64]:
    angle, shift = rng.uniform(0, np.pi), rng.uniform(-120, 120)
    along = table @ np.array([np.cos(angle), np.sin(angle)]) + shift
    bars = 0.5 + 0.5 * np.tanh(np.sin(along / 95) * 2.2)
    gain: NDArray[np.float64] = 1 - depth * bars
    return gain


def _edge_shadow(table: NDArray[np.float64], depth: float, rng: np.random.Generator) -> NDArray[np.float64]:
    angle = rng.uniform(0.2, 0.8) * rng.choice([-1, 1])
    along = table @ np.array([np.cos(angle), np.sin(angle)]) - rng.choice([-1, 1]) * rng.uniform(120, 200)
    inside = 1 / (1 + np.exp(-np.clip(along / 1.2, -30, 30)))
    gain: NDArray[np.float64] = 1 - depth * inside
    return gain


def _vignette(size: tuple[int, int]) -> NDArray[np.float64]:
    x, y = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-0.56, 0.56, size[1]))
    gain: NDArray[np.float64] = 1 - 0.22 * (x**2 + y**2)
    return gain


def _tint(conditions: Conditions, table: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Return blue, green and red factors; one side of the room is a little cooler than the other."""
    warmth = np.log(5500 / conditions.colour_temperature_k)
    side = (table @ rng.normal(0, 1, 2)) / 400 * 0.035
    local = warmth + side
    tint: NDArray[np.float64] = np.exp(np.stack([-0.75 * local, -0.05 * local, 0.42 * local], axis=-1))
    return tint


def _glare(strength: float, small: tuple[int, int], size: tuple[int, int], rng: np.random.Generator) -> Image | None:
    if strength <= 0:
        return None
    x, y = np.meshgrid(np.linspace(0, 1, small[0]), np.linspace(0, 0.56, small[1]))
    centre = rng.uniform((0.2, 0.12), (0.8, 0.45))
    spot = np.exp(-(((x - centre[0]) / 0.11) ** 2 + ((y - centre[1]) / 0.075) ** 2))
    added = np.clip(spot[..., None] * strength * np.array([190.0, 205.0, 215.0]), 0, 255)
    return bytes_of(cv2.resize(bytes_of(added), size, interpolation=cv2.INTER_LINEAR))
