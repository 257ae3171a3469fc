"""Checks of the configuration's values: functions that convert a decoded TOML value into a setting, or refuse it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from companion.errors import CompanionError
from companion.languages import any_of, is_plain, said


@dataclass(frozen=True, slots=True)
class Setting:
    """The check and comment of a key, as the annotation of its field.

    Attributes:
        check: converts a decoded TOML value into the setting.
        comment: the comment above the key, one line without the hash.
        example: a TOML value for a key that may be absent, printed commented out.
    """

    check: Check[Any]
    comment: str
    example: str = ""


T = TypeVar("T")
Choice = TypeVar("Choice", bound=StrEnum)

Check: TypeAlias = Callable[[object], T]
"""A check; it raises ValueError with "what is wrong; what is allowed"."""

# A value may be as long as the file; the message stays one line.
_SHOWN_CHARACTERS = 40


class ConfigError(CompanionError):
    """Raised if the configuration is unusable; the message is "FILE: [section] key: what is wrong; what is allowed"."""


def refuse(value: object, allowed: str) -> ValueError:
    """Return the error for a value; `allowed` describes the allowed ones."""
    shown = repr(value)
    if len(shown) > _SHOWN_CHARACTERS:
        shown = shown[: _SHOWN_CHARACTERS - 3] + "..."
    return ValueError(said("{value} is not valid; allowed: {allowed}", value=shown, allowed=allowed))


def one_of(*names: str) -> Check[str]:
    """Return a check for one of these names."""

    def check(value: object) -> str:
        if isinstance(value, str) and value in names:
            return value
        raise refuse(value, _listed(names))

    return check


def member(kind: type[Choice]) -> Check[Choice]:
    """Return a check for a member of an enumeration, by its value."""

    def check(value: object) -> Choice:
        names = [choice.value for choice in kind]
        if isinstance(value, str) and value in names:
            return kind(value)
        raise refuse(value, _listed(names))

    return check


def whole(low: int, high: int) -> Check[int]:
    """Return a check for an integer from `low` to `high`."""

    def check(value: object) -> int:
        # TOML's true and false are ints to Python.
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        raise refuse(value, said("a whole number from {low} to {high}", low=low, high=high))

    return check


def number(low: float, high: float) -> Check[float]:
    """Return a check for a number from `low` to `high`."""

    def check(value: object) -> float:
        # The comparisons also refuse nan and infinities; TOML's true and false are ints to Python.
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
            return float(value)
        raise refuse(value, said("a number from {low} to {high}", low=low, high=high))

    return check


def one_number_of(*numbers: int) -> Check[int]:
    """Return a check for one of these integers."""

    def check(value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and value in numbers:
            return value
        raise refuse(value, any_of([said("{number}", number=each) for each in numbers]))

    return check


def pins(value: object) -> tuple[int, ...]:
    """Return at most two GPIO numbers of a Raspberry Pi's header."""
    numbers = value if isinstance(value, list) else None
    # Not `isinstance`, as TOML's true and false are ints to Python.
    if numbers is None or len(numbers) > 2 or not all(type(number) is int and 0 <= number <= 27 for number in numbers):
        raise refuse(
            value,
            said(
                "a list of at most two GPIO numbers from {low} to {high}, such as {example}",
                low=0,
                high=27,
                example=any_of(["[17]", "[17, 5]"]),
            ),
        )
    return tuple(numbers)


def word(value: object) -> str:
    """Return a name without spaces, such as a device's or a host's."""
    if isinstance(value, str) and value and value.isprintable() and not any(map(str.isspace, value)):
        return value
    raise refuse(value, said("a name without spaces"))


def flag(value: object) -> bool:
    """Return true or false."""
    if isinstance(value, bool):
        return value
    raise refuse(value, any_of(["true", "false"]))


def names_of_two(value: object) -> tuple[str, str]:
    """Return two players' names, printable and at most 40 characters long."""
    if isinstance(value, list) and len(value) == 2 and all(_is_name(name) for name in value):
        return (value[0], value[1])
    raise refuse(
        value,
        said("two names of {low} to {high} characters, such as {example}", low=1, high=40, example='["Anna", "Boris"]'),
    )


def size(value: object) -> tuple[int, int]:
    """Return a picture's width and height, in pixels."""
    check = whole(320, 8192)
    if not isinstance(value, list) or len(value) != 2:
        raise refuse(value, said("width and height, such as {example}", example="[1536, 864]"))
    return (check(value[0]), check(value[1]))


def one_or_two_of(*names: str) -> Check[tuple[str, str]]:
    """Return a check for one of these names for both seats, or a list of one for each seat."""

    def check(value: object) -> tuple[str, str]:
        pair = [value, value] if isinstance(value, str) else value
        if isinstance(pair, list) and len(pair) == 2 and all(name in names for name in pair):
            return (pair[0], pair[1])
        raise refuse(value, said("{names}, or a list of two of them", names=_listed(names)))

    return check


def two_of(*names: str) -> Check[tuple[str, str]]:
    """Return a check for a list of two different names of these, one for each seat."""

    def check(value: object) -> tuple[str, str]:
        if isinstance(value, list) and len(value) == 2 and all(name in names for name in value) and len({*value}) == 2:
            return (value[0], value[1])
        raise refuse(value, said("a list of two different ones of {names}", names=_listed(names)))

    return check


def texts(value: object) -> tuple[str, ...]:
    """Return a list of texts."""
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return tuple(value)
    raise refuse(value, said("a list of texts"))


def address(value: object) -> str:
    """Return an IP address for a server to listen at."""
    try:
        if isinstance(value, str):
            return str(ip_address(value))
    except ValueError:
        pass
    raise refuse(value, said("an IP address, such as {example}", example='"192.168.1.20"'))


def reach(host: str | None, *, lan: bool) -> None:
    """Check that an address to listen at is a loopback one, unless `lan` opens it to the network.

    Raises:
        ValueError: it is not.
    """
    if host is not None and not lan and not ip_address(host).is_loopback:
        raise ValueError(
            said(
                "{key}: {value} is reachable from other machines; allowed: with {other}",
                key="host",
                value=host,
                other="lan = true",
            )
        )


def folder(value: object) -> Path:
    """Return the path of a folder; `~` is expanded."""
    return _path(value, said("the path of a folder"))


def file(value: object) -> Path:
    """Return the path of a file; `~` is expanded."""
    return _path(value, said("the path of a file"))


def _path(value: object, allowed: str) -> Path:
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise refuse(value, allowed)
    try:
        return Path(value).expanduser()
    # `expanduser` raises it for a user without a home folder.
    except RuntimeError:
        raise refuse(value, said("a path with a known home folder")) from None


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= 40 and is_plain(value)


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return any_of([f'"{name}"' for name in names])
