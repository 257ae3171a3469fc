"""Labels to cut out: for the three buttons, in sets, and for the seats."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from calibration.identity import INKS
from calibration.printing.page import GREY, INK, PALE, PAPERS, WHITE, Colour, PdfSheet, Point, capitals_mm, seat_mark
from calibration.printing.text import Lines
from companion.languages import ENGLISH, LANGUAGES, Language, said

_PEN_MM: Final = 2.0


def _tick(sheet: PdfSheet, centre: Point, colour: Colour) -> None:
    x, y = centre
    sheet.line([(x - 4.2, y + 0.3), (x - 1.2, y + 3.4), (x + 4.4, y - 3.2)], colour, _PEN_MM)


def _forwards(sheet: PdfSheet, centre: Point, colour: Colour) -> None:
    """Draw two arrowheads, for a token that moves forwards."""
    x, y = centre
    for shift_mm in (-2.9, 1.7):
        at = x + shift_mm
        sheet.line([(at - 0.9, y - 3.6), (at + 2.5, y), (at - 0.9, y + 3.6)], colour, _PEN_MM)


def _back(sheet: PdfSheet, centre: Point, colour: Colour) -> None:
    """Draw an arrow that turns back to the left."""
    x, y = centre
    sheet.arc((x + 0.6, y + 0.7), 3.6, (-110, 230), colour, _PEN_MM)
    sheet.line([(x - 0.6, y - 6.2), (x - 4.0, y - 3.0), (x - 0.4, y + 0.2)], colour, _PEN_MM)
    sheet.line([(x - 4.0, y - 2.9), (x + 0.6, y - 2.9)], colour, _PEN_MM)


ICONS: Final[Mapping[str, Callable[[PdfSheet, Point, Colour], None]]] = MappingProxyType(
    {"confirm": _tick, "advance": _forwards, "undo": _back}
)
"""The functions that draw them, by the name of the logical button."""


LABEL_MM: Final = (60.0, 26.0)
_GAP_MM: Final = 4.0
# Type size of the other languages on a button's label.
_SMALL_MM: Final = {"en": 3.1, "ru": 2.8, "fa": 3.5}
_APART_MM: Final = 2.6


@dataclass(frozen=True, slots=True)
class LabelTexts:
    """The texts on a label: the reader's language in large type, the others below it.

    Attributes:
        english: on the label.
        russian: on the label.
        persian: on the label.
        hint: when to press the button.
    """

    english: str
    russian: str
    persian: str
    hint: str

    def in_language(self, code: str) -> str:
        """Return the label's text in a language: "en", "ru" or "fa"."""
        return {"ru": self.russian, "fa": self.persian}.get(code, self.english)

    def others(self, code: str) -> tuple[tuple[str, str], ...]:
        """Return the label's texts in the other languages, each with its language's code."""
        return tuple((other, self.in_language(other)) for other in LANGUAGES if other != code)


BUTTONS: Final = {
    "confirm": LabelTexts("confirm", "Готово", "تأیید", said("I have placed it: look")),
    "advance": LabelTexts("advance", "Вперёд", "جلو رفتن", said("I take buttons instead")),
    "undo": LabelTexts("undo", "Отменить", "پس گرفتن", said("take the last one back")),
}
"""The texts by the name of the logical button."""
SEATS: Final = (LabelTexts("Seat 1", "Игрок 1", "بازیکن ۱", ""), LabelTexts("Seat 2", "Игрок 2", "بازیکن ۲", ""))


def labels_pdf(paper: str, language: Language = ENGLISH) -> bytes:
    """Return all labels on one page, as a PDF: a set for the middle of the table, and one in each seat's colour.

    Args:
        paper: a key of `PAPERS`.
        language: of the large texts, and of the instructions.

    Raises:
        KeyError: there is no such paper.
    """
    sheet = PdfSheet(PAPERS[paper], "Labels")
    lines = Lines(sheet, language)
    left_mm = (sheet.width_mm - 3 * LABEL_MM[0] - 2 * _GAP_MM) / 2
    begin_mm = sheet.width_mm - left_mm if lines.leftwards else left_mm
    lines.heading((begin_mm, 20.0), said("Labels to cut out"), 8.0)
    says = said("For the push-buttons: one set in the middle of the table, or one for each seat.")
    lines.write((begin_mm, 26.0), says, 3.4, GREY)
    inks: Sequence[tuple[int, Colour]] = ((0, INK), (1, INKS[0]), (2, INKS[1]))
    for column, (seat, ink) in enumerate(inks):
        for row, name in enumerate(BUTTONS):
            corner = (left_mm + column * (LABEL_MM[0] + _GAP_MM), 34.0 + row * (LABEL_MM[1] + _GAP_MM))
            _button(sheet, corner, name, seat, ink, language)
    top_mm = 34.0 + 3 * (LABEL_MM[1] + _GAP_MM) + 14.0
    lines.write((begin_mm, top_mm - 4.0), said("For the seats."), 3.4, GREY)
    _plates(sheet, (left_mm, top_mm), language)
    sheet.end_page()
    return sheet.pdf()


