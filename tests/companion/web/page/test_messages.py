"""The catalogues: no text is missing, none is left over, and what is put in is put in everywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

STATIC: Final = Path(str(resources.files("companion.web"))) / "static"
CATALOGUES: Final = ("en", "ru", "fa")
PLURALS: Final = {"en": {"one", "other"}, "ru": {"one", "few", "many", "other"}, "fa": {"one", "other"}}
_ALWAYS: Final = {"count"}


@cache
def catalogue(code: str) -> dict[str, Any]:
    """A catalogue as it is written; read as text, for its form is simple."""
    text = (STATIC / f"js/messages/{code}.js").read_text(encoding="utf-8")
    body = text[text.index("texts: {") + len("texts: ") : text.rindex("},\n};") + 1]
    body = re.sub(r"^\s*//.*$", "", body, flags=re.MULTILINE)
    body = re.sub(r"([{,]\s)(zero|one|two|few|many|other):", r'\1"\2":', body)
    parsed: dict[str, Any] = json.loads(re.sub(r",(\s*})", r"\1", body))
    return parsed


def forms(message: Any) -> list[str]:
    """All wordings of a text."""
    return list(message.values()) if isinstance(message, dict) else [message]


def holes(wording: str) -> set[str]:
    """What is put into a wording."""
    return set(re.findall(r"\{(\w+)\}", wording))


def used_keys() -> set[str]:
    """Every key that a script or the page names, those that are put together among them."""
    code = "\n".join(file.read_text("utf-8") for file in STATIC.rglob("*.js") if file.parent.name != "messages")
    code += (STATIC / "index.html").read_text("utf-8")
    named = set(re.findall(r'"([a-z-]+\.[a-z0-9-]+)"', code)) & set(catalogue("en"))
    stems = set(re.findall(r"`([a-z-]+\.[a-z-]*)\$\{", code)) | {"money.", "money-then."}
    return named | {key for key in catalogue("en") if any(key.startswith(stem) for stem in stems)}


@pytest.mark.parametrize("code", ["ru", "fa"])
def test_no_text_lacks_a_translation(code: str) -> None:
    assert set(catalogue(code)) == set(catalogue("en"))


@pytest.mark.parametrize("code", CATALOGUES)
def test_every_plural_form_of_the_language_is_there(code: str) -> None:
    plurals = {key: set(text) for key, text in catalogue(code).items() if isinstance(text, dict)}

    assert {key for key, found in plurals.items() if found != PLURALS[code]} == set()


@pytest.mark.parametrize("code", ["ru", "fa"])
def test_translations_put_in_what_english_puts_in(code: str) -> None:
    for key, message in catalogue("en").items():
        wanted = set().union(*map(holes, forms(message)))
        for wording in forms(catalogue(code)[key]):
            assert holes(wording) - _ALWAYS == wanted - _ALWAYS, f"{code}: {key}"


def test_persian_numbers_and_units_are_persian() -> None:
    written = {key: forms(text) for key, text in catalogue("fa").items()}
    # Squares and addresses are named as they are printed.
    named = re.compile(r"\b[A-I][1-9]\b|\{\w+\}")
    told = [(key, named.sub("", wording)) for key, wordings in written.items() for wording in wordings]

    assert {key for key, wording in told if re.search(r"[0-9]|\bmm\b|%", wording)} == set()


def test_no_text_is_left_over() -> None:
    assert set(catalogue("en")) - used_keys() == set()


@pytest.mark.parametrize(
    ("language", "turn", "buttons", "reads"),
    [("en", "Boris’s turn", "12", "ltr"), ("ru", "Ход: Boris", "12", "ltr"), ("fa", "نوبت Boris", "۱۲", "rtl")],
)
def test_the_page_speaks(open_page: Callable[..., Page], language: str, turn: str, buttons: str, reads: str) -> None:
    page = open_page("middle", f"/?language={language}")

    assert page.locator("#turn h2").inner_text() == turn
    assert page.locator("#seat-1 .figure.main dd").first.inner_text().strip() == buttons
    assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == [language, reads]


def test_the_track_begins_where_reading_begins(open_page: Callable[..., Page]) -> None:
    page = open_page("start", "/?language=fa")

    first, last = (page.locator(".tape-numbers text").nth(number).bounding_box() for number in (0, 20))
    assert first is not None
    assert last is not None
    assert first["x"] > last["x"]


def test_the_chosen_language_is_kept(open_page: Callable[..., Page]) -> None:
    page = open_page("middle")

    page.get_by_label("Language").select_option("ru")

    page.get_by_role("heading", name="Ход: Boris").wait_for()
    assert page.get_by_label("Язык").input_value() == "ru"


@pytest.mark.parametrize(("count", "says"), [(1, "1 лоскут"), (3, "3 лоскута"), (5, "5 лоскутов"), (21, "21 лоскут")])
def test_plurals_follow_the_language(open_page: Callable[..., Page], count: int, says: str) -> None:
    page = open_page("start")
    forms_of = {"one": "{count} лоскут", "few": "{count} лоскута", "many": "{count} лоскутов", "other": "?"}

    told = page.evaluate(
        """async ([texts, count]) => {
             const { speaking } = await import('/static/js/language.js');
             return speaking({ code: 'ru', dir: 'ltr', numbers: 'ru', texts }).say('patches', { count });
           }""",
        [{"patches": forms_of}, count],
    )

    assert told == says
