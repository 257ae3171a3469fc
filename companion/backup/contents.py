"""The files of a companion that belong into a backup.

Everything in the data folder does, but for what one machine needs for itself: locks, keys and passwords, what SQLite
keeps beside a database in use, and other backups.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from companion.journal import JOURNAL_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

BACKUPS_NAME: Final = "backups"
"""The folder of the backups that were made before updates."""
ASIDE_NAME: Final = "before-restore"
"""How the folder begins in which a restored backup leaves what was there before."""

_LEFT_OUT: Final = re.compile(
    rf"{re.escape(JOURNAL_NAME)}-(wal|shm)(/.*)?|.*\.(lock|suspect|password)|page\.key|(tables|{BACKUPS_NAME})(/.*)?"
    rf"|{ASIDE_NAME}.*|(.*/)?\.[^/]*(/.*)?"
)
_NEVER_WRITTEN: Final = re.compile(r"hall/(keys|invitations)(/.*)?|.*\.sqlite3-(wal|shm)")
"""Keys of a hall's page, passwords of tables that may join it, and what SQLite keeps beside any database.

Backups of before may hold them.
"""
_DEEPEST: Final = 8
_LONGEST_NAME: Final = 255


@dataclass(frozen=True, slots=True)
class Places:
    """The folders and files that are backed up.

    Attributes:
        data: the folder of the journal.
        config: the configuration's file, which need not be there; None if there is to be none.
    """

    data: Path
    config: Path | None


def is_kept(name: str) -> bool:
    """Return whether a file belongs into a backup, by its path in the data folder; never one that leads out of it."""
    path = PurePosixPath(name)
    is_plain = name == str(path) and not path.is_absolute() and 0 < len(path.parts) <= _DEEPEST
    return is_plain and all(map(_is_sound, path.parts)) and not _LEFT_OUT.fullmatch(name)


def kept_in(folder: Path) -> Iterator[str]:
    """Yield the names of the files in a data folder that belong into a backup, in order.

    Raises:
        OSError: a folder cannot be read.
    """
    found: list[str] = []
    for place, folders, files in os.walk(folder, onerror=_raise):
        inside = PurePosixPath(Path(place).relative_to(folder).as_posix())
        folders[:] = [each for each in folders if is_kept(str(inside / each))]
        paths = [inside / each for each in files]
        found += [str(each) for each in paths if _is_written(str(each)) and _is_plain_file(folder / each)]
    yield from sorted(found)


def _is_written(name: str) -> bool:
    return is_kept(name) and not _NEVER_WRITTEN.fullmatch(name)


def _is_sound(part: str) -> bool:
    return part not in ("..", ".") and part.isprintable() and "\\" not in part and len(part.encode()) <= _LONGEST_NAME


def _is_plain_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _raise(error: OSError) -> None:
    raise error
