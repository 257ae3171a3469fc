"""The games and configuration that a command works on: the user's, or those of the installed service."""

import argparse
import os
from pathlib import Path
from typing import Final

from companion.cli.arguments.options import config_path, journal_path
from companion.config import Config, data_folder, load_config, user_config
from companion.config.places import DATA_VARIABLE
from companion.errors import CompanionError
from companion.upkeep.backup import Places
from companion.upkeep.install.plan import CONFIG, STATE, UNIT

_UNIT_FOLDERS: Final = (Path("/etc/systemd/system"), Path("/usr/lib/systemd/system"), Path("/lib/systemd/system"))


def places_of(args: argparse.Namespace) -> Places:
    """Return the places of the games and the configuration that a command works on.

    For root these are the service's, if it is installed and no others are given, because games are not played as root.
    """
    if is_for_service(args):
        return Places(Path(STATE), Path(CONFIG))
    path = config_path(args)
    return Places(_data(args, path), path or user_config(os.environ))


def is_for_service(args: argparse.Namespace) -> bool:
    """Return whether a command is about the installed service."""
    # The options are absent from the arguments unless they are given.
    asked = hasattr(args, "data") or hasattr(args, "config") or bool(os.environ.get(DATA_VARIABLE))
    return os.geteuid() == 0 and not asked and is_installed()


def is_installed(folders: tuple[Path, ...] = _UNIT_FOLDERS) -> bool:
    """Return whether the service is installed on this machine."""
    return any((folder / UNIT).is_file() for folder in folders)


def _data(args: argparse.Namespace, path: Path | None) -> Path:
    try:
        return journal_path(args, load_config(path)).parent
    except CompanionError:
        # A configuration that cannot be read must not prevent the games from being saved.
        return data_folder(Config(), os.environ, getattr(args, "data", None))
