"""Other light, another camera and other colours for views that were recorded: what one recording teaches of many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bench.changes.pairs import MARGIN_PX
from vision.rectify import VIEW_PX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Field = NDArray[np.float32]

_DARK: Final = 6.0
_HALF: Final = VIEW_PX // 2
"""Light is drawn at half the view's size."""


def lit(view: Field, field: Field) -> Field:
    """Return a view, float32, under a field of log-ratios of light, both of shape (VIEW_PX, VIEW_PX, 3)."""
    return np.asarray((view + _DARK) * np.exp(field) - _DARK, np.float32)


def light_field(rng: np.random.Generator, strength: float) -> Field:
    """Return a random field of log-ratios: all over, smooth, and with shadows of hard or soft edges and of any tint."""
    grid = int(rng.integers(2, 5))
    smooth = rng.normal(0, 1, (grid, grid, 1)) + 0.25 * rng.normal(0, 1, (grid, grid, 3))
    wide = cv2.resize(smooth.astype(np.float32), (_HALF, _HALF), interpolation=cv2.INTER_CUBIC)
    everywhere = rng.normal(0, 0.25) + 0.08 * rng.normal(0, 1, 3)
    field = strength * (everywhere + rng.uniform(0, 0.35) * wide)
    if rng.random() < strength:
        for _ in range(int(rng.integers(0, 4))):
            field = field + _shadow(rng)
    return _enlarged(np.clip(field, -2.2, 1.0))


def glare(rng: np.random.Generator) -> Field:
    """Return light that is added by a reflection, in grey levels."""
    y, x = np.mgrid[:_HALF, :_HALF].astype(np.float32)
    at, size, turn = rng.uniform(0, _HALF, 2), rng.uniform(12, 80, 2), rng.uniform(0, np.pi)
    along = ((x - at[0]) * np.cos(turn) + (y - at[1]) * np.sin(turn)) / size[0]
    across = ((y - at[1]) * np.cos(turn) - (x - at[0]) * np.sin(turn)) / size[1]
    spot = np.exp(-(along**2 + across**2) / 2) if rng.random() < 0.7 else (abs(along) < 1) & (abs(across) < 1)
    soft = cv2.GaussianBlur(np.asarray(spot, np.float32), (0, 0), rng.uniform(0.5, 6))
    return _enlarged(soft[:, :, None] * rng.uniform(10, 190) * (1 + 0.1 * rng.normal(0, 1, 3)))


