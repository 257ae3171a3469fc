"""The files that a configuration names and a table needs: each with what lies beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from companion.backup.contents import is_kept

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from companion.config import Config

_FOLDER: Final = "named"


@dataclass(frozen=True, slots=True)
class _Key:
    """A key of the configuration that names a file.

    Attributes:
        section: its section.
        name: the key.
        beside: how the files beside that one are called, after its own name without its suffix.
    """

    section: str
    name: str
    beside: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the key with its section, as a backup's list has it."""
        return f"{self.section}.{self.name}"

    def path(self, config: Config) -> Path | None:
        """Return the file that it names."""
        path: Path | None = getattr(getattr(config, self.section), self.name)
        return path

    def leading_to(self, path: Path, config: Config) -> Config:
        """Return the configuration with another file."""
        section = replace(getattr(config, self.section), **{self.name: path})
        return replace(config, **{self.section: section})


_KEYS: Final = (
    _Key("table", "calibration", (".npz", ".png")),
    _Key("table", "time_board_print"),
    _Key("kvilt", "sheet", ("-blank.jpg", ".draft.json")),
    # Certificates are public; the password of the same section is not, and stays.
    _Key("mqtt", "ca"),
)


def named_files(config: Config, data: Path) -> tuple[dict[str, str], dict[str, Path]]:
    """Return the name that each named file has in the data folder, by its key; and where those lie that are elsewhere.

    Args:
        config: names them.
        data: the data folder.
    """
    keys: dict[str, str] = {}
    elsewhere: dict[str, Path] = {}
    for key in _KEYS:
        path = key.path(config)
        if path is None or not path.is_file():
            continue
        inside = path.absolute().relative_to(data.absolute()).as_posix() if _is_below(path, data) else ""
        if is_kept(inside):
            keys[str(key)] = inside
            continue
        folder = _free_folder(key, data)
        keys[str(key)] = f"{folder}/{path.name}"
        beside = [path.with_name(path.stem + suffix) for suffix in key.beside]
        elsewhere |= {f"{folder}/{each.name}": each for each in (path, *beside) if each.is_file()}
    return keys, {name: path for name, path in elsewhere.items() if is_kept(name)}


def moved(config: Config, named: Mapping[str, str], data: Path) -> Config:
    """Return the configuration with its files where they lie in another data folder."""
    if config.data.folder is not None:
        config = replace(config, data=replace(config.data, folder=data))
    for key in _KEYS:
        if str(key) in named:
            config = key.leading_to(data / named[str(key)], config)
    return config


def _is_below(path: Path, folder: Path) -> bool:
    return path.absolute().is_relative_to(folder.absolute())


def _free_folder(key: _Key, data: Path) -> str:
    """Return a folder's name for a file from elsewhere that nothing in the data folder has."""
    name, count = f"{_FOLDER}/{key.name}", 1
    free = name
    while (data / free).exists():
        count += 1
        free = f"{name}-{count}"
    return free
