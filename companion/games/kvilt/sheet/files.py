"""Sheet files as the rules use them. Format 1, TOML; `layout_files.py` reads the parts for printer and reader."""

import os
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from companion.games.kvilt.errors import SheetError
from companion.games.kvilt.sheet.sheet import Bonus, BonusKind, ColumnPatch, Embroidery, Row, Sheet, Spools
from companion.games.kvilt.sheet.tables import TomlTable, is_whole
from companion.languages import Sentence, said, system_says, toml_says

FORMAT: Final = 1
OWN_SHEET: Final = "companion-a"
COLOURS: Final = 6
# One for each colour, because no two rows may have the same one.
_MOST_ROWS: Final = 6
_MOST_CELLS: Final = 40
_LARGEST_FILE_BYTES: Final = 1 << 20


def sheet_tables(path: str | os.PathLike[str] | None = None) -> TomlTable:
    """Return a decoded sheet file, checked to be one; the companion's own sheet if no path is given.

    Raises:
        SheetError: if it cannot be read, is not TOML, or is not a sheet of format 1.
    """
    return packaged_tables(f"{OWN_SHEET}.toml") if path is None else _checked(_content(path), str(path))


def packaged_tables(name: str) -> TomlTable:
    """Return one of the files packaged with the companion."""
    return _checked(files(__package__).joinpath(name).read_bytes(), name)


def _checked(content: bytes, source: str) -> TomlTable:
    table = TomlTable(_decoded(content, source), source)
    if table.values.get("game") != "kvilt":
        table.refuse("game", said("must be {value}: this is not a Kvilt sheet", value='"kvilt"'))
    if table.values.get("format") != FORMAT:
        table.refuse("format", said("must be {value}: a newer companion may read others", value=FORMAT))
    return table


def load_sheet(path: str | os.PathLike[str] | None = None) -> Sheet:
    """Return the rules' view of a sheet file; the companion's own sheet if no path is given.

    Raises:
        SheetError: if the file is not a valid sheet; the message names the file, the table and the key.
    """
    return own_sheet() if path is None else sheet_of(sheet_tables(path))


@cache
def own_sheet() -> Sheet:
    """Return the companion's own sheet "companion-a"."""
    return sheet_of(sheet_tables())


def _content(path: str | os.PathLike[str]) -> bytes:
    try:
        with Path(path).open("rb") as stream:
            # One byte more tells a larger file, without reading all of what may be a device.
            content = stream.read(_LARGEST_FILE_BYTES + 1)
    except OSError as error:
        raise SheetError(said("{path}: cannot be read: {fault}", path=str(path), fault=system_says(error))) from error
    except ValueError as error:  # a name with a null byte
        raise SheetError(
            said("{path}: cannot be read: {fault}", path=repr(str(path)), fault=system_says(error))
        ) from error
    if len(content) > _LARGEST_FILE_BYTES:
        raise SheetError(
            said("{path}: larger than {count} bytes: this is not a sheet", path=str(path), count=_LARGEST_FILE_BYTES)
        )
    return content


