"""Pages on which a Kvilt sheet is drawn to scale, and its icons, for the bonuses of cells and figures.

Each icon is drawn around its centre, 4 mm across.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import cos, pi, sin
from typing import Final

from calibration.printing.page import Colour, PdfSheet, Point, marker, rectangle
from companion.games.kvilt.sheet import BonusKind
from companion.kvilt.sheets.layout import disc


class ScaledPage:
    """Pages of one ink.

    Args:
        paper_mm: width and height of the paper.
        layout_mm: width and height of the layout, which is scaled to fit the paper, at most by `largest_scale`.
        title: the document's title.
        ink: the colour of everything except the markers.
        largest_scale: the greatest enlargement.
    """

    def __init__(self, paper_mm: Point, layout_mm: Point, title: str, ink: Colour, largest_scale: float = 2.0) -> None:
        self.sheet = PdfSheet(paper_mm, title)
        self.ink = ink
        ratios = [paper / size for paper, size in zip(paper_mm, layout_mm, strict=True)]
        self.scale = min(*ratios, largest_scale)
        self._left, self._top = (
            (paper - size * self.scale) / 2 for paper, size in zip(paper_mm, layout_mm, strict=True)
        )

    def at(self, point: Point) -> Point:
        """Return a point of the layout on the paper, in millimetres."""
        return self._left + point[0] * self.scale, self._top + point[1] * self.scale

    def line(self, points: Sequence[Point], width_mm: float, *, closed: bool = False) -> None:
        """Draw a line through the points."""
        self.sheet.line([self.at(point) for point in points], self.ink, width_mm * self.scale, closed=closed)

    def stitches(self, start: Point, end: Point, width_mm: float, pitch_mm: float = 2.0) -> None:
        """Draw a running stitch between two points: three fifths of its length are thread."""
        (x, y), (far_x, far_y) = start, end
        length = ((far_x - x) ** 2 + (far_y - y) ** 2) ** 0.5
        count = max(1, round((length / pitch_mm) + 0.4))
        step = 1 / (count - 0.4)
        for number in range(count):
            parts = (number * step, (number + 0.6) * step)
            self.line([(x + (far_x - x) * part, y + (far_y - y) * part) for part in parts], width_mm)

    def fill(self, shapes: Iterable[Sequence[Point]]) -> None:
        """Fill the area within an odd number of these outlines."""
        self.sheet.polygons([[self.at(point) for point in shape] for shape in shapes], self.ink)

    def disc(self, centre: Point, radius_mm: float) -> None:
        """Fill a circle."""
        self.sheet.disc(self.at(centre), radius_mm * self.scale, self.ink)

    def text(self, at: Point, words: str, size_mm: float, *, centred: bool = False) -> None:
        """Write on one line in the typeface of headings, from the left end of its foot, or centred on it."""
        self.sheet.text(self.at(at), words, size_mm * self.scale, self.ink, centred=centred)

    def text_right(self, at: Point, words: str, size_mm: float) -> None:
        """Write on one line, like `text`, with its right end at a point."""
        self.text((at[0] - self.sheet.text_width_mm(words, size_mm), at[1]), words, size_mm)

    def words(self, at: Point, words: str, size_mm: float, *, centred: bool = False) -> None:
        """Write on one line, like `text`; Cyrillic and Persian in the typeface of running text."""
        if words.isascii():
            self.text(at, words, size_mm, centred=centred)
        else:
            left = at[0] - (self.width_mm(words, size_mm) / 2 if centred else 0.0)
            written_at, size = self.at((left, at[1])), size_mm * self.scale
            self.sheet.prose(written_at, words, size, self.ink, leftwards=is_persian(words))

    def words_right(self, at: Point, words: str, size_mm: float) -> None:
        """Write on one line, like `words`, with its right end at a point."""
        self.words((at[0] - self.width_mm(words, size_mm), at[1]), words, size_mm)

    def width_mm(self, words: str, size_mm: float) -> float:
        """Return the width of `words`' line."""
        if words.isascii():
            return self.sheet.text_width_mm(words, size_mm)
        return self.sheet.prose_width_mm(words, size_mm, leftwards=is_persian(words))

    def marker(self, corner: Point, side_mm: float, dictionary: str, number: int) -> None:
        """Draw a marker in black, by the top left corner of its square."""
        marker(self.sheet, rectangle(self.at(corner), side_mm * self.scale), dictionary, number)

    def end_page(self) -> None:
        """End the page, and begin the next one."""
        self.sheet.end_page()

    def pdf(self) -> bytes:
        """Return the document's bytes."""
        return self.sheet.pdf()


def is_persian(words: str) -> bool:
    """Return whether the words contain Persian letters or digits."""
    return any("\u0600" <= letter <= "\u06ff" for letter in words)


_PEN_MM: Final = 0.22


def _around(centre: Point, *points: Point) -> list[Point]:
    return [(centre[0] + x, centre[1] + y) for x, y in points]


def _arc(centre: Point, radius: float, start: float, end: float) -> list[Point]:
    """Return points on a circle; angles in turns, clockwise from the right."""
    turns = [2 * pi * (start + (end - start) * step / 16) for step in range(17)]
    return [(centre[0] + radius * cos(turn), centre[1] + radius * sin(turn)) for turn in turns]


