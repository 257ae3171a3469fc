"""Edits of one section of a configuration file, which leave the rest as its owner wrote it."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from companion.config import Config, ConfigError, config_text, load_config, parse_config
from companion.config.text import with_values
from companion.durable import write_whole


def written_config(path: Path | None) -> Config:
    """Return the configuration in a file, or the defaults if there is no file.

    Raises:
        ConfigError: it cannot be read.
    """
    return load_config(path if path is not None and path.exists() else None)


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
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, written.encode())
    # The service's user reads it, too; passwords are in files of their own.
    path.chmod(0o644)


def _says(text: str, wanted: Config) -> bool:
    with suppress(ConfigError):
        return parse_config(text, "written") == wanted
    return False
