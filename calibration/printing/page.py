"""A page of a PDF in millimetres, and marks common to several sheets: markers, rulers, and the mark of each seat."""

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

import cv2
import numpy as np
from arabic_reshaper import reshape
from bidi.algorithm import get_display
from numpy.typing import NDArray
from reportlab import rl_config
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from calibration.identity import INKS, star
from companion.languages import Language

# He with hamza: shaping by letters would drop the hamza, a mark of its own, and the typefaces have both as one glyph.
_HE_WITH_HAMZA: Final = ("\u0647\u0654", "\u06c0")


def shaped(text: str, *, leftwards: bool | None = None) -> str:
    """Return the text in presentation forms (UAX 44) and in visual order (UAX 9).

    Args:
        text: one line.
        leftwards: whether the line's base direction is right to left; None for that of its first letter.
    """
    base = None if leftwards is None else "R" if leftwards else "L"
    return str(get_display(reshape(text.replace(*_HE_WITH_HAMZA)), base_dir=base))


# Otherwise reportlab encodes compressed data as ASCII, for the printers of thirty years ago: that takes a sixth of the
# time of a set of patches, and enlarges the file by a quarter.
rl_config.useA85 = 0

Point: TypeAlias = tuple[float, float]
Chain: TypeAlias = "Sequence[Point] | NDArray[np.float64]"
"""Joined points, shape (n, 2) if it is an array."""
Colour: TypeAlias = tuple[float, float, float]
"""Red, green, blue, 0..1."""

PAPERS: Final[Mapping[str, tuple[float, float]]] = MappingProxyType({"a4": (210.0, 297.0), "letter": (215.9, 279.4)})
"""Width and height in millimetres, by the paper names offered to users."""
LARGE_PAPERS: Final[Mapping[str, tuple[float, float]]] = MappingProxyType({**PAPERS, "a3": (297.0, 420.0)})
"""The same with a paper that few home printers take, for mats and boards only."""

BLACK: Final[Colour] = (0.0, 0.0, 0.0)
WHITE: Final[Colour] = (1.0, 1.0, 1.0)
INK: Final[Colour] = (0.16, 0.17, 0.2)
GREY: Final[Colour] = (0.45, 0.46, 0.5)
PALE: Final[Colour] = (0.66, 0.67, 0.7)

_FONTS: Final = Path(__file__).with_name("fonts")
_ROUND: Final = "CompanionRound"
_BOLD: Final = "CompanionBold"
_TEXT: Final = "CompanionText"
_MOVE, _LINE, _CLOSE = "%.3f %.3f m", " %.3f %.3f l", " h"
"""Operators of a path; a thousandth of a point is less than any printer resolves."""
_EVEN_ODD, _NON_ZERO = 0, 1
"""reportlab's names for them are in different modules, depending on its version."""
# Ratio of a capital letter's height to the type size.
_CAPITALS: Final = 0.7


