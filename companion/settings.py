"""Settings as typed fields: the sections of the configuration are declared beside the code that they belong to.

A section is a frozen dataclass, each of whose fields is a key, declared with `setting`:

    fps: float = setting(10.0, number(0.5, 60), said("Pictures per second."))

A check converts a decoded TOML value into the setting, or refuses it with "what is wrong; what is allowed". One way for
drivers, games and everything else: msgspec says neither what is allowed nor anything in the user's language.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, Self, TypeAlias, TypeVar

from companion.languages import Sentence, any_of, is_plain, reason, said

T = TypeVar("T")
Choice = TypeVar("Choice", bound=StrEnum)

Check: TypeAlias = Callable[[object], T]
"""A check; it raises ValueError with "what is wrong; what is allowed"."""

_KEY: Final = "setting"
# A value may be as long as the file; the message stays one line.
_SHOWN_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class Setting:
    """The check and comment of a key.

    Attributes:
        check: converts a decoded TOML value into the setting.
        comment: the comment above the key, one line without the hash.
        example: a TOML value for a key that may be absent, printed commented out.
    """

    check: Check[Any]
    comment: str
    example: str = ""


class SettingError(ValueError):
    """Raised for values that are refused or contradict one another: "key: what is wrong; what is allowed"."""


class Entry(NamedTuple):
    """A key as it is printed.

    Attributes:
        key: the key.
        comments: the comments above it, each after a name that is not translated; one a line.
        value: the value, or None if it is absent.
        example: a TOML value that is printed commented out for an absent one.
    """

    key: str
    comments: tuple[tuple[str, str], ...]
    value: object
    example: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the configuration.

    Attributes:
        title: the comment after its header.
    """

    title: ClassVar[Sentence]

    def check(self) -> None:
        """Check that the keys do not contradict one another.

        Raises:
            ValueError: they do; the message is "key: what is wrong; what is allowed".
        """

    def entries(self) -> Iterator[Entry]:
        """Yield all keys with their comments and values, in the order of the file."""
        for key, each in settings_of(type(self)).items():
            yield Entry(key, (("", each.comment),), getattr(self, key), each.example)

    @classmethod
    def known_keys(cls) -> Mapping[str, Setting]:
        """Return the settings by key."""
        return settings_of(cls)

    @classmethod
    def of(cls, values: Mapping[str, object]) -> Self:
        """Return the section with these decoded TOML values; other keys have their defaults.

        Raises:
            SettingError: a value is refused, or values contradict one another.
        """
        settings = settings_of(cls)
        return cls(**{key: checked(key, settings[key], value) for key, value in values.items()}).verified()

    def verified(self) -> Self:
        """Return the section after its own check.

        Raises:
            SettingError: values contradict one another.
        """
        try:
            self.check()
        except ValueError as error:
            raise SettingError(reason(error)) from error
        return self


@dataclass(frozen=True, slots=True)
class GameSettings(Section):
    """The section of one game, declared by the game.

    Attributes:
        section: its name in the configuration.
    """

    section: ClassVar[str]


def setting(default: T, check: Check[Any], comment: str, example: str = "") -> T:
    """Declare a field of a section as a key; the arguments are its default and those of `Setting`."""
    return field(default=default, metadata={_KEY: Setting(check, comment, example)})


def settings_of(section: type[Section]) -> Mapping[str, Setting]:
    """Return the settings of a section by key."""
    return {item.name: item.metadata[_KEY] for item in fields(section) if _KEY in item.metadata}


def checked(key: str, by: Setting, value: object) -> Any:
    """Return a decoded TOML value as its setting.

    Raises:
        SettingError: it is refused; the message names the key.
    """
    try:
        return by.check(value)
    except ValueError as error:
        raise SettingError(said("{place}: {fault}", place=key, fault=reason(error))) from error


def as_toml(value: object) -> object:
    """Return a setting as the TOML value that it came from; a sentence stays one, for readers of other languages."""
    if isinstance(value, tuple | list):
        return [as_toml(each) for each in value]
    return value if isinstance(value, bool | int | float | Sentence) else str(value)


def refuse(value: object, allowed: str) -> ValueError:
    """Return the error for a value; `allowed` describes the allowed ones."""
    shown = repr(value)
    if len(shown) > _SHOWN_CHARACTERS:
        shown = shown[: _SHOWN_CHARACTERS - 3] + "..."
    return ValueError(said("{value} is not valid; allowed: {allowed}", value=shown, allowed=allowed))


def quoted(names: Iterable[str]) -> str:
    """Return names as values of which any is allowed."""
    return any_of([f'"{name}"' for name in names])


def accepting(holds: Callable[[object], bool], allowed: str, made: Callable[[Any], T]) -> Check[T]:
    """Return a check for the values of which `holds` is true, which `made` converts; `allowed` describes them."""

    def check(value: object) -> T:
        if holds(value):
            return made(value)
        raise refuse(value, allowed)

    return check


def list_of(holds: Callable[[object], bool], allowed: str, low: int = 0, high: int = 1000) -> Check[tuple[Any, ...]]:
    """Return a check for a list of `low` to `high` values, for each of which `holds` is true."""
    return accepting(
        lambda value: isinstance(value, list) and low <= len(value) <= high and all(map(holds, value)), allowed, tuple
    )


def one_of(*names: str) -> Check[str]:
    """Return a check for one of these names."""
    return accepting(lambda value: isinstance(value, str) and value in names, quoted(names), str)


def member(kind: type[Choice]) -> Check[Choice]:
    """Return a check for a member of an enumeration, by its value."""
    check = one_of(*kind)
    return lambda value: kind(check(value))


def whole(low: int, high: int) -> Check[int]:
    """Return a check for an integer from `low` to `high`."""
    allowed = said("a whole number from {low} to {high}", low=low, high=high)
    return accepting(lambda value: is_whole(value, low, high), allowed, int)


def is_whole(value: object, low: int, high: int) -> bool:
    """Return whether a value is an integer from `low` to `high`."""
    # TOML's true and false are ints to Python.
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def number(low: float, high: float) -> Check[float]:
    """Return a check for a number from `low` to `high`."""
    return accepting(
        # The comparisons also refuse nan and infinities.
        lambda value: isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high,
        said("a number from {low} to {high}", low=low, high=high),
        float,
    )


word: Check[str] = accepting(
    lambda value: isinstance(value, str) and value.isprintable() and len(value.split()) == 1 and value == value.strip(),
    said("a name without spaces"),
    str,
)
"""A check for a name without spaces, such as a device's or a host's."""
flag: Check[bool] = accepting(lambda value: isinstance(value, bool), any_of(["true", "false"]), bool)
"""A check for true or false."""
texts: Check[tuple[str, ...]] = list_of(lambda value: isinstance(value, str), said("a list of texts"))
"""A check for a list of texts."""


def is_line(value: object) -> bool:
    """Return whether a value is a text of 1 to 40 characters on one line, such as a player's name."""
    return isinstance(value, str) and bool(value.strip()) and len(value) <= 40 and is_plain(value)


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
