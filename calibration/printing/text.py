"""Text on a page, lines and paragraphs, in any of the program's languages."""

from typing import Final

from calibration.printing.page import INK, Colour, PdfSheet, Point
from companion.languages import ENGLISH, Language, render

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
        self.reads_leftwards = language.leftward

    def heading(self, corner: Point, width_mm: float, words: str, size_mm: float, colour: Colour = INK) -> float:
        """Write one line below `corner`, from the side where reading begins, and return its lower end in mm.

        It is smaller if there is no room.
        """
        x, y = corner
        foot_mm = y + size_mm
        size_mm = min(size_mm, size_mm * width_mm / self._sheet.text_width_mm(words, size_mm))
        left = x + width_mm - self._sheet.text_width_mm(words, size_mm) if self.reads_leftwards else x
        self._sheet.text((left, foot_mm), words, size_mm, colour)
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


class Lines:
    """A writer of single lines in one language on a page.

    Args:
        sheet: the sheet to write on.
        language: of the lines.

    Attributes:
        leftwards: whether they read from right to left.
    """

    def __init__(self, sheet: PdfSheet, language: Language) -> None:
        self._sheet, self._language = sheet, language
        self.leftwards = language.leftward

    def write(self, at: Point, words: str, size_mm: float, colour: Colour = INK, *, centred: bool = False) -> None:
        """Write a sentence.

        Args:
            at: beginning of the line at its foot (the right end in Persian), or its middle if `centred`.
            words: the sentence, in English.
            size_mm: type size.
            colour: of the letters.
            centred: whether the line is centred on `at`.
        """
        rendered = self._rendered(words)
        if self._language is ENGLISH:
            self._sheet.text(at, rendered, size_mm, colour, centred=centred)
            return
        width_mm = self.width_mm(words, size_mm)
        back_mm = width_mm / 2 if centred else width_mm if self.leftwards else 0.0
        self._sheet.prose((at[0] - back_mm, at[1]), rendered, size_mm, colour, leftwards=self.leftwards)

    def heading(self, at: Point, words: str, size_mm: float, colour: Colour = INK, *, centred: bool = False) -> None:
        """Write a sentence like `write`, in the typeface of headings."""
        rendered = self._rendered(words)
        back_mm = self._sheet.text_width_mm(rendered, size_mm) if self.leftwards and not centred else 0.0
        self._sheet.text((at[0] - back_mm, at[1]), rendered, size_mm, colour, centred=centred)

    def width_mm(self, words: str, size_mm: float) -> float:
        """Return the width of `write`'s line."""
        rendered = self._rendered(words)
        if self._language is ENGLISH:
            return self._sheet.text_width_mm(rendered, size_mm)
        return self._sheet.prose_width_mm(rendered, size_mm, leftwards=self.leftwards)

    def number(self, middle: Point, number: int, size_mm: float, colour: Colour) -> None:
        """Write the number of a step, centred, with its foot at `middle`."""
        self._sheet.text(middle, self._language.number(number), size_mm, colour, centred=True)

    def _rendered(self, words: str) -> str:
        return render(words, self._language).translate(ISOLATES)