class PdfSheet:
    """A PDF of pages of one size.

    Args:
        size_mm: (width, height) of the paper.
        title: the document's title.
    """

    def __init__(self, size_mm: tuple[float, float], title: str) -> None:
        _round_letters()
        self.width_mm, self.height_mm = size_mm
        self._content = io.BytesIO()
        # Equal sheets have equal bytes, whenever they are made.
        self._canvas = Canvas(self._content, pagesize=(size_mm[0] * mm, size_mm[1] * mm), invariant=1)
        self._canvas.setTitle(title)
        self._canvas.setAuthor("quilt-companion")
        # Readers that support it offer 100 % first.
        self._canvas.setViewerPreference("PrintScaling", "None")

    def polygons(self, shapes: Iterable[Chain], colour: Colour) -> None:
        """Fill the area within an odd number of these outlines; touching ones show no seam."""
        path = self._path(shapes, closed=True)
        self._canvas.setFillColorRGB(*colour)
        self._canvas.drawPath(path, stroke=0, fill=1, fillMode=_EVEN_ODD)

    def print_cloth(
        self, shapes: Iterable[Chain], colour: Colour, *, width_mm: float = 0.0, opacity: float = 1.0
    ) -> None:
        """Print one dye of a cloth: filled shapes, or lines if `width_mm` is above 0.

        Overlapping shapes stay filled, and lines have square ends, so that tiles of a pattern join without seams.
        """
        path = self._path(shapes, closed=False)
        self._canvas.saveState()
        self._canvas.setFillColorRGB(*colour, alpha=opacity)
        self._canvas.setStrokeColorRGB(*colour, alpha=opacity)
        self._canvas.setLineWidth(width_mm * mm)
        self._canvas.setLineCap(0)
        self._canvas.drawPath(path, stroke=int(width_mm > 0), fill=int(width_mm <= 0), fillMode=_NON_ZERO)
        self._canvas.restoreState()

    @contextmanager
    def clipped(self, shapes: Iterable[Chain]) -> Iterator[None]:
        """Clip drawing to these outlines until the context ends."""
        path = self._path(shapes, closed=True)
        self._canvas.saveState()
        self._canvas.clipPath(path, stroke=0, fill=0)
        yield
        self._canvas.restoreState()

    @contextmanager
    def scaled(self, scale: float, by_mm: Point = (0.0, 0.0)) -> Iterator[None]:
        """Scale drawing about the page's top-left corner, then shift it by (x, y), until the context ends."""
        self._canvas.saveState()
        self._canvas.translate(by_mm[0] * mm, (self.height_mm * (1 - scale) - by_mm[1]) * mm)
        self._canvas.scale(scale, scale)
        yield
        self._canvas.restoreState()

    @contextmanager
    def turned(self, degrees: float, centre: Point) -> Iterator[None]:
        """Rotate drawing anticlockwise about a point until the context ends."""
        x, y = centre[0] * mm, self._up(centre[1])
        self._canvas.saveState()
        self._canvas.translate(x, y)
        self._canvas.rotate(degrees)
        self._canvas.translate(-x, -y)
        yield
        self._canvas.restoreState()

    def stitches(self, points: Sequence[Point], colour: Colour, width_mm: float, pitch_mm: float) -> None:
        """Draw a closed running stitch: three fifths of its length are thread."""
        self._canvas.setDash(pitch_mm * 0.6 * mm, pitch_mm * 0.4 * mm)
        self.line(points, colour, width_mm, closed=True)
        self._canvas.setDash()

    def line(self, points: Sequence[Point], colour: Colour, width_mm: float, *, closed: bool = False) -> None:
        """Draw a line through the points, with round ends and corners."""
        path = self._path([points], closed=closed)
        self._pen(colour, width_mm)
        self._canvas.drawPath(path, stroke=1, fill=0)

    def disc(self, centre: Point, radius_mm: float, colour: Colour) -> None:
        """Fill a circle."""
        self._canvas.setFillColorRGB(*colour)
        self._canvas.circle(centre[0] * mm, self._up(centre[1]), radius_mm * mm, stroke=0, fill=1)

    def arc(
        self, centre: Point, radius_mm: float, turn_deg: tuple[float, float], colour: Colour, width_mm: float
    ) -> None:
        """Draw an arc, by its start (0 is right, anticlockwise) and its angle."""
        self._pen(colour, width_mm)
        x, y = centre[0] * mm, self._up(centre[1])
        reach = radius_mm * mm
        self._canvas.arc(x - reach, y - reach, x + reach, y + reach, *turn_deg)

    def dashed_frame(self, corner: Point, size_mm: tuple[float, float], colour: Colour) -> None:
        """Draw a rounded rectangle to cut along."""
        self._pen(colour, 0.2)
        self._canvas.setDash(1.2 * mm, 1.0 * mm)
        x, y = corner[0] * mm, self._up(corner[1] + size_mm[1])
        self._canvas.roundRect(x, y, size_mm[0] * mm, size_mm[1] * mm, 3 * mm, stroke=1, fill=0)
        self._canvas.setDash()

    def text(self, at: Point, words: str, size_mm: float, colour: Colour = INK, *, centred: bool = False) -> None:
        """Write on one line in the typeface of headings and figures.

        Args:
            at: left end of the line's foot, or its middle if `centred`.
            words: in any language of the program.
            size_mm: of the type.
            colour: of the letters.
            centred: whether the line is centred on `at`.
        """
        typeface, written = _in_headings(words)
        self._write(at, written, (typeface, size_mm), colour, centred)

    def text_width_mm(self, words: str, size_mm: float) -> float:
        """Return the width of `text`'s line."""
        typeface, written = _in_headings(words)
        return float(pdfmetrics.stringWidth(written, typeface, size_mm * mm)) / mm

    def prose(self, at: Point, words: str, size_mm: float, colour: Colour, *, leftwards: bool) -> None:
        """Write on one line in the typeface of running text, which has all of the program's letters.

        Args:
            at: left end of the line's foot.
            words: the line.
            size_mm: of the type.
            colour: of the letters.
            leftwards: whether the line reads from right to left.
        """
        self._write(at, shaped(words, leftwards=True) if leftwards else words, (_TEXT, size_mm), colour, centred=False)

    def prose_width_mm(self, words: str, size_mm: float, *, leftwards: bool) -> float:
        """Return the width of `prose`'s line."""
        written = shaped(words, leftwards=True) if leftwards else words
        return float(pdfmetrics.stringWidth(written, _TEXT, size_mm * mm)) / mm

    def end_page(self) -> None:
        """End the page, and begin the next one."""
        self._canvas.showPage()

    def pdf(self) -> bytes:
        """Return the document's bytes."""
        self._canvas.save()
        return self._content.getvalue()

    def _write(self, at: Point, words: str, font: tuple[str, float], colour: Colour, centred: bool) -> None:
        self._canvas.setFillColorRGB(*colour)
        self._canvas.setFont(font[0], font[1] * mm)
        draw = self._canvas.drawCentredString if centred else self._canvas.drawString
        draw(at[0] * mm, self._up(at[1]), words)

    def _path(self, shapes: Iterable[Chain], *, closed: bool) -> "_Path":
        scale, foot = np.array([mm, -mm]), np.array([0.0, self.height_mm * mm])
        return _Path([np.asarray(shape, np.float64) * scale + foot for shape in shapes], closed=closed)

    def _pen(self, colour: Colour, width_mm: float) -> None:
        self._canvas.setStrokeColorRGB(*colour)
        self._canvas.setLineWidth(width_mm * mm)
        self._canvas.setLineCap(1)
        self._canvas.setLineJoin(1)

    def _up(self, y_mm: float) -> float:
        """Return the PDF coordinate of a height: in points upwards from the page's foot."""
        return (self.height_mm - y_mm) * mm


