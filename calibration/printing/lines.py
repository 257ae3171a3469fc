"""Single lines on a page, in any of the program's languages: each stands where the page has room for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibration.printing.page import INK
from calibration.printing.prose import ISOLATES
from companion.languages import ENGLISH, tell

if TYPE_CHECKING:
    from calibration.printing.page import Colour, PdfSheet, Point
    from companion.languages import Language


class Lines:
    """Write sentences in a language on a page, a line each.

    Args:
        sheet: to write on.
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
            at: where one begins to read, at the line's foot: its right end in Persian; or its middle where `centred`.
            words: the sentence, in English.
            size_mm: of the type.
            colour: of the letters.
            centred: whether the words stand to both sides of `at`.
        """
        told = self._told(words)
        if self._language is ENGLISH:
            self._sheet.text(at, told, size_mm, colour, centred=centred)
            return
        # The round type has no small Cyrillic letters but those of handwriting.
        width_mm = self.width_mm(words, size_mm)
        back_mm = width_mm / 2 if centred else width_mm if self.leftwards else 0.0
        self._sheet.prose((at[0] - back_mm, at[1]), told, size_mm, colour, leftwards=self.leftwards)

    def width_mm(self, words: str, size_mm: float) -> float:
        """Return how long `write` would be."""
        told = self._told(words)
        if self._language is ENGLISH:
            return self._sheet.text_width_mm(told, size_mm)
        return self._sheet.prose_width_mm(told, size_mm, leftwards=self.leftwards)

    def number(self, middle: Point, number: int, size_mm: float, colour: Colour) -> None:
        """Write a number of a step, with its foot at that height."""
        self.name(middle, self._language.number(number), size_mm, colour, centred=True)

    def name(self, at: Point, words: str, size_mm: float, colour: Colour = INK, *, centred: bool = False) -> float:
        """Write a name that is in this language already, in the type of names, and return how long it is in mm."""
        sheet = self._sheet
        write, width = (sheet.persian, sheet.persian_width_mm) if self.leftwards else (sheet.text, sheet.text_width_mm)
        write(at, words, size_mm, colour, centred=centred)
        return width(words, size_mm)

    def name_width_mm(self, words: str, size_mm: float) -> float:
        """Return how long `name` would be."""
        sheet = self._sheet
        return (sheet.persian_width_mm if self.leftwards else sheet.text_width_mm)(words, size_mm)

    def _told(self, words: str) -> str:
        return tell(words, self._language).translate(ISOLATES)
