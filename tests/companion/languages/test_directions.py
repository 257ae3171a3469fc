"""Persian messages with their placeholders filled, laid out as lines by the Unicode bidirectional algorithm."""

import re
import string
import unicodedata
from typing import Final

import pytest
from babel.messages.pofile import read_po
from bidi import get_display

from companion.languages import DOMAIN, FOLDER, LANGUAGES
from companion.languages.compiling import PAGE, isolated

PERSIAN: Final = LANGUAGES["fa"]
NAMES: Final = ("Anna", "Boris", "Carla", "Dmitri", "Emma", "Felix", "Greta", "Hugo", "Ida", "Jonas")
FIGURES: Final = tuple(map(PERSIAN.number, (12, 34, 56, 78, 90, 13, 24, 57, 68, 79)))
MARKS: Final = re.compile("[\u200e\u200f\u2066-\u2069]")
# In the texts of the catalogue, without regard to how they are marked.
OPTION: Final = re.compile(r"--[a-z][a-z-]+(?: [A-Za-z0-9][A-Za-z0-9.,]*)?")
ASSIGNMENT: Final = re.compile(r"[\w{}]+ = [\w{}]+", re.ASCII)


def texts() -> list[tuple[str, bool]]:
    """Return all texts of the catalogue, each with whether the page's scripts fill it."""
    with (FOLDER / "fa" / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as stream:
        messages = [message for message in read_po(stream, "fa") if message.id]
    return [
        (str(text), any(file.startswith(PAGE) for file, _ in message.locations))
        for message in messages
        for text in (message.string if isinstance(message.string, tuple) else (message.string,))
    ]


def holes(text: str) -> list[str]:
    """Return the names of a text's placeholders in their order."""
    return [name for _, name, _, _ in string.Formatter().parse(text) if name]


def fillings(text: str) -> list[dict[str, str]]:
    """Return values of the placeholders: all of them names, and names and figures by turns."""
    names = list(dict.fromkeys(holes(text)))
    by_turns = [{name: (NAMES, FIGURES)[(at + odd) % 2][at] for at, name in enumerate(names)} for odd in (0, 1)]
    return [dict(zip(names, NAMES, strict=False)), *by_turns]


def shown(text: str, values: dict[str, str], *, by_page: bool) -> str:
    """Return a filled text as it stands on the line, from left to right."""
    isolates = not by_page or len(holes(text)) > 1
    filled = {name: PERSIAN.isolated(value) if isolates and value in NAMES else value for name, value in values.items()}
    return MARKS.sub("", get_display(PERSIAN.with_direction_mark(isolated(text).format(**filled)), base_dir="R"))


def typed(text: str) -> list[str]:
    """Return the parts of a text that are typed as they stand."""
    return [match.group() for pattern in (OPTION, ASSIGNMENT) for match in pattern.finditer(text)]


def test_options_and_assignments_keep_their_order() -> None:
    parts = [(text, part, by_page) for text, by_page in texts() for part in typed(text)]
    assert len(parts) > 15
    lost = [
        (part, line)
        for text, part, by_page in parts
        for values in fillings(text)
        if part.format(**values) not in (line := shown(text, values, by_page=by_page))
    ]
    assert lost == []


def test_names_and_figures_follow_one_another_from_right_to_left() -> None:
    """What stands first in the sentence is shown further right, whichever of the values are names and which figures."""
    wrong = []
    for text, by_page in texts():
        names = holes(text)
        if len(set(names)) < 2 or len(set(names)) != len(names) or typed(text):
            continue
        for values in fillings(text):
            line = shown(text, values, by_page=by_page)
            places = [line.index(values[name]) for name in names]
            if places != sorted(places, reverse=True):
                wrong.append((text, line))
    assert wrong == []


def test_a_line_that_finds_its_direction_itself_goes_from_right_to_left() -> None:
    """Terminals and messengers take the direction of the first strong character outside isolates (UAX 9, P2)."""
    wrong = []
    for text, by_page in texts():
        if by_page:
            continue
        marked = PERSIAN.with_direction_mark(isolated(text).format(**dict.fromkeys(holes(text), "۱")))
        outside = re.sub("[\u2066-\u2068][^\u2069]*\u2069", "", marked)
        strong = [kind for kind in map(unicodedata.bidirectional, outside) if kind in {"L", "R", "AL"}]
        if strong[:1] == ["L"]:
            wrong.append(text)
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "isolate"),
    [
        ("با --sheet FILE.toml بدهید", "--sheet FILE.toml"),
        ("{key} = {names} را برگزینید", "{key} = {names}"),
        ("در [camera] size بگذارید", "[camera] size"),
        ("راهنما: {command} --help", "{command} --help"),
        ('بگذارید driver = "phone" را', 'driver = "phone"'),
        ("با companion print mats چاپ کنید", "companion print mats"),
    ],
)
def test_a_typed_text_stands_in_one_isolate(text: str, isolate: str) -> None:
    assert f"\u2066{isolate}\u2069" in isolated(text)


def test_a_text_is_not_isolated_twice() -> None:
    text = isolated("بنویسید lan = true")
    assert isolated(text) == text
