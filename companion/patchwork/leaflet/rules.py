"""The leaflet's first page: the rules in two minutes, in the same sentences as the page in the browser."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from calibration.printing.leaflet import GUTTER_MM, MARGIN_MM, SMALL_MM, LeafletPage
from calibration.printing.marks import seat_mark
from calibration.printing.page import GREY, INK, PALE, WHITE, Colour, PdfSheet, Point
from companion.games.patchwork import PATCHES, SIDE
from companion.languages import said

_SECTION_MM: Final = 4.0
_GAP_MM: Final = 1.6
# Width and height of the room for a drawing beside its sentences.
_DRAWN_MM: Final = (58.0, 30.0)
_CLOTHS: Final[tuple[Colour, ...]] = ((0.93, 0.85, 0.72), (0.80, 0.87, 0.91), (0.90, 0.79, 0.79), (0.82, 0.89, 0.79))
_BUTTON: Final[Colour] = (0.23, 0.41, 0.63)
_LEATHER: Final[Colour] = (0.55, 0.36, 0.23)
# Ten patches of the box that fill a square of 7x7.
_FULL: Final = (
    "B2 C2 D2 E2 C3 D3", "F2 G2 H2 G3", "B3 B4 B5 C5 B6", "E3 E4 E5 E6", "F3 H3 F4 G4 H4 F5 H5", "C4 D4 D5 C6 D6",
    "G5 F6 G6 H6 G7", "B7 C7 D7 B8", "E7 F7 C8 D8 E8", "H7 F8 G8 H8",
)  # fmt: skip

_Drawing: TypeAlias = "Callable[[LeafletPage, Point], None]"

TITLE: Final = said("Patchwork in two minutes")
LEAD: Final = said(
    "Each of you sews a quilt, of patches that cost buttons and time. Most buttons and fewest holes win."
)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the rules.

    Attributes:
        title: its heading.
        says: its sentences, in their order.
        draw: a function that draws beside them, in a room of 58 by 30 mm below and to the right of a corner.
    """

    title: str
    says: tuple[str, ...]
    draw: _Drawing


def write(page: LeafletPage) -> None:
    """Write the page."""
    below = page.head(TITLE, LEAD)
    text_mm = page.width_mm - _DRAWN_MM[0] - GUTTER_MM
    leftwards = page.prose.reads_leftwards
    for chapter in CHAPTERS:
        top_mm = page.section(below + _SECTION_MM, chapter.title)
        chapter.draw(page, (MARGIN_MM if leftwards else MARGIN_MM + text_mm + GUTTER_MM, top_mm - 6.0))
        x = MARGIN_MM + _DRAWN_MM[0] + GUTTER_MM if leftwards else MARGIN_MM
        foot_mm = _says(page, (x, top_mm), text_mm, chapter.says)
        below = max(foot_mm, top_mm - 6.0 + _DRAWN_MM[1])


def _says(page: LeafletPage, corner: Point, width_mm: float, says: tuple[str, ...]) -> float:
    """Write a chapter's sentences, numbered if there are several, and return the lower end in mm."""
    if len(says) == 1:
        return page.prose.paragraph(corner, width_mm, page.render(says[0]), SMALL_MM)
    return page.steps(corner, width_mm, says, _GAP_MM, SMALL_MM)


def _turns(page: LeafletPage, corner: Point) -> None:
    """Draw a part of the track: the token behind moves, past the other one."""
    sheet = page.sheet
    left, top = corner[0], corner[1] + 13.0
    _spaces(sheet, (left, top), 7)
    seat_mark(sheet, 1, (left + 12.3, top + 4.1), 2.8)
    seat_mark(sheet, 2, (left + 36.9, top + 4.1), 2.8)
    sheet.arc((left + 28.7, top), 16.4, (0.0, 180.0), INK, 0.4)
    sheet.polygons([[(left + 45.1, top), (left + 43.6, top - 2.6), (left + 46.6, top - 2.6)]], INK)


def _offers(page: LeafletPage, corner: Point) -> None:
    """Draw the pawn, and the three patches after it."""
    sheet = page.sheet
    left, top = corner
    sheet.disc((left + 4.0, top + 9.0), 1.5, INK)
    sheet.polygons([[(left + 4.0, top + 9.5), (left + 6.5, top + 17.0), (left + 1.5, top + 17.0)]], INK)
    for place, (patch, x) in enumerate((("thorn", 11.0), ("hook-t6", 30.0), ("plus", 45.0))):
        cells = PATCHES[patch].cells
        _patch(sheet, cells, (left + x, top + 6.0), 4.0, _CLOTHS[place])
        for row, column in cells[: PATCHES[patch].income]:
            _button(sheet, (left + x + (column + 0.5) * 4.0, top + 6.0 + (row + 0.5) * 4.0), 1.4)


