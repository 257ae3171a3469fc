"""Locks between processes that share a journal; the kernel releases them when a process ends, however it ends.

SQLite's own locks serialize writes. These cover what SQLite does not know of: creating a journal or setting a damaged
one aside while others write to it, and two companions that play at the same table.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Self
from urllib.parse import quote

from companion.journal.entries import JournalError
from companion.languages import said, system_says

BUSY_TIMEOUT_S: Final = 10.0
"""How long to wait for another companion; a transaction takes milliseconds, creating a journal little more."""

_RETRY_S: Final = 0.02
_TABLES_NAME: Final = "tables"
# The identifier that Linux gives to the time since the machine was switched on (proc_sys_kernel(5)).
_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
# In bytes; an identifier has 36.
_LONGEST_BOOT: Final = 64


class TableTakenError(JournalError):
    """Raised if another companion plays at this table."""


class JournalLock:
    """A lock on a journal, exclusive at first and shared afterwards, held while the journal is open.

    The first process holds the journal exclusively until it calls `share`; others wait for that.

    Args:
        path: the journal's file.
        timeout_s: how long to wait.

    Attributes:
        is_exclusive: whether no other process had the journal open when the lock was taken.
        is_restarted: whether the machine was, or may have been, switched off since the journal was last opened.

    Raises:
        JournalError: another companion held the journal exclusively for all of `timeout_s`, or the folder cannot
            be written to.
    """

    def __init__(self, path: Path, timeout_s: float = BUSY_TIMEOUT_S) -> None:
        # A file of its own: closing any descriptor of a database's file would drop SQLite's own locks on it.
        self._descriptor: int | None = _open(path.with_name(path.name + ".lock"), path)
        self.is_exclusive = False
        self.is_restarted = not _is_boot(os.pread(self._descriptor, _LONGEST_BOOT, 0))
        ends_s = time.monotonic() + timeout_s
        while not self._try_exclusive() and not self._try_lock(fcntl.LOCK_SH):
            if time.monotonic() >= ends_s:
                self.close()
                raise JournalError(
                    said(
                        "{path}: is in use by another companion; close that one, or choose another {option}",
                        path=str(path),
                        option="--data",
                    )
                )
            time.sleep(_RETRY_S)

    def lock_exclusively(self) -> bool:
        """Take the journal exclusively until `share` is called; return False if another companion has it open.

        After False the lock is no longer held: close it.
        """
        # flock(2) releases the shared lock before it tries to get the exclusive one.
        return self._try_lock(fcntl.LOCK_EX)

    def _try_exclusive(self) -> bool:
        self.is_exclusive = self._try_lock(fcntl.LOCK_EX)
        return self.is_exclusive

    def share(self) -> None:
        """Allow other processes to open the journal."""
        if self._descriptor is not None:
            # Only now: if the repair is interrupted, the next opening must still see that there was a restart.
            if self.is_restarted:
                # A process that finds another boot's name, or none, assumes a restart, which does no harm.
                with suppress(OSError):
                    os.ftruncate(self._descriptor, 0)
                    os.pwrite(self._descriptor, boot().encode(), 0)
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

    def _try_lock(self, kind: int) -> bool:
        """Take the lock in this mode without waiting; return whether that succeeded."""
        if self._descriptor is None:
            return False
        with suppress(BlockingIOError):
            fcntl.flock(self._descriptor, kind | fcntl.LOCK_NB)
            return True
        return False


def boot() -> str:
    """Return the identifier of the machine's current boot; empty if the system has none."""
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""


def _is_boot(written: bytes) -> bool:
    return written != b"" and written == boot().encode()


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
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(
            said(
                "{path}: cannot be created: {fault}; choose another {option}",
                path=str(path.parent),
                fault=system_says(error),
                option="--data",
            )
        ) from error
    descriptor = _open(path, path)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise TableTakenError(
                said(
                    "another companion is playing at the table {table}; close that one, or choose another table or "
                    "{option}",
                    table=repr(table),
                    option="--data",
                )
            ) from error
        yield
    finally:
        # The file stays: if it were deleted, one companion could hold the deleted file and another a new one.
        os.close(descriptor)


def _open(lock_path: Path, path: Path) -> int:
    try:
        return os.open(lock_path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise JournalError(
            said(
                "{path}: cannot be written: {fault}; choose another folder with {option}",
                path=str(path),
                fault=system_says(error),
                option="--data",
            )
        ) from error
