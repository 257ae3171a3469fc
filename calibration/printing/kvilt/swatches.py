"""The printable card for trying pencils."""

from collections.abc import Mapping, Sequence
from typing import Final

from calibration.printing.kvilt.sheet import LANDSCAPES
from calibration.printing.scaled import ScaledPage, is_persian
from companion.games.kvilt import SwatchCard
from companion.games.kvilt.sheet.layout import ColourLook, corners

_WORDS: Final[Mapping[str, tuple[str, str, str, str]]] = {
    "en": (
        "Try your pencils",
        "One pencil a column. Two whose colours look alike here are hard to tell apart for the camera too.",
        "firmly",
        "lightly, with gaps",
    ),
    "ru": (
        "ПРОБА КАРАНДАШЕЙ",
        "ОДИН КАРАНДАШ НА СТОЛБЕЦ. ЧТО ЗДЕСЬ ПОХОЖЕ, ТО И КАМЕРА РАЗЛИЧИТ С ТРУДОМ.",
        "ПЛОТНО",
        "СЛЕГКА, ШТРИХОВКОЙ",
    ),
    "fa": (
        "مدادهایتان را امتحان کنید",
        "هر ستون یک مداد. دو رنگی که اینجا به هم می‌مانند، برای دوربین هم سخت از هم جدا می‌شوند.",
        "پررنگ",
        "کم‌رنگ، با فاصله",
    ),
}


def kvilt_swatches_pdf(card: SwatchCard, colours: Sequence[ColourLook], paper: str, language: str = "en") -> bytes:
    """Return the card on one page, as large as the paper allows, as a PDF.

    Args:
        card: the page.
        colours: one for each of its columns.
        paper: a key of `LANDSCAPES`.
        language: one of `LANGUAGES`.

    Raises:
        KeyError: there is no such paper, or no such language.
    """
    title, says, firm, light = _WORDS[language]
    page = ScaledPage(LANDSCAPES[paper], card.size, title, (card.ink,) * 3, card.largest_scale)
    for marker in card.fiducials.markers:
        page.marker(marker.at, card.fiducials.side, card.fiducials.dictionary, marker.id)
    left, right = card.firm[0][0], card.firm[-1][0] + card.firm[-1][2]
    _line(page, (left, right), 14.0, title, {"en": 6.0, "ru": 4.4, "fa": 6.0}[language])
    _line(page, (left, right), 20.5, says, {"en": 3.0, "ru": 2.2, "fa": 3.4}[language])
    for words, row in ((firm, card.firm), (light, card.light)):
        for rect in row:
            page.line(corners(rect), card.outline, closed=True)
        _, y, _, height = row[-1]
        _line(page, (left, right), y - 1.4 if row is card.firm else y + height + 3.4, words, 2.6)
    _names(page, card, colours, language)
    page.end_page()
    return page.pdf()


def _line(page: ScaledPage, sides: tuple[float, float], foot: float, words: str, size_mm: float) -> None:
    """Write on one line from the side where reading begins."""
    if is_persian(words):
        page.words_right((sides[1], foot), words, size_mm)
    else:
        page.words((sides[0], foot), words, size_mm)


def _names(page: ScaledPage, card: SwatchCard, colours: Sequence[ColourLook], language: str) -> None:
    """Draw the colours' names above their columns, to the right of the first words."""
    for rect, colour in zip(card.firm, colours, strict=True):
        name = colour.name.get(language, colour.key)
        size_mm = 3.6 if language == "ru" else 4.2
        page.words((rect[0] + rect[2] / 2, rect[1] - 6.0), name, size_mm, centred=True)
