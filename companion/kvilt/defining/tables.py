"""The tables of an owner's sheet while they are being filled: defaults, and tables read from a file."""

import copy
import re
import tomllib
import unicodedata
from pathlib import Path
from typing import Any, Final

from companion.games.kvilt import PageLayout, SheetError, load_layout
from companion.games.kvilt.sheet.files import FORMAT, sheet_of, sheet_tables
from companion.games.kvilt.sheet.layout_files import layout_of
from companion.games.kvilt.sheet.tables import TomlTable
from companion.kvilt.defining.writing import sheet_text
from companion.languages import all_of, reason, said

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
        raise SheetError(
            said(
                "{path}: describes a sheet that is found by printed markers; only files with {keys} can be "
                "continued here",
                path=str(path),
                keys=all_of(['source = "owner"', '[fiducials] kind = "corners"']),
            )
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
