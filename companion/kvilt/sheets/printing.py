"""The prints of Kvilt: the sheet and the card for trying pencils, drawn by their files, and a leaflet of one page.

Nothing is printed on the fields of bare paper, and hardly anything inside the areas to colour, because the reader
relies on that. All outlines to colour are in one grey.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from calibration.printing.leaflet import MARGIN_MM, SMALL_MM, LeafletPage
from calibration.printing.page import INK, PAPERS, Point
from companion.games.kvilt.sheet import Bonus, BonusKind, Sheet
from companion.kvilt.sheets.files import Rect
from companion.kvilt.sheets.layout import CellLayout, ColourLook, PageLayout, Polygon, SwatchCard, corners, disc
from companion.kvilt.sheets.scaled import BONUS_ICONS, ScaledPage, backgrounds, is_persian, padlock, pencil
from companion.languages import LANGUAGES as SPOKEN
from companion.languages import Language, render, said

LANDSCAPES: Final[Mapping[str, Point]] = {
    "a5": (210.0, 148.0),
    **{name: (height, width) for name, (width, height) in PAPERS.items()},
}
"""Width and height in millimetres, by the paper names offered to users."""

LANGUAGES: Final = ("en", "ru", "fa")
_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {"name": "Name", "patches": "patches", "spools": "spools", "buttons": "buttons", "total": "total"},
    "ru": {"name": "Имя", "patches": "нашивки", "spools": "катушки", "buttons": "пуговицы", "total": "итого"},
    "fa": {"name": "نام", "patches": "وصله‌ها", "spools": "قرقره‌ها", "buttons": "دکمه‌ها", "total": "جمع"},
}
_THIN_MM: Final = 0.2
# Fine lines inside the pictures, around the centre of their cell: a vein, an eye, a door.
_DETAILS: Final[Mapping[str, tuple[tuple[Point, ...], ...]]] = {
    "leaf": (((-3.4, 0.0), (3.2, 0.0)), ((-1.6, 0.0), (-0.4, -1.7)), ((0.4, 0.0), (1.4, 1.6))),
    "fish": (disc((-3.05, -0.6), 0.22), ((1.2, -1.2), (0.8, 0.0), (1.2, 1.2))),
    "house": (((-0.9, 4.9), (-0.9, 2.2), (0.9, 2.2), (0.9, 4.9)),),
    "cup": (((-2.6, -1.4), (-2.2, 1.6)), ((3.3, -2.4), (2.9, 1.8))),
}


def kvilt_sheet_pdf(layouts: Sequence[PageLayout], sheet: Sheet, paper: str, language: str = "en") -> bytes:
    """Return the sheet as a PDF, a page for each theme, as large as the paper allows.

    Args:
        layouts: the pages, all of one size, in printing order.
        sheet: the content.
        paper: a key of `LANDSCAPES`.
        language: one of `LANGUAGES`.

    Raises:
        KeyError: there is no such paper, or no such language.
    """
    first = layouts[0]
    page = ScaledPage(LANDSCAPES[paper], first.size, _title(first, language), (first.ink,) * 3, first.largest_scale)
    written = SPOKEN[language]
    for layout in layouts:
        _markers(page, layout)
        _head(page, layout, written)
        _quilt(page, layout, sheet, written)
        _patches(page, layout, sheet, written)
        _spools(page, layout, sheet, written)
        _embroideries(page, layout, sheet)
        _boxes(page, layout, _WORDS[language])
        _swatches(page, layout, language)
        page.end_page()
    return page.pdf()


def _title(layout: PageLayout, language: str) -> str:
    return layout.title.get(language, layout.sheet)


def _markers(page: ScaledPage, layout: PageLayout) -> None:
    fiducials = layout.fiducials
    for marker in fiducials.markers:
        page.marker(marker.at, fiducials.side, fiducials.dictionary, marker.id)


def _head(page: ScaledPage, layout: PageLayout, language: Language) -> None:
    """Draw the line for the name, and the title at the right end of the head."""
    right = layout.size[0] - 20.0
    title = _title(layout, language.code)
    page.text_right((right, 12.0), title, 4.6)
    page.text_right((right, 15.4), " · ".join(filter(None, (layout.sheet, layout.theme))), 1.9)
    if layout.name_line:
        x, y, width, height = layout.name_line
        page.line([(x, y + height), (x + width, y + height)], _THIN_MM)
        name = _WORDS[language.code]["name"]
        if language.leftward:
            page.words_right((x + width, y + height - 1.2), name, 2.6)
        else:
            page.words((x, y + height - 1.2), name, 2.2)


def _quilt(page: ScaledPage, layout: PageLayout, sheet: Sheet, language: Language) -> None:
    codes = {colour.key: colour.code.get(language.code, colour.key[:2]) for colour in layout.colours}
    for cell, place in layout.cells.items():
        page.line(corners(place.frame), layout.outline, closed=True)
        page.line(place.picture, layout.outline, closed=True)
        _details(page, place, {**_DETAILS, **layout.details}.get(layout.pictures[cell[0] - 1], ()))
        x, y, width, height = place.points
        points = language.number(sheet.rows[cell[0] - 1].points[cell[1] - 1])
        page.words_right((x + width, y + height - 0.35), points, 2.9)
        _marks(page, place.bonus, sheet.bonuses_at(cell), codes)
    _seam(page, layout)


def _marks(page: ScaledPage, tag: Rect, bonuses: Sequence[Bonus], codes: Mapping[str, str]) -> None:
    """Draw the marks of a cell side by side, and the colour's code below an extra pencil."""
    x, y, width, height = tag
    for index, bonus in enumerate(bonuses):
        middle = x + (index + 0.5) * width / len(bonuses)
        BONUS_ICONS[bonus.kind](page, (middle, y + height / 2))
        if bonus.colour:
            page.words((middle, y + height - 0.15), codes[bonus.colour], 2.4, centred=True)


