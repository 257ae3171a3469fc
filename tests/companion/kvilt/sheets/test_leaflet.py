from __future__ import annotations

import re
from typing import Any

import pypdfium2
import pytest
from reportlab.pdfbase import pdfmetrics

from calibration.printing import PAPERS
from calibration.printing.page import shaped
from companion.games.kvilt.sheet import BonusKind
from companion.kvilt.sheets import printing
from companion.kvilt.sheets.printing import leaflet_pdf
from companion.languages import LANGUAGES, render
from companion.web.routing import STATIC

DPI = 60
SENTENCES = [
    printing._LEAD,
    printing._PARTS,
    *printing._STEPS,
    *printing._WAYS,
    *printing._GIVES.values(),
    printing._EMBROIDERIES,
    *printing._PRESSES.values(),
    *printing._SCORING,
]
TITLES = [
    printing._TITLE,
    printing._SETUP,
    printing._ROUND,
    printing._USES,
    printing._SIGNS,
    printing._PRESS,
    printing._END,
]
HEADINGS = {"en": "CompanionRound", "ru": "CompanionBold", "fa": "CompanionBold"}


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_all_of_it_is_on_one_page_within_its_margins(paper: str, language: str) -> None:
    document = pypdfium2.PdfDocument(leaflet_pdf(paper, LANGUAGES[language]))
    inked = document[0].render(scale=DPI / 72, grayscale=True).to_numpy().squeeze() < 250
    pages = len(document)
    document.close()
    margin_px = round(8 / 25.4 * DPI)

    assert pages == 1
    assert not any(edge.any() for edge in (inked[:margin_px], inked[-margin_px:]))
    assert not any(edge.any() for edge in (inked[:, :margin_px], inked[:, -margin_px:]))
    assert inked[-round(80 / 25.4 * DPI) :].any()


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_sentence_is_there_whole(language: str) -> None:
    document = pypdfium2.PdfDocument(leaflet_pdf("a4", LANGUAGES[language]))
    words = " ".join(document[0].get_textpage().get_text_bounded().split())
    document.close()

    for sentence in SENTENCES:
        assert " ".join(render(sentence, LANGUAGES[language]).split()) in words


def test_the_page_tells_the_rules_in_the_same_sentences() -> None:
    script = (STATIC / "js/kvilt/teaching/rules.js").read_text(encoding="utf-8")
    told = set(re.findall(r'said\("([^"]+)"\)', script))

    titles = set(TITLES) - {printing._PRESS}
    assert told == titles | set(SENTENCES) - set(printing._PRESSES.values())


def test_every_sign_of_the_cells_is_explained() -> None:
    assert set(printing._GIVES) == set(BonusKind)


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_the_type_of_its_headings_has_every_letter(language: str) -> None:
    leaflet_pdf("a4", LANGUAGES[language])
    font: Any = pdfmetrics.getFont(HEADINGS[language])
    told = " ".join(render(title, LANGUAGES[language]) for title in TITLES)
    written = shaped(told) if language == "fa" else told

    assert {ord(letter) for letter in written} <= set(font.face.charToGlyph)
