"""Translates the drawings of the documents, from the English ones and the table of their labels.

    python -m bench.drawings.translating

Each drawing in docs/pictures/ with a table in labels.toml is written into docs/pictures/LANGUAGE/. In right-to-left
languages a label keeps its place, unless its element has `data-rtl`, the x at which the label begins instead.
"""

from __future__ import annotations

import re
import tomllib
from html import escape, unescape
from pathlib import Path
from typing import Final

from companion.languages import LANGUAGES as SPOKEN

PICTURES: Final = Path(__file__).parents[2] / "docs" / "pictures"
LANGUAGES: Final = ("ru", "fa")
LEFTWARD: Final = ("fa",)

_SAYING: Final = re.compile(r"<(title|desc|text)\b[^>]*>.*?</\1>", re.DOTALL)
_LABEL: Final = re.compile(r"(?<=>)[^<]*[^<\s][^<]*(?=<)")
_ELEMENT: Final = re.compile(r"<text\b([^>]*)>(.*?)</text>", re.DOTALL)
_FIGURES: Final = re.compile(r"[\d., x+−]+( (cm|mm|V|Ω))?")
# Names that are the same in every language: contacts, chips, boards.
_NAMES: Final = re.compile(r"[A-Z0-9]{1,10}|Camera Module [\d]( Wide)?")
_UNITS: Final = {
    "ru": {"cm": "см", "mm": "мм", "V": "В", "Ω": "Ом", "x": "×"},
    "fa": {"cm": "سانتی‌متر", "mm": "میلی‌متر", "V": "ولت", "Ω": "اهم", "x": "در"},
}
_FONTS: Final = {"fa": "Vazirmatn, Segoe UI, Noto Sans Arabic, "}


def labels() -> dict[str, dict[str, dict[str, str]]]:
    """Return each drawing's labels: translations by language, by English label, by drawing."""
    found: dict[str, dict[str, dict[str, str]]] = tomllib.loads((PICTURES / "labels.toml").read_text(encoding="utf-8"))
    return found


def labels_in(svg: str) -> list[str]:
    """Return the labels in a drawing, in document order."""
    return [unescape(label).strip() for saying in _SAYING.finditer(svg) for label in _LABEL.findall(saying[0])]


def needs_words(label: str) -> bool:
    """Return whether a label has to be translated, because it is neither a figure nor a name."""
    return not (_FIGURES.fullmatch(label) or _NAMES.fullmatch(label))


def _has_words(label: str) -> bool:
    """Return whether a label's translation has words: a figure alone has none, with its unit it has."""
    return needs_words(label) or bool(_FIGURES.fullmatch(label) and " " in label)


def translated(svg: str, words: dict[str, dict[str, str]], language: str) -> str:
    """Return a drawing in another language.

    Args:
        svg: the English drawing.
        words: translations by language, by English label.
        language: the language's code.

    Raises:
        KeyError: if a label is not in the table.
    """

    def said(match: re.Match[str]) -> str:
        bare = match[0].strip()
        return match[0].replace(bare, escape(_said(unescape(bare), words, language), quote=False))

    svg = svg.replace('font-family="', f'lang="{language}" font-family="{_FONTS.get(language, "")}', 1)
    if language in LEFTWARD:
        svg = _ELEMENT.sub(_leftward, svg)
    return _SAYING.sub(lambda saying: _LABEL.sub(said, saying[0]), re.sub(r' data-rtl="[^"]*"', "", svg))


def _said(label: str, words: dict[str, dict[str, str]], language: str) -> str:
    if needs_words(label):
        return words[label][language]
    if not _FIGURES.fullmatch(label):
        return label
    tongue, units = SPOKEN[language], _UNITS[language]
    figures = str.maketrans({".": tongue.point, **dict(zip("0123456789", tongue.digits, strict=True))})
    return " ".join(units.get(part, part.translate(figures)) for part in label.split(" "))


def _leftward(match: re.Match[str]) -> str:
    """Return a text element for a right-to-left language, in the same place."""
    attributes, inside = match[1], match[2]
    place = re.search(r' data-rtl="([^"]+)"', attributes)
    ends = re.search(r'class="[^"]*\b(end|mid)\b', attributes)
    is_turned = any(_has_words(label) for label in labels_in(match[0]))
    if place is not None:
        attributes = re.sub(r'\bx="[^"]*"', f'x="{place[1]}"', attributes.replace(place[0], ""), count=1)
    if (ends is None or ends[1] == "end") and (is_turned or place is not None):
        # A text is anchored at its start, which is its right edge if it is right to left.
        right_edge = (ends is not None) == (place is None)
        attributes += f' style="text-anchor:{"start" if right_edge == is_turned else "end"}"'
    if not is_turned:
        return f"<text{attributes}>{inside}</text>"
    inside = inside.replace('dx="', 'dx="-')
    return f'<text{attributes} direction="rtl">{inside}</text>'


def drawn() -> dict[Path, str]:
    """Return the SVG of every drawing in every other language, by file."""
    found = {}
    for name, words in labels().items():
        svg = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
        for language in LANGUAGES:
            found[PICTURES / language / f"{name}.svg"] = translated(svg, words, language)
    return found


def main() -> None:
    """Write all translated drawings."""
    for path, svg in drawn().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
