"""Put files and folders in place so that a power cut leaves the old one or the new one, never a part of either."""

from __future__ import annotations

import ctypes
import os
import secrets
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_HERE: Final = -100
"""AT_FDCWD of Linux: a path begins in the working directory."""
_EXCHANGE: Final = 2
"""RENAME_EXCHANGE of Linux (renameat2(2))."""
_LONGEST_NAME: Final = 200
"""The number of a name's bytes kept in the name of its temporary file; file systems take 255."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; one of that name is replaced. On the disk when this returns.

    Raises:
        OSError: it cannot be written; what was there before is still there.
        ValueError: its name has a null byte.
    """
    take_place(write_beside(path, content), path)


def write_beside(path: Path, content: bytes) -> Path:
    """Write what is to take a file's place into a file beside it, and onto the disk.

    Returns:
        The file's path, for `take_place`.

    Raises:
        OSError: it cannot be written; no part of it is left.
        ValueError: its name has a null byte.
    """
    temporary = path.with_name(f".{path.name[:_LONGEST_NAME]}.{secrets.token_hex(4)}.tmp")
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
    """Let a file that was written beside take another one's place.

    Raises:
        OSError: it cannot; the temporary file is gone.
    """
    try:
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Let the disk keep a folder's names.

    Raises:
        OSError: it cannot be opened.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def exchange(one: Path, other: Path) -> None:
    """Let two files or folders change names, in one step: at every moment both names are there.

    Raises:
        OSError: one is missing, or the file system cannot do it.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(one))
