"""Atomic writing and renaming: after a power cut there is the old file or the new one, never a part of either."""

import ctypes
import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

TEXT_BYTES: Final = 4 << 20
"""The size limit of text files, far above any configuration, calibration or sheet."""
PICTURE_BYTES: Final = 256 << 20
"""The size limit of pictures: the largest one that is decoded, hardly compressed."""


def read_bytes(path: Path, most_bytes: int = PICTURE_BYTES) -> bytes:
    """Return a file's content.

    Raises:
        OSError: it cannot be read, or is larger than `most_bytes` (EFBIG).
        ValueError: the path contains a null byte.
    """
    with path.open("rb") as stream:
        content = stream.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return content


def at_once(path: str, flags: int) -> int:
    """Open a file without waiting for a writer, should it be a pipe: an opener for the built-in `open`."""
    return os.open(path, flags | os.O_NONBLOCK)


def read_text(path: Path, encoding: str = "utf-8-sig") -> str:
    """Return a file's text.

    Raises:
        OSError: it cannot be read, or is larger than TEXT_BYTES.
        ValueError: the path contains a null byte, or, as UnicodeDecodeError, the text has another encoding.
    """
    return read_bytes(path, TEXT_BYTES).decode(encoding).replace("\r\n", "\n")


# AT_FDCWD of Linux: relative paths start at the working directory.
_HERE: Final = -100
# RENAME_EXCHANGE of Linux (renameat2(2)).
_EXCHANGE: Final = 2
# The length in bytes up to which a name is part of its temporary file's name; file systems allow 255.
_LONGEST_NAME: Final = 200


def write_whole(path: Path, content: bytes) -> None:
    """Write or replace a file atomically, and flush it to the disk.

    Raises:
        OSError: it cannot be written; a former file is unchanged.
        ValueError: the path contains a null byte.
    """
    take_place(write_beside(path, content), path)


def write_named(path: Path, content: bytes) -> None:
    """Write or replace a file that a user named: the file that a link points to, or into a pipe or device.

    Raises:
        OSError: it cannot be written; a former file is unchanged.
        ValueError: the path contains a null byte.
    """
    # A pipe that /dev/stdout leads to has no path of its own.
    if path.exists() and not path.is_file():
        path.write_bytes(content)
    else:
        write_whole(Path(os.path.realpath(path)), content)


def rewrite(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Write a file atomically with the mode and owner of the former one; a new file gets `mode`.

    Raises:
        OSError: it cannot be written; a former file is unchanged.
    """
    before = path.stat() if path.exists() else None
    temporary = write_beside(path, content, mode=0o600)
    with _deleted_if_it_fails(temporary):
        # Only root may give a file away; for any other user, the new file belongs to that user in any case.
        if before is not None and os.geteuid() == 0:
            os.chown(temporary, before.st_uid, before.st_gid)
        temporary.chmod(mode if before is None else before.st_mode & 0o777)
    take_place(temporary, path)


def write_beside(path: Path, content: bytes, mode: int = 0o666) -> Path:
    """Write a file's new content into a temporary file beside it, and flush it to the disk.

    Args:
        path: the file.
        content: its new content.
        mode: the permissions with which the temporary file is created, less those of the umask.

    Returns:
        The temporary file's path, for `take_place`.

    Raises:
        OSError: it cannot be written; nothing of it is left.
        ValueError: the path contains a null byte.
    """
    temporary = temporary_name(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with _deleted_if_it_fails(temporary), os.fdopen(os.open(temporary, flags, mode), "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    return temporary


@contextmanager
def _deleted_if_it_fails(temporary: Path) -> Iterator[None]:
    """Delete a temporary file if the context raises an error, or Ctrl-C interrupts it."""
    try:
        yield
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def temporary_name(path: Path) -> Path:
    """Return an unused name of a temporary file beside a file."""
    # A character that the limit cuts is left out: not every file system accepts a part of one.
    shortened = os.fsencode(path.name)[:_LONGEST_NAME].decode(errors="ignore")
    return path.with_name(f".{shortened}.{secrets.token_hex(4)}.tmp")


def take_place(temporary: Path, path: Path) -> None:
    """Rename a temporary file from `write_beside` to its final path, replacing a former file.

    Raises:
        OSError: it cannot be renamed; the temporary file is deleted.
    """
    with _deleted_if_it_fails(temporary):
        temporary.replace(path)
    # Until its folder is synced, a power cut may bring back the former file.
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to the disk.

    Raises:
        OSError: it cannot be opened.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def free_name(path: Path, suffix: str = "") -> Path:
    """Return an unused path: this one with the suffix, or with a number before it."""
    free, count = path.with_name(f"{path.name}{suffix}"), 1
    while free.exists():
        count += 1
        free = path.with_name(f"{path.name}-{count}{suffix}")
    return free


def damaged_name(path: Path, now: datetime) -> Path:
    """Return an unused name beside a damaged file, under which it is kept."""
    return free_name(path.with_name(f"{path.name}.damaged-{now:%Y%m%d-%H%M%S}"))


def set_aside(path: Path, now: datetime, successor: Path | None = None) -> Path:
    """Rename a damaged database and SQLite's files beside it, and return its new path. Nothing is deleted.

    Args:
        path: the database.
        now: the time in the new name.
        successor: a closed database beside it that takes its place at the same moment; None for none.

    Raises:
        OSError: one of them cannot be renamed.
    """
    aside = damaged_name(path, now)
    # The file itself goes last: if the power fails before that, the rest is found damaged again.
    for suffix in ("-wal", "-shm", "-journal"):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(aside.with_name(aside.name + suffix))
    if successor is None:
        path.rename(aside)
    else:
        # Two names for a moment, so that at no moment there is no database, which would look like a new hall.
        aside.hardlink_to(path)
        successor.replace(path)
    sync_folder(path.parent)
    return aside


def database_damage(path: Path) -> str | None:
    """Return the fault that SQLite finds in a database, or None if it is sound, or cannot be read at present."""
    import sqlite3  # noqa: PLC0415  # Commands without a database do not load it.

    try:
        # Without creating one that is gone meanwhile.
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as connection:
            found = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
    except UnicodeDecodeError as error:
        # SQLite quotes a damaged schema in its message.
        return str(error)
    except sqlite3.Error as error:
        return str(error) if is_damage(error) else None
    # The first line may name only the schema's part.
    return None if found == "ok" else found.splitlines()[-1]


def is_damage(error: BaseException | None) -> bool:
    """Return whether an error is SQLite's about a damaged file, or one that is not a database."""
    import sqlite3  # noqa: PLC0415  # As above.

    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def exchange(one: Path, other: Path) -> None:
    """Exchange the names of two files or folders atomically; both names exist at every moment.

    Raises:
        OSError: one does not exist, or the file system does not support it.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(one))
