"""Random light, lens and sensor over a drawn scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bench.pieces.textures import Field, smooth_noise

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SHRINK: Final = 0.5


def photographed(rng: np.random.Generator, picture: Field) -> NDArray[np.uint8]:
    """Return the scene as seen by a random camera, at half the size, uint8."""
    lit = _lit(rng, np.clip(picture, 0, 255))
    blur_px = float(rng.choice([0.6, 0.9, 1.4, 2.6], p=[0.35, 0.3, 0.2, 0.15]))
    soft = cv2.GaussianBlur(lit, (0, 0), blur_px)
    small = cv2.resize(soft, None, fx=_SHRINK, fy=_SHRINK, interpolation=cv2.INTER_AREA)
    if rng.random() < 0.3:
        kernel = np.full((3, 3), -0.12, np.float32)
        kernel[1, 1] = 1.96
        small = cv2.filter2D(small, -1, kernel)
    noise = rng.choice([1.0, 2.5, 6.0, 10.0], p=[0.4, 0.3, 0.2, 0.1])
    grain = np.asarray(rng.standard_normal(small.shape), np.float32)
    if rng.random() < 0.5:
        grain = np.asarray(1.6 * cv2.GaussianBlur(grain, (0, 0), 0.7), np.float32)
    raw = np.asarray(np.clip(small + np.float32(noise) * grain, 0, 255), np.uint8)
    _, code = cv2.imencode(".jpg", raw, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 96))])
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)


def _lit(rng: np.random.Generator, picture: Field) -> Field:
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / height
    turn, fall = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.5)
    light = 1 + np.float32(fall) * ((x - 0.5) * np.float32(np.cos(turn)) + (y - 0.5) * np.float32(np.sin(turn)))
    if rng.random() < 0.5:
        at, slope = rng.uniform(0.1, 0.9), np.float32(rng.choice([3, 8, 60]))
        across = x * np.float32(np.sin(turn)) + y * np.float32(np.cos(turn)) - np.float32(at)
        light *= 1 - np.float32(rng.uniform(0.1, 0.6)) * np.clip(across * slope + 0.5, 0, 1)
    balance = np.exp(rng.normal(0, 0.16, 3)).astype(np.float32)
    gain = np.float32(rng.choice([0.25, 0.45, 0.75, 1.0, 1.25, 1.6], p=[0.1, 0.15, 0.2, 0.3, 0.15, 0.1]))
    seen = picture * light[..., None] * balance * gain
    if rng.random() < 0.25:
        spot = rng.uniform(0, 1, 2)
        shine = np.exp(-((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / rng.uniform(0.01, 0.1))
        seen = seen + np.float32(rng.uniform(20, 170)) * shine[..., None]
    seen = 255 * np.power(np.clip(seen / 255, 0, 1), np.float32(rng.uniform(0.7, 1.3)))
    haze = smooth_noise(rng, (height, width), 3, 3) * np.float32(rng.uniform(0, 5))
    return np.asarray(np.clip(seen + haze[..., None], 0, 255), np.float32)
