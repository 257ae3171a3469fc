"""The places of the configuration and the data (XDG Base Directory Specification)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.config.settings import Config

APPLICATION = "quilt-companion"
DATA_VARIABLE = "QUILT_COMPANION_DATA"
SYSTEM_CONFIG = Path("/etc") / APPLICATION / "config.toml"


def find_config(environ: Mapping[str, str], system: Path = SYSTEM_CONFIG) -> Path | None:
    """Return the user's configuration file, else the system's, or None if the defaults hold."""
    for path in (user_config(environ), system):
        if path.is_file():
            return path
    return None


def user_config(environ: Mapping[str, str]) -> Path:
    """Return where the user's configuration file is, or would be."""
    return _base(environ, "XDG_CONFIG_HOME", ".config") / APPLICATION / "config.toml"


def data_folder(config: Config, environ: Mapping[str, str], option: Path | None = None) -> Path:
    """Return where games are kept: by the command's option, the environment, the file, else the user's state folder."""
    if option is not None:
        return option
    if environ.get(DATA_VARIABLE):
        return Path(environ[DATA_VARIABLE])
    if config.data.folder is not None:
        return config.data.folder
    return _base(environ, "XDG_STATE_HOME", ".local/state") / APPLICATION


def _base(environ: Mapping[str, str], variable: str, below_home: str) -> Path:
    """Return a base folder; the specification has relative ones ignored."""
    folder = Path(environ.get(variable, ""))
    return folder if folder.is_absolute() else Path(environ.get("HOME") or Path.home()) / below_home
