"""Random cloths, woods and prints for the piece network's training scenes; none is copied from a printing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable

Field: TypeAlias = NDArray[np.float32]
Colour: TypeAlias = NDArray[np.float32]


def random_colour(rng: np.random.Generator, vivid: float = 1.0) -> Colour:
    """Return a random colour, BGR, 0..255; `vivid` below 1 makes it greyer."""
    hue, saturation = rng.uniform(0, 180), 255 * rng.beta(1.2, 1.6) * vivid
    if rng.random() < 0.25:  # most tables and many patches are brown, ochre or sand-coloured
        hue, saturation = rng.uniform(8, 24), rng.uniform(40, 170)
    value = 255 * np.clip(rng.beta(2.2, 1.5), 0.1, 0.98)
    pixel = np.array([[[hue, saturation, value]]], np.uint8)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def smooth_noise(rng: np.random.Generator, shape: tuple[int, int], rows: int, columns: int) -> Field:
    """Return noise of about unit strength with `rows` and `columns` bumps down and across."""
    small = rng.standard_normal((max(2, rows), max(2, columns)), dtype=np.float32)
    return np.asarray(cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32)


def cloth(rng: np.random.Generator, shape: tuple[int, int], cell_px: int, *, ground: bool = False) -> Field:
    """Return a random picture of cloth or wood, shape (height, width, 3), float32, 0..255.

    Args:
        rng: the source of randomness.
        shape: height and width, in pixels.
        cell_px: the size of a cell, in pixels.
        ground: whether it is for a table top rather than a patch.
    """
    vivid = 0.7 if ground else 1.0
    one, two = random_colour(rng, vivid), random_colour(rng, vivid)
    if ground or rng.random() < 0.5:  # most cloths have two shades of one colour
        two = one + (two - one) * np.float32(rng.uniform(0.1, 0.6 if ground and rng.random() < 0.5 else 1.0))
    kinds = _GROUNDS if ground else _PRINTS
    weight = kinds[int(rng.integers(len(kinds)))](rng, *_grid(rng, shape, cell_px, ground))
    picture = one + (two - one) * np.clip(weight, 0, 1)[..., None]
    if not ground and rng.random() < 0.4:
        spots = _dots(rng, *_grid(rng, shape, cell_px, ground))
        picture += (random_colour(rng) - picture) * np.clip(spots, 0, 1)[..., None]
    return _worn(rng, picture.astype(np.float32))


def _worn(rng: np.random.Generator, picture: Field) -> Field:
    """Return a picture with grain and uneven dye added."""
    height, width = picture.shape[:2]
    strength = rng.uniform(0, 7)
    blots = smooth_noise(rng, (height, width), height // 60, width // 60)
    grain = rng.standard_normal((height, width), dtype=np.float32)
    return np.asarray(picture + np.float32(strength) * (0.5 * grain + blots)[..., None], np.float32)


def _grid(rng: np.random.Generator, shape: tuple[int, int], cell_px: int, ground: bool) -> tuple[Field, Field]:
    """Return rotated and slightly distorted coordinates, in pitches of the pattern."""
    pitch_px = cell_px * rng.uniform(*((0.4, 2.2) if ground else (0.15, 1.0)))
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) / np.float32(pitch_px)
    turn = rng.normal(0, 0.15) if ground else rng.uniform(0, np.pi)
    bend = rng.uniform(0, 0.25) if ground else rng.uniform(0, 0.08)
    x = x + np.float32(bend) * smooth_noise(rng, shape, 5, 5)
    y = y + np.float32(bend) * smooth_noise(rng, shape, 5, 5)
    cos, sin = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    return x * cos + y * sin, y * cos - x * sin


def _soft(edge: Field, sharp: float = 6.0) -> Field:
    return np.asarray(np.clip(edge * sharp + 0.5, 0, 1), np.float32)


def _wave(at: Field) -> Field:
    return np.asarray(np.sin(2 * np.pi * at), np.float32)


def _plain(rng: np.random.Generator, x: Field, y: Field) -> Field:
    del y
    return np.full_like(x, rng.uniform(0, 1))


def _stripes(rng: np.random.Generator, x: Field, y: Field) -> Field:
    del y
    return _soft(_wave(x) + np.float32(rng.uniform(-0.6, 0.6)), 2.0)


def _check(rng: np.random.Generator, x: Field, y: Field) -> Field:
    share = np.float32(rng.uniform(-0.3, 0.3))
    return np.asarray((_soft(_wave(x) + share, 4.0) + _soft(_wave(y) + share, 4.0)) / 2, np.float32)


def _plaid(rng: np.random.Generator, x: Field, y: Field) -> Field:
    fine = _soft(_wave(3 * x) - 0.7) + _soft(_wave(3 * y) - 0.7)
    return np.asarray(_check(rng, x, y) * 0.7 + 0.3 * fine, np.float32)


def _dots(rng: np.random.Generator, x: Field, y: Field) -> Field:
    row = np.floor(y)
    dx, dy = (x + 0.5 * (row % 2)) % 1 - 0.5, y % 1 - 0.5
    petals = 1 + rng.uniform(0, 0.4) * np.cos(rng.integers(3, 9) * np.arctan2(dy, dx))
    return _soft(np.float32(rng.uniform(0.15, 0.4)) * petals - np.hypot(dx, dy))


def _rings(rng: np.random.Generator, x: Field, y: Field) -> Field:
    radius = np.hypot(x % 1 - 0.5, y % 1 - 0.5)
    return _soft(np.float32(rng.uniform(0.05, 0.12)) - np.abs(radius - np.float32(rng.uniform(0.2, 0.4))))


def _triangles(rng: np.random.Generator, x: Field, y: Field) -> Field:
    del rng
    third = (np.floor(x) + 2 * np.floor(y)) % 3 / 3
    return np.asarray(_soft((x % 1) - (y % 1)) * 0.6 + 0.4 * third, np.float32)


def _zigzag(rng: np.random.Generator, x: Field, y: Field) -> Field:
    del rng
    return _soft(_wave(2 * (y + np.abs(x % 1 - 0.5))), 2.0)


def _bricks(rng: np.random.Generator, x: Field, y: Field) -> Field:
    """Return squares of random shades."""
    shades = rng.random(997).astype(np.float32)
    return np.asarray(shades[(np.floor(x) * 31 + np.floor(y) * 57).astype(np.int64) % 997], np.float32)


def _blobs(rng: np.random.Generator, x: Field, y: Field) -> Field:
    del y
    bumps = int(rng.integers(8, 60))
    return np.asarray(0.5 + 0.35 * smooth_noise(rng, x.shape, bumps, bumps), np.float32)


def _wood(rng: np.random.Generator, x: Field, y: Field) -> Field:
    along, across = (x, y) if rng.random() < 0.8 else (y, x)
    rows = int(rng.integers(60, 300))
    shape = along.shape if across is y else along.shape[::-1]
    grain = smooth_noise(rng, shape, rows, int(rng.integers(3, 14)))
    broad = smooth_noise(rng, shape, rows // 6, int(rng.integers(2, 6)))
    rings = _wave(across * np.float32(rng.uniform(0.3, 2)) + 0.4 * smooth_noise(rng, along.shape, 5, 4))
    streaks = 0.22 * grain + 0.25 * broad
    return np.asarray(0.5 + (streaks if across is y else streaks.T) + 0.15 * rings, np.float32)


def _veins(rng: np.random.Generator, x: Field, y: Field) -> Field:
    """Return thin wandering lines, as in drawn wood."""
    wander = smooth_noise(rng, x.shape, 9, 6) + 0.4 * smooth_noise(rng, x.shape, 24, 14)
    lines = np.abs((y + np.float32(rng.uniform(0.4, 1.2)) * wander) % 1 - 0.5)
    return np.asarray(_soft(np.float32(rng.uniform(0.04, 0.1)) - lines) * np.clip(0.5 + wander, 0.1, 1), np.float32)


_Weave: TypeAlias = "Callable[[np.random.Generator, Field, Field], Field]"
_PRINTS: Final[tuple[_Weave, ...]] = (
    _plain,
    _plain,
    _stripes,
    _check,
    _plaid,
    _dots,
    _dots,
    _rings,
    _triangles,
    _zigzag,
    _bricks,
    _blobs,
    _veins,
)
_GROUNDS: Final[tuple[_Weave, ...]] = (
    _plain,
    _stripes,
    _check,
    _check,
    _check,
    _check,
    _check,
    _plaid,
    _dots,
    _blobs,
    _wood,
    _wood,
    _wood,
    _veins,
    _veins,
)
