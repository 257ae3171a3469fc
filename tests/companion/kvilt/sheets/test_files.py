"""The companion's own sheet, an owner's, and everything that can be wrong with a file."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from companion.games.kvilt.sheet import Bonus, BonusKind, ColumnPatch, Spools
from companion.kvilt.sheets.files import SheetError, load_sheet, own_sheet
from companion.kvilt.sheets.layout_files import load_layout
from companion.languages import ENGLISH, PERSIAN, RUSSIAN, Language, reason, render

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OWN = files("companion.kvilt.sheets").joinpath("companion-a.toml").read_text(encoding="utf-8")


@pytest.fixture
def changed(tmp_path: Path) -> Callable[..., Path]:
    """The own sheet's file with some text replaced."""

    def change(*pairs: tuple[str, str]) -> Path:
        text = OWN
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new, 1)
        path = tmp_path / "sheet.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return change


def test_the_own_sheet_is_what_its_file_says() -> None:
    sheet = load_sheet()
    assert sheet is own_sheet()
    assert (sheet.id, sheet.colours) == ("companion-a", ("red", "yellow", "green", "blue", "violet", "brown"))
    assert [len(row) for row in sheet.rows] == [7] * 5
    assert sheet.rows[3].points == (0, 2, 5, 9, 13, 18, 24)
    assert sheet.bonuses_at((1, 2)) == (Bonus(BonusKind.PENCIL, "yellow"),)
    assert sheet.bonuses_at((2, 1)) == ()
    assert sheet.patches == (ColumnPatch("p3", 2, 3), ColumnPatch("p5", 4, 5), ColumnPatch("p7", 5, 7))
    assert sheet.spools == Spools((1, 2, 3, 4, 6, 8, 11), 2, 10)  # T7: two open, five locked
    assert [(figure.id, figure.parts, figure.pencils) for figure in sheet.embroideries] == [
        ("e5", 5, 2),
        ("e3a", 3, 1),
        ("e3b", 3, 1),
        ("e2a", 2, 0),
        ("e2b", 2, 0),
    ]
    assert sheet.columns[4] == ((1, 4), (2, 4), (3, 4), (4, 4), (5, 4))
    assert len(sheet.regions()) == 102


def test_the_sheet_has_as_many_marks_as_documented() -> None:
    marks = [bonus.kind for cell in own_sheet().cells() for bonus in own_sheet().bonuses_at(cell)]
    counted = {kind: marks.count(kind) for kind in BonusKind}
    assert counted == {
        BonusKind.PENCIL: 6,
        BonusKind.NEUTRAL: 3,
        BonusKind.SWAP: 2,
        BonusKind.SPOOL: 6,
        BonusKind.BUTTON: 4,
        BonusKind.STITCH: 10,
    }


def test_an_owners_sheet_may_have_ragged_rows_and_several_marks_on_a_cell(changed: Callable[..., Path]) -> None:
    path = changed(
        ('id = "companion-a"', 'id = "owner-anna"'),
        ("points = [0, 1, 3, 6, 10, 15, 21]", "columns = [2, 3, 4]\npoints = [0, 1, 3]"),
        (
            'bonus = ["stitch", "pencil:yellow", "spool", "button", "stitch", "neutral", "pencil:violet"]',
            'bonus = ["stitch+pencil:red+spool", "-", "button"]',
        ),
    )
    sheet = load_sheet(path)
    assert (sheet.id, len(sheet.rows[0]), len(sheet.rows[1])) == ("owner-anna", 3, 7)
    assert [str(bonus) for bonus in sheet.bonuses_at((1, 1))] == ["stitch", "pencil:red", "spool"]
    assert sheet.columns[1] == ((2, 1), (3, 1), (4, 1), (5, 1))
    assert sheet.columns[4][0] == (1, 3)
    layout = load_layout(path)
    assert layout.cells[1, 3].frame == (57.0, 30.0, 17.0, 16.0)
    assert [round(layout.cells[1, cell].bonus[2], 1) for cell in (1, 2, 3)] == [12.9, 4.3, 4.3]