def pencil(page: ScaledPage, centre: Point, length_mm: float = 3.8) -> None:
    """Draw a pencil that points to the right, 1.3 mm thick."""
    half, tip, thick = length_mm / 2, length_mm / 2 - 1.1, 0.65
    outline = _around(centre, (-half, -thick), (tip, -thick), (half, 0), (tip, thick), (-half, thick))
    page.line(outline, _PEN_MM, closed=True)
    page.line(_around(centre, (tip, -thick), (tip, thick)), _PEN_MM)
    page.line(_around(centre, (-half + 0.6, -thick), (-half + 0.6, thick)), _PEN_MM)
    page.fill([_around(centre, (half - 0.45, -0.25), (half, 0), (half - 0.45, 0.25))])


def _neutral(page: ScaledPage, centre: Point) -> None:
    """Draw a pincushion with three pins."""
    x, y = centre
    page.line([*_arc((x, y + 1.3), 1.7, 0.5, 1.0), (x + 1.7, y + 1.3), (x - 1.7, y + 1.3)], _PEN_MM, closed=True)
    for foot, head in ((-0.9, -1.4), (0.0, 0.0), (0.9, 1.4)):
        top = y - (1.7 if head == 0 else 1.35)
        page.line([(x + foot, y - 0.2 if head == 0 else y + 0.0), (x + head, top)], _PEN_MM)
        page.disc((x + head, top), 0.34)


def _swap(page: ScaledPage, centre: Point) -> None:
    """Draw two opposite arrows."""
    for sign in (1, -1):
        start, end, rise = -1.7 * sign, 1.7 * sign, -0.75 * sign
        page.line(_around(centre, (start, rise), (end, rise)), _PEN_MM * 1.2)
        head = _around(centre, (end - 0.8 * sign, rise - 0.65), (end, rise), (end - 0.8 * sign, rise + 0.65))
        page.line(head, _PEN_MM * 1.2)


def _spool(page: ScaledPage, centre: Point) -> None:
    """Draw a spool with its thread."""
    for top in (-1.8, 1.1):
        page.fill([_around(centre, (-1.5, top), (1.5, top), (1.5, top + 0.7), (-1.5, top + 0.7))])
    page.line(_around(centre, (-1.05, -1.1), (-1.05, 1.1)), _PEN_MM)
    page.line(_around(centre, (1.05, -1.1), (1.05, 1.1)), _PEN_MM)
    for height in (-0.55, 0.1, 0.75):
        page.line(_around(centre, (-1.05, height), (1.05, height - 0.35)), _PEN_MM * 0.8)


def button(page: ScaledPage, centre: Point) -> None:
    """Draw a button with four holes."""
    for radius in (1.8, 1.25):
        page.line(disc(centre, radius), _PEN_MM, closed=True)
    for x, y in ((-0.45, -0.45), (0.45, -0.45), (-0.45, 0.45), (0.45, 0.45)):
        page.disc((centre[0] + x, centre[1] + y), 0.24)


def _stitch(page: ScaledPage, centre: Point) -> None:
    """Draw a needle and its thread."""
    page.line(_around(centre, (-1.7, 1.7), (1.2, -1.2)), _PEN_MM * 1.5)
    eye = _around(centre, (0.7, -1.2), (1.35, -1.75), (1.75, -1.35), (1.2, -0.7))
    page.line(eye, _PEN_MM, closed=True)
    x, y = centre
    thread = [(x + 1.45 - step * 0.02 + 0.4 * sin(step / 2.4), y - 1.4 + step * 0.2) for step in range(17)]
    page.line(thread, _PEN_MM * 0.8)


def _extra(page: ScaledPage, centre: Point) -> None:
    """Draw a pencil above the place of its colour's code."""
    pencil(page, (centre[0], centre[1] - 1.15))


BONUS_ICONS: Final[Mapping[BonusKind, Callable[[ScaledPage, Point], None]]] = {
    BonusKind.PENCIL: _extra,
    BonusKind.NEUTRAL: _neutral,
    BonusKind.SWAP: _swap,
    BonusKind.SPOOL: _spool,
    BonusKind.BUTTON: button,
    BonusKind.STITCH: _stitch,
}


def backgrounds(page: ScaledPage, centre: Point) -> None:
    """Draw a cell with a hatched background around a white disc: a finished two-part figure gives backgrounds."""
    half, reach = 3.0, 1.55
    page.line(_around(centre, (-half, -half), (half, -half), (half, half), (-half, half)), _PEN_MM, closed=True)
    page.line(disc(centre, reach), _PEN_MM, closed=True)
    for offset in (-4.5, -3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5, 4.5):
        for part in _outside_disc(offset, half, reach + 0.25):
            page.line(_around(centre, *part), _PEN_MM * 0.8)


def _outside_disc(offset: float, half: float, reach: float) -> list[list[Point]]:
    """Return the parts, in the square and outside the disc, of the rising line x + y = offset."""
    low, high = max(-half, offset - half), min(half, offset + half)
    spread = reach * reach - offset * offset / 2
    if spread <= 0:
        return [[(low, offset - low), (high, offset - high)]]
    near = (spread / 2) ** 0.5
    ends = [(low, offset / 2 - near), (offset / 2 + near, high)]
    return [[(start, offset - start), (end, offset - end)] for start, end in ends if end - start > 0.2]


def padlock(page: ScaledPage, centre: Point) -> None:
    """Draw a closed padlock, 2 mm wide, for a spool that is not open yet."""
    x, y = centre
    page.fill([[(x - 0.9, y), (x + 0.9, y), (x + 0.9, y + 1.3), (x - 0.9, y + 1.3)]])
    page.line([(x - 0.55, y), *_arc((x, y - 0.35), 0.55, 0.5, 1.0), (x + 0.55, y)], _PEN_MM * 1.2)
