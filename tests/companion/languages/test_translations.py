"""Every message of the source has a whole translation in every language."""

from __future__ import annotations

import ast
import json
import re
import string
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

from companion.languages import DOMAIN, ENGLISH, FOLDER, LANGUAGES
from companion.languages.compiling import SPOKEN_BY_PAGE, isolated, page_catalogue, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from babel.messages.catalog import Catalog

ROOT: Final = Path(__file__).parents[3]
SOURCES: Final = ("companion", "hardware", "calibration")
CODES: Final = [code for code in LANGUAGES if code != ENGLISH.code]
FORMS: Final = {"ru": 3, "fa": 2}
COUNTS: Final = {"ru": (21, 3, 11), "fa": (1, 2)}
"""A number for each plural form."""
SCRIPTS: Final = {"ru": re.compile("[а-яё]", re.IGNORECASE), "fa": re.compile("[آ-ی]")}
WORDLESS: Final = {"Patchwork", "the {patch}", "{patch} on {cells}", "{move}.", "{name}: {word}"}
"""Messages whose translation may have no word in the language's script, such as names."""


METHODS: Final = [("python", "*.py"), ("javascript", "*.js")]
KEYWORDS: Final = {"said": (1,), "counted": (1, 2), "meant": ((1, "c"), 2)}
"""The keywords, as `make messages` has them."""
CALLED: Final = re.compile(rf"\b({'|'.join(KEYWORDS)})\s*\(")


class Key(NamedTuple):
    """A message, with its plural and its context if it has them."""

    one: str
    other: str = ""
    context: str | None = None


@cache
def messages() -> frozenset[Key]:
    """Return all messages in the source, extracted as by `make messages`."""
    found = set()
    for method, pattern in METHODS:
        for path in (path for folder in SOURCES for path in (ROOT / folder).rglob(pattern)):
            # Most files have none, which is known sooner.
            if CALLED.search(path.read_text(encoding="utf-8")):
                for _, message, _, context in extract_from_file(method, str(path), keywords=KEYWORDS):
                    one, other = message if isinstance(message, tuple) else (message, "")
                    found.add(Key(one, other, context))
    return frozenset(found)


