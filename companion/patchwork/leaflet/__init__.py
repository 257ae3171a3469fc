"""A leaflet of two pages for the game's box: the rules in two minutes, and the push-buttons and lights."""

from calibration.printing.leaflet import LeafletPage
from calibration.printing.page import PAPERS, PdfSheet
from companion.languages import Language, render
from companion.patchwork.leaflet import rules, setup_page


def leaflet_pdf(paper: str, language: Language) -> bytes:
    """Return the leaflet as a PDF.

    Args:
        paper: a key of `PAPERS`.
        language: the language of the text.

    Raises:
        KeyError: the paper is unknown.
    """
    sheet = PdfSheet(PAPERS[paper], render(rules.TITLE, language))
    for write in (rules.write, setup_page.write):
        write(LeafletPage(sheet, language))
        sheet.end_page()
    return sheet.pdf()
