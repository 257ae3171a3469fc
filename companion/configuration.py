"""The configuration of this program, with the sections of its games and of installed ones.

It loads each game's settings alone, not the games, so that every command can read the configuration.
"""

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from companion.config import Config, text
from companion.config.text import ConfigError, GameSections, toml_value, with_values
from companion.durable import read_text, rewrite
from companion.kvilt.settings import KviltSettings
from companion.ownership import as_owner_of
from companion.patchwork.settings import PatchworkSettings
from companion.settings import GameSettings


def _installed() -> Iterator[type[GameSettings]]:
    from companion.registry import entries  # noqa: PLC0415  # It loads the games, and looks for installed ones.

    yield from (entry.settings for entry in entries() if entry.settings is not None)


SECTIONS: Final = GameSections((PatchworkSettings, KviltSettings), _installed)
load_config = partial(text.load_config, games=SECTIONS)
parse_config = partial(text.parse_config, games=SECTIONS)
config_text = partial(text.config_text, games=SECTIONS)


def written_config(path: Path | None) -> Config:
    """Return the configuration in a file, or the defaults if there is no file.

    Raises:
        ConfigError: it cannot be read.
    """
    return load_config(path if path is not None and path.exists() else None)


def with_setting(path: Path, section: str, key: str, value: object) -> Config:
    """Return the configuration in a file with another value of a key; the file stays as it is.

    Args:
        path: the configuration's file, which need not exist.
        section: the name of the section.
        key: the key.
        value: the decoded TOML value; None to remove the key.

    Raises:
        ConfigError: the file cannot be read, or the value is not allowed.
    """
    text = read_text(path) if path.exists() else ""
    load_config(path if path.exists() else None)
    document = tomllib.loads(text)
    values = document.setdefault(section, {})
    if value is None:
        values.pop(key, None)
    else:
        values[key] = value
    lines = (line for name, each in document.items() for line in (f"[{name}]", *_lines(each)))
    return parse_config("\n".join(lines), str(path))


def _lines(values: Mapping[str, object]) -> Iterator[str]:
    return (f"{key} = {toml_value(value)}" for key, value in values.items())


def write_setting(path: Path, section: str, key: str, value: object) -> Config:
    """Change a key in a configuration's file, which keeps its comments, and return the configuration.

    Args and errors are those of `with_setting`; in addition:

    Raises:
        OSError: the file cannot be written.
    """
    wanted = with_setting(path, section, key, value)
    write_section(path, wanted, section, {key: None if value is None else toml_value(value)})
    return wanted


def write_network_camera(path: Path, url: str) -> None:
    """Choose a camera in the network; its driver is not valid without its address, so both are written at once.

    Raises:
        ConfigError: the address is not one, or the file cannot be read.
        OSError: the file cannot be written.
    """
    values = {"driver": toml_value("network"), "url": toml_value(url)}
    content = read_text(path) if path.exists() else ""
    wanted = parse_config(with_values(content, "camera", values), str(path))
    write_section(path, wanted, "camera", values)


def write_section(path: Path, wanted: Config, section: str, values: Mapping[str, str | None]) -> None:
    """Change values in a section of a configuration; the section is created if missing.

    Args:
        path: the configuration's file.
        wanted: the complete configuration after the change.
        section: the section to change.
        values: the new value of each changed key, in TOML; None to remove the key.

    Raises:
        OSError: the file cannot be written.
    """
    text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    written = with_values(text, section, values)
    if not _says(written, wanted):
        # It is written in a form that only a TOML parser could change.
        written = config_text(wanted)
    with as_owner_of(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        # A new one is readable for the service's user, too; passwords are in files of their own.
        rewrite(path, written.encode(), 0o644)


def _says(text: str, wanted: Config) -> bool:
    with suppress(ConfigError):
        return parse_config(text, "written") == wanted
    return False
