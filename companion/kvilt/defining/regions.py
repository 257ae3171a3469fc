"""Description of a sheet without the page: tables come from a file, corners and pictures are detected."""

import tomllib
from pathlib import Path
from typing import Any

from companion.bounded import read_text
from companion.games.kvilt.sheet.tables import is_numbers
from companion.kvilt.defining.desk import DefiningDesk
from companion.kvilt.defining.keeping import DefiningError
from companion.kvilt.defining.tables import has_form
from companion.languages import said, system_says, toml_says

_OWN = ("page", "colour", "quilt", "patch", "spools", "embroidery_style", "embroidery", "swatches", "reading")


def describe(desk: DefiningDesk, path: Path) -> None:
    """Read the tables from a file and save the sheet.

    Args:
        desk: the desk of a sheet whose photograph is known.
        path: a TOML file with the tables of a sheet's file; rows may lack `picture_outline` and `columns`.

    Raises:
        DefiningError: the file cannot be read, or an entry is missing or wrong.
    """
    tables = _tables(path)
    entered = {**desk.view().tables, **{key: tables[key] for key in _OWN if key in tables}}
    if not has_form(entered):
        raise _unusable(path, said("These are not the tables of a sheet."))
    desk.put(entered)
    entered = desk.view().tables
    if "swatches" not in tables:
        entered = {key: value for key, value in entered.items() if key != "swatches"}
    for row in entered["quilt"].get("row") or []:
        _complete(row, desk)
    view = desk.put(entered)
    if view.missing or view.fault:
        raise DefiningError(said("{path}: {fault}", path=str(path), fault=view.fault or view.missing[0].says))
    desk.save()


def _tables(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(path, "utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        why = system_says(error) if isinstance(error, OSError) else toml_says(error)
        raise _unusable(path, why) from error


def _unusable(path: Path, fault: str) -> DefiningError:
    return DefiningError(said("{path}: cannot be used: {fault}", path=f"--regions {path}", fault=fault))


def _complete(row: dict[str, Any], desk: DefiningDesk) -> None:
    """Complete a row with numbers of its columns and detected pictures if the file does not give them."""
    cells = row.get("cell") or []
    row.setdefault("columns", list(range(1, len(cells) + 1)))
    if "picture_outline" not in row:
        good = all(is_numbers(cell, 4) for cell in cells)
        row["picture_outline"] = desk.pictures(cells) if good else None
