"""The tables of an owner's sheet while they are being filled: defaults, missing entries, and their file."""

import copy
import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from companion.config.text import toml_value
from companion.kvilt.naming import cell_words
from companion.kvilt.sheets.files import FORMAT, SheetError, TomlTable, sheet_of, sheet_tables
from companion.kvilt.sheets.layout import PageLayout
from companion.kvilt.sheets.layout_files import layout_of, load_layout
from companion.languages import all_of, counted, listed, reason, said

Tables = dict[str, Any]
"""A sheet's file, decoded; entries not made yet are None or missing."""

OWN_KEYS: Final = ("format", "game", "source", "fiducials")
"""What the file is and how the sheet is found; not for the user to change."""
A5_MM: Final = (210.0, 148.0)
# The keys by which a file places cells in a grid; here each cell has its own rectangle instead.
_OF_GRIDS: Final = ("x0", "y0", "pitch_x", "pitch_y", "cell", "tag_points", "tag_bonus", "rows", "columns")
# The keys by which a file places spools in a line; here each spool has its own rectangles instead.
_OF_SPOOLS: Final = ("x0", "y0", "pitch_x", "box", "body", "thread", "tag_points")
_LONGEST_NAME: Final = 40


def has_form(tables: object) -> bool:
    """Return whether a decoded value has the form of a sheet, however incomplete: tables and lists in their places."""
    if not isinstance(tables, dict):
        return False
    quilt, spools = tables.get("quilt"), tables.get("spools") or {}
    if not (isinstance(quilt, dict) and isinstance(spools, dict) and isinstance(tables.get("page"), dict)):
        return False
    rows = quilt.get("row")
    if not all(map(_may_be_tables, (rows, spools.get("spool"), tables.get("patch"), tables.get("embroidery")))):
        return False
    lists = [spools.get("points"), *(row.get("cell") for row in rows or [])]
    return all(each is None or isinstance(each, list) for each in lists)


def _may_be_tables(value: object) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(each, dict) for each in value))


def sheet_id(name: str) -> str:
    """Return a sheet's id for the name that its owner gives it: letters, digits and dashes."""
    plain = unicodedata.normalize("NFKC", name).strip().lower()
    return "owner-" + (re.sub(r"[\W_]+", "-", plain).strip("-")[:_LONGEST_NAME] or "sheet")


def new_tables(name: str) -> Tables:
    """Return the tables of a new sheet, which contain only what all sheets share."""
    own = sheet_tables().values
    return {
        "format": FORMAT,
        "game": "kvilt",
        "id": sheet_id(name),
        "version": 1,
        "source": "owner",
        "title": {"en": name},
        "colour": copy.deepcopy(own["colour"]),
        "page": {"width": A5_MM[0], "height": A5_MM[1]},
        "fiducials": {"kind": "corners", "blank": None},
        "quilt": {"row": []},
        "patch": [],
        "spools": {"points": [], "open": 2, "all_colours_bonus": 10, "spool": []},
        "embroidery_style": {"radius": own["embroidery_style"]["radius"]},
        "embroidery": [],
        "swatches": None,
    }


def tables_of_file(path: Path) -> Tables:
    """Return the tables of an existing file of an owner, with rectangles in place of grids.

    Raises:
        SheetError: the file is no valid sheet, or one that is printed with markers.
    """
    table, layout = sheet_tables(path), load_layout(path)
    if table.values.get("source") != "owner" or layout.fiducials.kind != "corners":
        raise SheetError.said(
            "{path}: describes a sheet that is found by printed markers; only files with {keys} can be continued here",
            path=str(path),
            keys=all_of(['source = "owner"', '[fiducials] kind = "corners"']),
        )
    tables: Tables = copy.deepcopy(table.values)
    _lay_out_cells(tables["quilt"], layout)
    _lay_out_spools(tables["spools"], layout)
    tables.pop("picture", None)
    tables.setdefault("embroidery_style", {}).setdefault("radius", layout.radius)
    return tables


