"""Test that every document for owners exists in every language, and no translation is older than its English."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

from companion.languages import ENGLISH, LANGUAGES
from companion.web.documents import DOCUMENTS, FILES, document, document_file, parsed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

NAMES = [each.name for each in DOCUMENTS]
FOREIGN = [language for language in LANGUAGES.values() if language.code != ENGLISH.code]
_COMMENT = re.compile(r"\s*#.*|DATE")


def text_of(name: str, code: str) -> str:
    return document_file(name, LANGUAGES[code]).read_text(encoding="utf-8")


def pieces(text: str) -> Iterator[tuple[str, Any]]:
    """Yield a document's language-independent parts in order: its structure and all text that is not translated."""
    for token in parsed(text):
        if token.type in {"heading_open", "paragraph_open", "list_item_open", "tr_open", "td_open", "th_open"}:
            yield token.type, token.tag
        elif token.type in {"fence", "code_block"}:
            yield "commands", [command_of(line) for line in token.content.splitlines()]
        elif token.type == "inline":
            yield "words", words_of(token)


def command_of(line: str) -> str:
    """Return a line without its comment and without the date in a file's name."""
    return re.sub(r"quilt-companion-\w+\.zip", "", _COMMENT.sub("", line)).rstrip()


def words_of(token: Token) -> Any:
    """Return what is the same in every language: names of commands and files, pictures and links."""
    children = token.children or []
    codes = Counter(child.content for child in children if child.type == "code_inline")
    bold = sum(child.type == "strong_open" for child in children)
    sources = [str(child.attrGet("src")) for child in children if child.type == "image"]
    pictures = [re.sub(r"^\.\./|(?<=pictures/)(ru|fa)/", "", source) for source in sources]
    opened = [child for child in children if child.type == "link_open"]
    links = Counter(str(child.attrGet("href")).partition("#")[0].replace("../", "") for child in opened)
    return codes, bold, pictures, links


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", FOREIGN, ids=lambda language: language.code)
def test_a_translation_has_all_that_the_english_has_in_the_same_places(name: str, language: Any) -> None:
    english, foreign = list(pieces(text_of(name, "en"))), list(pieces(text_of(name, language.code)))
    for place, (ours, theirs) in enumerate(zip(english, foreign, strict=False)):
        assert theirs == ours, f"docs/{language.code}/{name}.md, after {english[max(0, place - 3) : place]}"
    assert len(foreign) == len(english)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("code", "script"), [("ru", "CYRILLIC"), ("fa", "ARABIC")])
def test_a_translation_is_written_in_its_own_script(name: str, code: str, script: str) -> None:
    for token in parsed(text_of(name, code)):
        if token.type != "inline" or len(token.content) < 100:
            continue
        children = [child for child in token.children or () if child.type == "text"]
        said = "".join(child.content for child in children if not child.content.endswith(".md"))
        letters = [char for char in said if char.isalpha()]
        own = sum(unicodedata.name(char, "").startswith(script) for char in letters)
        assert own >= 0.5 * len(letters), token.content


def test_nothing_but_the_documents_is_translated() -> None:
    for language in FOREIGN:
        assert {path.stem for path in (FILES / language.code).glob("*.md")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("code", list(LANGUAGES))
def test_every_link_and_picture_leads_somewhere(name: str, code: str) -> None:
    found = document(name, code)
    assert found.title
    ids = set(re.findall(r'id="([^"]+)"', found.body))
    for target in re.findall(r'(?:href|src)="([^"]*)"', found.body):
        if target.startswith("#"):
            assert unquote(target[1:]) in ids
        elif target.startswith("/help/pictures/"):
            assert (FILES / target.removeprefix("/help/")).is_file()
        else:
            assert target.partition("#")[0].removeprefix("/help/") in NAMES
