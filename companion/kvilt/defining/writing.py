"""A writer of a sheet's tables as TOML; keys that the user added by hand are preserved."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

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
    return key if plain else _quoted(key)


def _quoted(text: str) -> str:
    """Return a quoted TOML string; JSON's escapes are TOML's, except that of DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _value(value: object) -> str:
    match value:
        # Before int, because True is one.
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            rounded = round(value, _DECIMALS)
            return str(int(rounded)) if rounded == int(rounded) else str(rounded)
        case dict():
            return "{ " + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + " }"
        case list() | tuple():
            # TOML has no null.
            return f"[{', '.join(_value(item) for item in value if item is not None)}]"
        case _:
            return _quoted(str(value))


def _lines(value: object) -> str:
    """Return the lines of a value; a long list of lists has one line per item."""
    line = _value(value)
    if len(line) <= _LONG_LINE or not isinstance(value, list) or not all(isinstance(item, list) for item in value):
        return line
    return "[\n" + "".join(f"  {_value(item)},\n" for item in value) + "]"
