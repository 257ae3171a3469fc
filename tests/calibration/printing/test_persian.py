from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.printing.page import shaped

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


def test_a_decimal_mark_is_one_that_the_types_have() -> None:
    assert shaped("مقوای ۱٫۵ تا ۲").split()[::2] == ["۲", "۱/۵"]


@given(st.text("ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی ", max_size=20))
def test_no_letter_is_lost_or_changed(text: str) -> None:
    assert unicodedata.normalize("NFKC", shaped(text)[::-1]) == text