def _decoded(content: bytes, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise SheetError(
            said("{path}: not {encoding} (byte {number})", path=source, encoding="UTF-8", number=error.start + 1)
        ) from error
    except (ValueError, RecursionError) as error:  # a number too long, too
        raise SheetError(
            said("{path}: not {encoding}: {fault}", path=source, encoding="TOML", fault=toml_says(error))
        ) from error


def sheet_of(table: TomlTable) -> Sheet:
    """Return the sheet in a decoded file, or in a record's header.

    Raises:
        SheetError: if something in it is missing or impossible.
    """
    colours = _colours(table)
    rows = _rows(table.table("quilt"), colours)
    sheet = Sheet(table.text("id"), colours, rows, _patches(table, rows), _spools(table), _embroideries(table))
    _check_names(table, sheet)
    if "facts" in table:
        _check_facts(table.table("facts"), sheet)
    return sheet


def _colours(table: TomlTable) -> tuple[str, ...]:
    keys = tuple(entry.text("key") for entry in table.tables("colour"))
    if len(keys) != COLOURS or len(set(keys)) != COLOURS:
        table.refuse(
            "colour",
            said("there must be {count} colours with different keys, not {found}", count=COLOURS, found=len(set(keys))),
        )
    return keys


def _rows(quilt: TomlTable, colours: tuple[str, ...]) -> tuple[Row, ...]:
    rows = tuple(_row(entry, colours) for entry in quilt.tables("row"))
    # Three complete rows end a game.
    if not 3 <= len(rows) <= _MOST_ROWS:
        quilt.refuse(
            "row", said("a quilt has {least} to {most} rows, not {found}", least=3, most=_MOST_ROWS, found=len(rows))
        )
    if "rows" in quilt and quilt.whole("rows", 1, _MOST_ROWS) != len(rows):
        quilt.refuse(
            "rows", said("says {number}, but {found} are described", number=quilt.values["rows"], found=len(rows))
        )
    return rows


def _row(entry: TomlTable, colours: tuple[str, ...]) -> Row:
    points = entry.wholes("points", -100, 100)
    words = entry.texts("bonus")
    if len(words) != len(points) or len(points) > _MOST_CELLS:
        entry.refuse("bonus", _uneven(len(words), len(points)))
    columns = entry.wholes("columns", 1, _MOST_CELLS) if "columns" in entry else tuple(range(1, len(points) + 1))
    if len(columns) != len(points):
        entry.refuse("columns", _uneven(len(columns), len(points)))
    return Row(points, tuple(_bonuses(entry, word, colours) for word in words), columns)


def _uneven(entries: int, points: int) -> Sentence:
    return said("has {count} entries and points {points}: give one of each for a cell", count=entries, points=points)


def _bonuses(entry: TomlTable, words: str, colours: tuple[str, ...]) -> tuple[Bonus, ...]:
    return () if words == "-" else tuple(_bonus(entry, word.strip(), colours) for word in words.split("+"))


def _bonus(entry: TomlTable, word: str, colours: tuple[str, ...]) -> Bonus:
    kind, _, colour = word.partition(":")
    if kind == BonusKind.PENCIL and colour in colours:
        return Bonus(BonusKind.PENCIL, colour)
    if colour or kind == BonusKind.PENCIL or kind not in list(BonusKind):
        plain = ", ".join(kind for kind in BonusKind if kind is not BonusKind.PENCIL)
        entry.refuse(
            "bonus",
            said(
                "{value} is not valid; allowed: {names}, {form} with {colours}",
                value=repr(word),
                names=f'"-", {plain}',
                form="pencil:COLOUR",
                colours=", ".join(colours),
            ),
        )
    return Bonus(BonusKind(kind))


def _patches(table: TomlTable, rows: tuple[Row, ...]) -> tuple[ColumnPatch, ...]:
    columns = {column for row in rows for column in row.columns}
    patches = []
    for entry in table.tables("patch"):
        patch = ColumnPatch(entry.text("id"), entry.whole("column", 1, _MOST_CELLS), entry.whole("points", 1, 100))
        if patch.column not in columns:
            entry.refuse("column", said("no cell stands in column {column}", column=patch.column))
        patches.append(patch)
    return tuple(patches)


def _spools(table: TomlTable) -> Spools:
    spools = table.table("spools")
    points = spools.wholes("points", 0, 100)
    return Spools(points, spools.whole("open", 0, len(points)), spools.whole("all_colours_bonus", 0, 100))


def _embroideries(table: TomlTable) -> tuple[Embroidery, ...]:
    return tuple(Embroidery(entry.text("id"), _parts(entry), _pencils(entry)) for entry in table.tables("embroidery"))


def _parts(entry: TomlTable) -> int:
    """Return the number of an embroidery's parts: a record's header gives the number, a file the places."""
    parts = entry.values.get("parts")
    return entry.whole("parts", 1, 20) if is_whole(parts, 1, 20) else len(entry.points("parts"))


def _pencils(entry: TomlTable) -> int:
    effect = entry.text("effect")
    kind, _, count = effect.partition(":")
    if effect == "backgrounds":
        return 0
    if kind != "pencils" or count not in {"1", "2", "3"}:
        entry.refuse(
            "effect",
            said(
                "{value} is not valid; allowed: {names}",
                value=repr(effect),
                names='"backgrounds", "pencils:1", "pencils:2", "pencils:3"',
            ),
        )
    return int(count)


def _check_names(table: TomlTable, sheet: Sheet) -> None:
    """Refuse two regions of the same name, which records and readings could not distinguish."""
    names = sheet.regions()
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        table.refuse(
            "id",
            said("two regions have the name {name}; give every patch and embroidery its own id", name=repr(twice[0])),
        )


def _check_facts(facts: TomlTable, sheet: Sheet) -> None:
    """Check the sheet against the numbers that the file states as facts."""
    counted = {
        "rows": len(sheet.rows),
        "spools_total": len(sheet.spools.points),
        "spools_open": sheet.spools.open,
        "colours": len(sheet.colours),
    }
    for key, found in counted.items():
        if key in facts and facts.whole(key, 0, 100) != found:
            facts.refuse(key, said("says {number}, but the sheet has {found}", number=facts.values[key], found=found))


def sheet_to_json(sheet: Sheet) -> dict[str, Any]:
    """Return the sheet for a record's header, with the keys of a sheet file; `sheet_of` reads it."""
    spools = sheet.spools
    return {
        "id": sheet.id,
        "colour": [{"key": colour} for colour in sheet.colours],
        "quilt": {"row": [_row_to_json(row) for row in sheet.rows]},
        "patch": [{"id": patch.id, "column": patch.column, "points": patch.points} for patch in sheet.patches],
        "spools": {
            "points": list(spools.points),
            "open": spools.open,
            "all_colours_bonus": spools.all_colours_bonus,
        },
        "embroidery": [
            {"id": figure.id, "parts": figure.parts, "effect": _effect(figure)} for figure in sheet.embroideries
        ],
    }


def _row_to_json(row: Row) -> dict[str, Any]:
    bonus = ["+".join(map(str, marks)) or "-" for marks in row.bonuses]
    return {"points": list(row.points), "bonus": bonus, "columns": list(row.columns)}


def _effect(figure: Embroidery) -> str:
    return f"pencils:{figure.pencils}" if figure.pencils else "backgrounds"
