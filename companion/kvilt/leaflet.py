"""A leaflet of one page for Kvilt: its rules in two minutes, and the companion's part in them."""

from collections.abc import Mapping
from typing import Final

from calibration.printing.leaflet import MARGIN_MM, SMALL_MM, LeafletPage
from calibration.printing.page import INK, PAPERS
from companion.games.kvilt import BonusKind
from companion.kvilt.sheets.scaled import BONUS_ICONS, ScaledPage
from companion.languages import Language, render, said

_SECTION_MM: Final = 2.6
_GAP_MM: Final = 1.2
_SIGN_MM: Final = 8.0

_TITLE: Final = said("Kvilt in two minutes")
_LEAD: Final = said(
    "You colour your quilt with real pencils. The companion draws them, keeps the rounds and the score, "
    "and reads each sheet."
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
    said("Buttons: each is worth as much as your lowest row. Patches: plus or minus. Most points win."),
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