class _Path(PDFPathObject):
    """A path of lines. It is written in one piece, because reportlab takes ten times as long, point by point.

    Args:
        shapes: the points of each part, in points from the page's lower left corner, shape (n, 2).
        closed: whether each part ends where it begins.
    """

    def __init__(self, shapes: Sequence[NDArray[np.float64]], *, closed: bool) -> None:
        super().__init__()
        form = " ".join(_MOVE + _LINE * (len(shape) - 1) + _CLOSE * closed for shape in shapes)
        self._written = form % tuple(np.concatenate(shapes).ravel().tolist()) if shapes else ""

    def getCode(self) -> str:  # noqa: N802  # reportlab's name.
        """Return the path's operators."""
        return self._written


def capitals_mm(size_mm: float) -> float:
    """Return the height of a capital letter for a type size."""
    return size_mm * _CAPITALS


@cache
def _round_letters() -> frozenset[str]:
    """Register the typefaces, and return the letters of the round one."""
    fonts = {
        name: TTFont(name, _FONTS / file)
        for name, file in ((_ROUND, "round.ttf"), (_BOLD, "bold.ttf"), (_TEXT, "text.ttf"))
    }
    for font in fonts.values():
        pdfmetrics.registerFont(font)
    return frozenset(map(chr, fonts[_ROUND].face.charToGlyph))


