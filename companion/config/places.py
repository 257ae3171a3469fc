"""The paths of the configuration and the data (XDG Base Directory Specification)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.config.settings import Config

APPLICATION = "quilt-companion"
DATA_VARIABLE = "QUILT_COMPANION_DATA"
SYSTEM_CONFIG = Path("/etc") / APPLICATION / "config.toml"


def find_config(environ: Mapping[str, str], system: Path = SYSTEM_CONFIG) -> Path | None:
    """Return the user's configuration file, else the system's, or None if there is neither."""
    for path in (user_config(environ), system):
        if path.is_file():
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
