from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pypdfium2
import pytest
from reportlab.pdfbase import pdfmetrics

from calibration.printing import PAPERS
from calibration.printing.page import shaped
from companion.games.patchwork.components import PATCHES
from companion.languages import LANGUAGES, render
from companion.patchwork import leaflet
from companion.patchwork.leaflet import leaflet_pdf
from companion.web.routing import STATIC

if TYPE_CHECKING:
    from collections.abc import Iterable

DPI = 60
HEADINGS = {"en": "CompanionRound", "ru": "CompanionBold", "fa": "CompanionBold"}


def _read(content: bytes) -> list[str]:
    """Return the text of each page."""
    document = pypdfium2.PdfDocument(content)
    words = [" ".join(page.get_textpage().get_text_bounded().split()) for page in document]
    document.close()
    return words


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_rules_and_buttons_have_a_page_each_within_its_margins(paper: str, language: str) -> None:
    document = pypdfium2.PdfDocument(leaflet_pdf(paper, LANGUAGES[language]))
    pictures = [page.render(scale=DPI / 72, grayscale=True).to_numpy().squeeze() for page in document]
    document.close()
    margin_px = round(8 / 25.4 * DPI)

    assert len(pictures) == 2
    for picture in pictures:
        inked = picture < 250
        assert not inked[:margin_px].any()
        assert not inked[-margin_px:].any()
        assert not inked[:, :margin_px].any()
        assert not inked[:, -margin_px:].any()
        assert inked[-round(80 / 25.4 * DPI) :].any()


@pytest.mark.parametrize(
    ("language", "figures"), [("ru", ("7×7", "+1", "+7", "−2")), ("fa", ("۷×۷", "+۱", "+۷", "−۲"))]
)
def test_the_figures_in_drawings_are_in_the_readers_digits(language: str, figures: tuple[str, ...]) -> None:
    told, _ = _read(leaflet_pdf("a4", LANGUAGES[language]))
    assert all(figure in told for figure in figures)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_sentence_is_there_whole(language: str) -> None:
    told, pressed = _read(leaflet_pdf("a4", LANGUAGES[language]))
    sentences = [*leaflet._SITTING, *leaflet._MEANINGS.values(), *leaflet._PRESSES.values()]

    for sentence in sentences:
        assert " ".join(render(sentence, LANGUAGES[language]).split()) in pressed
    for chapter in leaflet.CHAPTERS:
        assert all(" ".join(render(says, LANGUAGES[language]).split()) in told for says in chapter.says)


def test_the_page_tells_the_rules_in_the_same_sentences() -> None:
    script = (STATIC / "js/patchwork/teaching/rules.js").read_text(encoding="utf-8")
    told = re.findall(r'said\("([^"]+)"\)', script)

    assert told == [
        leaflet.TITLE,
        leaflet.LEAD,
        *(each for part in leaflet.CHAPTERS for each in (part.title, *part.says)),
    ]


def test_the_full_square_is_covered_by_patches_of_the_box() -> None:
    drawn = [frozenset(names.split()) for names in leaflet._FULL]
    covered = sorted(name for names in drawn for name in names)

    assert covered == sorted(f"{column}{row}" for column in "BCDEFGH" for row in range(2, 9))
    assert all(any(_alike(names, patch.cells) for patch in PATCHES.values()) for names in drawn)


def _alike(names: frozenset[str], cells: Iterable[tuple[int, int]]) -> bool:
    """Return whether cells have a patch's shape, in any orientation."""
    mine = frozenset((int(name[1]), ord(name[0])) for name in names)
    return _as_it_lies(mine) == _as_it_lies(frozenset(cells))


def _as_it_lies(cells: frozenset[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the canonical one of a shape's eight orientations."""
    turned = [cells]
    for _ in range(3):
        turned.append(frozenset((column, -row) for row, column in turned[-1]))
    ways = [*turned, *(frozenset((row, -column) for row, column in way) for way in turned)]
    return min(_at_origin(way) for way in ways)


def _at_origin(cells: frozenset[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return tuple(sorted((row - top, column - left) for row, column in cells))


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_its_types_have_every_letter(language: str) -> None:
    leaflet_pdf("a4", LANGUAGES[language])
    faces: list[Any] = [pdfmetrics.getFont(name) for name in ("CompanionText", HEADINGS[language])]
    text, heading = (font.face.charToGlyph for font in faces)
    heads = [chapter.title for chapter in leaflet.CHAPTERS]
    told = [sentence for chapter in leaflet.CHAPTERS for sentence in chapter.says]
    titles = [leaflet.TITLE, *heads, leaflet._SETUP_TITLE, leaflet._SIT, leaflet._PRESS, leaflet._LIGHTS]
    pressed = [*leaflet._SITTING, *leaflet._PRESSES.values(), *leaflet._MEANINGS.values()]
    running = [leaflet.LEAD, *told, leaflet._SETUP_LEAD, *pressed]

    def letters(sentences: Iterable[str]) -> set[int]:
        told = " ".join(render(sentence, LANGUAGES[language]) for sentence in sentences)
        written = shaped(told.translate(dict.fromkeys(range(0x2066, 0x206A)))) if language == "fa" else told
        return {ord(letter) for letter in written}

    assert letters(titles) <= set(heading)
    assert letters([*running, leaflet._MOMENTS, leaflet._FOOT]) <= set(text)


def test_pictures_of_the_lights_differ_and_each_has_its_meaning() -> None:
    shown = leaflet._shown()

    assert set(shown) == set(leaflet._MEANINGS)
    assert len({str(moments) for moments in shown.values()}) == len(shown)
