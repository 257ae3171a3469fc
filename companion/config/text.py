"""Reading of the configuration from TOML, with precise errors, and writing it with comments."""

import difflib
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar, get_type_hints

from companion.config import Config
from companion.durable import read_text
from companion.errors import CompanionError
from companion.languages import ENGLISH, Language, reason, render, said, toml_says, unreadable
from companion.settings import GameSettings, Section, SettingError, as_toml

APPLICATION = "quilt-companion"
DATA_VARIABLE = "QUILT_COMPANION_DATA"
SYSTEM_CONFIG = Path("/etc") / APPLICATION / "config.toml"


def find_config(environ: Mapping[str, str], system: Path = SYSTEM_CONFIG) -> Path | None:
    """Return the user's configuration file, else the system's, or None if there is neither."""
    for path in (user_config(environ), system):
        if os.path.isfile(path):  # noqa: PTH113  # It never raises.
            return path
    return None


def user_config(environ: Mapping[str, str]) -> Path:
    """Return the path of the user's configuration file; it need not exist."""
    return _base(environ, "XDG_CONFIG_HOME", ".config") / APPLICATION / "config.toml"


def data_folder(config: Config, environ: Mapping[str, str], option: Path | None = None) -> Path:
    """Return the data folder: by the command's option, the environment, the configuration, or else the state folder."""
    if option is not None:
        return option
    # An empty variable counts as unset, as the specification says of its own.
    if environ.get(DATA_VARIABLE):
        return Path(environ[DATA_VARIABLE])
    if config.data.folder is not None:
        return config.data.folder
    return _base(environ, "XDG_STATE_HOME", ".local/state") / APPLICATION


def _base(environ: Mapping[str, str], variable: str, below_home: str) -> Path:
    """Return a base folder; relative ones are ignored, as the specification demands."""
    # Services may have no HOME; the home folder then comes from the system's list of users.
    folder = Path(environ.get(variable, ""))
    return folder if folder.is_absolute() else Path(environ.get("HOME") or Path.home()) / below_home


SectionT = TypeVar("SectionT", bound=Section)


class GameSections(NamedTuple):
    """The sections that games declare.

    Attributes:
        own: those of the program's own games.
        installed: returns those of other packages' games; called only for a section that is unknown otherwise.
    """

    own: tuple[type[GameSettings], ...]
    installed: Callable[[], Iterable[type[GameSettings]]] = tuple


class ConfigError(CompanionError):
    """Raised if the configuration is unusable; the message is "FILE: [section] key: what is wrong; what is allowed"."""


# The similarity from which a name is taken for a mistyped one; 0.6, the usual one, takes `game` for `camera`.
_NEAR: Final = 0.7
_HEADER: Final = re.compile(r"\s*\[(?P<name>[^\[\]]+)\]\s*(#.*)?")


def with_values(text: str, section: str, values: Mapping[str, str | None]) -> str:
    """Return a configuration's text, valid TOML, with other values in a section, which is added if missing.

    The values are TOML; None removes a key.
    """
    lines = text.splitlines()
    start = next((number for number, line in enumerate(lines) if _named(line) == section), None)
    new = [f"{key} = {value}" for key, value in values.items() if value is not None]
    if start is None:
        return "\n".join([*lines, *([""] if lines else []), f"[{section}]", *new]) + "\n"
    end = next((number for number in range(start + 1, len(lines)) if _named(lines[number])), len(lines))
    kept = _without(lines[start + 1 : end], values)
    # Directly below the header: at its end, a section often has the comment of the next one.
    return "\n".join([*lines[: start + 1], *new, *kept, *lines[end:]]) + "\n"


def _named(line: str) -> str | None:
    found = _HEADER.fullmatch(line)
    return found["name"].strip() if found else None


def _without(lines: list[str], keys: Mapping[str, str | None]) -> list[str]:
    """Return the lines of a section without those that set one of these keys."""
    kept: list[str] = []
    left = list(lines)
    while left:
        line = left.pop(0)
        if line.partition("=")[0].strip() not in keys:
            kept.append(line)
            continue
        # A value may span several lines.
        while left and not _is_whole(line):
            line = f"{line}\n{left.pop(0)}"
    return kept


def _is_whole(assignment: str) -> bool:
    try:
        tomllib.loads(assignment)
    except tomllib.TOMLDecodeError:
        return False
    return True


