"""Random cloths: a figure in two or three colours, with threads and uneven dye."""

from typing import Final, TypeAlias

import cv2
import numpy as np

from hardware.simulated.drawing.images import Field, Image, clipped, floats_of
from hardware.simulated.prints.figures import FIGURES, Figure

Colour: TypeAlias = Field
"""Shape (3,), blue-green-red, 0..255."""

# Width of a printed edge.
_EDGE_MM: Final = 0.35


def colour(rng: np.random.Generator, hue: tuple[float, float], saturation: float, value: float) -> Colour:
    """Return a colour with its hue (0..360 degrees) in a range that may go through 360, saturation and value 0..1."""
    pixel = np.array([[[rng.uniform(*hue) % 360, saturation, value]]], np.float32)
    return floats_of(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] * 255)


def palette(rng: np.random.Generator) -> tuple[Colour, Colour, Colour]:
    """Return three colours of one cloth: a ground, a figure and an accent, mostly two shades of one hue."""
    hue = float(rng.uniform(0, 360))
    vivid, light = float(rng.beta(1.6, 1.5)), float(rng.uniform(0.25, 0.97))
    # Dyes are not neon: light colours are not vivid, too.
    ground = colour(rng, (hue - 8, hue + 8), vivid * (1.1 - 0.4 * light), light)
    if rng.random() < 0.5:
        second = ground * np.float32(rng.uniform(0.45, 0.8)) + np.float32(rng.choice([0, 70]))
    else:
        second = colour(rng, (0, 360), float(0.8 * rng.beta(1.3, 1.3)), float(rng.uniform(0.2, 0.97)))
    return ground, floats_of(second), colour(rng, (0, 360), float(rng.uniform(0, 0.8)), float(rng.uniform(0.3, 1)))


def camouflage(rng: np.random.Generator, like: Colour) -> tuple[Colour, Colour, Colour]:
    """Return three colours close to a given one, a board's or a neighbour's."""
    ground = like * np.float32(rng.uniform(0.86, 1.14)) + floats_of(rng.normal(0, 5, 3))
    second = ground * np.float32(rng.choice([0.8, 0.88, 0.94, 1.08, 1.15]))
    return floats_of(ground), floats_of(second), floats_of(ground * np.float32(rng.uniform(0.7, 1.2)))


def cloth(
    rng: np.random.Generator,
    shape: tuple[int, int],
    px_per_mm: float,
    colours: tuple[Colour, Colour, Colour] | None = None,
    figure: Figure | None = None,
) -> Image:
    """Return a picture of cloth, shape (height, width, 3), uint8.

    Args:
        rng: source of the figure, its size and angle, and of the colours if they are not given.
        shape: (height, width) in pixels.
        px_per_mm: of the picture.
        colours: of ground, figure and accent.
        figure: one of `FIGURES`; None for a random one.
    """
    figure = figure or FIGURES[int(rng.integers(len(FIGURES)))]
    ground, second, accent = colours or palette(rng)
    pitch_mm = float(np.exp(rng.uniform(np.log(3.2), np.log(13))))
    x, y = _repeats(rng, shape, px_per_mm * pitch_mm)
    main, fine = figure(x, y, pitch_mm / _EDGE_MM, rng)
    picture = ground + (second - ground) * main[..., None]
    if fine.any():
        picture += (accent - picture) * fine[..., None]
    return woven(rng, picture, float(rng.uniform(1, 7)))


def woven(rng: np.random.Generator, picture: Field, strength: float) -> Image:
    """Return the picture with threads, grain and uneven dye of a strength in grey levels; uint8."""
    height, width = picture.shape[:2]
    threads = rng.normal(0, strength * 0.4, (height, 1)) + rng.normal(0, strength * 0.4, (1, width))
    grain = rng.standard_normal((height, width), dtype=np.float32) * np.float32(strength * 0.5)
    blots = blotches(rng, (height, width), (5, 5)) * np.float32(strength)
    return clipped(picture + (floats_of(threads) + grain + blots)[..., None])


def blotches(rng: np.random.Generator, shape: tuple[int, int], bumps: tuple[int, int]) -> Field:
    """Return smooth noise of about unit strength with a number of bumps (down, across)."""
    small = rng.standard_normal((max(2, bumps[0]), max(2, bumps[1])), dtype=np.float32)
    return floats_of(cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC))


def _repeats(rng: np.random.Generator, shape: tuple[int, int], pitch_px: float) -> tuple[Field, Field]:
    """Return coordinates in repeats of the pattern, shifted and rotated: mostly along the cloth or diagonally."""
    turn = float(rng.choice([0, 0, np.pi / 2, np.pi / 4, rng.uniform(0, np.pi)])) + float(rng.normal(0, 0.03))
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) / np.float32(pitch_px)
    cos, sin = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    east, south = (np.float32(offset) for offset in rng.uniform(0, 5, 2))
    return floats_of(x * cos + y * sin + east), floats_of(y * cos - x * sin + south)
