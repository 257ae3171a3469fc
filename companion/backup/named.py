"""The files that a configuration names: a calibration, and the sheet of a boxed Kvilt; each with what lies beside."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion.backup.contents import is_kept

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from companion.config import Config

CALIBRATION: Final = "table.calibration"
SHEET: Final = "kvilt.sheet"
_FOLDER: Final = "named"
_BESIDE: Final = {CALIBRATION: (".npz", ".png"), SHEET: ("-blank.jpg", ".draft.json")}
"""How the files beside each are called, after its own name without its suffix."""


def named_files(config: Config, data: Path) -> tuple[dict[str, str], dict[str, Path]]:
    """Return the name that each named file has in the data folder, by its key; and where those lie that are elsewhere.

    Args:
        config: names them.
        data: the data folder.
    """
    keys: dict[str, str] = {}
    elsewhere: dict[str, Path] = {}
    for key, path in ((CALIBRATION, config.table.calibration), (SHEET, config.kvilt.sheet)):
        if path is None or not path.is_file():
            continue
        inside = path.absolute().relative_to(data.absolute()).as_posix() if _is_below(path, data) else ""
        if is_kept(inside):
            keys[key] = inside
            continue
        folder = _free_folder(key, data)
        keys[key] = f"{folder}/{path.name}"
        beside = [path.with_name(path.stem + suffix) for suffix in _BESIDE[key]]
        elsewhere |= {f"{folder}/{each.name}": each for each in (path, *beside) if each.is_file()}
    return keys, {name: path for name, path in elsewhere.items() if is_kept(name)}


def moved(config: Config, named: Mapping[str, str], data: Path) -> Config:
    """Return the configuration with its files where they lie in another data folder."""
    if config.data.folder is not None:
        config = replace(config, data=replace(config.data, folder=data))
    if CALIBRATION in named:
        config = replace(config, table=replace(config.table, calibration=data / named[CALIBRATION]))
    if SHEET in named:
        config = replace(config, kvilt=replace(config.kvilt, sheet=data / named[SHEET]))
    return config


def _is_below(path: Path, folder: Path) -> bool:
    return path.absolute().is_relative_to(folder.absolute())


def _free_folder(key: str, data: Path) -> str:
    """Return a folder's name for a file from elsewhere that nothing in the data folder has."""
    name, count = f"{_FOLDER}/{key.rpartition('.')[2]}", 1
    free = name
    while (data / free).exists():
        count += 1
        free = f"{name}-{count}"
    return free
