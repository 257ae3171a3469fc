"""Random empty boards, on a table or on a mat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from bench.pieces.textures import Field, cloth, random_colour, smooth_noise
from bench.quilts.canvas import FINE_PX, SIDE_PX, cast_shadow, cells_px, rectangle
from companion.games.patchwork.cells import SIDE

if TYPE_CHECKING:
    from bench.quilts.stamps import Stamps


def draw_board(rng: np.random.Generator, stamps: Stamps | None) -> Field:
    """Return a random empty board on a table or on a white mat; with `stamps`, one of a printing."""
    picture = cloth(rng, (SIDE_PX, SIDE_PX), FINE_PX, ground=True)
    if rng.random() < 0.45:
        picture[:] = np.float32(rng.uniform(170, 245)) + rng.normal(0, 5, 3).astype(np.float32)
    edge = rng.uniform(0.12, 0.42)
    frame = rectangle(np.array([[-edge, -edge], [SIDE + edge, SIDE + edge]]))
    cast_shadow(picture, frame, (rng.normal(0, 2), rng.normal(0, 2)), rng.uniform(1, 5), rng.uniform(0.1, 0.6))
    if stamps is not None:
        printed = stamps.board(rng)
        picture[frame > 127] = printed[frame > 127]
        return picture
    ground = _ground(rng)
    rim = ground * np.float32(rng.uniform(0.65, 1.3)) + rng.normal(0, 10, 3).astype(np.float32) * (rng.random() < 0.5)
    picture[frame > 127] = rim[frame > 127]
    inner = rectangle(np.array([[0.0, 0.0], [SIDE, SIDE]]))
    picture[inner > 127] = ground[inner > 127]
    _grid_lines(rng, picture)
    return picture


def _ground(rng: np.random.Generator) -> Field:
    """Return a random ground of a board, with stains."""
    shape = (SIDE_PX, SIDE_PX)
    own = cloth(rng, shape, FINE_PX, ground=bool(rng.random() < 0.3))
    mean = own.mean(axis=(0, 1))
    kept = np.float32(rng.choice([0.04, 0.12, 0.3, 0.8], p=[0.3, 0.35, 0.25, 0.1]))
    base = random_colour(rng, 0.8)
    if rng.random() < 0.7:  # most boards are pale, so that patches stand out
        base = base * np.float32(rng.uniform(130, 240) / max(float(base.max()), 1.0))
    own = base + kept * (own - mean) + np.float32(rng.uniform(0, 6)) * smooth_noise(rng, shape, 240, 240)[..., None]
    bumps = int(rng.integers(3, 40))
    stain = smooth_noise(rng, shape, bumps, bumps)
    tint = rng.normal(0, 1, 3).astype(np.float32) * np.float32(rng.uniform(0, 6))
    own += stain[..., None] * (np.float32(rng.uniform(0, 9)) + tint)
    if rng.random() < 0.3:  # lighter in the middle
        y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) / shape[0] - 0.5
        own *= (1 + np.float32(rng.uniform(0.1, 0.6)) * (0.15 - (x * x + y * y)))[..., None]
    if rng.random() < 0.15:  # alternating shades of cells
        y, x = np.mgrid[0 : shape[0], 0 : shape[1]]
        odd = ((x + FINE_PX // 2) // FINE_PX + (y + FINE_PX // 2) // FINE_PX) % 2
        own += (rng.normal(0, 7, 3) * odd[..., None]).astype(np.float32)
    return np.asarray(np.clip(own, 3, 252), np.float32)


def _grid_lines(rng: np.random.Generator, picture: Field) -> None:
    """Draw random printed or stitched grid lines, darker or lighter than the ground."""
    layer = np.zeros((SIDE_PX, SIDE_PX), np.float32)
    width, dash = rng.uniform(0.6, 3.2), rng.random() < 0.3
    pitch, share = rng.uniform(4, 12), rng.uniform(0.45, 0.75)
    y, x = np.mgrid[0:SIDE_PX, 0:SIDE_PX].astype(np.float32)
    wobble = np.float32(rng.uniform(0, 0.8)) * smooth_noise(rng, layer.shape, 30, 30)
    for line in range(SIDE + 1):
        for across, along in ((x, y), (y, x)):
            at = float(cells_px(np.array(line)))
            one = np.clip(width / 2 + 0.5 - np.abs(across + wobble - at), 0, 1)
            if dash:
                one = one * (np.mod(along, pitch) < share * pitch)
            layer = np.maximum(layer, one)
    first, last = cells_px(np.array(-0.03)), cells_px(np.array(SIDE + 0.03))
    layer[(x < first) | (x > last) | (y < first) | (y > last)] = 0
    depth = np.float32(rng.uniform(0.12, 0.6))
    soft = cv2.GaussianBlur(layer, (0, 0), 0.6)[..., None] * depth
    tone = random_colour(rng) if rng.random() < 0.2 else np.full(3, 15 if rng.random() < 0.75 else 250, np.float32)
    picture += (tone - picture) * soft
    if rng.random() < 0.3:  # a highlight beside the line, as on embossed lines
        beside = cv2.GaussianBlur(np.roll(layer, (1, 2), (0, 1)), (0, 0), 1.0)[..., None]
        picture *= 1 + np.float32(rng.uniform(0.02, 0.2)) * beside * (1 if tone[0] < 128 else -1)