def trembled(rng: np.random.Generator, view: Field, by_px: float) -> Field:
    """Return the view registered less well, by about so many pixels."""
    far = VIEW_PX - MARGIN_PX
    corners = np.array([[MARGIN_PX, MARGIN_PX], [far, MARGIN_PX], [far, far], [MARGIN_PX, far]], np.float32)
    moved = corners + rng.normal(0, by_px, 2) + rng.normal(0, by_px / 2, (4, 2))
    matrix = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
    return np.asarray(cv2.warpPerspective(view, matrix, view.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.float32)


def recoloured(rng: np.random.Generator, views: tuple[Field, Field]) -> tuple[Field, Field]:
    """Return both views in other colours, the same for both: boards and prints of another box."""
    mix = np.eye(3) + rng.normal(0, 0.15, (3, 3))
    if rng.random() < 0.4:
        mix = mix[rng.permutation(3)]
    matrix = (mix / mix.sum(axis=1, keepdims=True)).T.astype(np.float32)
    return views[0] @ matrix, views[1] @ matrix


def photographed(rng: np.random.Generator, views: tuple[Field, Field]) -> tuple[Field, Field]:
    """Return both views as one other camera sees them: 17 to 38 pixels a cell, out of focus, noisy, as JPEG."""
    scale, noise = rng.uniform(0.52, 1.2), rng.choice([0.0, rng.uniform(0, 4), rng.uniform(3, 14)])
    blur, quality = rng.choice([0.0, rng.uniform(0, 1.6)]), int(rng.integers(55, 100))
    expected = _seen(rng, views[0], scale, blur, noise, quality, int(rng.integers(1, 5)))
    return expected, _seen(rng, views[1], scale, blur, noise, quality, int(rng.integers(1, 4)))


def _seen(
    rng: np.random.Generator, view: Field, scale: float, blur_px: float, noise: float, quality: int, frames: int
) -> Field:
    """A view through a camera, the mean of some frames."""
    sharp = cv2.GaussianBlur(view, (0, 0), blur_px) if blur_px > 0.2 else view
    side = round(VIEW_PX * scale)
    small = cv2.resize(sharp, (side, side), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    deviation = noise * np.sqrt(0.4 + 0.6 * np.clip(small, 0, 255) / 128)
    total = np.zeros_like(small)
    for _ in range(frames):
        grey, coloured = (rng.standard_normal((side, side, count), np.float32) for count in (1, 3))
        frame = np.clip(small + deviation * (0.75 * grey + 0.65 * coloured), 0, 255).astype(np.uint8)
        compressed = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        total += np.asarray(cv2.imdecode(compressed, cv2.IMREAD_COLOR), np.float32)
    return np.asarray(cv2.resize(total / frames, (VIEW_PX, VIEW_PX), interpolation=cv2.INTER_LINEAR), np.float32)


def _shadow(rng: np.random.Generator) -> Field:
    """A shadow's log-ratio, or now and then a patch of light's."""
    shape = (_half_plane, _lump, _bars, _arm)[int(rng.integers(4))](rng)
    soft = cv2.GaussianBlur(shape, (0, 0), float(np.exp(rng.uniform(np.log(0.4), np.log(12)))))
    depth = rng.uniform(0.08, 1.5) * (-1.0 if rng.random() < 0.8 else 0.6)
    return np.asarray(soft[:, :, None] * depth * (1 + 0.25 * rng.normal(0, 1, 3)), np.float32)


def _half_plane(rng: np.random.Generator) -> Field:
    y, x = np.mgrid[:_HALF, :_HALF] - _HALF / 2
    turn = rng.uniform(0, 2 * np.pi)
    return np.asarray(x * np.cos(turn) + y * np.sin(turn) > rng.uniform(-75, 75), np.float32)


def _lump(rng: np.random.Generator) -> Field:
    count = int(rng.integers(3, 8))
    turns = np.sort(rng.uniform(0, 2 * np.pi, count))
    reach = rng.uniform(15, 110) * rng.uniform(0.5, 1, count)
    points = rng.uniform(0, _HALF, 2) + reach[:, None] * np.column_stack([np.cos(turns), np.sin(turns)])
    return np.asarray(cv2.fillPoly(np.zeros((_HALF, _HALF), np.float32), [points.astype(np.int32)], 1.0))


def _bars(rng: np.random.Generator) -> Field:
    y, x = np.mgrid[:_HALF, :_HALF]
    turn, period = rng.uniform(0, np.pi), rng.uniform(20, 100)
    phase = (x * np.cos(turn) + y * np.sin(turn)) / period + rng.random()
    return np.asarray(phase % 1 < rng.uniform(0.2, 0.7), np.float32)


def _arm(rng: np.random.Generator) -> Field:
    (x, y), (to_x, to_y) = rng.integers(-50, _HALF + 50, (2, 2)).tolist()
    shape = cv2.line(np.zeros((_HALF, _HALF), np.float32), (x, y), (to_x, to_y), 1.0, int(rng.integers(5, 45)))
    return np.asarray(cv2.circle(shape, (to_x, to_y), int(rng.integers(5, 30)), 1.0, -1))


def _enlarged(half: NDArray[np.floating]) -> Field:
    whole = cv2.resize(half.astype(np.float32), (VIEW_PX, VIEW_PX), interpolation=cv2.INTER_LINEAR)
    return np.asarray(whole, np.float32)
