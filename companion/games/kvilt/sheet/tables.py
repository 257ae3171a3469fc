"""A decoded TOML table with checked access; errors name the place in the file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

from companion.games.kvilt.errors import SheetError
from companion.languages import said

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
            raise SheetError(said("{place} must be a table", place=self.place))
        self.values: dict[str, Any] = values

    @property
    def place(self) -> str:
        """The beginning of every message, such as "sheet.toml: [quilt]"."""
        return f"{self.source}: [{self.path}]" if self.path else f"{self.source}:"

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def refuse(self, key: str, says: str) -> NoReturn:
        """Raise an error about one key."""
        raise SheetError(said("{place} {key}: {says}", place=self.place, key=key, says=says))

    def _value(self, key: str, allowed: str) -> Any:
        if key not in self.values:
            raise SheetError(
                said("{place} {key} is missing; it must be {allowed}", place=self.place, key=key, allowed=allowed)
            )
        return self.values[key]

    def _wrong(self, key: str, value: object, allowed: str) -> NoReturn:
        shown = repr(value)
        shown = shown if len(shown) <= _SHOWN_CHARACTERS else shown[: _SHOWN_CHARACTERS - 3] + "..."
        self.refuse(key, said("{value} is not valid; it must be {allowed}", value=shown, allowed=allowed))

    def table(self, key: str) -> TomlTable:
        """Return a table within this one."""
        return TomlTable(self._value(key, said("a table")), self.source, self._inner(key))

    def tables(self, key: str) -> list[TomlTable]:
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
