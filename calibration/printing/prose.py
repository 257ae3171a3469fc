"""Running text on a page, in any of the program's languages: headings, and paragraphs broken into lines."""

from typing import Final

from calibration.printing.page import INK, Colour, PdfSheet, Point
from companion.languages import Language

LEADING: Final = 1.38
"""Line spacing, relative to the type size."""
ISOLATES: Final = dict.fromkeys(range(0x2066, 0x206A))
"""Isolates, which order text on a screen; on paper each line is ordered by itself, and the typeface lacks them."""


class Prose:
    """A writer of texts in one language on a page.

    Args:
        sheet: the sheet to write on.
        language: of the texts.
    """

    def __init__(self, sheet: PdfSheet, language: Language) -> None:
        self._sheet = sheet
        self.reads_leftwards = language.code == "fa"
        self._capitals_only = language.code == "ru"

    def heading(self, corner: Point, width_mm: float, words: str, size_mm: float, colour: Colour = INK) -> float:
        """Write one line below `corner`, from the side where reading begins, and return its lower end in mm.

        Cyrillic is written in capitals, because the typeface's small letters are of handwriting.
        """
        x, y = corner
        foot_mm = y + size_mm
        if self.reads_leftwards:
            left = x + width_mm - self._sheet.persian_width_mm(words, size_mm)
            self._sheet.persian((left, foot_mm), words, size_mm, colour)
        else:
            written = words.upper() if self._capitals_only else words
            size_mm = min(size_mm, size_mm * width_mm / self._sheet.text_width_mm(written, size_mm))
            self._sheet.text((x, foot_mm), written, size_mm, colour)
        return foot_mm + 0.3 * size_mm

    def paragraph(self, corner: Point, width_mm: float, words: str, size_mm: float, colour: Colour = INK) -> float:
        """Write a paragraph below `corner` and return its lower end in mm."""
        x, y = corner
        for line in self._lines(words.translate(ISOLATES), width_mm, size_mm):
            y += size_mm * LEADING
            left = x
            if self.reads_leftwards:
                left += width_mm - self._width_mm(line, size_mm)
            self._sheet.prose((left, y - 0.25 * size_mm), line, size_mm, colour, leftwards=self.reads_leftwards)
        return y

    def _lines(self, words: str, width_mm: float, size_mm: float) -> list[str]:
        lines: list[str] = []
        for word in words.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self._width_mm(longer, size_mm) <= width_mm:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def _width_mm(self, line: str, size_mm: float) -> float:
        return self._sheet.prose_width_mm(line, size_mm, leftwards=self.reads_leftwards)