def _lay_out_cells(quilt: Tables, layout: PageLayout) -> None:
    for key in _OF_GRIDS:
        quilt.pop(key, None)
    for number, row in enumerate(quilt["row"], start=1):
        cells = [place for (of, _), place in layout.cells.items() if of == number]
        row.pop("picture", None)
        row.setdefault("columns", list(range(1, len(cells) + 1)))
        row["cell"] = [list(place.frame) for place in cells]
        row["picture_outline"] = [[list(point) for point in place.picture] for place in cells]


def _lay_out_spools(spools: Tables, layout: PageLayout) -> None:
    for key in _OF_SPOOLS:
        spools.pop(key, None)
    spools["spool"] = [
        {"body": [list(rect) for rect in spool.body], "thread": list(spool.thread)} for spool in layout.spools
    ]


def fault_in(tables: Tables, source: str) -> str:
    """Return the program's error message for the file, on one line; empty if the file is valid."""
    try:
        table = TomlTable(_decoded(tables), source)
        layout_of(table, sheet_of(table))
    except SheetError as error:
        return reason(error)
    return ""


def _decoded(tables: Tables) -> dict[str, Any]:
    """Return the tables as they would be read back, so that the written form is checked."""
    return tomllib.loads(sheet_text(tables))


class DefiningStep(StrEnum):
    """The steps, in their order."""

    CORNERS = "corners"
    QUILT = "quilt"
    PICTURES = "pictures"
    VALUES = "values"
    PATCHES = "patches"
    SPOOLS = "spools"
    STITCHES = "stitches"
    PENCILS = "pencils"


@dataclass(frozen=True, slots=True)
class Missing:
    """An entry still to be made: its step, and a sentence on it."""

    step: DefiningStep
    says: str


def missing_in(tables: Tables, *, straightened: bool) -> tuple[Missing, ...]:
    """Return all missing entries.

    Args:
        tables: the sheet's tables.
        straightened: whether the sheet's corners are known, so that there is a rectified picture of it.
    """
    if not straightened:
        return (Missing(DefiningStep.CORNERS, said("Drag the four corners onto the corners of the paper.")),)
    return tuple(
        Missing(step, says)
        for step, found in (
            (DefiningStep.QUILT, _quilt(tables)),
            (DefiningStep.PICTURES, _pictures(tables)),
            (DefiningStep.VALUES, _values(tables)),
            (DefiningStep.PATCHES, _patches(tables)),
            (DefiningStep.SPOOLS, _spools(tables)),
            (DefiningStep.STITCHES, _stitches(tables)),
            (DefiningStep.PENCILS, _pencils(tables)),
        )
        for says in found
    )


def _rows(tables: Tables) -> list[dict[str, Any]]:
    return list((tables.get("quilt") or {}).get("row") or [])


def _quilt(tables: Tables) -> Iterator[str]:
    if not _rows(tables):
        yield said("Draw the quilt’s grid over its cells.")


def _pictures(tables: Tables) -> Iterator[str]:
    cells = _cells_without(tables, "picture_outline")
    if cells:
        yield counted(
            "The outline of the picture is missing in {count} cell: {cell}.",
            "The outlines of the pictures are missing in {count} cells, first in {cell}.",
            len(cells),
            cell=cells[0],
        )


def _values(tables: Tables) -> Iterator[str]:
    points, marks = _cells_without(tables, "points"), _cells_without(tables, "bonus")
    if points:
        yield counted(
            "The points of {count} cell are missing: {cell}.",
            "The points of {count} cells are missing, first of {cell}.",
            len(points),
            cell=points[0],
        )
    if marks:
        yield counted(
            "The mark of {count} cell is missing: {cell}; choose “no mark” where there is none.",
            "The marks of {count} cells are missing, first of {cell}; choose “no mark” where there is none.",
            len(marks),
            cell=marks[0],
        )


def _cells_without(tables: Tables, key: str) -> list[str]:
    return [
        cell_words((row, cell))
        for row, entry in enumerate(_rows(tables), start=1)
        for cell in range(1, len(entry.get("cell") or []) + 1)
        if _at(entry.get(key), cell - 1) in (None, "", [])
    ]


