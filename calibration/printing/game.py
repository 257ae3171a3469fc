"""A printable set: instructions, patches, boards and tokens of the program's own, at a choice of cell sizes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from math import ceil, cos, pi, sin
from types import MappingProxyType
from typing import Final

from calibration.identity import INKS
from calibration.mat import load_mat
from calibration.printing import leaflet
from calibration.printing.leaflet import LeafletPage
from calibration.printing.page import (
    GREY,
    INK,
    RULER_MM,
    WHITE,
    Colour,
    PdfSheet,
    Point,
    capitals_mm,
    rectangle,
    ruler,
    seat_mark,
)
from calibration.printing.patches import BLUE, draw_button, draw_cloth, draw_patch
from calibration.printing.text import Lines
from companion.games.patchwork.components import PATCHES, TIME_TRACKS, Edition, Patch
from companion.languages import Language, said
from vision.geometry import SIDE as BOARD_SIDE
from vision.timeboard.board import Layout, load_layout

MARGIN_MM: Final = 8.0
"""Home printers leave a border of 3 to 6 mm unprinted."""
GAP_MM: Final = 4.0
"""Gap between two pieces for scissors."""
# Overlap of two parts of a board where they are glued.
_FLAP_MM: Final = 10.0
TITLE: Final = said("A quilting game to print and play")
_STEPS: Final = (
    said("Print every page at {percent} % (actual size), in colour.", percent=100),
    said("Check the ruler below: {length} mm must be {length} mm.", length=RULER_MM),
    said("Glue the pages to grey board, 1.5 to 2 mm thick, before you cut."),
    said("Cut along the thin outlines: a sharp knife, a steel ruler, a cutting mat."),
    said("A board that comes in parts: glue them where they overlap."),
    said("Colour the cut edges with a grey pencil: the camera likes them dull."),
)
_EDITIONS: Final[Mapping[Edition, str]] = MappingProxyType(
    {
        Edition.ORIGINAL: said("The time board is that of the first edition: choose it under New game."),
        Edition.REVISED: said("The time board is that of a later printing: choose it under New game."),
    }
)
_SAMPLES: Final = ("hat", "arrow", "square", "corner-b3", "plus")
_STEP_MM: Final = 4.2


@dataclass(frozen=True, slots=True)
class CutOut:
    """A piece to cut out.

    Attributes:
        size_mm: (width, height).
        draw: function that draws it from its top left corner.
    """

    size_mm: tuple[float, float]
    draw: Callable[[PdfSheet, Point], None]


@dataclass(slots=True)
class _Row:
    """Pieces beside each other, highest first; the next one goes to `x_mm`, `y_mm`."""

    x_mm: float
    y_mm: float


@dataclass(slots=True)
class _Page:
    """A page being filled, down to `foot_mm`."""

    rows: list[_Row] = field(default_factory=list)
    placed: list[tuple[CutOut, Point]] = field(default_factory=list)
    foot_mm: float = MARGIN_MM


def lay_out(sheet: PdfSheet, pieces: Iterable[CutOut]) -> None:
    """Draw pieces in rows on as few pages as possible, and end the last page.

    The highest come first, each in the first row of the first page with room for it: small ones fill the gaps between
    larger ones.
    """
    pages: list[_Page] = []
    for piece in sorted(pieces, key=lambda each: (-each.size_mm[1], -each.size_mm[0])):
        if not any(_takes(page, piece, sheet) for page in pages):
            pages.append(_Page())
            _begin_row(pages[-1], piece)
    for page in pages:
        for piece, corner in page.placed:
            piece.draw(sheet, corner)
        sheet.end_page()


def _takes(page: _Page, piece: CutOut, sheet: PdfSheet) -> bool:
    """Place a piece on a page, in an existing row or a new one; return False if there is no room for it."""
    wide, high = piece.size_mm
    for row in page.rows:
        if row.x_mm + wide <= sheet.width_mm - MARGIN_MM:
            page.placed.append((piece, (row.x_mm, row.y_mm)))
            row.x_mm += wide + GAP_MM
            return True
    if page.foot_mm + high > sheet.height_mm - MARGIN_MM:
        return False
    _begin_row(page, piece)
    return True


def _begin_row(page: _Page, piece: CutOut) -> None:
    wide, high = piece.size_mm
    page.placed.append((piece, (MARGIN_MM, page.foot_mm)))
    page.rows.append(_Row(MARGIN_MM + wide + GAP_MM, page.foot_mm))
    page.foot_mm += high + GAP_MM


def parts_of(size_mm: float, paper_mm: tuple[float, float]) -> tuple[int, int]:
    """Return the number of (columns, rows) into which a square board is divided on this paper."""
    if size_mm <= min(paper_mm):
        # Its own border may be in the unprintable area.
        return 1, 1
    columns, rows = (max(1, ceil((size_mm - _FLAP_MM) / (each - 2 * MARGIN_MM - _FLAP_MM))) for each in paper_mm)
    return columns, rows


def draw_board(sheet: PdfSheet, size_mm: float, draw: Callable[[PdfSheet, Point], None]) -> None:
    """Draw a square board in the middle of a page, or in overlapping parts, a page each; end the last page."""
    columns, rows = parts_of(size_mm, (sheet.width_mm, sheet.height_mm))
    if (columns, rows) == (1, 1):
        draw(sheet, ((sheet.width_mm - size_mm) / 2, (sheet.height_mm - size_mm) / 2))
        sheet.end_page()
        return
    wide, high = ((size_mm + (count - 1) * _FLAP_MM) / count for count in (columns, rows))
    for row in range(rows):
        for column in range(columns):
            window = rectangle((MARGIN_MM, MARGIN_MM), wide, high)
            with sheet.clipped([window]):
                draw(sheet, (MARGIN_MM - column * (wide - _FLAP_MM), MARGIN_MM - row * (high - _FLAP_MM)))
            sheet.line(window, GREY, 0.15, closed=True)
            sheet.text((MARGIN_MM, MARGIN_MM + high + 6), f"{row * columns + column + 1} / {rows * columns}", 4, GREY)
            sheet.end_page()


BUTTONS: Final[Mapping[int, int]] = {20: 1, 10: 5, 5: 12, 1: 32}
"""The number of button tokens of each value (rulebook, components)."""
_COLOURS: Final[Mapping[int, Colour]] = {1: BLUE, 5: (0.23, 0.42, 0.27), 10: (0.65, 0.2, 0.16), 20: (0.78, 0.6, 0.16)}
"""The colours of the tokens that the camera counts, see `vision/tokens/kinds.toml`, and of the page's coins."""
# Radii in cells, which increase with the value.
_RADII: Final[Mapping[int, float]] = {1: 0.38, 5: 0.44, 10: 0.5, 20: 0.56}
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
        sheet.text((centre[0], foot), str(value), size, INK, centred=True)


