"""Parts of the leaflets for the games' boxes: a title, sections, numbered steps, the three buttons."""

from collections.abc import Mapping, Sequence
from typing import Final

from calibration.printing.labels import BUTTONS, ICONS
from calibration.printing.page import GREY, INK, PALE, WHITE, PdfSheet, Point
from calibration.printing.text import Prose
from companion.languages import Language, render, said

MARGIN_MM: Final = 17.0
GUTTER_MM: Final = 8.0
TEXT_MM: Final = 3.6
SMALL_MM: Final = 3.2
_DISC_MM: Final = 3.2


class LeafletPage:
    """A page written from top to bottom; each method for a part returns its lower end in mm.

    Args:
        sheet: the sheet to write on.
        language: of the texts.

    Attributes:
        prose: the writer of texts.
        width_mm: width between the margins.
    """

    def __init__(self, sheet: PdfSheet, language: Language) -> None:
        self.sheet, self._language = sheet, language
        self.prose = Prose(sheet, language)
        self.width_mm = sheet.width_mm - 2 * MARGIN_MM

    def head(self, title: str, lead: str) -> float:
        """Write the title and the introduction."""
        below = self.prose.heading((MARGIN_MM, 12.0), self.width_mm, self.render(title), 7.4)
        return self.prose.paragraph((MARGIN_MM, below + 1.0), self.width_mm, self.render(lead), TEXT_MM, GREY)

    def section(self, top_mm: float, title: str) -> float:
        """Begin a section below a thin line."""
        self.sheet.line([(MARGIN_MM, top_mm), (MARGIN_MM + self.width_mm, top_mm)], PALE, 0.25)
        return self.prose.heading((MARGIN_MM, top_mm + 3.0), self.width_mm, self.render(title), 5.2) + 2.0

    def steps(
        self, corner: Point, width_mm: float, steps: Sequence[str], gap_mm: float = 2.6, size_mm: float = TEXT_MM
    ) -> float:
        """Write numbered steps, one below the other, with a gap after each."""
        x, y = corner
        for number, step in enumerate(steps, start=1):
            y = self._numbered((x, y), width_mm, (number, step), size_mm) + gap_mm
        return y

    def buttons(self, top_mm: float, says: Mapping[str, str]) -> float:
        """Explain push-buttons, by name, side by side in reading order."""
        ends = []
        for place, (name, meaning) in enumerate(says.items()):
            x, width_mm = self.column(place, len(says))
            icon_x = x + width_mm - 9.0 if self.prose.reads_leftwards else x + 9.0
            self.sheet.disc((icon_x, top_mm + 9.0), 9.0, INK)
            ICONS[name](self.sheet, (icon_x, top_mm + 9.0), WHITE)
            beside = x if self.prose.reads_leftwards else x + 21.0
            word = BUTTONS[name].in_language(self._language.code)
            self.prose.heading((beside, top_mm + 6.0), width_mm - 21.0, word, 4.6)
            ends.append(self.prose.paragraph((x, top_mm + 19.5), width_mm, self.render(meaning), SMALL_MM))
        return max(ends)

    def column(self, place: int, count: int) -> tuple[float, float]:
        """Return the left edge of a column and its width, in mm; `place` counts in reading order."""
        width_mm = (self.width_mm - (count - 1) * GUTTER_MM) / count
        column = count - 1 - place if self.prose.reads_leftwards else place
        return MARGIN_MM + column * (width_mm + GUTTER_MM), width_mm

    def render(self, sentence: str) -> str:
        """Return a sentence in the leaflet's language."""
        return render(sentence, self._language)

    def figure(self, foot: Point, words: str, size_mm: float) -> None:
        """Write a number centred on a point at its foot, in the language's digits, with a sign at the left."""
        if self._language.digits.isascii():
            self.sheet.text(foot, words, size_mm, INK, centred=True)
            return
        written = words.translate(str.maketrans("0123456789", self._language.digits))
        left = foot[0] - self.sheet.prose_width_mm(written, size_mm, leftwards=False) / 2
        self.sheet.prose((left, foot[1]), written, size_mm, INK, leftwards=False)

    def _numbered(self, corner: Point, width_mm: float, step: tuple[int, str], size_mm: float) -> float:
        (x, y), (number, says) = corner, step
        middle = (x + width_mm - _DISC_MM if self.prose.reads_leftwards else x + _DISC_MM, y + 3.4)
        self.sheet.disc(middle, _DISC_MM, INK)
        figure = self.render(said("{number}", number=number))
        self.sheet.prose((middle[0] - 1.1, middle[1] + 1.35), figure, 3.8, WHITE, leftwards=False)
        beside = x if self.prose.reads_leftwards else x + 9.5
        foot = self.prose.paragraph((beside, y + 0.6), width_mm - 9.5, self.render(says), size_mm)
        return max(foot, y + 2 * _DISC_MM + 0.2)