FAULTS: list[tuple[str, str, str]] = [
    ("format = 1", "format = 2", "format: must be 1"),
    ('game = "kvilt"', 'game = "patchwork"', 'game: must be "kvilt"'),
    ('id = "companion-a"', 'id = ""', "id: '' is not valid; it must be a text"),
    ('key = "brown"', 'key = "red"', "colour: there must be 6 colours with different keys, not 5"),
    ('"pencil:yellow"', '"pencil:pink"', "[quilt.row 1] bonus: 'pencil:pink' is not valid"),
    ('"neutral", "pencil:violet"', '"neutrl", "-"', "[quilt.row 1] bonus: 'neutrl' is not valid"),
    ('"swap", "stitch"]', '"swap:red", "stitch"]', "[quilt.row 3] bonus: 'swap:red' is not valid"),
    ("points = [1, 2, 4, 7, 11, 15, 20]", "points = [1, 2]", "[quilt.row 2] bonus: has 7 entries and points 2"),
    ("points = [1, 2, 4, 7, 11, 15, 20]", "points = [1, 2.5]", "[quilt.row 2] points: [1, 2.5] is not valid"),
    ("points = [1, 2, 4, 7, 11, 15, 20]", "points = 1", "it must be a list of whole numbers from -100 to 100"),
    ("column = 4", "column = 8", "[patch 2] column: no cell stands in column 8"),
    ("column = 4", "", "[patch 2] column is missing"),
    ('id = "p5"', 'id = "p3"', "two regions have the name 'p3'"),
    ("\nopen = 2", "\nopen = 8", "[spools] open: 8 is not valid; it must be a whole number from 0 to 7"),
    ("\nopen = 2", "\nopen = 1", "[facts] spools_open: says 2, but the sheet has 1"),
    ("\nopen = 2", "\nopen = true", "[spools] open: True is not valid"),
    ('effect = "pencils:2"', 'effect = "pencils:9"', "[embroidery 1] effect: 'pencils:9' is not valid"),
    ("[page]", "[page", "not TOML"),
]


@pytest.mark.parametrize(("old", "new", "says"), FAULTS, ids=str)
def test_a_fault_is_reported_with_its_place(changed: Callable[..., Path], old: str, new: str, says: str) -> None:
    path = changed((old, new))
    with pytest.raises(SheetError) as caught:
        load_sheet(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("language", [ENGLISH, RUSSIAN, PERSIAN], ids=lambda language: language.code)
def test_a_range_is_written_as_it_is_typed_in_the_file(changed: Callable[..., Path], language: Language) -> None:
    with pytest.raises(SheetError) as caught:
        load_sheet(changed(("points = [1, 2, 4, 7, 11, 15, 20]", "points = 1")))
    assert re.findall(r"-?100\b", render(reason(caught.value), language)) == ["-100", "100"]


def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SheetError, match="cannot be read: No such file"):
        load_sheet(tmp_path / "none.toml")
    with pytest.raises(SheetError, match="cannot be read"):
        load_sheet("a\0b")
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(SheetError, match="not UTF-8"):
        load_sheet(binary)
    binary.write_bytes(b"#" * (1 << 20) + b"##")
    with pytest.raises(SheetError, match="this is not a sheet"):
        load_sheet(binary)


def test_parts_and_patches_are_found_by_their_names() -> None:
    sheet = own_sheet()
    assert sheet.find_part("e3a.2") == (1, 1)
    assert sheet.find_part("e3a.4") is None
    assert (sheet.index_of_patch("p7"), sheet.index_of_patch("p9")) == (2, -1)


def test_sheets_are_equal_by_what_they_say() -> None:
    assert own_sheet() == replace(own_sheet())
    assert hash(own_sheet()) == hash(replace(own_sheet()))
    assert own_sheet() != replace(own_sheet(), id="other")


def test_the_file_keeps_to_its_own_promises() -> None:
    """Every bonus word in the file's comments is one that the rules know."""
    listed = set(re.findall(r'^#   "([a-z]+)"', OWN, re.MULTILINE)) - {"backgrounds"}
    assert listed <= set(BonusKind)