def load_config(path: Path | None, games: GameSections) -> Config:
    """Return the configuration in a file, in which games have these sections; the defaults for None.

    Raises:
        ConfigError: the file cannot be read or used; the message names the file, and section and key if known.
    """
    if path is None:
        return Config()
    try:
        # Some editors write a byte-order mark, which TOML does not allow.
        text = read_text(path)
    except UnicodeDecodeError as error:
        raise ConfigError.said(
            "{path}: is not {encoding} text (byte {number}); save it as {encoding}",
            path=str(path),
            encoding="UTF-8",
            number=error.start,
        ) from error
    except OSError as error:
        raise ConfigError(unreadable(path, error)) from error
    return parse_config(text, str(path), games)


def parse_config(text: str, source: str, games: GameSections) -> Config:
    """Return the configuration in a text; `source` names it in errors, `games` has the sections that games declare.

    Raises:
        ConfigError: as `load_config`.
    """
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError.said(
            "{path}: is not {encoding}: {fault}", path=source, encoding="TOML", fault=toml_says(error)
        ) from error
    fixed: dict[str, type[Section]] = get_type_hints(Config)
    del fixed["games"]
    named = {kind.section: kind for kind in games.own}
    if not document.keys() <= fixed.keys() | named.keys():
        named |= {kind.section: kind for kind in games.installed()}
    shown = [*(kind.section for kind in games.own), *fixed]
    _refuse_unknown(document, shown, [*fixed, *named], f"{source}: ", "section")
    sections: dict[str, Any] = {
        name: _section(name, kind, document.get(name, {}), source) for name, kind in fixed.items()
    }
    config = Config(**sections)
    for name, kind in named.items():
        if name in document:
            config = config.with_game(_section(name, kind, document[name], source))
    return config


def _section(name: str, kind: type[SectionT], table: object, source: str) -> SectionT:
    if not isinstance(table, dict):
        raise ConfigError.said(
            "{path}: {name}: is a section; write {section} on its own line, with its keys below",
            path=source,
            name=name,
            section=f"[{name}]",
        )
    place, known = f"{source}: [{name}]", list(kind.known_keys())
    _refuse_unknown(table, known, known, f"{place} ", "key")
    try:
        return kind.of(table)
    except SettingError as error:
        raise ConfigError.said("{place} {fault}", place=place, fault=reason(error)) from error


def _refuse_unknown(
    table: Mapping[str, object], known: Sequence[str], read: Sequence[str], where: str, kind: str
) -> None:
    """Raise ConfigError for a name that is not read; `known` are the names to suggest."""
    for name in table:
        if name not in read:
            near = difflib.get_close_matches(name, known, n=1, cutoff=_NEAR)
            hint = (
                said("did you mean {name}?", name=near[0]) if near else said("known: {names}", names=", ".join(known))
            )
            # Quotation marks show what else would be invisible, or change the line.
            shown = name if name.isprintable() and len(name) <= 40 else repr(name[:40])
            is_none = said("is not a section") if kind == "section" else said("is not a key")
            raise ConfigError.said("{place}: {fault}; {do}", place=f"{where}{shown}", fault=is_none, do=hint)


def config_text(config: Config, language: Language = ENGLISH, *, games: GameSections) -> str:
    """Return the configuration as TOML with comments in a language; parsing it gives the same configuration."""
    of_games = {kind.section: config.of(kind) for kind in games.own} | dict(config.games)
    of_table = {item.name: getattr(config, item.name) for item in fields(config) if item.name != "games"}
    sections = {**of_games, **of_table}
    return "\n\n".join("\n".join(_section_lines(*each, language)) for each in sections.items()) + "\n"


def _section_lines(name: str, section: Section, language: Language) -> Iterator[str]:
    yield f"[{name}]  # {section.title.rendered(language)}"
    for entry in section.entries():
        yield from (f"# {prefix}{render(comment, language)}" for prefix, comment in entry.comments)
        yield f"# {entry.key} = {entry.example}" if entry.value is None else f"{entry.key} = {toml_value(entry.value)}"


def toml_value(value: object) -> str:
    """Return a setting as a TOML value."""
    plain = as_toml(value)
    if isinstance(plain, bool):
        return "true" if plain else "false"
    if isinstance(plain, list):
        return f"[{', '.join(map(toml_value, plain))}]"
    # JSON strings are valid in TOML, except for an unescaped DEL.
    return (
        repr(plain)
        if isinstance(plain, int | float)
        else json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")
    )
