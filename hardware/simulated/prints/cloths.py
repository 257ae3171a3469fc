"""Random cloths: a figure in two or three colours, with threads and uneven dye.

A figure takes x and y in repeats of its pattern, the sharpness of a printed edge in the same unit, and a generator;
it returns two weights 0..1, float32, of the shape of x.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import cv2
import numpy as np

from hardware.simulated.drawing import Field, Image, clipped, floats_of

Figure: TypeAlias = Callable[[Field, Field, float, np.random.Generator], tuple[Field, Field]]


def _edge(inside: Any, sharp: float) -> Field:
    """Return a printed edge at the zeros of `inside`."""
    return floats_of(np.clip(inside * sharp + 0.5, 0, 1))


def _none(x: Field) -> Field:
    return np.zeros_like(x)


def _bricklaid(x: Field, y: Field) -> tuple[Field, Field]:
    """Return offsets from the middle of each repeat, with every other row shifted by half a repeat."""
    row = np.floor(y)
    return floats_of((x + 0.5 * (row % 2)) % 1 - 0.5), floats_of(y % 1 - 0.5)


def plain(x: Field, y: Field, sharp: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """Return two threads, one over and one under."""
    del sharp
    fine = float(rng.uniform(3, 7))
    return floats_of(0.5 + 0.5 * np.sin(x * 6.3 * fine) * np.sin(y * 6.3 * fine)), _none(x)


def gingham(x: Field, y: Field, sharp: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """Draw checks with a middle shade where only one of the two stripes runs."""
    share = float(rng.uniform(-0.15, 0.15))
    across, down = (_edge(np.abs(each % 1 - 0.5) - 0.25 + share, sharp) for each in (x, y))
    return floats_of((across + down) / 2), _none(x)


def stripes(x: Field, y: Field, sharp: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """Stripes with a fine line beside each."""
    del y
    from_middle = np.abs(x % 1 - 0.5)
    line = _edge(0.03 - np.abs(from_middle - 0.4), sharp) if rng.random() < 0.5 else _none(x)
    return _edge(from_middle - float(rng.uniform(0.15, 0.35)), sharp), line


def rounded_stripes(x: Field, y: Field, sharp: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """Stripes shaded like rods."""
    del y, sharp, rng
    return floats_of(np.abs(np.sin(np.pi * x)) ** 0.7), _none(x)


def plaid(x: Field, y: Field, sharp: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """Wide crossing bands and fine light lines."""
    wide, line = float(rng.uniform(0.15, 0.3)), float(rng.uniform(0.015, 0.04))
    bands = [_edge(wide - np.abs(each % 1 - 0.5), sharp) for each in (x, y)]
    lines = [_edge(line - np.abs(each % 1 - 0.08), sharp) for each in (x, y)]
    return floats_of(0.5 * bands[0] + 0.5 * bands[1]), floats_of(0.7 * np.maximum(*lines))


def dots(x: Field, y: Field, sharp: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """Dots, some with a centre of another colour."""
    dx, dy = _bricklaid(x, y)
    radius, reach = np.hypot(dx, dy), float(rng.uniform(0.15, 0.36))
    heart = _edge(reach * 0.45 - radius, sharp) if rng.random() < 0.4 else _none(x)
    return _edge(reach - radius, sharp), heart


def flowers(x: Field, y: Field, sharp: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """Flowers with a random number of petals, and their centres."""
    dx, dy = _bricklaid(x, y)
    radius, angle = np.hypot(dx, dy), np.arctan2(dy, dx)
    petals = 0.26 + float(rng.uniform(0.06, 0.14)) * np.cos(int(rng.integers(4, 9)) * angle + np.floor(y))
    return _edge(petals - radius, sharp), _edge(0.09 - radius, sharp)


def paisley(x: Field, y: Field, sharp: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """Bent drops with an inner line."""
    dx, dy = _bricklaid(x, y)
    bend = float(rng.uniform(0.8, 1.6))
    along = dx + bend * dy * np.abs(dy) + 0.05
    width = 0.24 * np.sqrt(np.clip(0.5 - dy, 0, 1)) * _edge(0.38 - np.abs(dy), sharp)
    drop = width - np.abs(along)
    return _edge(drop, sharp), _edge(0.025 - np.abs(drop - 0.07), sharp)


def argyle(x: Field, y: Field, sharp: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """Lozenges of two shades under a crossing of fine lines."""
    u, v = x + y * 0.6, x - y * 0.6
    shade = (np.floor(u) + np.floor(v)) % 2
    line = 0.03 + 0.02 * float(rng.random())
    crossing = np.minimum(np.abs((u + 0.5) % 1 - 0.5), np.abs((v + 0.5) % 1 - 0.5))
    return floats_of(shade * (0.6 + 0.4 * (np.floor(u) % 2))), _edge(line - crossing, sharp)


def bricks(x: Field, y: Field, sharp: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """Blocks of random shades, with joints between them."""
    row = np.floor(2 * y)
    column = np.floor(x + 0.5 * (row % 2))
    shades = rng.random(97).astype(np.float32)
    shade = shades[(column * 31 + row * 17).astype(np.int64) % 97]
    joint = np.minimum(np.abs((x + 0.5 * (row % 2) + 0.5) % 1 - 0.5), np.abs((2 * y + 0.5) % 1 - 0.5) / 2)
    return floats_of(shade), _edge(0.03 - joint, sharp)


def fans(x: Field, y: Field, sharp: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """Overlapping scales of rings."""
    row = np.floor(2 * y)
    dx, dy = (x + 0.5 * (row % 2)) % 1 - 0.5, (2 * y) % 1 / 2 - 0.5
    radius = np.hypot(dx, dy)
    rings = float(rng.integers(3, 6))
    return _edge(0.25 * np.sin(radius * 6.28 * rings), sharp), _none(x)


def medallions(x: Field, y: Field, sharp: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """Ogees with leaves, as on damask and old wallpaper."""
    dx, dy = _bricklaid(x, y)
    wave = 0.25 + 0.22 * np.cos(2 * np.pi * dy)
    ogee = wave - np.abs(dx)
    leaves = 0.12 * np.cos(int(rng.integers(2, 5)) * 2 * np.arctan2(dy, dx)) + 0.18 - np.hypot(dx, dy)
    return _edge(leaves, sharp), floats_of(0.7 * _edge(0.025 - np.abs(ogee), sharp))


def lattice(x: Field, y: Field, sharp: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """Return a slanting trellis with a flower on each crossing."""
    u, v = x + y, x - y
    bars = np.minimum(np.abs(u % 1 - 0.5), np.abs(v % 1 - 0.5))
    near = np.hypot(u % 1 - 0.5, v % 1 - 0.5)
    return _edge(float(rng.uniform(0.03, 0.07)) - bars, sharp), _edge(0.14 - near, sharp)


def sprigs(x: Field, y: Field, sharp: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """Small leaves on stems that lean in alternating directions."""
    dx, dy = _bricklaid(x, y)
    lean = np.where(np.floor(y) % 2 > 0, 1, -1) * float(rng.uniform(0.4, 1))
    stem = np.minimum(0.04 - np.abs(dx + lean * dy), 0.35 - np.hypot(dx, dy))
    leaf = 0.13 - np.hypot(dx - 0.12, (dy + 0.1) * 1.8)
    return _edge(np.maximum(stem, leaf), sharp), _none(x)


def triangles(x: Field, y: Field, sharp: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """Half-square triangles in three shades."""
    del rng
    third = (np.floor(x) + 2 * np.floor(y)) % 3 == 0
    upper = _edge((x % 1) - (y % 1), sharp)
    return upper, floats_of(third * (1 - upper))


def herringbone(x: Field, y: Field, sharp: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """Slanting threads that change direction at every band."""
    del rng
    return _edge(0.25 * np.sin(2 * np.pi * 3 * (y + np.abs(x % 1 - 0.5))), sharp), _none(x)


FIGURES: Final[tuple[Figure, ...]] = (
    plain, plain, gingham, gingham, stripes, stripes, rounded_stripes, plaid, plaid, dots, dots, flowers, flowers,
    paisley, argyle, bricks, fans, medallions, lattice, sprigs, triangles, herringbone,
)  # fmt: skip
"""The figures; common ones of small-patterned cloth are listed more than once."""


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
    return threaded(rng, picture, float(rng.uniform(1, 7)))


def threaded(rng: np.random.Generator, picture: Field, strength: float) -> Image:
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