def _details(page: ScaledPage, place: CellLayout, lines: Sequence[Sequence[Point]]) -> None:
    x, y = place.middle
    for points in lines:
        page.line([(x + right, y + down) for right, down in points], _THIN_MM)


def _seam(page: ScaledPage, layout: PageLayout) -> None:
    """Draw a running stitch around the whole quilt."""
    frames = [place.frame for place in layout.cells.values()]
    gap = 1.15
    left, top = min(frame[0] for frame in frames) - gap, min(frame[1] for frame in frames) - gap
    right = max(frame[0] + frame[2] for frame in frames) + gap
    bottom = max(frame[1] + frame[3] for frame in frames) + gap
    ends = [(left, top), (right, top), (right, bottom), (left, bottom)]
    for start, end in zip(ends, (*ends[1:], ends[0]), strict=True):
        page.stitches(start, end, 0.3)


def _patches(page: ScaledPage, layout: PageLayout, sheet: Sheet, language: Language) -> None:
    """Draw the patches with their arrows and with plus and minus, between which the column decides."""
    for patch in sheet.patches:
        place = layout.patches[patch.id]
        page.line(corners(place.region), layout.outline, closed=True)
        x, y = _middle(place.region)
        _plus_minus(page, (x - 1.5, y))
        page.words((x + 1.3, y + 1.25), language.number(patch.points), 3.6, centred=True)
        if place.tip:
            foot, (tip_x, tip_y) = place.region[1] + place.region[3], place.tip
            page.fill([[(tip_x - 1.5, foot + 0.5), (tip_x + 1.5, foot + 0.5), (tip_x, tip_y - 0.5)]])


def _plus_minus(page: ScaledPage, centre: Point) -> None:
    """Draw a plus above a minus; the typeface has no such sign."""
    x, y = centre
    for height in (-0.4, 1.0):
        page.line([(x - 0.8, y + height), (x + 0.8, y + height)], 0.3)
    page.line([(x, y - 1.2), (x, y + 0.4)], 0.3)


def _spools(page: ScaledPage, layout: PageLayout, sheet: Sheet, language: Language) -> None:
    """Draw the spools: with a padlock if locked; with hatched flanges if open from the start."""
    pairs = zip(layout.spools, sheet.spools.points, strict=True)
    for number, (spool, points) in enumerate(pairs, start=1):
        for rect in (*spool.body, spool.thread):
            page.line(corners(rect), layout.outline, closed=True)
        if number <= sheet.spools.open:
            for rect in spool.body:
                _hatch(page, rect)
        if spool.points:
            x, y, _, height = spool.points
            page.words((x + 0.3, y + height - 0.5), language.number(points), 3.2)
            if number > sheet.spools.open:
                padlock(page, (x + 1.5, y - 2.0))


def _hatch(page: ScaledPage, rect: Rect) -> None:
    x, y, width, height = rect
    steps = int((width - height) / 1.0)
    for step in range(steps + 1):
        left = x + (width - height - steps) / 2 + step
        page.line([(left, y + height), (left + height, y)], _THIN_MM)


def _embroideries(page: ScaledPage, layout: PageLayout, sheet: Sheet) -> None:
    for figure in sheet.embroideries:
        centres = [layout.parts[region] for region in figure.regions]
        for centre in centres:
            page.line(disc(centre, layout.radius), layout.outline, closed=True)
        for start, end in pairwise(centres):
            _thread(page, start, end, layout.radius)
        if figure.pencils:
            middle = sum(x for x, _ in centres) / len(centres)
            foot = max(y for _, y in centres) + layout.radius
            for number in range(figure.pencils):
                pencil(page, (middle + (number - (figure.pencils - 1) / 2) * 7.0, foot + 2.3), 5.4)
        else:
            x, y = centres[-1]
            backgrounds(page, (x + layout.radius + 6.2, y))


