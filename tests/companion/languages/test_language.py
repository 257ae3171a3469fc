from __future__ import annotations

from gettext import find

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.languages import DOMAIN, ENGLISH, FOLDER, LANGUAGES

RUSSIAN, PERSIAN = LANGUAGES["ru"], LANGUAGES["fa"]


def test_the_three_languages_name_themselves() -> None:
    assert {code: language.name for code, language in LANGUAGES.items()} == {
        "en": "English", "ru": "Русский", "fa": "فارسی",
    }  # fmt: skip


def test_each_but_english_has_a_catalogue() -> None:
    assert [code for code in LANGUAGES if find(DOMAIN, FOLDER, [code])] == ["ru", "fa"]


@pytest.mark.parametrize(
    ("value", "english", "russian", "persian"),
    [
        (0, "0", "0", "۰"),
        (162, "162", "162", "۱۶۲"),
        (2.5, "2.5", "2,5", "۲٫۵"),
        (2.0, "2", "2", "۲"),
        (1234567, "1234567", "1234567", "۱۲۳۴۵۶۷"),
        (-12, "\u221212", "\u221212", "\u200e\u2212۱۲"),
        (-2.5, "\u22122.5", "\u22122,5", "\u200e\u2212۲٫۵"),
    ],
)
def test_numbers_are_written_as_the_language_writes_them(
    value: float, english: str, russian: str, persian: str
) -> None:
    assert [language.number(value) for language in (ENGLISH, RUSSIAN, PERSIAN)] == [english, russian, persian]


@given(st.integers(-(10**9), 10**9))
def test_no_digit_of_a_number_is_lost(value: int) -> None:
    assert int(PERSIAN.number(value).replace("\u200e", "").replace("\u2212", "-")) == value


def test_a_name_keeps_its_order_in_a_text_from_right_to_left() -> None:
    assert ENGLISH.isolated("A1 B1") == RUSSIAN.isolated("A1 B1") == "A1 B1"
    assert PERSIAN.isolated("A1 B1") == "\u2068A1 B1\u2069"


def test_a_text_that_begins_with_a_name_shows_its_direction_first() -> None:
    assert PERSIAN.with_direction_mark(PERSIAN.isolated("Anna")).startswith("\u200f")
    assert PERSIAN.with_direction_mark("(WLED پاسخ نمی‌دهد)").startswith("\u200f")
    assert ENGLISH.with_direction_mark("مریم takes a scrap.") == "\u200eمریم takes a scrap."
    assert ENGLISH.with_direction_mark("Anna and مریم play.") == "Anna and مریم play."
    assert PERSIAN.with_direction_mark("نوبت") == "نوبت"
    assert RUSSIAN.with_direction_mark("Anna") == "Anna"
