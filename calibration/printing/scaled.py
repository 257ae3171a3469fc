"""Pages drawn in a layout's millimetres and scaled to the paper, centred."""

from collections.abc import Iterable, Sequence
from typing import Final

from calibration.printing.marks import marker
from calibration.printing.page import Colour, PdfSheet, Point

# Relative size of capitals in place of small letters.
_CAPITALS: Final = 0.78


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
        """Write on one line, from the left end of its foot, or centred on it."""
        self.sheet.text(self.at(at), words, size_mm * self.scale, self.ink, centred=centred)

    def text_right(self, at: Point, words: str, size_mm: float) -> None:
        """Write on one line with its right end at a point."""
        self.text((at[0] - self.sheet.text_width_mm(words, size_mm), at[1]), words, size_mm)

    def words(self, at: Point, words: str, size_mm: float, *, centred: bool = False) -> None:
        """Write on one line, like `text`, in any language's letters.

        Cyrillic is written in somewhat smaller capitals, because the typeface's small letters are of handwriting.
        """
        if is_persian(words):
            left = at[0] - (self._persian_width_mm(words, size_mm) / 2 if centred else 0.0)
            self.sheet.prose(self.at((left, at[1])), words, size_mm * self.scale, self.ink, leftwards=True)
        else:
            self.text(at, *_written(words, size_mm), centred=centred)

    def words_right(self, at: Point, words: str, size_mm: float) -> None:
        """Write on one line with its right end at a point, in any language's letters."""
        if is_persian(words):
            self.words((at[0] - self._persian_width_mm(words, size_mm), at[1]), words, size_mm)
        else:
            self.text_right(at, *_written(words, size_mm))

    def _persian_width_mm(self, words: str, size_mm: float) -> float:
        # The typeface of running text, because the other one lacks Persian's marks between words.
        return self.sheet.prose_width_mm(words, size_mm, leftwards=True)

    def marker(self, corner: Point, side_mm: float, dictionary: str, number: int) -> None:
        """Draw a marker in black, by the top left corner of its square."""
        (x, y), side = self.at(corner), side_mm * self.scale
        marker(self.sheet, [(x, y), (x + side, y), (x + side, y + side), (x, y + side)], dictionary, number)

    def end_page(self) -> None:
        """End the page, and begin the next one."""
        self.sheet.end_page()

    def pdf(self) -> bytes:
        """Return the document's bytes."""
        return self.sheet.pdf()


def is_persian(words: str) -> bool:
    """Return whether the words contain Persian letters or digits."""
    return any("\u0600" <= letter <= "\u06ff" for letter in words)


def _written(words: str, size_mm: float) -> tuple[str, float]:
    return (words, size_mm) if words.isascii() or words.isupper() else (words.upper(), size_mm * _CAPITALS)
