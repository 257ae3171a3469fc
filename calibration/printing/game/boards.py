"""The two quilt boards and the time board on paper."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from calibration.mat import load_mat
from calibration.printing.game.patches import draw_button, draw_cloth
from calibration.printing.marks import seat_mark
from calibration.printing.page import GREY, Colour, PdfSheet, Point
from companion.games.patchwork import TIME_TRACKS, Edition
from vision.geometry import SIDE as BOARD_SIDE
from vision.timeboard.board import Layout, load_layout

CELLS: Final = 9
TIME_CELLS: Final = 8
"""Edge of the time board in cells of the quilts, so that a leather patch fits on one of its spaces."""
# By seat, the colours of its quilt board's ground and of the thread on it.
_GROUNDS: Final[tuple[tuple[Colour, Colour], ...]] = (
    ((0.87, 0.89, 0.9), (0.62, 0.68, 0.74)),
    ((0.93, 0.87, 0.78), (0.74, 0.63, 0.5)),
)
_LANE: Final[Colour] = (0.96, 0.94, 0.89)
_CENTRE: Final[Colour] = (0.86, 0.8, 0.68)
_THREAD: Final[Colour] = (0.55, 0.46, 0.36)
_FIGURES: Final[Colour] = (0.42, 0.36, 0.3)


def board_mm(cell_mm: float) -> float:
    """Return the outer edge of a quilt board, with the border that mats allow for."""
    mat = load_mat()
    return cell_mm * mat.board_size_mm / mat.cell_mm


def time_board_mm(cell_mm: float) -> float:
    """Return the outer edge of the time board."""
    return cell_mm * (TIME_CELLS + 0.6)


def draw_quilt_board(sheet: PdfSheet, corner: Point, seat: int, cell_mm: float) -> None:
    """Draw a seat's empty quilt board, from its top left corner."""
    size_mm = board_mm(cell_mm)
    border_mm = (size_mm - CELLS * cell_mm) / 2
    ground, thread = _GROUNDS[seat - 1]
    left, top = corner[0] + border_mm, corner[1] + border_mm
    sheet.polygons([_square(corner, size_mm)], _darker(ground))
    sheet.polygons([_square((left, top), CELLS * cell_mm)], ground)
    for row in range(CELLS):
        for column in range(CELLS):
            _motif(sheet, (left + (column + 0.5) * cell_mm, top + (row + 0.5) * cell_mm), cell_mm, thread)
    for index in range(CELLS + 1):
        along = index * cell_mm
        sheet.line([(left + along, top), (left + along, top + CELLS * cell_mm)], thread, 0.35)
        sheet.line([(left, top + along), (left + CELLS * cell_mm, top + along)], thread, 0.35)
    sheet.line(_square(corner, size_mm), GREY, 0.2, closed=True)
    for index in range(CELLS):
        middle = (index + 0.5) * cell_mm
        size = border_mm * 0.55
        sheet.text((left + middle, top - border_mm * 0.28), "ABCDEFGHI"[index], size, _FIGURES, centred=True)
        sheet.text((left - border_mm / 2, top + middle + size / 3), str(index + 1), size, _FIGURES, centred=True)
    seat_mark(sheet, seat, (corner[0] + size_mm - border_mm / 2, corner[1] + border_mm / 2), border_mm * 0.3)


def draw_time_board(sheet: PdfSheet, corner: Point, edition: Edition, cell_mm: float) -> None:
    """Draw the time board: its lane with numbers, its buttons, and the initial places of leather patches."""
    layout, track = load_layout("square"), TIME_TRACKS[edition]
    edge_mm, size_mm = time_board_mm(cell_mm), TIME_CELLS * cell_mm
    left, top = (each + (edge_mm - size_mm) / 2 for each in corner)
    scale = size_mm / BOARD_SIDE
    sheet.polygons([_square(corner, edge_mm)], _darker(_CENTRE))
    for owner, rectangle in zip(layout.owners, layout.rectangles, strict=True):
        x0, y0, x1, y1 = (float(each) * scale for each in rectangle)
        box = [(left + x, top + y) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
        sheet.polygons([box], _CENTRE if owner in (0, track.last_space) else _LANE)
        sheet.line(box, _THREAD, 0.3, closed=True)
        size = cell_mm * 0.2
        if 0 < owner < track.last_space:
            sheet.text((left + x0 + size * 0.35, top + y1 - size * 0.35), str(owner), size, _FIGURES)
    for start, end in _dividing(layout):
        ends = [(left + x * scale, top + y * scale) for x, y in (start, end)]
        sheet.line(ends, _THREAD, 1.1)
    inner = [mark for mark in track.income if mark < track.last_space]
    for x, y in layout.marks(inner):
        draw_button(sheet, (left + float(x) * scale, top + float(y) * scale), cell_mm * 0.17)
    for x, y in layout.marks(track.leather):
        middle = (left + float(x) * scale, top + float(y) * scale)
        half = cell_mm * 0.3
        draw_cloth(sheet, [(0, 0)], "leather", (middle[0] - half, middle[1] - half), 2 * half)
    sheet.line(_square(corner, edge_mm), GREY, 0.2, closed=True)


def _dividing(layout: Layout) -> Iterator[tuple[Point, Point]]:
    """Return the borders between spaces, in board space, that the lane does not cross."""
    boxes = list(zip(layout.owners.tolist(), layout.rectangles.tolist(), strict=True))
    for (one, a), (other, b) in combinations(boxes, 2):
        left, top, right, bottom = max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])
        touch = right >= left and bottom >= top and (right > left or bottom > top)
        if abs(one - other) > 1 and touch:
            yield (left, top), (right, bottom)


def _motif(sheet: PdfSheet, middle: Point, cell_mm: float, thread: Colour) -> None:
    """Draw a small sewn cross, which gives a bare cell features that a camera can recognise."""
    reach = cell_mm * 0.13
    for slope in (1, -1):
        ends = [(middle[0] + reach * side, middle[1] + reach * side * slope) for side in (-1, 1)]
        sheet.line(ends, thread, 0.3)


def _square(corner: Point, side: float) -> list[Point]:
    (x, y) = corner
    return [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]


def _darker(colour: Colour) -> Colour:
    red, green, blue = (each * 0.9 for each in colour)
    return red, green, blue
