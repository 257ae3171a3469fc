from __future__ import annotations

from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st

from companion.languages.catalogue import CatalogueError, Entry, compiled, load, read
from companion.languages.language import catalogue_path

HEADER = r"""
msgid ""
msgstr ""
"Language: ru\n"
"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\n"
"Content-Type: text/plain; charset=utf-8\n"
"""
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=30)


def _load(folder: Path, text: str) -> GNUTranslations:
    path = folder / "companion.po"
    path.write_text(HEADER + text, encoding="utf-8")
    return load(path)


def test_messages_are_looked_up_with_their_escapes(tmp_path: Path) -> None:
    texts = _load(tmp_path, '\n#: a.py\nmsgid "a \\"b\\"\\n"\nmsgstr "в \\"г\\"\\n"\n')
    assert texts.gettext('a "b"\n') == 'в "г"\n'
    assert texts.gettext("unknown") == "unknown"


def test_a_text_may_go_on_over_several_lines(tmp_path: Path) -> None:
    texts = _load(tmp_path, '\nmsgid ""\n"one "\n"two"\nmsgstr ""\n"раз "\n"два"\n')
    assert texts.gettext("one two") == "раз два"


@pytest.mark.parametrize(
    ("count", "told"), [(1, "клетка"), (21, "клетка"), (3, "клетки"), (11, "клеток"), (0, "клеток")]
)
def test_plural_forms_follow_the_rule_in_the_header(tmp_path: Path, count: int, told: str) -> None:
    forms = '\nmsgid "cell"\nmsgid_plural "cells"\nmsgstr[0] "клетка"\nmsgstr[1] "клетки"\nmsgstr[2] "клеток"\n'
    assert _load(tmp_path, forms).ngettext("cell", "cells", count) == told


def test_what_is_fuzzy_empty_or_commented_out_is_not_used(tmp_path: Path) -> None:
    text = (
        '\n#, fuzzy, python-brace-format\nmsgid "a"\nmsgstr "б"\n\nmsgid "c"\nmsgstr ""\n'
        '\n#~ msgid "d"\n#~ msgstr "е"\n\nmsgid "f"\nmsgstr "ж"\n'
    )
    texts = _load(tmp_path, text)
    assert [texts.gettext(message) for message in "acdf"] == ["a", "c", "d", "ж"]


@pytest.mark.parametrize("line", ["hello", 'msgid "never closed', 'msgtxt "a"', '"goes on with nothing'])
def test_what_is_no_catalogue_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "companion.po"
    path.write_text(f"# a comment\n\n{line}\n", encoding="utf-8")
    with pytest.raises(CatalogueError, match=r"companion\.po:3: "):
        load(path)


@given(st.dictionaries(TEXTS, TEXTS, max_size=8))
def test_what_is_compiled_is_found_again(told: dict[str, str]) -> None:
    header = Entry("", "", ["Content-Type: text/plain; charset=utf-8\n"])
    entries = [header, *(Entry(message, "", [text]) for message, text in told.items())]
    texts = GNUTranslations(BytesIO(compiled(entries)))
    assert {message: texts.gettext(message) for message in told} == told


@pytest.mark.parametrize("code", ["ru", "fa"])
def test_our_catalogues_are_read_as_babel_reads_them(code: str) -> None:
    with catalogue_path(code).open("rb") as stream:
        known = {message.id: message.string for message in read_po(stream) if message.id}
    ours = {
        (entry.message, entry.plural) if entry.plural else entry.message: tuple(entry.forms)
        if entry.plural
        else entry.forms[0]
        for entry in read(catalogue_path(code))
        if entry.message
    }
    assert ours == known