def draw_leather(sheet: PdfSheet, corner: Point, cell_mm: float) -> None:
    """Draw a leather patch, which covers one cell."""
    cut = draw_cloth(sheet, [(0, 0)], "leather", corner, cell_mm)
    sheet.line(cut, GREY, 0.15, closed=True)


def draw_bonus(sheet: PdfSheet, corner: Point, cell_mm: float) -> None:
    """Draw the tile for the first 7x7 square, three cells wide and two high."""
    width, height = 3 * cell_mm, 2 * cell_mm
    x, y = corner
    box = rectangle(corner, width, height)
    sheet.polygons([box], _GOLD)
    sheet.stitches(rectangle((x + 1.5, y + 1.5), width - 3.0, height - 3.0), WHITE, 0.5, 2.2)
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


def draw_quilt_board(sheet: PdfSheet, corner: Point, seat: int, cell_mm: float, language: Language) -> None:
    """Draw a seat's empty quilt board, from its top left corner."""
    size_mm = board_mm(cell_mm)
    border_mm = (size_mm - CELLS * cell_mm) / 2
    ground, thread = _GROUNDS[seat - 1]
    left, top = corner[0] + border_mm, corner[1] + border_mm
    sheet.polygons([rectangle(corner, size_mm)], _darker(ground))
    sheet.polygons([rectangle((left, top), CELLS * cell_mm)], ground)
    for row in range(CELLS):
        for column in range(CELLS):
            _motif(sheet, (left + (column + 0.5) * cell_mm, top + (row + 0.5) * cell_mm), cell_mm, thread)
    for index in range(CELLS + 1):
        along = index * cell_mm
        sheet.line([(left + along, top), (left + along, top + CELLS * cell_mm)], thread, 0.35)
        sheet.line([(left, top + along), (left + CELLS * cell_mm, top + along)], thread, 0.35)
    sheet.line(rectangle(corner, size_mm), GREY, 0.2, closed=True)
    for index in range(CELLS):
        middle = (index + 0.5) * cell_mm
        size = border_mm * 0.55
        sheet.text((left + middle, top - border_mm * 0.28), "ABCDEFGHI"[index], size, _FIGURES, centred=True)
        figure = language.number(index + 1)
        sheet.text((left - border_mm / 2, top + middle + size / 3), figure, size, _FIGURES, centred=True)
    seat_mark(sheet, seat, (corner[0] + size_mm - border_mm / 2, corner[1] + border_mm / 2), border_mm * 0.3)