def _in_headings(words: str) -> tuple[str, str]:
    """Return the typeface of a heading, and its words as written: the bold one if the round one lacks their letters."""
    return (_ROUND, words) if _round_letters().issuperset(words) else (_BOLD, shaped(words))


def rectangle(corner: Point, width_mm: float, height_mm: float | None = None) -> list[Point]:
    """Return the corners of a rectangle, or of a square if no height is given, clockwise from its top left corner."""
    left, top = float(corner[0]), float(corner[1])
    right, foot = left + width_mm, top + (width_mm if height_mm is None else height_mm)
    return [(left, top), (right, top), (right, foot), (left, foot)]


RULER_MM: Final = 100
# Lengths of the ruler's ticks at multiples of a number of millimetres.
_TICKS_MM: Final = ((50, 4.0), (10, 3.0), (5, 2.0))


def marker(sheet: PdfSheet, corners_mm: Sequence[Point], dictionary: str, number: int) -> None:
    """Draw a marker of an OpenCV dictionary, as one black area with holes, so that no renderer shows seams.

    Args:
        sheet: the sheet to draw on.
        corners_mm: outer corners of its black square, clockwise from the top left; not rotated.
        dictionary: OpenCV's name.
        number: the marker's id.
    """
    (left, top), _, (right, _), _ = corners_mm
    modules = _modules(dictionary, number)
    step_mm = (right - left) / len(modules)
    holes = [
        rectangle((left + column * step_mm, top + row * step_mm), step_mm) for row, column in np.argwhere(modules > 0)
    ]
    sheet.polygons([rectangle((left, top), right - left), *holes], BLACK)


def _modules(dictionary: str, number: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Return the marker's squares with its black border, shape (n, n), 0 black."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    side = known.markerSize + 2
    return np.asarray(cv2.aruco.generateImageMarker(known, number, side), np.uint8)


def ruler(sheet: PdfSheet, start: Point, language: Language | None, *, upright: bool = False) -> None:
    """Draw a ruler of 100 mm from `start` to the right, or downwards if upright; ticks below or beside it.

    Its figures are those of a language; it has none without one.
    """

    def at(along_mm: float, across_mm: float) -> Point:
        return (start[0] + across_mm, start[1] + along_mm) if upright else (start[0] + along_mm, start[1] + across_mm)

    sheet.line([at(0, 0), at(RULER_MM, 0)], INK, 0.25)
    for along_mm in range(RULER_MM + 1):
        length_mm = next((length for step, length in _TICKS_MM if along_mm % step == 0), 1.2)
        sheet.line([at(along_mm, 0), at(along_mm, length_mm)], INK, 0.15)
    figures = {along_mm: language.number(along_mm) for along_mm in (0, 50, RULER_MM)} if language else {}
    for along_mm, figure in figures.items():
        x, y = at(along_mm, 8.6 if upright else 7.4)
        sheet.text((x, y + 1.1 if upright else y), figure, 3.0, centred=True)


def seat_mark(sheet: PdfSheet, seat: int, centre: Point, radius_mm: float) -> None:
    """Draw seat 1's ring or seat 2's star in its ink, so that seats differ not only in colour."""
    ink = INKS[seat - 1]
    if seat == 1:
        sheet.disc(centre, radius_mm, ink)
        sheet.disc(centre, radius_mm * 0.52, WHITE)
        sheet.disc(centre, radius_mm * 0.3, ink)
        return
    sheet.polygons([star(centre, radius_mm * 1.08)], ink)
    sheet.polygons([star(centre, radius_mm * 0.5)], WHITE)
