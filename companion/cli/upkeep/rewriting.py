"""Change a section of a configuration file, and leave the rest as its owner wrote it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from companion.config import Config, ConfigError, config_text, load_config, parse_config
from companion.config.editing import with_values
from companion.durable import write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def written_config(path: Path | None) -> Config:
    """Return the configuration in a file, or the defaults where there is no file.

    Raises:
        ConfigError: it cannot be read.
    """
    return load_config(path if path is not None and path.exists() else None)


def write_section(path: Path, wanted: Config, section: str, values: Mapping[str, str | None]) -> None:
    """Write other values into a section of a configuration, which is made where there is none.

    Args:
        path: of the configuration.
        wanted: what it shall say then.
        section: the only one that changes.
        values: each changed key's value, as TOML writes it; None for a key that shall not stand there.

    Raises:
        OSError: it cannot be written.
    """
    text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    written = with_values(text, section, values)
    if not _says(written, wanted):
        # Written in a way that only a parser of TOML could change.
        written = config_text(wanted)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, written.encode())
    path.chmod(0o644)


def _says(text: str, wanted: Config) -> bool:
    with suppress(ConfigError):
        return parse_config(text, "written") == wanted
    return False
