"""Random quilt boards: a ground with a weave and soft stains, and grid lines that are sewn, drawn or hardly visible."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from hardware.simulated.drawing.images import Field, Image, clipped, floats_of
from hardware.simulated.prints.cloths import Colour, blotches, colour

# Hue range, saturation range, value range of boards: beige, brown, grey-green, yellow, blue-grey, grey.
_HUES: Final = (
    ((25, 42), (0.12, 0.35), (0.7, 0.95)),
    ((14, 32), (0.35, 0.65), (0.35, 0.7)),
    ((70, 160), (0.05, 0.28), (0.45, 0.85)),
    ((40, 56), (0.3, 0.65), (0.6, 0.92)),
    ((190, 220), (0.1, 0.35), (0.4, 0.75)),
    ((0, 360), (0.0, 0.06), (0.4, 0.85)),
)


@dataclass(frozen=True, slots=True)
class Ground:
    """The printing of a quilt board.

    Attributes:
        base: its colour, (3,), blue-green-red.
        thread: strength of the weave in grey levels.
        thread_mm: distance between threads.
        stains: strength of soft stains, relative.
        line: factor on the ground's colour along the grid lines; 1 leaves no lines.
        line_mm: width of the lines.
        sewn: whether the lines are stitches with gaps and frayed edges.
        border: factor on the ground's colour outside of the grid.
    """

    base: Colour
    thread: float = 4.0
    thread_mm: float = 1.2
    stains: float = 0.06
    line: float = 0.6
    line_mm: float = 0.6
    sewn: bool = True
    border: float = 0.85


def random_ground(rng: np.random.Generator) -> Ground:
    """Return a random board's ground."""
    hue, saturation, value = _HUES[int(rng.integers(len(_HUES)))]
    faint = rng.random() < 0.3
    return Ground(
        base=colour(rng, hue, float(rng.uniform(*saturation)), float(rng.uniform(*value))),
        thread=float(rng.uniform(0, 9)),
        thread_mm=float(rng.uniform(0.7, 3.0)),
        stains=float(rng.uniform(0, 0.12)),
        line=float(rng.uniform(0.88, 1.1) if faint else rng.choice([rng.uniform(0.35, 0.8), rng.uniform(1.1, 1.4)])),
        line_mm=float(rng.uniform(0.4, 1.4)),
        sewn=bool(rng.random() < 0.5),
        border=float(rng.uniform(0.7, 1.1)),
    )


def board_picture(ground: Ground, size_mm: float, grid_mm: float, px_per_mm: float, rng: np.random.Generator) -> Image:
    """Return an empty quilt board, square, uint8.

    Args:
        ground: its printing.
        size_mm: of the board's side.
        grid_mm: of the printed grid's side, in the middle of the board.
        px_per_mm: of the picture.
        rng: of threads, stains and stitches.
    """
    side = round(size_mm * px_per_mm)
    axis = (np.arange(side, dtype=np.float32) + 0.5) / np.float32(px_per_mm) - np.float32(size_mm / 2)
    shade = _stained(ground, side, rng) * _lines(ground, axis, grid_mm, rng)
    outside = np.abs(axis) > grid_mm / 2 + 0.3
    shade *= np.where(outside[:, None] | outside[None, :], np.float32(ground.border), np.float32(1))
    picture = ground.base * shade[..., None] + _weave(ground, axis, rng)[..., None]
    return clipped(picture)


def _stained(ground: Ground, side: int, rng: np.random.Generator) -> Field:
    broad, small = (blotches(rng, (side, side), (bumps, bumps)) for bumps in (4, 14))
    # A few small dark spots, like those of tea or age, but no light ones.
    spots = np.clip(small - 1.6, 0, 1)
    return floats_of(1 + ground.stains * (broad + 0.4 * small) - 2 * ground.stains * spots)


def _weave(ground: Ground, axis: Field, rng: np.random.Generator) -> Field:
    pitch = np.float32(2 * np.pi / ground.thread_mm)
    side = len(axis)
    over = np.sin(axis * pitch)[:, None] * np.sin(axis * pitch)[None, :]
    grain = rng.standard_normal((side, side), dtype=np.float32)
    runs = rng.standard_normal((side, 1), dtype=np.float32) + rng.standard_normal((1, side), dtype=np.float32)
    return floats_of(ground.thread * (0.7 * over + 0.35 * grain + 0.25 * runs))


def _lines(ground: Ground, axis: Field, grid_mm: float, rng: np.random.Generator) -> Field:
    """Return the factor of the grid's lines on the ground."""
    cell_mm = grid_mm / 9
    ink = np.ones((len(axis), len(axis)), np.float32)
    within = (np.abs(axis) < grid_mm / 2 + 0.5).astype(np.float32)
    for index in range(10):
        away = np.abs(axis - np.float32(index * cell_mm - grid_mm / 2))
        for turned in (False, True):
            run = within * (_stitches(axis, rng) if ground.sewn else 1)
            core = np.clip((ground.line_mm / 2 - away) * 2.5 + 0.5, 0, 1)
            halo = np.exp(-((away / (1.6 * ground.line_mm)) ** 2)) * (0.35 if ground.sewn else 0.0)
            line = np.maximum(core, halo)[None, :] * run[:, None] * np.float32(ground.line - 1)
            ink += line.T if turned else line
    return floats_of(np.clip(ink, 0.1, 1.6))


def _stitches(axis: Field, rng: np.random.Generator) -> Field:
    """Return the density of thread along a seam."""
    pitch = float(rng.uniform(1.6, 3.2))
    waves = np.sin(axis * np.float32(2 * np.pi / pitch) + np.float32(rng.uniform(0, 6)))
    uneven = cv2.resize(rng.uniform(0.7, 1, (1, 40)).astype(np.float32), (len(axis), 1))[0]
    return floats_of(np.clip(0.72 + 0.5 * waves, 0.25, 1) * uneven)