def draw_time_board(sheet: PdfSheet, corner: Point, edition: Edition, cell_mm: float) -> None:
    """Draw the time board: its lane with numbers, its buttons, and the initial places of leather patches."""
    layout, track = load_layout("square"), TIME_TRACKS[edition]
    edge_mm, size_mm = time_board_mm(cell_mm), TIME_CELLS * cell_mm
    left, top = (each + (edge_mm - size_mm) / 2 for each in corner)
    scale = size_mm / BOARD_SIDE
    sheet.polygons([rectangle(corner, edge_mm)], _darker(_CENTRE))
    leather = [(left + float(x) * scale, top + float(y) * scale) for x, y in layout.marks(track.leather)]
    half = cell_mm * 0.3
    for owner, space in zip(layout.owners, layout.rectangles, strict=True):
        x0, y0, x1, y1 = (float(each) * scale for each in space)
        box = rectangle((left + x0, top + y0), x1 - x0, y1 - y0)
        sheet.polygons([box], _CENTRE if owner in (0, track.last_space) else _LANE)
        sheet.line(box, _THREAD, 0.3, closed=True)
        if 0 < owner < track.last_space:
            _number(sheet, int(owner), (box[0], box[2]), cell_mm * 0.2, leather, half)
    for start, end in _dividing(layout):
        ends = [(left + x * scale, top + y * scale) for x, y in (start, end)]
        sheet.line(ends, _THREAD, 1.1)
    for x, y in layout.marks(track.income):
        draw_button(sheet, (left + float(x) * scale, top + float(y) * scale), cell_mm * 0.17)
    for x, y in leather:
        draw_cloth(sheet, [(0, 0)], "leather", (x - half, y - half), 2 * half)
    sheet.line(rectangle(corner, edge_mm), GREY, 0.2, closed=True)


def _number(
    sheet: PdfSheet, number: int, box: tuple[Point, Point], size_mm: float, leather: Iterable[Point], half_mm: float
) -> None:
    """Write a space's number into a corner that no leather patch covers, the lower left one if possible.

    Args:
        sheet: the sheet.
        number: of the space.
        box: its upper left and lower right corners.
        size_mm: of the type.
        leather: the middles of the leather patches.
        half_mm: half of a leather patch's edge.
    """
    (x0, y0), (x1, y1) = box
    gap, width, height = size_mm * 0.35, sheet.text_width_mm(str(number), size_mm), capitals_mm(size_mm)
    feet = [(x, y) for y in (y1 - gap, y0 + gap + height) for x in (x0 + gap, x1 - gap - width)]

    def is_free(foot: Point) -> bool:
        x, y = foot[0] + width / 2, foot[1] - height / 2
        return not any(abs(x - lx) < half_mm + width / 2 and abs(y - ly) < half_mm + height / 2 for lx, ly in leather)

    sheet.text(next(filter(is_free, feet)), str(number), size_mm, _FIGURES)


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


def _darker(colour: Colour) -> Colour:
    red, green, blue = (each * 0.9 for each in colour)
    return red, green, blue


CELL_MM: Final = (15.0, 25.0)
"""The smallest and the largest cell: smaller ones are hard to cut by hand, larger boards fit no table."""
_LEATHER: Final = 5