def _thread(page: ScaledPage, start: Point, end: Point, radius: float) -> None:
    """Draw the thread from a disc to the next one, if there is room between them."""
    (x, y), (far_x, far_y) = start, end
    length = ((far_x - x) ** 2 + (far_y - y) ** 2) ** 0.5
    part = (radius + 0.55) / length
    if part < 0.48:
        near = (x + (far_x - x) * part, y + (far_y - y) * part)
        page.stitches(near, (far_x - (far_x - x) * part, far_y - (far_y - y) * part), 0.3, 1.1)


def _boxes(page: ScaledPage, layout: PageLayout, words: Mapping[str, str]) -> None:
    """Draw the boxes for points: beside each row, and at the foot with their names."""
    for rect in layout.row_scores:
        if rect:
            page.line(_cut_corners(rect), _THIN_MM, closed=True)
    for name, rect in layout.scores.items():
        page.line(_cut_corners(rect), 0.35 if name == "total" else _THIN_MM, closed=True)
        page.words((rect[0] + 1.1, rect[1] + 2.2), words.get(name, name), 1.9)


def _cut_corners(rect: Rect, cut: float = 0.8) -> Polygon:
    x, y, width, height = rect
    right, foot = x + width, y + height
    return (
        (x + cut, y), (right - cut, y), (right, y + cut), (right, foot - cut),
        (right - cut, foot), (x + cut, foot), (x, foot - cut), (x, y + cut),
    )  # fmt: skip


def _swatches(page: ScaledPage, layout: PageLayout, language: str) -> None:
    """Draw the boxes, each with its colour's name above it, or below it in the lowest row."""
    lowest = max(rect[1] for rect in layout.swatches.values())
    names = {colour.key: colour.name.get(language, colour.key) for colour in layout.colours}
    for colour, rect in layout.swatches.items():
        x, y, width, height = rect
        page.line(corners(rect), layout.outline, closed=True)
        foot = y + height + 2.25 if y == lowest else y - 1.0
        # Long names are as wide as their boxes.
        size_mm = min(2.3, 2.3 * width / page.width_mm(names[colour], 2.3))
        page.words((x + width / 2, foot), names[colour], size_mm, centred=True)


def _middle(rect: Rect) -> Point:
    return rect[0] + rect[2] / 2, rect[1] + rect[3] / 2