def _plates(sheet: PdfSheet, corner: Point, language: Language) -> None:
    size_mm = (LABEL_MM[0] * 1.5 + _GAP_MM / 2, 40.0)
    for index in range(len(SEATS)):
        place = (corner[0] + index * (size_mm[0] + _GAP_MM), corner[1])
        _plate(sheet, place, size_mm, index + 1, language)


def _button(sheet: PdfSheet, corner: Point, name: str, seat: int, ink: Colour, language: Language) -> None:
    words, (left_mm, top_mm), lines = BUTTONS[name], corner, Lines(sheet, language)
    sheet.dashed_frame(corner, LABEL_MM, PALE)
    middle = (left_mm + 13.0, top_mm + LABEL_MM[1] / 2)
    sheet.disc(middle, 9.0, ink)
    ICONS[name](sheet, middle, WHITE)
    text_mm = left_mm + 25.0
    large = words.in_language(language.code)
    # Long words leave room for the emblem beside them.
    large_mm = min(5.4, 5.4 * (LABEL_MM[0] - 25.0 - 10.0) / sheet.text_width_mm(large, 5.4))
    sheet.text((text_mm, top_mm + 10.4), large, large_mm, ink)
    room_mm = LABEL_MM[0] - 25.0 - 3.0
    _others(sheet, (text_mm, top_mm + 16.0), words.others(language.code), room_mm)
    hint_mm = min(2.4, 2.4 * room_mm / max(room_mm, lines.width_mm(words.hint, 2.4)))
    begin_mm = text_mm + lines.width_mm(words.hint, hint_mm) if lines.leftwards else text_mm
    lines.write((begin_mm, top_mm + 21.0), words.hint, hint_mm, GREY)
    if seat:
        seat_mark(sheet, seat, (left_mm + LABEL_MM[0] - 5.5, top_mm + 5.5), 2.4)


def _others(sheet: PdfSheet, start: Point, words: Iterable[tuple[str, str]], room_mm: float) -> None:
    """Write a label's word in the other languages side by side, smaller if there is no room."""
    beside = [(word, _SMALL_MM[other]) for other, word in words]
    smaller = min(1.0, (room_mm - _APART_MM) / sum(sheet.text_width_mm(word, size_mm) for word, size_mm in beside))
    begin_mm, line_mm = start
    for word, size_mm in beside:
        sheet.text((begin_mm, line_mm), word, smaller * size_mm)
        begin_mm += _APART_MM + sheet.text_width_mm(word, smaller * size_mm)


def _plate(sheet: PdfSheet, corner: Point, size_mm: tuple[float, float], seat: int, language: Language) -> None:
    sheet.dashed_frame(corner, size_mm, PALE)
    left_mm, middle_mm = corner[0], corner[1] + size_mm[1] / 2
    seat_mark(sheet, seat, (left_mm + 19.0, middle_mm), 12.0)
    line_mm = middle_mm + capitals_mm(13.0) / 2 - 4.0
    words = SEATS[seat - 1]
    large = words.in_language(language.code)
    large_mm = min(13.0, 13.0 * (size_mm[0] - 42.0) / sheet.text_width_mm(large, 13.0))
    sheet.text((left_mm + 36.0, line_mm), large, large_mm, INKS[seat - 1])
    for place, (other, word) in zip((left_mm + 36.5, left_mm + 60.0), words.others(language.code), strict=True):
        sheet.text((place, line_mm + 9.0), word, 1.38 * _SMALL_MM[other], GREY)