def _at(values: object, index: int) -> object:
    return values[index] if isinstance(values, list) and index < len(values) else None


def _patches(tables: Tables) -> Iterator[str]:
    patches = tables.get("patch") or []
    if not patches:
        yield said("Draw a rectangle over each patch above the quilt.")
    for patch in patches:
        if patch.get("points") is None:
            yield said("The points of the patch {name} are missing.", name=patch.get("id", ""))
        if patch.get("column") is None:
            yield said("The column of the patch {name} is missing.", name=patch.get("id", ""))


def _spools(tables: Tables) -> Iterator[str]:
    spools = tables.get("spools") or {}
    points, places = spools.get("points") or [], spools.get("spool") or []
    if not points:
        yield said("Enter what the spools are worth, from the left.")
        return
    few = len(places) < len(points)
    if few or not all(place.get("thread") for place in places):
        yield said("Draw the threads of the spools: the first one, then the last.")
    if few or not all(place.get("body") for place in places):
        yield said("Draw the spools’ flanges: those of the first one, then those of the last.")


def _stitches(tables: Tables) -> Iterator[str]:
    figures = tables.get("embroidery") or []
    if not figures:
        yield said("Add the embroideries: tap each part of a figure.")
    empty = [figure.get("id", "") for figure in figures if not figure.get("parts")]
    if empty:
        yield said("Embroideries without parts: {names}.", names=listed(empty))


def _pencils(tables: Tables) -> Iterator[str]:
    if "swatches" in tables and tables["swatches"] is None:
        yield said("Draw six boxes on bare paper for samples of the pencils, or say that there is no room.")


_HEAD: Final = (
    "# A Kvilt sheet, described with `companion kvilt define`. Lengths are millimetres from the page's top left\n"
    "# corner, x to the right, y down; rectangles are [x, y, width, height]. The blank sheet's picture is beside it.\n"
)
# A hundredth of a millimetre is less than a tenth of a pixel of the rectified picture.
_DECIMALS: Final = 2
_LONG_LINE: Final = 110


def sheet_text(tables: Mapping[str, Any]) -> str:
    """Return the file's text, without values that are None."""
    return _HEAD + "\n" + "\n".join(_table(tables, "")) + "\n"


def _table(table: Mapping[str, Any], path: str) -> Iterator[str]:
    """Yield the lines of a table: its own values, then its tables, then its lists of tables."""
    for key, value in table.items():
        if value is not None and not _is_table(value) and not _is_tables(value):
            yield f"{_key(key)} = {_lines(value)}"
    for key, value in table.items():
        inner = f"{path}.{_key(key)}" if path else _key(key)
        if _is_table(value):
            yield from ("", f"[{inner}]")
            yield from _table(value, inner)
    for key, value in table.items():
        inner = f"{path}.{_key(key)}" if path else _key(key)
        if _is_tables(value):
            for entry in value:
                yield from ("", f"[[{inner}]]")
                yield from _table(entry, inner)


def _is_table(value: object) -> bool:
    """Return whether a value is written as a table; words by language are written on one line."""
    return isinstance(value, dict) and not (value and all(isinstance(word, str) for word in value.values()))


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _key(key: str) -> str:
    plain = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if plain else toml_value(key)


def _value(value: object) -> str:
    match value:
        case float():
            rounded = round(value, _DECIMALS)
            return str(int(rounded)) if rounded == int(rounded) else str(rounded)
        case dict():
            return "{ " + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + " }"
        case list() | tuple():
            # TOML has no null.
            return f"[{', '.join(_value(item) for item in value if item is not None)}]"
        case _:
            return toml_value(value)


def _lines(value: object) -> str:
    """Return the lines of a value; a long list of lists has one line per item."""
    line = _value(value)
    if len(line) <= _LONG_LINE or not isinstance(value, list) or not all(isinstance(item, list) for item in value):
        return line
    return "[\n" + "".join(f"  {_value(item)},\n" for item in value) + "]"
