"""The configuration as TOML text: read with every mistake named, and written with its comments."""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from companion.config.checks import ConfigError
from companion.config.settings import Config

if TYPE_CHECKING:
    from companion.config.setting import Setting


def load_config(path: Path | None) -> Config:
    """The configuration in a file; the defaults for None.

    Raises:
        ConfigError: one line that names the file, and the section and key where it is one of these.
    """
    if path is None:
        return Config()
    try:
        # A byte order mark is what some editors leave behind; TOML knows none.
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not UTF-8 text (byte {error.start}); save it as UTF-8") from error
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    return parse_config(text, str(path))


def parse_config(text: str, source: str) -> Config:
    """The configuration in a text; `source` names it in errors.

    Raises:
        ConfigError: as `load_config`.
    """
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{source}: is not TOML: {str(error).splitlines()[0]}") from error
    kinds = {section.name: section for section in fields(Config)}
    _refuse_unknown(document, list(kinds), f"{source}: ", "section")
    return Config(**{name: _section(name, document.get(name, {}), source) for name in kinds})


def _section(name: str, table: object, source: str) -> Any:
    if not isinstance(table, dict):
        raise ConfigError(f"{source}: {name}: is a section; write [{name}] on a line of its own, its keys below")
    kind = type(getattr(Config(), name))
    settings = _settings(kind)
    _refuse_unknown(table, list(settings), f"{source}: [{name}] ", "key")
    values = {key: _checked(settings[key], value, f"{source}: [{name}] {key}") for key, value in table.items()}
    section = kind(**values)
    try:
        getattr(section, "check", lambda: None)()
    except ValueError as error:
        raise ConfigError(f"{source}: [{name}] {error}") from error
    return section


def _settings(kind: type[Any]) -> dict[str, Setting]:
    """The keys of a section, from the annotations of its fields."""
    hints = get_type_hints(kind, include_extras=True)
    return {item.name: hints[item.name].__metadata__[0] for item in fields(kind)}


def _checked(setting: Setting, value: object, where: str) -> Any:
    try:
        return setting.check(value)
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from error


def _refuse_unknown(table: Mapping[str, object], known: list[str], where: str, kind: str) -> None:
    for name in table:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"
            shown = name if name.isprintable() and len(name) <= 40 else repr(name[:40])
            raise ConfigError(f"{where}{shown}: is no {kind}; {hint}")


def config_text(config: Config) -> str:
    """The configuration as commented TOML; reading it gives the same configuration."""
    sections = ("\n".join(_section_lines(item.name, getattr(config, item.name))) for item in fields(config))
    return "\n\n".join(sections) + "\n"


def _section_lines(name: str, section: Any) -> Iterator[str]:
    yield f"[{name}]  # {(type(section).__doc__ or '').rstrip('.')}"
    for key, setting in _settings(type(section)).items():
        yield f"# {setting.comment}"
        value = getattr(section, key)
        yield f"# {key} = {setting.example}" if value is None else f"{key} = {_toml(value)}"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    # JSON's strings are TOML's, but for DEL, which TOML wants escaped.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
