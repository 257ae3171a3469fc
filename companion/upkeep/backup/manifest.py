"""The manifest of a backup, with the size and checksum of each file.

These are all files in the data folder except those of one machine: locks, keys and passwords, SQLite's files beside a
database in use, and other backups.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Annotated, Final

import msgspec

from companion.config import Config
from companion.durable import free_name
from companion.errors import CompanionError
from companion.journal import JOURNAL_NAME
from companion.journal.takeover import EARLIER_NAME
from companion.languages import said

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
        folder = f"{_FOLDER}/{free_name(data / _FOLDER / key.name).name}"
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


BACKUPS_NAME: Final = "backups"
"""The folder of the backups made before updates."""
HALL_NAME: Final = "hall"
"""The folder of a club's hall; a running hall holds the lock beside it."""
HALL_DATABASE: Final = "hall.sqlite3"
"""The file's name in that folder, unless the database is on a server."""
ASIDE_NAME: Final = "before-restore"
"""The prefix of the folder into which restoring moves the former files."""

# The index of the games is made from the logs. Hidden files are temporary ones (`durable.write_beside`) or the folder
# of an unfinished restoration.
_LEFT_OUT: Final = re.compile(
    rf"{re.escape(JOURNAL_NAME)}(-wal|-shm)?(/.*)?|.*\.(lock|suspect|password)|page\.key"
    rf"|(tables|https|looks|{BACKUPS_NAME}|{EARLIER_NAME})(/.*)?"
    rf"|{ASIDE_NAME}.*|(.*/)?\.[^/]*(/.*)?"
)
# Keys of a hall's page, passwords of invited tables, and SQLite's files beside any database.
#
# Older backups may contain them, so they are accepted when reading.
_NEVER_WRITTEN: Final = re.compile(r"hall/(keys|invitations)(/.*)?|.*\.sqlite3-(wal|shm)")
_DEEPEST: Final = 8
# In bytes, as file systems count.
_LONGEST_NAME: Final = 255


@dataclass(frozen=True, slots=True)
class Places:
    """The paths that are backed up.

    Attributes:
        data: the folder of the journal.
        config: the configuration's file, which need not exist; None to leave the configuration out.
    """

    data: Path
    config: Path | None


def is_included(name: str) -> bool:
    """Return whether a file may be in a backup, by its path in the data folder; False for paths that lead out of it."""
    path = PurePosixPath(name)
    # A name that changes here has doubled slashes or single full stops, which no backup writes.
    is_plain = name == str(path) and not path.is_absolute() and 0 < len(path.parts) <= _DEEPEST
    return is_plain and all(map(_is_sound, path.parts)) and not _LEFT_OUT.fullmatch(name)


def included_files(folder: Path) -> Iterator[str]:
    """Yield the paths, relative to a data folder, of its files to back up, sorted.

    Raises:
        OSError: a folder cannot be read.
    """
    found: list[str] = []
    for place, folders, files in os.walk(folder, onerror=_raise):
        inside = PurePosixPath(Path(place).relative_to(folder).as_posix())
        folders[:] = [each for each in folders if is_included(str(inside / each))]
        paths = [inside / each for each in files]
        found += [str(each) for each in paths if _is_written(str(each)) and _is_plain_file(folder / each)]
    yield from sorted(found)


def _is_written(name: str) -> bool:
    return is_included(name) and not _NEVER_WRITTEN.fullmatch(name)


def _is_sound(part: str) -> bool:
    return part not in ("..", ".") and part.isprintable() and "\\" not in part and len(part.encode()) <= _LONGEST_NAME


def _is_plain_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _raise(error: OSError) -> None:
    raise error


MANIFEST_NAME: Final = "manifest.json"
DATA: Final = "data/"
CONFIG: Final = "config/config.toml"
"""The configuration's path in a backup; the data folder's files are below `DATA`."""
FORMAT: Final = 1
PROGRAM: Final = "quilt-companion"

Size = Annotated[int, msgspec.Meta(ge=0, le=1 << 53)]


class BackedUpFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file in a backup.

    Attributes:
        name: its path in the backup.
        size: its size in bytes.
        sha256: the SHA-256 of its content, in hexadecimal.
    """

    name: str
    size: Size
    sha256: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class Manifest(msgspec.Struct, frozen=True):
    """The contents of a backup.

    Attributes:
        format: the version of the backup's format.
        program: the program's name, always `PROGRAM`.
        version: the version of the companion that made it.
        taken_at: the time when it was made, in ISO 8601 format.
        games: the number of games.
        files: all files but the manifest.
        named: the files that the configuration refers to, by key, such as "table.calibration"; paths below `DATA`.
        damaged: the names of the databases that were damaged when they were copied.
        unread: the names of the games' logs that could not be read, and that it therefore lacks.
    """

    format: int
    program: str
    version: str
    taken_at: str
    games: Size
    files: tuple[BackedUpFile, ...]
    named: dict[str, str] = {}
    damaged: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


def manifest_bytes(manifest: Manifest) -> bytes:
    """Return a manifest as JSON."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1)


def manifest_of(content: bytes, path: str) -> Manifest:
    """Return the manifest of a backup; `path` names the backup in errors.

    Raises:
        CompanionError: it is invalid, or from a newer companion.
    """
    try:
        # Before the rest is decoded, which may have another form in a newer format.
        head = msgspec.json.decode(content, type=dict[str, object])
        if head.get("program") == PROGRAM and isinstance(form := head.get("format"), int) and form > FORMAT:
            raise CompanionError.said(
                "{path}: is a backup from a newer companion (format {version}, this one knows {known}); "
                "install that version first",
                path=path,
                version=form,
                known=FORMAT,
            )
        manifest = msgspec.json.decode(content, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise damaged(path, said("its list of files cannot be read")) from error
    if manifest.program != PROGRAM or manifest.format != FORMAT:
        raise damaged(path, said("its list of files cannot be read"))
    return manifest


def damaged(path: str, fault: str) -> CompanionError:
    """Return the error for a damaged backup, of which nothing is used."""
    return CompanionError.said(
        "{path}: is not an intact backup ({fault}); nothing was changed, use another one", path=path, fault=fault
    )
