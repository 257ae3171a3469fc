"""A patch on paper: its cloth, a seam, the label and the printed buttons."""

from collections.abc import Iterable, Sequence
from math import cos, pi, radians, sin
from typing import Final

import numpy as np

from calibration.cloths import BUTTON_CELLS, LABEL_CELLS, TILE, WIDER, Cloth, cloth_of, print_places
from calibration.printing.page import GREY, Colour, PdfSheet, Point, capitals_mm
from companion.games.patchwork.components import Patch
from vision.pieces.fit import outline_of


def outline(cells: Iterable[tuple[int, int]], inset: float = 0.0) -> list[Point]:
    """Return the outline of joined (row, column) cells without holes, as (x, y) in cells, clockwise.

    Args:
        cells: the cells; two that share only a corner are not joined.
        inset: distance of the outline inside of the cells' edges.
    """
    corners = outline_of(tuple(cells))
    after = np.sign(np.roll(corners, -1, axis=0) - corners)
    before = np.roll(after, 1, axis=0)
    # Each corner moves to the right of both of its directions.
    turned = (before + after)[:, ::-1] * (-inset, inset)
    return [(x, y) for x, y in (corners + turned).tolist()]


BLUE: Final[Colour] = (0.16, 0.5, 0.77)
_PAPER: Final[Colour] = (0.93, 0.88, 0.78)
_INK: Final[Colour] = (0.2, 0.18, 0.16)
_SEAM_CELLS: Final = 0.09
CUT_MM: Final = 0.3
"""Margin by which a patch is smaller than its cells on every side, so that it fits beside its neighbours when cut by
hand.
"""


def draw_patch(sheet: PdfSheet, corner: Point, patch: Patch, cell_mm: float) -> None:
    """Draw a patch as oriented in the box; `corner` is the top left one of its cells' bounding box."""
    cut = draw_cloth(sheet, patch.cells, patch.id, corner, cell_mm)
    sheet.line(cut, GREY, 0.15, closed=True)
    places = print_places(patch.cells)
    for row, column in places[2 : 2 + patch.income]:
        draw_button(sheet, _middle(corner, row, column, cell_mm), BUTTON_CELLS * cell_mm / 2)
    (row, column), (row2, column2) = places[:2]
    middle = _middle(corner, (row + row2) / 2, (column + column2) / 2, cell_mm)
    draw_label(sheet, (patch.buttons, patch.time), middle, cell_mm, upright=row != row2)


def draw_cloth(
    sheet: PdfSheet, cells: Iterable[tuple[int, int]], name: str, corner: Point, cell_mm: float
) -> list[Point]:
    """Draw joined (row, column) cells of a patch's cloth with a seam; return the cutting outline."""
    cells = list(cells)
    cut = _placed(outline(cells, CUT_MM / cell_mm), corner, cell_mm)
    cloth = cloth_of(name)
    with sheet.clipped([cut]):
        sheet.polygons([cut], cloth.ground)
        _print(sheet, cloth, cells, corner, cell_mm)
    dark = sum(cloth.ground) < 1.5
    thread = (0.86, 0.84, 0.8) if dark else (0.26, 0.24, 0.22)
    seam = _placed(outline(cells, _SEAM_CELLS), corner, cell_mm)
    sheet.stitches(seam, thread, 0.02 * cell_mm, 0.11 * cell_mm)
    return cut


def draw_button(sheet: PdfSheet, centre: Point, radius_mm: float, colour: Colour = BLUE) -> None:
    """Draw a sewing button with four holes, seen from above."""
    dark = _shade(colour, 0.62)
    sheet.disc(centre, radius_mm, colour)
    sheet.arc(centre, radius_mm * 0.84, (0, 360), _shade(colour, 1.3), radius_mm * 0.14)
    sheet.arc(centre, radius_mm * 0.66, (0, 360), dark, radius_mm * 0.07)
    for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        sheet.disc((centre[0] + dx * radius_mm * 0.22, centre[1] + dy * radius_mm * 0.22), radius_mm * 0.1, dark)


