"""Test that docstrings begin with an imperative verb or a noun phrase; for functions ruff's D401 checks it, too.

The same holds for what the page's scripts export, which has to have a docstring, too.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
PACKAGES = ("companion", "vision", "hardware", "calibration", "bench")
DOCSTRING = re.compile(r'(?:\A|:\n\s+|:  #.*\n\s+)r?"""(.+)')
"""The docstring of a module, a class or a function; the pattern is quicker than parsing everything."""
SCRIPTS = ROOT / "companion" / "web" / "static" / "js"
EXPORT = re.compile(
    r"(?:^/\*\*(?P<doc>(?:(?!\*/).)*)\*/\n)?"
    r"^export (?:default )?(?:async )?(?:function\*?|class|const|let) ?(?P<name>[\w\[{]*)",
    re.MULTILINE | re.DOTALL,
)
"""An exported function, class or constant of a script, with the docstring above it."""
CLAUSE = re.compile(r"(What|How|Whether|Where|When|Who|Which|Why|Likewise|The same)\b")
"""Openings of a clause, which leaves the meaning open."""
VAGUE = re.compile(r"\b(somebody|someone|nobody|anybody|likewise)\b", re.IGNORECASE)
"""Vague words for a user, a player or a caller."""
THIRD_PERSON = re.compile(
    r"(Adds|Asks|Begins|Brings|Builds|Carries|Changes|Checks|Collects|Decides|Draws|Ends|Fills|Finds|Fits|Gives|Hands|Has|"
    r"Holds|Installs|Is|Keeps|Lays|Leaves|Lets|Locates|Looks|Makes|Moves|Names|Opens|Paints|Passes|Plays|Prints|Puts|"
    r"Reads|Runs|Says|Sends|Serves|Sets|Shows|Takes|Tells|Turns|Waits|Works|Writes) "
    r"(a|all|an|another|back|each|every|how|it|its|one|other|out|several|so|some|the|them|this|to|until|what|where|"
    r"which)\b"
)


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    assert [f"{place}: {line}" for place, line in _first_lines() if _fault(line)] == []


def test_every_kind_of_docstring_is_seen() -> None:
    text = (
        '"""A module."""\nclass A:\n    """A class."""\n\n    def f(\n        self\n    ) -> None:\n        """Do it.\n'
    )
    assert [found[1].rstrip('"') for found in DOCSTRING.finditer(text)] == ["A module.", "A class.", "Do it."]
    assert len(list(_first_lines())) > 5000


@pytest.mark.parametrize(
    "line", ["What came of it.", "Whether it rests.", "Finds the board.", "A seat that nobody has taken."]
)
def test_an_unfit_first_line_is_noticed(line: str) -> None:
    assert _fault(line)


@pytest.mark.parametrize("line", ["Return whether it rests.", "Places of patches.", "The result of a look."])
def test_a_fit_first_line_is_let_pass(line: str) -> None:
    assert not _fault(line)


def test_exports_of_the_page_have_docstrings() -> None:
    found = list(_exports_of_the_page())
    assert [f"{place}: {line or 'no summary'}" for place, line in found if not line or _fault(line)] == []
    assert len(found) > 250


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("export function a() {}\n", ""),
        ("/** @param {number} b */\nexport async function a(b) {}\n", ""),
        ("/**\n * @param {number} b  A summand.\n */\nexport class A {}\n", ""),
        ("/** A sum. */\nfunction b() {}\n\nexport const a = () => b();\n", ""),
        ("/** Return it. @returns {number} */\nexport default function a() {}\n", "Return it. @returns {number}"),
        ("/**\n * Return it.\n *\n * @param {number} b\n */\nexport function* a(b) {}\n", "Return it."),
    ],
)
def test_the_docstring_of_an_export_is_found(script: str, line: str) -> None:
    assert [_summary(found["doc"]) for found in EXPORT.finditer(script)] == [line]


def _fault(line: str) -> bool:
    return bool(CLAUSE.match(line) or VAGUE.search(line) or THIRD_PERSON.match(line))


def _first_lines() -> Iterator[tuple[str, str]]:
    """Yield the first line of every docstring, with its file and line number."""
    for path in (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))):
        text = path.read_text(encoding="utf-8")
        for found in DOCSTRING.finditer(text):
            yield f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, found.start(1)) + 1}", found[1].rstrip('"')


def _exports_of_the_page() -> Iterator[tuple[str, str]]:
    """Yield the first line above every export of the page's scripts, or "", with its file and name."""
    for path in sorted(SCRIPTS.rglob("*.js")):
        for found in EXPORT.finditer(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(ROOT)} {found['name']}", _summary(found["doc"])


def _summary(doc: str | None) -> str:
    """Return the first line of a script's docstring, or "" if it begins with a tag or there is none."""
    line = (doc or "").lstrip(" *\n").split("\n")[0].strip()
    return "" if line.startswith("@") else line
