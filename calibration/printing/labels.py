"""Labels to cut out: for the three buttons, in sets, and for the seats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from calibration.identity import INKS
from calibration.printing.icons import ICONS
from calibration.printing.marks import seat_mark
from calibration.printing.page import GREY, INK, PALE, PAPERS, WHITE, Colour, PdfSheet, Point, capitals_mm

if TYPE_CHECKING:
    from collections.abc import Sequence

LABEL_MM: Final = (60.0, 26.0)
_GAP_MM: Final = 4.0


@dataclass(frozen=True, slots=True)
class LabelTexts:
    """The texts on a label.

    Attributes:
        english: large.
        russian: below it, in capitals: the type's small letters are those of handwriting.
        persian: below it too.
        hint: when to press it.
    """

    english: str
    russian: str
    persian: str
    hint: str

    def in_language(self, code: str) -> str:
        """Return what stands on the label in a language: "en", "ru" or "fa"."""
        return {"ru": self.russian, "fa": self.persian}.get(code, self.english)


BUTTONS: Final = {
    "confirm": LabelTexts("confirm", "ГОТОВО", "تأیید", "I have placed it: look"),
    "advance": LabelTexts("advance", "ВПЕРЁД", "پیشروی", "I take buttons instead"),
    "undo": LabelTexts("undo", "ОТМЕНИТЬ", "برگشت", "take the last one back"),
}
"""By the name of the logical button."""
_SEATS: Final = (LabelTexts("Seat 1", "ИГРОК 1", "بازیکن ۱", ""), LabelTexts("Seat 2", "ИГРОК 2", "بازیکن ۲", ""))


def labels_pdf(paper: str) -> bytes:
    """Return all labels on one page, as a PDF: a set for the middle of the table, and one in each seat's colour.

    Args:
        paper: a key of `PAPERS`.

    Raises:
        KeyError: there is no such paper.
    """
    sheet = PdfSheet(PAPERS[paper], "Labels")
    left_mm = (sheet.width_mm - 3 * LABEL_MM[0] - 2 * _GAP_MM) / 2
    sheet.text((left_mm, 20.0), "Labels to cut out", 8.0, INK)
    says = "For the push-buttons: one set in the middle of the table, or one for each seat."
    sheet.text((left_mm, 26.0), says, 3.4, GREY)
    inks: Sequence[tuple[int, Colour]] = ((0, INK), (1, INKS[0]), (2, INKS[1]))
    for column, (seat, ink) in enumerate(inks):
        for row, name in enumerate(BUTTONS):
            corner = (left_mm + column * (LABEL_MM[0] + _GAP_MM), 34.0 + row * (LABEL_MM[1] + _GAP_MM))
            _button(sheet, corner, name, seat, ink)
    _plates(sheet, left_mm)
    sheet.end_page()
    return sheet.pdf()


def _plates(sheet: PdfSheet, left_mm: float) -> None:
    size_mm = (LABEL_MM[0] * 1.5 + _GAP_MM / 2, 40.0)
    top_mm = 34.0 + 3 * (LABEL_MM[1] + _GAP_MM) + 14.0
    sheet.text((left_mm, top_mm - 4.0), "For the seats.", 3.4, GREY)
    for index, words in enumerate(_SEATS):
        _plate(sheet, (left_mm + index * (size_mm[0] + _GAP_MM), top_mm), size_mm, index + 1, words)


def _button(sheet: PdfSheet, corner: Point, name: str, seat: int, ink: Colour) -> None:
    words, (left_mm, top_mm) = BUTTONS[name], corner
    sheet.dashed_frame(corner, LABEL_MM, PALE)
    middle = (left_mm + 13.0, top_mm + LABEL_MM[1] / 2)
    sheet.disc(middle, 9.0, ink)
    ICONS[name](sheet, middle, WHITE)
    sheet.text((left_mm + 25.0, top_mm + 10.4), words.english, 5.4, ink)
    sheet.text((left_mm + 25.0, top_mm + 16.0), words.russian, 2.8, INK)
    width_mm = sheet.text_width_mm(words.russian, 2.8)
    sheet.persian((left_mm + 25.0 + width_mm + 2.6, top_mm + 16.0), words.persian, 3.5, INK)
    sheet.text((left_mm + 25.0, top_mm + 21.0), words.hint, 2.4, GREY)
    if seat:
        seat_mark(sheet, seat, (left_mm + LABEL_MM[0] - 5.5, top_mm + 5.5), 2.4)


def _plate(sheet: PdfSheet, corner: Point, size_mm: tuple[float, float], seat: int, words: LabelTexts) -> None:
    sheet.dashed_frame(corner, size_mm, PALE)
    left_mm, middle_mm = corner[0], corner[1] + size_mm[1] / 2
    seat_mark(sheet, seat, (left_mm + 19.0, middle_mm), 12.0)
    line_mm = middle_mm + capitals_mm(13.0) / 2 - 4.0
    sheet.text((left_mm + 36.0, line_mm), words.english, 13.0, INKS[seat - 1])
    sheet.text((left_mm + 36.5, line_mm + 9.0), words.russian, 3.9, GREY)
    sheet.persian((left_mm + 60.0, line_mm + 9.0), words.persian, 4.8, GREY)
