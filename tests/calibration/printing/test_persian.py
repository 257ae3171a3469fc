from __future__ import annotations

import unicodedata
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.pdfbase import pdfmetrics

from calibration.printing import labels_pdf
from calibration.printing.page import shaped
from companion.languages import DOMAIN, FOLDER, PERSIAN

CATALOGUE: Final = FOLDER / "fa" / "LC_MESSAGES" / f"{DOMAIN}.po"

# From the Unicode charts, in the order in which the forms are printed from left to right.
_WORDS = {
    "تأیید": "\ufeaa\ufbff\ufbfe\ufe84\ufe97",
    "پیشروی": "\ufbfc\ufeed\ufeae\ufeb8\ufbff\ufb58",
    "واگرد": "\ufea9\ufeae\ufb94\ufe8d\ufeed",
    "بازیکن": "\ufee6\ufb91\ufbfe\ufeaf\ufe8e\ufe91",
}


@pytest.mark.parametrize(("word", "forms"), _WORDS.items())
def test_letters_take_the_forms_that_their_neighbours_give_them(word: str, forms: str) -> None:
    assert shaped(word) == forms


def test_a_number_stands_to_the_left_and_keeps_its_order() -> None:
    assert shaped("بازیکن ۱۲") == "۱۲ " + _WORDS["بازیکن"]


def test_he_keeps_its_hamza() -> None:
    assert shaped("تکهٔ") == "\ufba5\ufb91\ufe97"
    assert shaped("اندازهٔ")[0] == "\ufba4"


def test_the_typefaces_have_every_form_that_is_printed() -> None:
    labels_pdf("a4", PERSIAN)
    text = "".join(set(CATALOGUE.read_text("utf-8")) & set(map(chr, range(0x600, 0x700))))
    every = set(shaped(" ".join([text, *(f"ب{letter}ب" for letter in text), *(f"{letter}ب" for letter in text)])))
    for name in ("CompanionBold", "CompanionText"):
        face: Any = pdfmetrics.getFont(name)
        assert every - set(map(chr, face.face.charToGlyph)) == set()


@given(st.text("ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی ", max_size=20))
def test_no_letter_is_lost_or_changed(text: str) -> None:
    assert unicodedata.normalize("NFKC", shaped(text)[::-1]) == text