_WORDS_CARD: Final[Mapping[str, tuple[str, str, str, str]]] = {
    "en": (
        "Try your pencils",
        "One pencil a column. Two whose colours look alike here are hard to tell apart for the camera too.",
        "firmly",
        "lightly, with gaps",
    ),
    "ru": (
        "Проба карандашей",
        "В каждом столбце один карандаш. Цвета, похожие здесь, и камера различит с трудом.",
        "плотно",
        "слегка, штриховкой",
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
    title, says, firm, light = _WORDS_CARD[language]
    page = ScaledPage(LANDSCAPES[paper], card.size, title, (card.ink,) * 3, card.largest_scale)
    for marker in card.fiducials.markers:
        page.marker(marker.at, card.fiducials.side, card.fiducials.dictionary, marker.id)
    left, right = card.firm[0][0], card.firm[-1][0] + card.firm[-1][2]
    if is_persian(title):
        page.text_right((right, 14.0), title, 6.0)
    else:
        page.text((left, 14.0), title, 6.0)
    _line(page, (left, right), 20.5, says, 3.0)
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
        page.words((rect[0] + rect[2] / 2, rect[1] - 6.0), name, 4.2, centred=True)


_SECTION_MM: Final = 1.6
_GAP_MM: Final = 0.6
_SIGN_MM: Final = 8.0

_TITLE: Final = said("Kvilt in two minutes")
_LEAD: Final = said(
    "You colour your quilt with real pencils. The companion draws them, keeps the rounds and the score, "
    "and reads each sheet."
)
_SETUP: Final = said("What lies on the table")
_PARTS: Final = said(
    "For 2, 3 or 4 players: 3, 4 or 5 pincushions for three pencils each, and 2, 3 or 4 sets of six pencils, "
    "all of them in the bag; 3 sets for Kviltomania. Each player takes a sheet and colours its six boxes."
)
_ROUND: Final = said("A round")
_STEPS: Final = (
    said("Scraps: each player takes one. Its colour is the bonus colour until the round ends."),
    said(
        "Pencils: in turn, place two drawn pencils on pincushions, or place one and take a pincushion, "
        "or just take one. Whoever takes the first one is the first player from now on."
    ),
    said("Colouring: use each of your pencils once, as below. What is left over is lost."),
    said("Lay your sheet under the camera, whole and flat, and press confirm. Then all pencils go back."),
)
_USES: Final = said("What a pencil can do")
_WAYS: Final = (
    said(
        "Colour the next picture of a row, from the left: one colour a row, another one in each row. "
        "In your bonus colour the background may be coloured too."
    ),
    said(
        "Colour a patch, while nothing in its column is coloured. It gives its points if the whole column "
        "is coloured in the end; else it costs them."
    ),
    said("Colour the thread of the next open spool, in any colour."),
)
_SIGNS: Final = said("What the signs on the cells give, at once")
_GIVES: Final[Mapping[BonusKind, str]] = {
    BonusKind.STITCH: said("with the same pencil, a part of an embroidery"),
    BonusKind.PENCIL: said("one more pencil, of that colour"),
    BonusKind.NEUTRAL: said("a pencil of the pincushion that nobody took"),
    BonusKind.SWAP: said("one or two unused pencils may be exchanged for drawn ones"),
    BonusKind.SPOOL: said("the next locked spool opens: colour its two ends"),
    BonusKind.BUTTON: said("a button, which counts at the end"),
}
_EMBROIDERIES: Final = said(
    "A finished embroidery of five parts gives two pencils, one of three parts a pencil, "
    "one of two parts the backgrounds of all you coloured in this round."
)
_PRESS: Final = said("Press")
_PRESSES: Final = {
    "confirm": said("Take what is shown. While you colour: my sheet lies there, look."),
    "advance": said("Show the next choice, or the next answer to a question."),
    "undo": said("Take the last one back. While the camera looks: do not look yet."),
}
_END: Final = said("The end, and the score")
_SCORING: Final = (
    said("The round in which somebody completes three rows, or two rows and all seven threads, is the last one."),
    said(
        "Rows: the points of the last coloured cell, and one for each coloured background. "
        "Spools: the points of the last thread, and ten more for all six colours."
    ),
    said(
        "Buttons: each is worth as much as your lowest row. Patches: plus or minus. Most points win; "
        "at a tie the best single row decides, and a further tie is shared."
    ),
)


def leaflet_pdf(paper: str, language: Language) -> bytes:
    """Return the leaflet as a PDF.

    Args:
        paper: a key of `PAPERS`.
        language: the language of the text.

    Raises:
        KeyError: the paper is unknown.
    """
    size_mm = PAPERS[paper]
    scaled = ScaledPage(size_mm, size_mm, render(_TITLE, language), INK, 1.0)
    page = LeafletPage(scaled.sheet, language)
    whole = (MARGIN_MM, page.width_mm)
    below = page.head(_TITLE, _LEAD)
    below = page.section(below + _SECTION_MM, _SETUP)
    below = page.prose.paragraph((whole[0], below), whole[1], page.render(_PARTS), SMALL_MM)
    for title, steps in ((_ROUND, _STEPS), (_USES, _WAYS)):
        below = page.section(below + _SECTION_MM, title)
        below = page.steps((whole[0], below), whole[1], steps, _GAP_MM, SMALL_MM)
    below = _signs(page, scaled, page.section(below + _SECTION_MM, _SIGNS))
    below = page.buttons(page.section(below + _SECTION_MM, _PRESS), _PRESSES)
    below = page.section(below + _SECTION_MM, _END)
    page.steps((whole[0], below), whole[1], _SCORING, _GAP_MM, SMALL_MM)
    page.sheet.end_page()
    return page.sheet.pdf()


def _signs(page: LeafletPage, scaled: ScaledPage, top_mm: float) -> float:
    """Draw each sign beside the bonus that it gives, in two columns."""
    ends = [top_mm]
    for place, (kind, says) in enumerate(_GIVES.items()):
        row, column = divmod(place, 2)
        top_mm = top_mm if column else max(ends) + (1.6 if row else 0.0)
        x, width_mm = page.column(column, 2)
        leftwards = page.prose.reads_leftwards
        BONUS_ICONS[kind](scaled, (x + width_mm - 3.0 if leftwards else x + 3.0, top_mm + 3.2))
        beside = x if leftwards else x + _SIGN_MM
        ends.append(page.prose.paragraph((beside, top_mm), width_mm - _SIGN_MM, page.render(says), SMALL_MM))
    says = page.render(_EMBROIDERIES)
    return page.prose.paragraph((MARGIN_MM, max(ends) + 1.6), page.width_mm, says, SMALL_MM)
