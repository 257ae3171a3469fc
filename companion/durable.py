"""Atomic writing and renaming: after a power cut there is the old file or the new one, never a part of either."""

import ctypes
import os
import secrets
from pathlib import Path
from typing import Final

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


def write_beside(path: Path, content: bytes) -> Path:
    """Write a file's new content into a temporary file beside it, and flush it to the disk.

    Returns:
        The temporary file's path, for `take_place`.

    Raises:
        OSError: it cannot be written; nothing of it is left.
        ValueError: the path contains a null byte.
    """
    # A character that the limit cuts is left out: not every file system accepts a part of one.
    shortened = os.fsencode(path.name)[:_LONGEST_NAME].decode(errors="ignore")
    temporary = path.with_name(f".{shortened}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def take_place(temporary: Path, path: Path) -> None:
    """Rename a temporary file from `write_beside` to its final path, replacing a former file.

    Raises:
        OSError: it cannot be renamed; the temporary file is deleted.
    """
    try:
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
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


def exchange(one: Path, other: Path) -> None:
    """Exchange the names of two files or folders atomically; both names exist at every moment.

    Raises:
        OSError: one does not exist, or the file system does not support it.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(one))