def draw_label(sheet: PdfSheet, costs: tuple[int, int], middle: Point, cell_mm: float, *, upright: bool) -> None:
    """Draw a label: a button and the patch's cost, an hourglass and its time.

    Args:
        sheet: the sheet to draw on.
        costs: buttons and spaces.
        middle: of the label.
        cell_mm: edge of a cell.
        upright: whether it reads upwards.
    """
    cost, time = costs
    height = LABEL_CELLS[1] * cell_mm
    width = LABEL_CELLS[0] * cell_mm * (WIDER if cost > 9 else 1)
    radius = height / 2
    with sheet.turned(90.0 if upright else 0.0, middle):
        left, y = middle[0] - width / 2, middle[1]
        sheet.polygons([_pill(middle, width, height)], _PAPER)
        draw_button(sheet, (left + radius, y), radius * 0.7)
        size = height * 0.86
        foot = y + capitals_mm(size) / 2
        sheet.text((left + radius * 1.85, foot), str(cost), size, _INK)
        glass = left + width * (0.64 if cost > 9 else 0.6)
        draw_hourglass(sheet, (glass, y), radius * 0.62)
        sheet.text((glass + radius * 0.72, foot), str(time), size, _INK)


def draw_hourglass(sheet: PdfSheet, middle: Point, half_mm: float) -> None:
    """Draw an hourglass of two triangles."""
    (x, y), wide = middle, half_mm * 2 / 3
    sheet.polygons([[(x - wide, y - half_mm), (x + wide, y - half_mm), (x, y)]], _INK)
    sheet.polygons([[(x - wide, y + half_mm), (x + wide, y + half_mm), (x, y)]], _INK)


def _print(sheet: PdfSheet, cloth: Cloth, cells: Sequence[tuple[int, int]], corner: Point, cell_mm: float) -> None:
    """Print the tiles that overlap the cells."""
    turn = radians(cloth.angle_deg)
    unit = cell_mm * cloth.scale / TILE
    tiles = sorted({tile for cell in cells for tile in _tiles(cell, turn, cloth.scale)})
    rotation = np.array([[cos(turn), sin(turn)], [-sin(turn), cos(turn)]])
    offsets = np.array(tiles) * TILE
    for dye in cloth.prints:
        # Each chain in each tile, shape (tiles, points, 2).
        chains = (np.array(chain) + offsets[:, None] for chain in dye.lines)
        shapes = [shape for chain in chains for shape in chain * unit @ rotation + corner]
        sheet.print_cloth(shapes, dye.colour, width_mm=dye.width * unit, opacity=dye.opacity)


def _tiles(cell: tuple[int, int], turn: float, scale: float) -> set[tuple[int, int]]:
    """Return the (right, down) numbers of the tiles around a cell's square."""
    corners = [(cell[1] + dx, cell[0] + dy) for dx in (0, 1) for dy in (0, 1)]
    rights = [(x * cos(turn) + y * sin(turn)) / scale for x, y in corners]
    downs = [(y * cos(turn) - x * sin(turn)) / scale for x, y in corners]
    # One more on every side, because motifs overhang their tiles.
    return {
        (right, down)
        for right in range(int(min(rights) // 1) - 1, int(max(rights) // 1) + 2)
        for down in range(int(min(downs) // 1) - 1, int(max(downs) // 1) + 2)
    }


def _placed(shape: Iterable[Point], corner: Point, cell_mm: float) -> list[Point]:
    return [(corner[0] + x * cell_mm, corner[1] + y * cell_mm) for x, y in shape]


def _middle(corner: Point, row: float, column: float, cell_mm: float) -> Point:
    return corner[0] + (column + 0.5) * cell_mm, corner[1] + (row + 0.5) * cell_mm


def _pill(middle: Point, width: float, height: float) -> list[Point]:
    radius, steps = height / 2, 12
    reach = width / 2 - radius
    left = [pi / 2 + pi * step / steps for step in range(steps + 1)]
    right = [-pi / 2 + pi * step / steps for step in range(steps + 1)]
    return [
        *((middle[0] - reach + radius * cos(angle), middle[1] + radius * sin(angle)) for angle in left),
        *((middle[0] + reach + radius * cos(angle), middle[1] + radius * sin(angle)) for angle in right),
    ]


def _shade(colour: Colour, by: float) -> Colour:
    red, green, blue = (min(1.0, each * by + (0.06 if by > 1 else 0)) for each in colour)
    return red, green, blue
