"""Sheet files, format 1, TOML: checked access to their tables, and the sheet as the rules use it."""

import os
import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

from companion.errors import CompanionError
from companion.games.kvilt.sheet import Bonus, BonusKind, ColumnPatch, Embroidery, Row, Sheet, Spools
from companion.languages import Sentence, said, system_says, toml_says, unreadable


class SheetError(CompanionError):
    """Raised for an unusable sheet; the message is "FILE: [table] key: error; allowed values"."""


Point: TypeAlias = "tuple[float, float]"
"""(x, y) in millimetres, from the page's top left corner; y grows downwards."""

Rect: TypeAlias = "tuple[float, float, float, float]"
"""(x, y, width, height) in millimetres."""

_SHOWN_CHARACTERS = 40
_RECT, _POINT = "[x, y, width, height]", "[x, y]"


class TomlTable:
    """One table of a file, with its place for error messages.

    Args:
        values: the decoded table.
        source: the file's name.
        path: its place in the file, such as "quilt.row 2"; empty for the whole file.
    """

    def __init__(self, values: object, source: str, path: str = "") -> None:
        self.source, self.path = source, path
        if not isinstance(values, dict):
            raise SheetError.said("{place} must be a table", place=self.place)
        self.values: dict[str, Any] = values

    @property
    def place(self) -> str:
        """The beginning of every message, such as "sheet.toml: [quilt]"."""
        return f"{self.source}: [{self.path}]" if self.path else f"{self.source}:"

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def refuse(self, key: str, says: str) -> NoReturn:
        """Raise an error about one key."""
        raise SheetError.said("{place} {key}: {says}", place=self.place, key=key, says=says)

    def _value(self, key: str, allowed: str) -> Any:
        if key not in self.values:
            raise SheetError.said(
                "{place} {key} is missing; it must be {allowed}", place=self.place, key=key, allowed=allowed
            )
        return self.values[key]

    def _wrong(self, key: str, value: object, allowed: str) -> NoReturn:
        shown = repr(value)
        shown = shown if len(shown) <= _SHOWN_CHARACTERS else shown[: _SHOWN_CHARACTERS - 3] + "..."
        self.refuse(key, said("{value} is not valid; it must be {allowed}", value=shown, allowed=allowed))

    def table(self, key: str) -> "TomlTable":
        """Return a table within this one."""
        return TomlTable(self._value(key, said("a table")), self.source, self._inner(key))

    def tables(self, key: str) -> "list[TomlTable]":
        """Return the tables of a list, at least one."""
        value = self._value(key, said("a list of tables"))
        if not isinstance(value, list) or not value:
            self._wrong(key, value, said("a list of tables, not empty"))
        return [
            TomlTable(item, self.source, f"{self._inner(key)} {number}") for number, item in enumerate(value, start=1)
        ]

    def _inner(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def whole(self, key: str, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`."""
        return int(
            self._checked(
                key,
                lambda value: is_whole(value, low, high),
                said("a whole number from {low} to {high}", low=_typed(low), high=_typed(high)),
            )
        )

    def wholes(self, key: str, low: int, high: int) -> tuple[int, ...]:
        """Return a non-empty list of whole numbers from `low` to `high`."""
        return tuple(
            self._listed(
                key,
                lambda item: is_whole(item, low, high),
                said("whole numbers from {low} to {high}", low=_typed(low), high=_typed(high)),
            )
        )

    def number(self, key: str, low: float, high: float) -> float:
        """Return a number from `low` to `high`."""
        return float(
            self._checked(
                key,
                lambda value: is_number(value, low, high),
                said("a number from {low} to {high}", low=_typed(low), high=_typed(high)),
            )
        )

    def numbers(self, key: str, count: int, low: float, high: float) -> tuple[float, ...]:
        """Return a list of `count` numbers from `low` to `high`."""
        allowed = said("{count} numbers from {low} to {high}", count=count, low=_typed(low), high=_typed(high))
        value = self._listed(key, lambda item: is_number(item, low, high), allowed)
        return tuple(map(float, value)) if len(value) == count else self._wrong(key, value, allowed)

    def text(self, key: str) -> str:
        """Return a non-empty text."""
        return str(self._checked(key, lambda value: isinstance(value, str) and bool(value.strip()), said("a text")))

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a non-empty list of texts."""
        return tuple(self._listed(key, lambda item: isinstance(item, str), said("texts")))

    def rect(self, key: str) -> Rect:
        """Return a rectangle, [x, y, width, height], with a positive width and height."""
        return self._rect(key, self._value(key, _RECT))

    def rects(self, key: str) -> tuple[Rect, ...]:
        """Return a list of rectangles."""
        value = self._value(key, said("a list of {form}", form=_RECT))
        if not isinstance(value, list):
            self._wrong(key, value, said("a list of {form}", form=_RECT))
        return tuple(self._rect(key, item) for item in value)

    def point(self, key: str) -> Point:
        """Return a point, [x, y]."""
        x, y = self.numbers(key, 2, -1000, 1000)
        return x, y

    def polygon(self, key: str) -> tuple[Point, ...]:
        """Return a closed outline of at least three points."""
        return self.outline(key, self._value(key, said("a list of points {form}", form=_POINT)))

    def points(self, key: str) -> tuple[Point, ...]:
        """Return a non-empty list of points."""
        return self.outline(key, self._value(key, said("a list of points {form}", form=_POINT)), 1)

    def outline(self, key: str, value: object, least: int = 3) -> tuple[Point, ...]:
        """Return a decoded list of at least `least` points, the value of a key."""
        if not isinstance(value, list) or len(value) < least or not all(is_numbers(item, 2) for item in value):
            self._wrong(key, value, said("a list of at least {least} points {form}", least=least, form=_POINT))
        return tuple((float(x), float(y)) for x, y in value)

    def _rect(self, key: str, value: object) -> Rect:
        if not isinstance(value, list) or not is_numbers(value, 4) or value[2] <= 0 or value[3] <= 0:
            self._wrong(key, value, said("{form} in millimetres, larger than zero", form=_RECT))
        x, y, width, height = map(float, value)
        return x, y, width, height

    def _checked(self, key: str, good: Callable[[object], bool], allowed: str) -> Any:
        value = self._value(key, allowed)
        return value if good(value) else self._wrong(key, value, allowed)

    def _listed(self, key: str, good: Callable[[object], bool], allowed: str) -> list[Any]:
        value = self._value(key, said("a list of {allowed}", allowed=allowed))
        if not isinstance(value, list) or not value or not all(good(item) for item in value):
            self._wrong(key, value, said("a list of {allowed}, not empty", allowed=allowed))
        return list(value)


def _typed(number: float) -> str:
    """Return a number as it is typed in a TOML file, in ASCII whatever the language."""
    return f"{number:.15g}"


def is_whole(value: object, low: int, high: int) -> bool:
    """Return whether a decoded value is a whole number from `low` to `high`; TOML's booleans are not."""
    return type(value) is int and low <= value <= high


def is_number(value: object, low: float, high: float) -> bool:
    """Return whether a decoded value is a number from `low` to `high`; TOML's booleans are not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high


def is_numbers(value: object, count: int) -> bool:
    """Return whether a decoded value is a list of `count` numbers from -1000 to 1000."""
    return isinstance(value, list) and len(value) == count and all(is_number(item, -1000, 1000) for item in value)


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
        raise SheetError(unreadable(path, error)) from error
    except ValueError as error:  # a name with a null byte
        raise SheetError.said(
            "{path}: cannot be read: {fault}", path=repr(str(path)), fault=system_says(error)
        ) from error
    if len(content) > _LARGEST_FILE_BYTES:
        raise SheetError.said(
            "{path}: larger than {count} bytes: this is not a sheet", path=str(path), count=_LARGEST_FILE_BYTES
        )
    return content


def _decoded(content: bytes, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise SheetError.said(
            "{path}: not {encoding} (byte {number})", path=source, encoding="UTF-8", number=error.start + 1
        ) from error
    except (ValueError, RecursionError) as error:  # a number too long, too
        raise SheetError.said(
            "{path}: not {encoding}: {fault}", path=source, encoding="TOML", fault=toml_says(error)
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
        "spools": {"points": list(spools.points), "open": spools.open, "all_colours_bonus": spools.all_colours_bonus},
        "embroidery": [
            {"id": figure.id, "parts": figure.parts, "effect": _effect(figure)} for figure in sheet.embroideries
        ],
    }


def _row_to_json(row: Row) -> dict[str, Any]:
    bonus = ["+".join(map(str, marks)) or "-" for marks in row.bonuses]
    return {"points": list(row.points), "bonus": bonus, "columns": list(row.columns)}


def _effect(figure: Embroidery) -> str:
    return f"pencils:{figure.pencils}" if figure.pencils else "backgrounds"
