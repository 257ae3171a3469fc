"""Test the page's texts: none is unused, and each is loaded where it is used."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

from companion.languages import FOLDER
from companion.languages.compiling import SPOKEN_BY_PAGE
from tests.companion.web.page.test_static import needed

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.companion.web.page.feeding import FeedingServer

STATIC: Final = Path(str(resources.files("companion.web"))) / "static"
TABLES: Final = sorted(STATIC.rglob("texts.js"))
OWN_FOLDERS: Final = ("defining", "hall")
"""Pages beside the table's, with scripts of their own."""
_TEXT: Final = re.compile(r'^  "([a-z0-9.-]+)": (?:said|counted|meant)\(.+\),$', re.MULTILINE)


@cache
def keys(table: Path) -> list[str]:
    """Return the keys of the texts in a module."""
    return _TEXT.findall(table.read_text("utf-8"))


def page_of(script: Path) -> str:
    """Return the page that a script belongs to: one with a folder of its own, or the table's."""
    folder = script.relative_to(STATIC / "js").parts[0]
    return folder if folder in OWN_FOLDERS else "index"


def code_of(page: str) -> str:
    """Return all scripts of a page without its texts, and its HTML."""
    own = [file for file in STATIC.rglob("*.js") if page_of(file) == page]
    scripts = [file for file in set[Path]().union(*map(needed, own)) if file.name != "texts.js"]
    return "\n".join(file.read_text("utf-8") for file in [*scripts, STATIC / f"{page}.html"])


def tables_of(page: str) -> list[Path]:
    return [table for table in TABLES if page_of(table) == page]


def test_every_line_of_a_table_is_a_text_that_is_found() -> None:
    for table in TABLES:
        text = table.read_text("utf-8")
        body = text[text.index("teach({") + len("teach({") : text.rindex("});")]

        assert len(keys(table)) == len([line for line in body.splitlines() if line.strip()]), table


@pytest.mark.parametrize("page", ["index", *OWN_FOLDERS])
def test_no_text_has_two_meanings_and_none_is_left_over(page: str) -> None:
    known = [key for table in tables_of(page) for key in keys(table)]
    code = code_of(page)
    stems = set(re.findall(r"`([a-z-]+[.-][a-z-]*)\$\{", code)) | {"money.", "money-then."}
    unused = {key for key in known if f'"{key}"' not in code and not any(key.startswith(stem) for stem in stems)}

    assert sorted(known) == sorted(set(known))
    assert unused == set()


def test_every_module_imports_the_texts_that_it_uses() -> None:
    """A module that is loaded on demand imports its texts."""
    where = {key: table for table in tables_of("index") for key in keys(table)}
    common = STATIC / "js/texts.js"
    for module in STATIC.rglob("*.js"):
        text = module.read_text("utf-8")
        brought = {(module.parent / name).resolve() for name in re.findall(r'^import "(.+)";', text, re.MULTILINE)}
        said = {key for key in re.findall(r'"([a-z-]+\.[a-z0-9-]+)"', text) if key in where}
        if module.name != "texts.js" and page_of(module) == "index":
            assert {where[key] for key in said} <= brought | {common}, module.name


def test_persian_units_are_persian() -> None:
    catalogue = json.loads((FOLDER / "fa" / "LC_MESSAGES" / SPOKEN_BY_PAGE).read_text("utf-8"))
    texts = [*catalogue["texts"].values(), *catalogue["others"].values()]
    forms = [form for text in texts for form in ([text] if isinstance(text, str) else text)]

    assert [form for form in forms if re.search(r"\bmm\b|%", form)] == []


@pytest.mark.parametrize(
    ("language", "turn", "buttons", "reads"),
    [("en", "Boris’s turn", "12", "ltr"), ("ru", "Ходит Boris", "12", "ltr"), ("fa", "نوبت Boris", "۱۲", "rtl")],
)
def test_the_page_speaks(look: Callable[..., Page], language: str, turn: str, buttons: str, reads: str) -> None:
    page = look("middle", f"/?language={language}")

    expect(page.locator("#turn h2")).to_have_text(turn, use_inner_text=True)
    expect(page.locator("#seat-1 .figure.main dd").first).to_have_text(buttons, use_inner_text=True)
    assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == [language, reads]


def test_the_track_begins_where_reading_begins(look: Callable[..., Page]) -> None:
    page = look("start", "/?language=fa")

    first, last = (page.locator(".tape-numbers text").nth(number).bounding_box() for number in (0, 20))
    assert first is not None
    assert last is not None
    assert first["x"] > last["x"]


def test_the_chosen_language_is_kept(open_page: Callable[..., Page]) -> None:
    page = open_page("middle")

    page.get_by_label("Language").select_option("ru")

    page.get_by_role("heading", name="Ходит Boris").wait_for()
    expect(page.get_by_label("Язык")).to_have_value("ru")


def test_without_its_catalogue_the_page_speaks_english(open_page: Callable[..., Page], table: FeedingServer) -> None:
    table.silent = ("/texts/",)
    page = open_page("middle", "/?language=fa")

    expect(page.locator("#turn h2")).to_have_text("Boris’s turn", use_inner_text=True)
    assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == ["en", "ltr"]
