"""Test that the owners' drawings exist in every language, with the labels of their table."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from bench.drawings import translating as drawings
from companion.languages import ENGLISH, LANGUAGES

DRAWN = drawings.drawn()
SVG = """<svg font-family="Arial" width="9"><title>Arm</title>
<text x="10" y="5">arm</text><text x="10" y="9" data-rtl="90">arm</text><text x="90" y="5" class="end">arm</text>
<text x="50" y="5" class="mid">5.4 x 5.4 cm</text><text x="90" data-rtl="10" class="end name">5 V</text>
<text x="1"><tspan class="name">arm</tspan> <tspan dx="6">Raspberry Pi</tspan> arm</text></svg>"""
WORDS = {
    "Arm": {"ru": "Рука", "fa": "بازو"},
    "arm": {"ru": "рука & друг", "fa": "بازو"},
    "Raspberry Pi": {"ru": "Raspberry Pi", "fa": "رزبری پای"},
}


def english(path: Path) -> str:
    return (drawings.PICTURES / path.name).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", DRAWN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_drawing_is_as_its_labels_have_it(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == DRAWN[path], "make drawings"
    root = ET.fromstring(DRAWN[path])  # noqa: S314 - our own file
    assert len(list(root.iter())) == len(list(ET.fromstring(english(path)).iter()))  # noqa: S314 - the same


@pytest.mark.parametrize("path", DRAWN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_label_is_left_in_english(path: Path) -> None:
    words = drawings.labels()[path.stem].items()
    # A product's name may stay as it is.
    changed = {label for label, translations in words if translations[path.parent.name] != label}
    assert len(changed) >= len(words) - 1
    assert changed.isdisjoint(drawings.labels_in(DRAWN[path]))


@pytest.mark.parametrize("name", drawings.labels())
def test_the_table_has_a_drawing_s_labels_and_no_others(name: str) -> None:
    there = drawings.labels_in((drawings.PICTURES / f"{name}.svg").read_text(encoding="utf-8"))
    words = drawings.labels()[name]
    assert set(words) == {label for label in there if drawings.needs_words(label)}
    assert all(each.keys() == set(drawings.LANGUAGES) for each in words.values())


def test_every_language_is_drawn_and_shown_by_its_documents() -> None:
    assert set(drawings.LANGUAGES) == set(LANGUAGES) - {ENGLISH.code}
    assert set(drawings.LEFTWARD) == {code for code, language in LANGUAGES.items() if language.leftward}
    for path in DRAWN:
        text = (drawings.PICTURES.parent / path.parent.name / "build.md").read_text(encoding="utf-8")
        assert f"](../pictures/{path.parent.name}/{path.name})" in text


def test_figures_get_the_units_of_the_language() -> None:
    drawn = drawings.translated(SVG, WORDS, "ru")
    assert drawings.labels_in(drawn) == [
        "Рука", "рука & друг", "рука & друг", "рука & друг", "5,4 × 5,4 см", "5 В", "рука & друг", "Raspberry Pi",
        "рука & друг",
    ]  # fmt: skip
    assert "data-rtl" not in drawn
    assert "direction" not in drawn


def test_from_right_to_left_a_label_keeps_its_place_or_ends_where_it_is_told() -> None:
    lines = re.findall(r"<text[^>]*>", drawings.translated(SVG, WORDS, "fa"))
    assert lines == [
        '<text x="10" y="5" style="text-anchor:end" direction="rtl">',
        '<text x="90" y="9" style="text-anchor:start" direction="rtl">',
        '<text x="90" y="5" class="end" style="text-anchor:start" direction="rtl">',
        '<text x="50" y="5" class="mid" direction="rtl">',
        '<text x="10" class="end name" style="text-anchor:end" direction="rtl">',
        '<text x="1" style="text-anchor:end" direction="rtl">',
    ]
    drawn = drawings.translated(SVG, WORDS, "fa")
    assert '<tspan dx="-6">رزبری پای</tspan>' in drawn
    assert {"۵٫۴ در ۵٫۴ سانتی‌متر", "۵ ولت"} <= set(drawings.labels_in(drawn))


def test_a_label_without_words_is_an_error() -> None:
    with pytest.raises(KeyError, match="arm"):
        drawings.translated(SVG, {"Arm": WORDS["Arm"]}, "ru")
