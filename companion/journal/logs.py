"""The folder of the games' logs: each log read and written as a whole line after line, and synced."""

import fcntl
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from companion.durable import free_name, sync_folder, take_place, write_beside, write_whole
from companion.journal.errors import StorageError
from companion.journal.locks import BUSY_TIMEOUT_S, wait_for
from companion.journal.log import GameLog, read_log
from companion.languages import system_says, unreadable, unwritable

LOGS_NAME: Final = "games"
"""The folder of the logs in the data folder."""
# Eighteen digits always fit into SQLite's 64 bits.
_NAME: Final = re.compile(r"([1-9][0-9]{0,17})\.log")


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
        try:
            with os.scandir(self.folder) as entries:
                found = ((_NAME.fullmatch(entry.name), entry) for entry in entries)
                return {int(name[1]): _mark(entry.stat()) for name, entry in found if name is not None}
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise _unreadable(self.folder, error) from error

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
        try:
            return self.path(game_id).read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise _unreadable(self.path(game_id), error) from error

    def parsed(self, game_id: int) -> GameLog:
        """Return the contents of a log, as far as it can be read; raise as `read` does."""
        return read_log(game_id, self.read(game_id))

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
        aside = free_name(path, now)
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


def _mark(stat: os.stat_result) -> LogMark:
    return LogMark(stat.st_size, stat.st_mtime_ns, stat.st_ino)


def _unreadable(path: Path, error: OSError) -> StorageError:
    return StorageError(unreadable(path, error))


def _unwritten(path: Path, error: OSError, *, is_undone: bool = True) -> StorageError:
    return StorageError(unwritable(path, error), is_undone=is_undone)
