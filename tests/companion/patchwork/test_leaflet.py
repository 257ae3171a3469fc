from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pypdfium2
import pytest
from reportlab.pdfbase import pdfmetrics

from calibration.printing import PAPERS
from calibration.printing.persian import shaped
from companion.languages import LANGUAGES, tell
from companion.patchwork import leaflet
from companion.patchwork.leaflet import leaflet_pdf

if TYPE_CHECKING:
    from collections.abc import Iterable

DPI = 60
HEADINGS = {"en": "CompanionRound", "ru": "CompanionRound", "fa": "CompanionPersian"}


def _read(content: bytes) -> tuple[int, str]:
    document = pypdfium2.PdfDocument(content)
    words = " ".join(document[0].get_textpage().get_text_bounded().split())
    pages = len(document)
    document.close()
    return pages, words


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_all_of_it_is_on_one_page_within_its_margins(paper: str, language: str) -> None:
    content = leaflet_pdf(paper, LANGUAGES[language])
    document = pypdfium2.PdfDocument(content)
    picture = document[0].render(scale=DPI / 72, grayscale=True).to_numpy().squeeze()
    document.close()
    inked = picture < 250
    margin_px = round(8 / 25.4 * DPI)

    assert _read(content)[0] == 1
    assert not inked[:margin_px].any()
    assert not inked[-margin_px:].any()
    assert not inked[:, :margin_px].any()
    assert not inked[:, -margin_px:].any()
    assert inked[-round(60 / 25.4 * DPI) :].any()


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_sentence_is_there_whole(language: str) -> None:
    _, words = _read(leaflet_pdf("a4", LANGUAGES[language]))
    sentences = [*leaflet._SITTING, *leaflet._MEANINGS.values(), *leaflet._PRESSES.values()]

    for sentence in sentences:
        assert tell(sentence, LANGUAGES[language]) in words


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_its_types_have_every_letter(language: str) -> None:
    leaflet_pdf("a4", LANGUAGES[language])
    faces: list[Any] = [pdfmetrics.getFont(name) for name in ("CompanionText", HEADINGS[language])]
    text, heading = (font.face.charToGlyph for font in faces)
    titles = [leaflet._TITLE, leaflet._SIT, leaflet._PRESS, leaflet._LIGHTS]
    running = [leaflet._LEAD, *leaflet._SITTING, *leaflet._PRESSES.values(), *leaflet._MEANINGS.values()]

    def letters(sentences: Iterable[str]) -> set[int]:
        told = " ".join(tell(sentence, LANGUAGES[language]) for sentence in sentences)
        written = shaped(told.translate(dict.fromkeys(range(0x2066, 0x206A)))) if language == "fa" else told
        return {ord(letter) for letter in (written.upper() if language == "ru" else written)}

    assert letters(titles) <= set(heading)
    assert letters([*running, leaflet._MOMENTS, leaflet._FOOT]) <= set(text)


def test_pictures_of_the_lights_differ_and_each_has_its_meaning() -> None:
    shown = leaflet._shown()

    assert set(shown) == set(leaflet._MEANINGS)
    assert len({str(moments) for moments in shown.values()}) == len(shown)
