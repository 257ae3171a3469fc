"""The selection of the files in a backup.

These are all files in the data folder except those of one machine: locks, keys and passwords, SQLite's files beside a
database in use, and other backups.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from companion.journal import JOURNAL_NAME
from companion.journal.takeover import EARLIER_NAME

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
    rf"|(tables|{BACKUPS_NAME}|{EARLIER_NAME})(/.*)?"
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
