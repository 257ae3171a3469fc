"""The first page of the set: its contents, and instructions for printing, gluing and cutting."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from calibration.printing.page import GREY, INK, PdfSheet, Point, ruler
from calibration.printing.patches import draw_patch
from companion.games.patchwork.components import PATCHES, Edition

_DIGITS: Final = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")
_SAMPLES: Final = ("hat", "arrow", "square", "corner-b3", "plus")


@dataclass(frozen=True, slots=True)
class GuideTexts:
    """The page's texts in one language; `{cell}` stands for the cell's edge in millimetres, `{mats}` for a command.

    Attributes:
        title: the title, in large type.
        holds: contents of the set, a line each.
        steps: instructions, a line each.
        editions: by printing of the time board, the sentence on where to choose it; the step before the last.
        ruler: text beside the ruler.
    """

    title: str
    holds: tuple[str, ...]
    steps: tuple[str, ...]
    editions: Mapping[Edition, str]
    ruler: str


WORDS: Final[Mapping[str, GuideTexts]] = MappingProxyType(
    {
        "en": GuideTexts(
            "A quilting game to print and play",
            (
                "33 patches, 5 leather patches, 2 quilt boards, a time board,",
                "50 buttons worth 162, a 7×7 tile, 2 time tokens, a pawn.",
                "One cell is {cell} mm. For use at home.",
            ),
            (
                "Print every page at 100 % (actual size), in colour.",
                "Check the ruler below: 100 mm must be 100 mm.",
                "Glue the pages to grey board, 1.5 to 2 mm thick, before you cut.",
                "Cut along the thin outlines: a sharp knife, a steel ruler, a mat.",
                "A board that comes in parts: glue them where they overlap.",
                "Colour the cut edges with a grey pencil: the camera likes them dull.",
                "Mats for the camera: {mats}",
            ),
            {
                Edition.ORIGINAL: "The time board is that of the first edition: choose it under New game.",
                Edition.REVISED: "The time board is that of a later printing: choose it under New game.",
            },
            "this line is 100 mm long",
        ),
        "ru": GuideTexts(
            "Лоскутная игра: распечатай и играй",
            (
                "33 лоскута, 5 кожаных заплаток, 2 поля для одеял, поле времени,",
                "50 пуговиц на 162, плитка 7×7, 2 фишки времени, пешка.",
                "Клетка: {cell} мм. Для домашней игры.",
            ),
            (
                "Печатайте все страницы в масштабе 100 %, в цвете.",
                "Проверьте линейку внизу: 100 мм должны быть 100 мм.",
                "Наклейте листы на картон толщиной 1,5-2 мм, потом режьте.",
                "Режьте по тонким контурам: острый нож, стальная линейка, коврик.",
                "Поле из частей: склейте их внахлёст.",
                "Срезы закрасьте серым карандашом: камера любит матовое.",
                "Коврики для камеры: {mats}",
            ),
            {
                Edition.ORIGINAL: "Поле времени — первое издание: выберите его в «Новой партии».",
                Edition.REVISED: "Поле времени — позднее издание: выберите его в «Новой партии».",
            },
            "эта линия длиной 100 мм",
        ),
        "fa": GuideTexts(
            "بازی لحاف‌دوزی برای چاپ و بازی",
            (
                "۳۳ تکه‌پارچه، ۵ تکهٔ چرمی، ۲ صفحهٔ لحاف، یک صفحهٔ زمان،",
                "۵۰ دکمه به ارزش ۱۶۲، کاشی ویژه (۷×۷)، ۲ توکن زمان، یک توکن بی‌طرف.",
                "هر خانه {cell} میلی‌متر است. برای بازی در خانه.",
            ),
            (
                "همهٔ برگه‌ها را رنگی و در اندازهٔ ۱۰۰ درصد چاپ کنید.",
                "خط‌کش پایین را بسنجید: باید درست ۱۰۰ میلی‌متر باشد.",
                "پیش از بریدن، برگه‌ها را روی مقوای ۱٫۵ تا ۲ میلی‌متری بچسبانید.",
                "از روی خط‌های نازک ببرید: تیغ تیز، خط‌کش فلزی، زیرانداز برش.",
                "صفحه‌ای که چند پاره است: پاره‌ها را روی هم بچسبانید.",
                "لبه‌های بریده را با مداد خاکستری کنید تا برق نزنند.",
                "زیرانداز دوربین با این فرمان چاپ می‌شود:",
            ),
            {
                Edition.ORIGINAL: "صفحهٔ زمان از چاپ نخست است: در «بازی تازه» همان را برگزینید.",
                Edition.REVISED: "صفحهٔ زمان از چاپ بعدی است: در «بازی تازه» همان را برگزینید.",
            },
            "درازای این خط ۱۰۰ میلی‌متر است",
        ),
    }
)
"""The texts by language."""


def draw_guide(sheet: PdfSheet, cell_mm: float, language: str, edition: Edition, mats: str) -> None:
    """Draw the page of instructions, and end it."""
    words, cell = WORDS[language], f"{cell_mm:g}"
    shown = cell.translate(_DIGITS) if language == "fa" else cell
    edge = sheet.width_mm - 18.0 if language == "fa" else 18.0
    _write(sheet, (edge, 30.0), words.title, 9.0, language)
    for index, line in enumerate(words.holds):
        _write(sheet, (edge, 44.0 + index * 7.0), line.format(cell=shown), 4.2, language)
    _samples(sheet, 70.0)
    steps = (*words.steps[:-1], words.editions[edition], words.steps[-1])
    for index, step in enumerate(steps):
        foot = 128.0 + index * 11.0
        inwards = -1 if language == "fa" else 1
        sheet.disc((edge + inwards * 3.2, foot - 1.5), 3.4, INK)
        number = str(index + 1)
        if language == "fa":
            sheet.persian((edge - 3.2, foot + 0.2), number.translate(_DIGITS), 4.4, (1, 1, 1), centred=True)
        else:
            sheet.text((edge + 3.2, foot), number, 4.4, (1, 1, 1), centred=True)
        _write(sheet, (edge + inwards * 10.0, foot), step.format(mats=mats), 4.4, language)
    if language == "fa":
        sheet.text((18.0, 128.0 + len(steps) * 11.0), mats, 4.4, INK)
    start = ((sheet.width_mm - 100.0) / 2, sheet.height_mm - 40.0)
    ruler(sheet, start)
    middle = (sheet.width_mm / 2, start[1] - 3.0)
    (sheet.persian if language == "fa" else sheet.text)(middle, words.ruler, 3.4, GREY, centred=True)
    sheet.end_page()


def _samples(sheet: PdfSheet, top_mm: float) -> None:
    """Draw some patches, which show at once what the file is."""
    cell, left = 10.5, 18.0
    for name in _SAMPLES:
        draw_patch(sheet, (left, top_mm), PATCHES[name], cell)
        left += cell * (1 + max(column for _, column in PATCHES[name].cells)) + 7.0


def _write(sheet: PdfSheet, at: Point, words: str, size_mm: float, language: str) -> None:
    """Write a line from its beginning, in Persian from its right end."""
    leftwards = language == "fa"
    back_mm = sheet.prose_width_mm(words, size_mm, leftwards=True) if leftwards else 0.0
    sheet.prose((at[0] - back_mm, at[1]), words, size_mm, INK, leftwards=leftwards)
