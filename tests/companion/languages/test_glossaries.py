"""Catalogues, documents and prints use the words of each language's glossary, and none that it has retired."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from babel.messages.pofile import read_po

from companion.languages import DOMAIN, FOLDER

ROOT: Final = Path(__file__).parents[3]
PRINTS: Final = (
    "calibration/printing/labels.py",
    "companion/kvilt/sheets/companion-a.toml",
    "companion/kvilt/sheets/printing.py",
    "companion/kvilt/sheets/themes.toml",
    "docs/pictures/labels.toml",
)
"""The files with words of all languages that are in no catalogue."""
CODES: Final = [path.parent.name for path in sorted(FOLDER.glob("*/GLOSSARY.md"))]


def rows(code: str) -> list[list[str]]:
    """Return the rows of a glossary: the English, the word, and what is retired."""
    lines = (FOLDER / code / "GLOSSARY.md").read_text("utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("| ").split(" |")] for line in lines if line.startswith("| ")][1:]


def retired(code: str) -> list[str]:
    """Return the words, beginnings of words and phrases that a glossary has retired."""
    return [word.strip() for _, _, *cells in rows(code) for cell in cells for word in cell.split(",") if word.strip()]


@cache
def texts(code: str) -> tuple[tuple[str, str], ...]:
    """Return all texts in a language, each with the place where it stands."""
    return tuple(_texts(code))


def _texts(code: str) -> Iterator[tuple[str, str]]:
    with (FOLDER / code / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as stream:
        for message in read_po(stream, code):
            for text in message.string if isinstance(message.string, tuple) else (message.string,):
                yield str(message.id), str(text).replace("\xa0", " ")
    for path in sorted((ROOT / "docs" / code).glob("*.md")):
        yield path.name, path.read_text("utf-8")
    for name in PRINTS:
        yield name, (ROOT / name).read_text("utf-8")


@pytest.mark.parametrize("code", CODES)
def test_retired_words_do_not_come_back(code: str) -> None:
    words = retired(code)
    assert words
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(word) for word in words)})", re.IGNORECASE)
    found = [(place, match.group()) for place, text in texts(code) for match in pattern.finditer(text)]
    assert found == []


@pytest.mark.parametrize("code", CODES)
def test_each_row_of_a_glossary_has_an_english_and_a_word(code: str) -> None:
    assert [row for row in rows(code) if len(row) not in {2, 3} or not row[0] or not row[1]] == []
