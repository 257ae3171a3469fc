"""The other pieces of the set: leather patches, the 7x7 tile, buttons, both time tokens and the pawn."""

from collections.abc import Mapping
from math import cos, pi, sin
from typing import Final

from calibration.identity import INKS
from calibration.printing.game.patches import BLUE, draw_button, draw_cloth
from calibration.printing.marks import seat_mark
from calibration.printing.page import GREY, WHITE, Colour, PdfSheet, Point, capitals_mm

BUTTONS: Final[Mapping[int, int]] = {20: 1, 10: 5, 5: 12, 1: 32}
"""The number of button tokens of each value (rulebook, components)."""
# The colours, equal to those of the page's coins.
_COLOURS: Final[Mapping[int, Colour]] = {
    1: BLUE, 5: (0.48, 0.25, 0.41), 10: (0.23, 0.42, 0.27), 20: (0.55, 0.23, 0.17)
}  # fmt: skip
# Radii in cells, which increase with the value.
_RADII: Final[Mapping[int, float]] = {1: 0.42, 5: 0.5, 10: 0.58, 20: 0.66}
_GOLD: Final[Colour] = (0.86, 0.7, 0.32)
_PAWN: Final[Colour] = (0.3, 0.28, 0.27)


def token_cells(value: int) -> float:
    """Return the diameter of a button token, in cells."""
    return 2 * _RADII[value]


def draw_token(sheet: PdfSheet, value: int, centre: Point, cell_mm: float) -> None:
    """Draw a button token with its value."""
    radius = _RADII[value] * cell_mm
    draw_button(sheet, centre, radius, _COLOURS[value])
    if value > 1:
        sheet.disc(centre, radius * 0.56, WHITE)
        size = radius * 0.8
        foot = centre[1] + capitals_mm(size) / 2
        sheet.text((centre[0], foot), str(value), size, _COLOURS[value], centred=True)


def draw_leather(sheet: PdfSheet, corner: Point, cell_mm: float) -> None:
    """Draw a leather patch, which covers one cell."""
    cut = draw_cloth(sheet, [(0, 0)], "leather", corner, cell_mm)
    sheet.line(cut[0], GREY, 0.15, closed=True)


def draw_bonus(sheet: PdfSheet, corner: Point, cell_mm: float) -> None:
    """Draw the tile for the first 7x7 square, three cells wide and two high."""
    width, height = 3 * cell_mm, 2 * cell_mm
    x, y = corner
    box = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    sheet.polygons([box], _GOLD)
    (left, top), (right, bottom) = (x + 1.5, y + 1.5), (x + width - 1.5, y + height - 1.5)
    inner = [(left, top), (right, top), (right, bottom), (left, bottom)]
    sheet.stitches(inner, WHITE, 0.5, 2.2)
    size = cell_mm * 0.75
    foot = y + height / 2 + capitals_mm(size) / 2 - cell_mm * 0.2
    sheet.text((x + width / 2, foot), "7×7", size, _PAWN, centred=True)
    sheet.text((x + width / 2, foot + cell_mm * 0.55), "+7", cell_mm * 0.45, _PAWN, centred=True)
    sheet.line(box, GREY, 0.15, closed=True)


def draw_markers(sheet: PdfSheet, corner: Point, cell_mm: float) -> None:
    """Draw both players' time tokens and the pawn of the circle, side by side."""
    radius = 0.36 * cell_mm
    for index, ink in enumerate(INKS):
        centre = (corner[0] + (index + 0.5) * cell_mm, corner[1] + cell_mm / 2)
        sheet.disc(centre, radius, ink)
        sheet.disc(centre, radius * 0.78, WHITE)
        seat_mark(sheet, index + 1, centre, radius * 0.55)
    centre = (corner[0] + 2.5 * cell_mm, corner[1] + cell_mm / 2)
    points = [(centre[0] + radius * cos(pi * step / 3), centre[1] + radius * sin(pi * step / 3)) for step in range(6)]
    sheet.polygons([points], _PAWN)
    sheet.disc(centre, radius * 0.35, _GOLD)
