"""The cloths of the patches of the program's own set, as shown on the page, on paper and on a simulated table.

`cloths.json` holds dyes, motifs and cloths. A motif is a seamless tile of `TILE` by `TILE` units, of the size of a
quilt's cell at a `scale` of 1; its strokes are SVG paths in one of the cloth's two printed dyes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

import msgspec
from svg.path import Arc, Close, CubicBezier, Line, Move, QuadraticBezier, parse_path

Point: TypeAlias = tuple[float, float]
Colour: TypeAlias = tuple[float, float, float]
"""Red, green, blue, 0..1."""
TILE: Final = 10.0
LABEL_CELLS: Final = (1.24, 0.43)
"""Width and height of the label, in cells; one with a cost of two figures is wider by `WIDER`."""
WIDER: Final = 1.14
BUTTON_CELLS: Final = 0.52
"""Diameter of a printed button."""
# Number of chords that approximate a curve.
_STEPS: Final = {Arc: 16, CubicBezier: 10, QuadraticBezier: 8}


class _Stroke(msgspec.Struct):
    d: str
    dye: str
    width: float = 0.0
    opacity: float = 1.0


class _Cloth(msgspec.Struct):
    ground: str
    figure: str
    accent: str
    motif: str
    angle_deg: float


class _Cupboard(msgspec.Struct):
    scale: float
    dyes: dict[str, str]
    motifs: dict[str, list[_Stroke]]
    cloths: dict[str, _Cloth]


@dataclass(frozen=True, slots=True)
class Print:
    """The print of a tile in one dye.

    Attributes:
        lines: chains of points, in units of the tile.
        colour: of the dye.
        width: of the lines, in units of the tile; 0 for filled forms.
        opacity: 0..1.
    """

    lines: tuple[tuple[Point, ...], ...]
    colour: Colour
    width: float
    opacity: float


@dataclass(frozen=True, slots=True)
class Cloth:
    """The cloth of a patch.

    Attributes:
        ground: its colour.
        prints: the prints of each tile, in order.
        angle_deg: clockwise rotation of the tiles.
        scale: edge of a tile, in cells.
    """

    ground: Colour
    prints: tuple[Print, ...]
    angle_deg: float
    scale: float


@cache
def cloth_of(patch: str) -> Cloth:
    """Return the cloth of a patch by its id, or of "leather".

    Raises:
        KeyError: there is no such patch.
    """
    cupboard = _cupboard()
    cloth = cupboard.cloths[patch]
    dyes = {"figure": cupboard.dyes[cloth.figure], "accent": cupboard.dyes[cloth.accent]}
    prints = tuple(
        Print(_chains(stroke.d), _rgb(dyes[stroke.dye]), stroke.width, stroke.opacity)
        for stroke in cupboard.motifs[cloth.motif]
    )
    return Cloth(_rgb(cupboard.dyes[cloth.ground]), prints, cloth.angle_deg, cupboard.scale)


def print_places(cells: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return a patch's (row, column) cells in the order of printing: the label's pair first."""
    pairs = [
        (cell, beside)
        for cell in cells
        for beside in ((cell[0], cell[1] + 1), (cell[0] + 1, cell[1]))
        if beside in cells
    ]
    first, second = pairs[0]
    return [first, second, *(cell for cell in reversed(cells) if cell not in (first, second))]


@cache
def _cupboard() -> _Cupboard:
    return msgspec.json.decode(files(__package__).joinpath("cloths.json").read_bytes(), type=_Cupboard)


@cache
def _chains(path: str) -> tuple[tuple[Point, ...], ...]:
    """Return an SVG path as chains of points, with curves approximated by chords."""
    chains: list[list[complex]] = []
    for segment in parse_path(path):
        match segment:
            case Move():
                chains.append([segment.end])
            case Line() | Close():
                chains[-1].append(segment.end)
            case _:
                steps = _STEPS[type(segment)]
                chains[-1].extend(segment.point(step / steps) for step in range(1, steps + 1))
    return tuple(tuple((point.real, point.imag) for point in chain) for chain in chains)


def _rgb(written: str) -> Colour:
    red, green, blue = bytes.fromhex(written.removeprefix("#"))
    return red / 255, green / 255, blue / 255
