"""Single lines of text on a page, in any of the program's languages."""

from calibration.printing.page import INK, Colour, PdfSheet, Point
from calibration.printing.prose import ISOLATES
from companion.languages import ENGLISH, Language, render


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
        # The round typeface has only handwritten small Cyrillic letters.
        width_mm = self.width_mm(words, size_mm)
        back_mm = width_mm / 2 if centred else width_mm if self.leftwards else 0.0
        self._sheet.prose((at[0] - back_mm, at[1]), rendered, size_mm, colour, leftwards=self.leftwards)

    def width_mm(self, words: str, size_mm: float) -> float:
        """Return the width of `write`'s line."""
        rendered = self._rendered(words)
        if self._language is ENGLISH:
            return self._sheet.text_width_mm(rendered, size_mm)
        return self._sheet.prose_width_mm(rendered, size_mm, leftwards=self.leftwards)

    def number(self, middle: Point, number: int, size_mm: float, colour: Colour) -> None:
        """Write the number of a step, centred, with its foot at `middle`."""
        self.name(middle, self._language.number(number), size_mm, colour, centred=True)

    def name(self, at: Point, words: str, size_mm: float, colour: Colour = INK, *, centred: bool = False) -> float:
        """Write a name that is already in this language, in the typeface of names, and return its width in mm."""
        sheet = self._sheet
        write, width = (sheet.persian, sheet.persian_width_mm) if self.leftwards else (sheet.text, sheet.text_width_mm)
        write(at, words, size_mm, colour, centred=centred)
        return width(words, size_mm)

    def name_width_mm(self, words: str, size_mm: float) -> float:
        """Return the width of `name`'s line."""
        sheet = self._sheet
        return (sheet.persian_width_mm if self.leftwards else sheet.text_width_mm)(words, size_mm)

    def _rendered(self, words: str) -> str:
        return render(words, self._language).translate(ISOLATES)
