"""The folder of the games' logs: each log read and written as a whole line after line, and synced; and its locks."""

import fcntl
import os
import re
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple, Self
from urllib.parse import quote

from companion.durable import at_once, damaged_name, sync_folder, take_place, write_beside, write_whole
from companion.journal.errors import JournalError, StorageError, TableTakenError
from companion.journal.log import GameLog, read_log
from companion.languages import said, system_says, unreadable, unwritable

LOGS_NAME: Final = "games"
"""The folder of the logs in the data folder."""
# Eighteen digits always fit into SQLite's 64 bits.
_NAME: Final = re.compile(r"([1-9][0-9]{0,17})\.log")
BUSY_TIMEOUT_S: Final = 10.0
"""How long to wait for another companion; a change takes milliseconds, a slow card a second."""
_RETRY_S: Final = 0.02
_TABLES_NAME: Final = "tables"
_NO_FILE: Final = said("it is not a file")


class LogMark(NamedTuple):
    """The size in bytes, the time of the last change in ns, and the inode of a log: all differ after another change."""

    size: int
    mtime_ns: int
    inode: int


class Logs:
    """The logs in a folder. They are written only while `locked` is held.

    Args:
        folder: the folder; it is created with the first log.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, game_id: int) -> Path:
        """Return the path of a game's log."""
        return self.folder / f"{game_id}.log"

    def marks(self) -> Mapping[int, LogMark]:
        """Return the marks of all logs, by the games' numbers.

        Raises:
            StorageError: the folder cannot be read.
        """
        found: dict[int, LogMark] = {}
        try:
            with suppress(FileNotFoundError), os.scandir(self.folder) as entries:
                for entry in entries:
                    # A log may be gone meanwhile, or a link to one that lies elsewhere: that hides no others.
                    with suppress(FileNotFoundError):
                        if (name := _NAME.fullmatch(entry.name)) is not None:
                            found[int(name[1])] = _mark(entry.stat())
        except OSError as error:
            raise _unreadable(self.folder, error) from error
        return found

    def mark(self, game_id: int) -> LogMark | None:
        """Return the mark of a log, or None if the game has none."""
        try:
            return _mark(self.path(game_id).stat())
        except OSError:
            return None

    def read(self, game_id: int) -> bytes:
        """Return the content of a log, empty if the game has none.

        Raises:
            StorageError: it cannot be read.
        """
        path = self.path(game_id)
        try:
            with open(path, "rb", opener=at_once) as stream:
                if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                    raise StorageError.said("{path}: cannot be read: {fault}", path=str(path), fault=_NO_FILE)
                return stream.read()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise _unreadable(path, error) from error

    def parsed(self, game_id: int) -> GameLog:
        """Return the contents of a log, as far as it can be read."""
        try:
            return read_log(game_id, self.read(game_id))
        except StorageError as error:
            return GameLog(game_id, unread=error.args[0])

    def append(self, log: GameLog, lines: bytes) -> LogMark:
        """Write lines behind the undamaged ones of a log, and sync them.

        Raises:
            StorageError: they cannot be written.
        """
        path = self.path(log.game_id)
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        except PermissionError:
            # Of another user, such as root: a copy of it is this user's.
            return self.replace(log.game_id, self.read(log.game_id)[: log.size] + lines)
        except OSError as error:
            raise _unwritten(path, error) from error
        try:
            _write_at(descriptor, log.size, lines)
            return _mark(os.fstat(descriptor))
        except OSError as error:
            is_undone = False
            with suppress(OSError):
                # The data may be on disk although the sync failed.
                os.ftruncate(descriptor, log.size)
                os.fdatasync(descriptor)
                is_undone = True
            raise _unwritten(path, error, is_undone=is_undone) from error
        finally:
            os.close(descriptor)

    def replace(self, game_id: int, content: bytes) -> LogMark:
        """Write a complete log, replacing a former one, and sync it.

        Raises:
            StorageError: it cannot be written.
        """
        path = self.path(game_id)
        try:
            beside = write_beside(path, content)
        except OSError as error:
            raise _unwritten(path, error) from error
        try:
            take_place(beside, path)
            return _mark(path.stat())
        except OSError as error:
            raise _unwritten(path, error, is_undone=False) from error

    def set_aside(self, game_id: int, now: datetime) -> Path:
        """Copy a damaged log to an unused name beside it, and return that.

        The log itself stays until its undamaged part replaces it, also if the power fails between.

        Raises:
            StorageError: it cannot be written.
        """
        path = self.path(game_id)
        aside = damaged_name(path, now)
        try:
            write_whole(aside, path.read_bytes())
        except OSError as error:
            raise StorageError.said(
                "{path}: is damaged and cannot be set aside: {fault}", path=str(path), fault=system_says(error)
            ) from error
        return aside

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep all other companions from changing a log while the context lasts.

        Raises:
            JournalError: another companion changes one for a long time, or the folder cannot be created.
        """
        try:
            if not self.folder.is_dir():
                self.folder.mkdir(exist_ok=True)
                sync_folder(self.folder.parent)
            descriptor = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise _unwritten(self.folder, error) from error
        try:
            wait_for(descriptor, self.folder, BUSY_TIMEOUT_S, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


class MemoryLogs(Logs):
    """Logs that last as long as the program runs."""

    def __init__(self) -> None:
        super().__init__(Path(os.devnull))
        self._logs: dict[int, tuple[LogMark, bytes]] = {}
        self._writes = 0

    def marks(self) -> Mapping[int, LogMark]:
        """Return the marks of all logs, by the games' numbers."""
        return {game_id: mark for game_id, (mark, _) in self._logs.items()}

    def mark(self, game_id: int) -> LogMark | None:
        """Return the mark of a log, or None if the game has none."""
        return self.marks().get(game_id)

    def path(self, game_id: int) -> Path:
        """Return a path at which nothing is."""
        del game_id
        return self.folder

    def read(self, game_id: int) -> bytes:
        """Return the content of a log, empty if the game has none."""
        return self._logs[game_id][1] if game_id in self._logs else b""

    def append(self, log: GameLog, lines: bytes) -> LogMark:
        """Write lines behind those of a log."""
        return self.replace(log.game_id, self.read(log.game_id) + lines)

    def replace(self, game_id: int, content: bytes) -> LogMark:
        """Write a complete log, replacing a former one."""
        self._writes += 1
        mark = LogMark(len(content), self._writes, 0)
        self._logs[game_id] = mark, content
        return mark

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Return at once, as no other companion has these logs."""
        yield


def _write_at(descriptor: int, place: int, content: bytes) -> None:
    # A part of a line must not remain: the next one would be appended to it.
    if os.fstat(descriptor).st_size > place:
        os.ftruncate(descriptor, place)
    # A write may be partial, as on a disk that becomes full.
    while content:
        written = os.pwrite(descriptor, content, place)
        place, content = place + written, content[written:]
    # Unlike fsync, it does not wait for the time stamps, which no reader needs.
    os.fdatasync(descriptor)


def _mark(status: os.stat_result) -> LogMark:
    return LogMark(status.st_size, status.st_mtime_ns, status.st_ino)


def _unreadable(path: Path, error: OSError) -> StorageError:
    return StorageError(unreadable(path, error))


def _unwritten(path: Path, error: OSError, *, is_undone: bool = True) -> StorageError:
    return StorageError(unwritable(path, error), is_undone=is_undone)


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
        StorageError: another companion held the file for all of `timeout_s`, or its file system has no locks.
    """
    ends_s = time.monotonic() + timeout_s
    while True:
        for place, kind in enumerate(kinds):
            if _try_lock(descriptor, path, kind):
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
        if not _try_lock(descriptor, path, fcntl.LOCK_EX):
            raise TableTakenError.said(
                "another companion is playing at the table {table}; close that one, or choose another table or "
                "{option}",
                table=repr(table),
                option="--data",
            )
        yield
    finally:
        # The file stays: if it were deleted, one companion could hold the deleted file and another a new one.
        os.close(descriptor)


def _open(lock_path: Path, path: Path) -> int:
    try:
        # To read only: a file that another user has made, such as root, can be locked, too.
        return os.open(lock_path, os.O_RDONLY | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise _unusable(path, error) from error


def _try_lock(descriptor: int, path: Path, kind: int) -> bool:
    """Take a lock if it can be had at once, and return whether it was."""
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        # Some network file systems know no locks.
        raise _unusable(path, error) from error
    return True


def _unusable(path: Path, error: OSError) -> StorageError:
    return StorageError.said(
        "{path}: cannot be written: {fault}; choose another folder with {option}",
        path=str(path),
        fault=system_says(error),
        option="--data",
    )
