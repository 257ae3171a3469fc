"""A drawn tag as seen by a random camera at any rotation, and the close-up cut out of its picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from bench.tags.drawing import FINE_PX
from vision.pieces.tag import CLOSEUP_SHAPE, TAG_PX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bench.pieces.textures import Field
    from bench.tags.drawing import Lies

_COARSEST, _FINEST = 13.0, 48.0
"""The range of the cell's size, in pixels, from a phone's view of a whole table to a close camera."""


@dataclass(frozen=True, slots=True)
class Off:
    """The offset of a tag from the centre of its close-up: (x, y) in cells, and the angle in degrees."""

    x: float
    y: float
    angle_deg: float


def photographed(rng: np.random.Generator, drawn: Field, lies: Lies, off: Off) -> NDArray[np.uint8]:
    """Return the close-up of a tag, shape (*CLOSEUP_SHAPE, 3), uint8, BGR, cut out with the offset `off`."""
    cell_px = float(np.exp(rng.uniform(np.log(_COARSEST), np.log(_FINEST))))
    camera = _camera(rng, drawn.shape[0], cell_px)
    side = int(np.ceil(1.1 * drawn.shape[0] * cell_px / FINE_PX)) + 2
    calm = cv2.GaussianBlur(_lit(rng, drawn), (0, 0), max(0.3, 0.42 * FINE_PX / cell_px))
    from_scene = camera.copy()
    from_scene[:2, 2] += side / 2
    raw = cv2.warpAffine(calm, from_scene[:2], (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    seen = _sensed(rng, np.asarray(raw, np.float32))
    matrix = _to_closeup(lies, off) @ np.linalg.inv(from_scene)
    height, width = CLOSEUP_SHAPE
    closeup = cv2.warpPerspective(seen, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(closeup, np.uint8)


def _camera(rng: np.random.Generator, side_px: int, cell_px: float) -> NDArray[np.float64]:
    """Return a random map from the scene to the camera's picture, whose centre is the origin, rotated and slanted."""
    turn = rng.uniform(0, 2 * np.pi)
    scale = cell_px / FINE_PX
    cos, sin = np.cos(turn), np.sin(turn)
    slant = np.diag([1.0, float(rng.uniform(0.75, 1.0)), 1.0])
    rotation = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    centred = np.array([[1.0, 0.0, -side_px / 2], [0.0, 1.0, -side_px / 2], [0.0, 0.0, 1.0]])
    other = rng.uniform(0, np.pi)
    tilt = np.array([[np.cos(other), -np.sin(other), 0.0], [np.sin(other), np.cos(other), 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(np.diag([scale, scale, 1.0]) @ tilt @ slant @ tilt.T @ rotation @ centred)


def _to_closeup(lies: Lies, off: Off) -> NDArray[np.float64]:
    """Return the map from the scene to the close-up, in which the tag is level and centred except for its offset."""
    angle = np.radians(off.angle_deg - lies.angle_deg)
    cos, sin = np.cos(angle) * TAG_PX / FINE_PX, np.sin(angle) * TAG_PX / FINE_PX
    height, width = CLOSEUP_SHAPE
    turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    turn[:2, 2] = (width / 2 + off.x * TAG_PX, height / 2 + off.y * TAG_PX) - turn[:2, :2] @ (lies.x, lies.y)
    return turn


def _lit(rng: np.random.Generator, drawn: Field) -> Field:
    side = drawn.shape[0]
    y, x = np.mgrid[0:side, 0:side].astype(np.float32) / side - 0.5
    light = 1 + np.float32(rng.normal(0, 0.2)) * x + np.float32(rng.normal(0, 0.2)) * y
    if rng.random() < 0.15:
        turn, at = rng.uniform(0, 2 * np.pi), np.float32(rng.uniform(-0.3, 0.3))
        across = x * np.float32(np.cos(turn)) + y * np.float32(np.sin(turn)) - at
        light *= 1 - np.float32(rng.uniform(0.1, 0.6)) * np.clip(across * np.float32(rng.uniform(4, 40)) + 0.5, 0, 1)
    balance = np.exp(rng.normal(0, 0.15, 3)).astype(np.float32)
    gain = np.float32(rng.choice([0.3, 0.5, 0.75, 1.0, 1.2, 1.5], p=[0.07, 0.13, 0.25, 0.3, 0.15, 0.1]))
    seen = drawn * light[..., None] * balance * gain
    if rng.random() < 0.15:
        spot = rng.uniform(-0.4, 0.4, 2)
        shine = np.exp(-((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / rng.uniform(0.01, 0.1))
        seen = seen + np.float32(rng.uniform(10, 120)) * shine[..., None].astype(np.float32)
    bright = 255 * np.power(np.clip(seen / 255, 0, 1), np.float32(rng.uniform(0.7, 1.3)))
    return np.asarray(bright, np.float32)


def _sensed(rng: np.random.Generator, raw: Field) -> NDArray[np.uint8]:
    blur_px = float(rng.choice([0.0, 0.4, 0.7, 1.1], p=[0.4, 0.33, 0.2, 0.07]))
    soft = cv2.GaussianBlur(raw, (0, 0), blur_px) if blur_px else raw
    if rng.random() < 0.08:
        soft = cv2.blur(soft, (3, 1) if rng.random() < 0.5 else (1, 3))
    if rng.random() < 0.35:
        amount = float(rng.uniform(0.3, 1.5))
        soft = soft + amount * (soft - cv2.GaussianBlur(soft, (0, 0), 1.0))
    grain = np.asarray(rng.standard_normal(soft.shape), np.float32)
    if rng.random() < 0.5:
        grain = np.asarray(1.6 * cv2.GaussianBlur(grain, (0, 0), 0.7), np.float32)
    noise = np.float32(rng.choice([0.7, 2.0, 5.0, 9.0], p=[0.35, 0.35, 0.22, 0.08]))
    digital = np.asarray(np.clip(soft + noise * grain, 0, 255), np.uint8)
    _, code = cv2.imencode(".jpg", digital, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 97))])
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