def _marks(page: LeafletPage, corner: Point) -> None:
    """Draw a part of the track with a button and a leather patch on its borders."""
    sheet = page.sheet
    left, top = corner[0], corner[1] + 10.0
    _spaces(sheet, (left, top), 7)
    _button(sheet, (left + 16.4, top + 4.1), 2.6)
    sheet.polygons([_box((left + 38.4, top + 1.5), 5.2)], _LEATHER)
    sheet.dashed_frame((left + 39.1, top + 2.2), (3.8, 3.8), WHITE)


def _full_square(page: LeafletPage, corner: Point) -> None:
    """Draw a quilt on which 7x7 squares are covered."""
    sheet = page.sheet
    cell_mm = _DRAWN_MM[1] / SIDE
    left, top = corner[0] + 14.0, corner[1]
    for place, names in enumerate(_FULL):
        cells = [(int(name[1]) - 1, ord(name[0]) - ord("A")) for name in names.split()]
        _patch(sheet, cells, (left, top), cell_mm, _CLOTHS[place * 3 % len(_CLOTHS)])
    sheet.line(_box((left, top), SIDE * cell_mm), INK, 0.5, closed=True)


def _scores(page: LeafletPage, corner: Point) -> None:
    """Draw what scores: a button, the tile, an empty square."""
    sheet = page.sheet
    left, top = corner[0], corner[1] + 9.0
    _button(sheet, (left + 7.0, top + 4.0), 4.0)
    sheet.line(_box((left + 24.0, top), 8.0), INK, 0.5, closed=True)
    page.figure((left + 28.0, top + 5.4), "7×7", 3.4)
    sheet.dashed_frame((left + 45.0, top), (8.0, 8.0), GREY)
    for x, points in ((7.0, "+1"), (28.0, "+7"), (49.0, "−2")):
        page.figure((left + x, top + 15.0), points, 4.6)


CHAPTERS: Final = (
    Chapter(
        said("Whose turn it is"),
        (
            said("It is the turn of whoever is behind on the time track; that may be several times running."),
            said("With both on one space, whoever came last lies on top, and moves."),
        ),
        _turns,
    ),
    Chapter(
        said("A turn is one of two things"),
        (
            said(
                "Take one of the three patches after the pawn, which goes to its place. Pay its buttons, sew it on, "
                "turned and flipped as you like, and move ahead by its time."
            ),
            said("Or advance to the space in front of the other token: that brings a button for each space."),
            said("What is sewn on stays where it is. Patches neither overlap nor stick out."),
        ),
        _offers,
    ),
    Chapter(
        said("On the way"),
        (
            said("Past a button on the track there is income: a button for each that is sewn on your quilt."),
            said("First past a leather patch? It is yours: sew it on at once. It fills one square, for nothing."),
        ),
        _marks,
    ),
    Chapter(
        said("The tile"),
        (said("Whoever is first to cover a square of 7×7 without a gap gets the tile, and seven points."),),
        _full_square,
    ),
    Chapter(
        said("The end"),
        (
            said("Who reaches the middle of the track waits there. The game ends when both have."),
            said("Each button is a point, the tile seven; each empty square takes two away."),
            said("A tie goes to whoever was first in the middle, unless the table plays it otherwise."),
        ),
        _scores,
    ),
)


def _spaces(sheet: PdfSheet, corner: Point, count: int) -> None:
    """Draw spaces of the track side by side, 8.2 mm each."""
    for place in range(count):
        sheet.line(_box((corner[0] + 8.2 * place, corner[1]), 8.2), INK, 0.3, closed=True)


def _patch(sheet: PdfSheet, cells: Iterable[tuple[int, int]], corner: Point, cell_mm: float, cloth: Colour) -> None:
    """Draw a patch, its cells by row and column from a corner, with a seam around it."""
    inside = set(cells)
    boxes = {(row, column): (corner[0] + column * cell_mm, corner[1] + row * cell_mm) for row, column in inside}
    sheet.polygons([_box(at, cell_mm) for at in boxes.values()], cloth)
    for (row, column), at in boxes.items():
        points = [*_box(at, cell_mm), at]
        beside = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
        for side, neighbour in enumerate(beside):
            within = neighbour in inside
            sheet.line(points[side : side + 2], PALE if within else INK, 0.15 if within else 0.45)


def _button(sheet: PdfSheet, centre: Point, radius_mm: float) -> None:
    x, y = centre
    sheet.disc(centre, radius_mm, _BUTTON)
    hole_mm = 0.3 * radius_mm
    for down in (-hole_mm, hole_mm):
        for right in (-hole_mm, hole_mm):
            sheet.disc((x + right, y + down), 0.14 * radius_mm, WHITE)


def _box(corner: Point, side_mm: float) -> list[Point]:
    (x, y), far = corner, side_mm
    return [(x, y), (x + far, y), (x + far, y + far), (x, y + far)]
