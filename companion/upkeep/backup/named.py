"""The files that a configuration refers to and a table needs, with the files that belong to each."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from companion.config import Config
from companion.upkeep.backup.contents import included_files, is_included

_FOLDER: Final = "named"


@dataclass(frozen=True, slots=True)
class _Key:
    """A key of the configuration whose value is a file's path.

    Attributes:
        section: the section's name.
        name: the key's name.
        beside: the endings of the files that belong to it, each appended to its name without suffix.
    """

    section: str
    name: str
    beside: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return section and key, as in a backup's manifest."""
        return f"{self.section}.{self.name}"

    def path(self, config: Config) -> Path | None:
        """Return the file's path in a configuration, or None."""
        path: Path | None = getattr(config.section(self.section), self.name, None)
        return path

    def leading_to(self, path: Path, config: Config) -> Config:
        """Return a configuration with another path for this key."""
        return config.with_section(self.section, **{self.name: path})


_KEYS: Final = (
    _Key("table", "calibration", (".npz", ".png")),
    _Key("table", "time_board_print"),
    _Key("kvilt", "sheet", ("-blank.jpg", ".draft.json")),
    # Certificates are public; the password file of the same section is secret, and never backed up.
    _Key("mqtt", "ca"),
)


def named_files(config: Config, data: Path) -> tuple[dict[str, str], dict[str, Path]]:
    """Return each file's name in a backup's data folder, by key, and the paths of those from elsewhere, by name.

    Args:
        config: the configuration.
        data: the data folder.

    Raises:
        OSError: the data folder cannot be read.
    """
    # A link in the data folder is not in a backup, but the file that it leads to must be.
    written = set(included_files(data))
    keys: dict[str, str] = {}
    elsewhere: dict[str, Path] = {}
    for key in _KEYS:
        path = key.path(config)
        if path is None or not path.is_file():
            continue
        inside = path.absolute().relative_to(data.absolute()).as_posix() if _is_below(path, data) else ""
        if inside in written:
            keys[str(key)] = inside
            continue
        folder = _free_folder(key, data)
        if not is_included(f"{folder}/{path.name}"):
            continue
        keys[str(key)] = f"{folder}/{path.name}"
        beside = [path.with_name(path.stem + suffix) for suffix in key.beside]
        elsewhere |= {f"{folder}/{each.name}": each for each in (path, *beside) if each.is_file()}
    return keys, {name: path for name, path in elsewhere.items() if is_included(name)}


def moved(config: Config, named: Mapping[str, str], data: Path) -> Config:
    """Return a configuration with its paths changed to those in another data folder."""
    if config.data.folder is not None:
        config = replace(config, data=replace(config.data, folder=data))
    for key in _KEYS:
        if str(key) in named:
            config = key.leading_to(data / named[str(key)], config)
    return config


def _is_below(path: Path, folder: Path) -> bool:
    return path.absolute().is_relative_to(folder.absolute())


def _free_folder(key: _Key, data: Path) -> str:
    """Return an unused name of a folder in the data folder for a file from outside."""
    name, count = f"{_FOLDER}/{key.name}", 1
    free = name
    while (data / free).exists():
        count += 1
        free = f"{name}-{count}"
    return free
