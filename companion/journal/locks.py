"""Locks between processes that share a journal; the kernel releases them when a process ends, however it ends."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Self
from urllib.parse import quote

from companion.durable import sync_folder
from companion.journal.errors import JournalError, StorageError, TableTakenError
from companion.languages import system_says

BUSY_TIMEOUT_S: Final = 10.0
"""How long to wait for another companion; a change takes milliseconds, a slow card a second."""

_RETRY_S: Final = 0.02
_TABLES_NAME: Final = "tables"


class JournalLock:
    """A lock on a journal, exclusive at first if no other companion has the journal open, and shared afterwards.

    Only the holder of the exclusive lock may replace a damaged index, or move the journal away; others wait for
    `share`.

    Args:
        path: the journal's file.
        timeout_s: how long to wait.

    Attributes:
        is_exclusive: whether no other process had the journal open when the lock was taken.

    Raises:
        JournalError: another companion held the journal exclusively for all of `timeout_s`, or the folder cannot
            be written to.
    """

    def __init__(self, path: Path, timeout_s: float = BUSY_TIMEOUT_S) -> None:
        # A file of its own: closing any descriptor of a database's file would drop SQLite's own locks on it.
        self._descriptor: int | None = _open(path.with_name(path.name + ".lock"), path)
        self.is_exclusive = False
        try:
            self.is_exclusive = wait_for(self._descriptor, path, timeout_s, fcntl.LOCK_EX, fcntl.LOCK_SH) == 0
        except BaseException:
            self.close()
            raise

    def share(self) -> None:
        """Allow other processes to open the journal."""
        if self._descriptor is not None:
            fcntl.flock(self._descriptor, fcntl.LOCK_SH)

    def close(self) -> None:
        """Release the lock; may be called more than once."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def wait_for(descriptor: int, path: Path, timeout_s: float, *kinds: int) -> int:
    """Take the first of several kinds of a file's lock that can be had, and return its place among them.

    Args:
        descriptor: the open file.
        path: the path that the error names.
        timeout_s: how long to wait.
        kinds: `fcntl.LOCK_EX` or `fcntl.LOCK_SH`, in the order in which they are tried.

    Raises:
        StorageError: another companion held the file for all of `timeout_s`.
    """
    ends_s = time.monotonic() + timeout_s
    while True:
        for place, kind in enumerate(kinds):
            with suppress(BlockingIOError):
                fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
                return place
        if time.monotonic() >= ends_s:
            raise StorageError.said(
                "{path}: is in use by another companion; close that one, or choose another {option}",
                path=str(path),
                option="--data",
            )
        time.sleep(_RETRY_S)


def make_folder(folder: Path) -> None:
    """Create a folder and its parents, synced so that they survive a power cut.

    Raises:
        JournalError: it cannot be created.
    """
    missing = [part for part in (folder, *folder.parents) if not part.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for part in missing:
            sync_folder(part.parent)
    except OSError as error:
        raise JournalError.said(
            "{path}: cannot be created: {fault}; choose another folder with {option}",
            path=str(folder),
            fault=system_says(error),
            option="--data",
        ) from error


@contextmanager
def table_lock(folder: Path, table: str) -> Iterator[None]:
    """Hold a table's lock for this process while the context lasts.

    Args:
        folder: the data folder; created if missing.
        table: the table's name in the journal.

    Raises:
        TableTakenError: another companion plays at it.
        JournalError: the folder cannot be written to.
    """
    # A table's name may contain a slash, and may be empty.
    path = folder / _TABLES_NAME / f"{quote(table, safe=' ')}.lock"
    make_folder(path.parent)
    descriptor = _open(path, path)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise TableTakenError.said(
                "another companion is playing at the table {table}; close that one, or choose another table or "
                "{option}",
                table=repr(table),
                option="--data",
            ) from error
        yield
    finally:
        # The file stays: if it were deleted, one companion could hold the deleted file and another a new one.
        os.close(descriptor)


def _open(lock_path: Path, path: Path) -> int:
    try:
        # To read only: a file that another user has made, such as root, can be locked, too.
        return os.open(lock_path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise JournalError.said(
            "{path}: cannot be written: {fault}; choose another folder with {option}",
            path=str(path),
            fault=system_says(error),
            option="--data",
        ) from error