def game_pdf(paper_mm: tuple[float, float], cell_mm: float, language: Language, edition: Edition, mats: str) -> bytes:
    """Return the whole set as a PDF.

    Args:
        paper_mm: (width, height) of the paper.
        cell_mm: edge of a quilt's cell, within `CELL_MM`.
        language: of the page of instructions, and of the figures on the quilt boards.
        edition: printing of the time board, which determines its leather patches.
        mats: the command that prints the mats for it.

    Raises:
        ValueError: the cells are too small or too large.
    """
    if not CELL_MM[0] <= cell_mm <= CELL_MM[1]:
        raise ValueError(f"cells of {cell_mm:g} mm")
    sheet = PdfSheet(paper_mm, str(TITLE))
    draw_guide(sheet, cell_mm, language, edition, mats)
    lay_out(sheet, [*(_patch(patch, cell_mm) for patch in PATCHES.values()), *_tokens(cell_mm)])
    for seat in (1, 2):
        draw_board(sheet, board_mm(cell_mm), partial(draw_quilt_board, seat=seat, cell_mm=cell_mm, language=language))
    draw_board(sheet, time_board_mm(cell_mm), partial(draw_time_board, edition=edition, cell_mm=cell_mm))
    return sheet.pdf()


def _patch(patch: Patch, cell_mm: float) -> CutOut:
    size = tuple((1 + max(along)) * cell_mm for along in zip(*patch.cells, strict=True))
    return CutOut((size[1], size[0]), partial(draw_patch, patch=patch, cell_mm=cell_mm))


def _tokens(cell_mm: float) -> list[CutOut]:
    one = (cell_mm, cell_mm)
    pieces = [
        CutOut((3 * cell_mm, 2 * cell_mm), partial(draw_bonus, cell_mm=cell_mm)),
        CutOut((3 * cell_mm, cell_mm), partial(draw_markers, cell_mm=cell_mm)),
        *(CutOut(one, partial(draw_leather, cell_mm=cell_mm)) for _ in range(_LEATHER)),
    ]
    for value, count in BUTTONS.items():
        side = token_cells(value) * cell_mm
        pieces.extend(CutOut((side, side), partial(_draw_token, value=value, cell_mm=cell_mm)) for _ in range(count))
    return pieces


def _draw_token(sheet: PdfSheet, corner: Point, value: int, cell_mm: float) -> None:
    radius = token_cells(value) * cell_mm / 2
    draw_token(sheet, value, (corner[0] + radius, corner[1] + radius), cell_mm)


def draw_guide(sheet: PdfSheet, cell_mm: float, language: Language, edition: Edition, mats: str) -> None:
    """Draw the first page of the set, which holds its contents and instructions, and end it.

    Args:
        sheet: the set.
        cell_mm: edge of a quilt's cell.
        language: of the page.
        edition: printing of the time board.
        mats: the command that prints the mats for the set.
    """
    page = LeafletPage(sheet, language)
    holds = said(
        "33 patches, 5 leather patches, 2 quilt boards, a time board, 50 button tokens worth 162, a 7×7 tile, "
        "2 time tokens, a neutral token. One square is {cell} mm. For use at home.",
        cell=cell_mm,
    )
    top_mm = page.head(TITLE, holds) + 10.0
    _samples(sheet, top_mm)
    steps = (*_STEPS, _EDITIONS[edition], said("Mats for the camera: {command}", command=mats))
    page.steps((leaflet.MARGIN_MM, top_mm + 46.0), page.width_mm, steps, 4.0, _STEP_MM)
    start = ((sheet.width_mm - RULER_MM) / 2, sheet.height_mm - 40.0)
    ruler(sheet, start, language)
    says = said("this line is {length} mm long", length=RULER_MM)
    Lines(sheet, language).write((sheet.width_mm / 2, start[1] - 3.0), says, 3.4, GREY, centred=True)
    sheet.end_page()


def _samples(sheet: PdfSheet, top_mm: float) -> None:
    """Draw some patches, which show at once what the file is."""
    cell, left = 10.5, leaflet.MARGIN_MM
    for name in _SAMPLES:
        draw_patch(sheet, (left, top_mm), PATCHES[name], cell)
        left += cell * (1 + max(column for _, column in PATCHES[name].cells)) + 7.0