@cache
def catalogue(code: str) -> Catalog:
    """Return a language's catalogue."""
    with (FOLDER / code / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as stream:
        return read_po(stream)


@cache
def translated(code: str) -> dict[Key, tuple[str, ...]]:
    """Return the forms of the catalogue's translated messages."""
    found = {}
    for entry in catalogue(code):
        one, other = entry.id if isinstance(entry.id, tuple) else (str(entry.id), "")
        forms = entry.string if isinstance(entry.string, tuple) else (str(entry.string or ""),)
        if one and all(forms) and not entry.fuzzy:
            found[Key(one, other, entry.context)] = forms
    return found


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls in a module that create sentences."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _last_name(node.func) in ("said", "counted"):
            yield node


def _last_name(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""


def holes(text: str) -> set[str]:
    """Return the names of a text's placeholders; assert that none has a format or an index."""
    parsed = [part for part in string.Formatter().parse(text) if part[1] is not None]
    assert all(name and name.isidentifier() and not form and not turn for _, name, form, turn in parsed), text
    return {str(name) for _, name, _, _ in parsed}


def test_the_messages_are_found() -> None:
    assert Key("It is {name}’s turn.") in messages()
    assert Key("The question has only {count} answer.", "The question has only {count} answers.") in messages()
    assert Key("Light", context="lamp") in messages()
    assert len(messages()) > 100


def test_every_message_is_found_wherever_it_stands() -> None:
    """A message that is concatenated, or that is inside another string, would never be translated."""
    lost = []
    for path in (path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for call in calls(ast.parse(text)) if re.search(r"\b(said|counted)\(", text) else ():
            named = call.args[: 2 if getattr(call.func, "id", "") == "counted" else 1]
            texts = [str(each.value) for each in named if isinstance(each, ast.Constant)]
            if len(texts) != len(named) or Key(*texts) not in messages():
                lost.append(f"{path.relative_to(ROOT)}:{call.lineno}")
    assert lost == []


def test_apostrophes_are_typographic_on_the_page_and_in_the_terminal() -> None:
    """Straight ones occur only in commands, code and file names, which are placeholders."""
    english = [text for message in messages() for text in (message.one, message.other)]
    forms = [form for code in CODES for each in translated(code).values() for form in each]
    assert [text for text in english + forms if re.search(r"\w'|}'", text)] == []


@pytest.mark.parametrize("code", CODES)
def test_no_message_lacks_a_translation_and_none_is_left_over(code: str) -> None:
    known = set(translated(code))
    assert sorted(map(str, messages() - known)) == [], "run `make messages`, and translate what is new"
    assert sorted(map(str, known - messages())) == [], "run `make messages`"


def compiled(form: str, code: str) -> str:
    """Return a translation as it stands in the compiled catalogue."""
    return isolated(form) if LANGUAGES[code].leftward else form


@pytest.mark.parametrize("code", CODES)
def test_translations_are_of_messages_of_the_program(code: str) -> None:
    stale = [
        (one, form)
        for (one, other, context), forms in translated(code).items()
        for count, form in zip(COUNTS[code], forms, strict=False)
        if context is None and LANGUAGES[code].template(one, other, count if other else None) != compiled(form, code)
    ]
    assert stale == [], "run `make setup`: a catalogue was not compiled since it was edited"


@pytest.mark.parametrize("code", CODES)
def test_the_page_says_what_is_translated(code: str) -> None:
    folder = FOLDER / code / "LC_MESSAGES"
    spoken = json.loads((folder / SPOKEN_BY_PAGE).read_text("utf-8"))
    assert spoken == page_catalogue(read(folder / f"{DOMAIN}.po")), "run `make setup`"
    assert [spoken["plurals"][count] for count in COUNTS[code]] == [str(form) for form in range(FORMS[code])]


@pytest.mark.parametrize("code", CODES)
def test_a_counted_message_has_every_form_of_the_language(code: str) -> None:
    wrong = [key for key, forms in translated(code).items() if len(forms) != (FORMS[code] if key.other else 1)]
    assert wrong == []


@pytest.mark.parametrize("code", CODES)
def test_placeholders_are_the_same_in_every_language(code: str) -> None:
    wrong = [
        (one, form)
        for (one, other, _), forms in translated(code).items()
        for form in forms
        if holes(form) != holes(other or one)
    ]
    assert wrong == []


@pytest.mark.parametrize("code", CODES)
def test_translations_are_in_the_language(code: str) -> None:
    foreign = [
        (one, form)
        for (one, _, _), forms in translated(code).items()
        for form in forms
        if _has_words(one) and not SCRIPTS[code].search(form)
    ]
    assert foreign == []


def _has_words(message: str) -> bool:
    return message not in WORDLESS and re.search("[A-Za-z]{2}", re.sub(r"\{\w+\}", "", message)) is not None


@pytest.mark.parametrize("code", CODES)
def test_a_translation_ends_as_its_message_does(code: str) -> None:
    marks = str.maketrans({"؟": "?"})
    wrong = [
        (one, form)
        for (one, _, _), forms in translated(code).items()
        for form in forms
        if {one[-1:], form.translate(marks)[-1:]} & set(".?:!") and one[-1:] != form.translate(marks)[-1:]
    ]
    assert wrong == []


def test_both_numbers_of_a_message_have_the_same_holes() -> None:
    assert [one for one, other, _ in messages() if other and holes(one) != holes(other)] == []


def test_persian_texts_have_persian_digits_and_letters() -> None:
    """No Arabic yeh or kaf, which look alike and are not found by searching; no European digits of the text's own."""
    wrong = [
        form
        for forms in translated("fa").values()
        for form in forms
        if re.search("[يك]|[0-9]", re.sub(r"--\w+ [0-9,]+|[A-Za-z][\w-]*", "", form))
    ]
    assert wrong == []
