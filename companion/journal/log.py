"""A game's log, one file for each game: its header and every decision, as in a game record, and what players noted.

Each line is `CHECKSUM NUMBER CHANGE TIME KIND JSON`, such as

    5d41402a 3 57 2026-01-02T19:04:00+00:00 decision {"seat": 1, "move": "advance"}

The checksum (CRC-32, which also covers the game's number, so that a renamed file is detected) and the line's number,
from 0, show whether anything is damaged or missing. CHANGE counts the changes of all games, so that their order does
not depend on the clock. A line is synced before the next one is written: an incomplete last line was never announced.
"""

import fcntl
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, StrEnum
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

from companion.durable import free_name, sync_folder, take_place, write_beside, write_whole
from companion.journal.errors import StorageError
from companion.journal.locks import BUSY_TIMEOUT_S, wait_for
from companion.languages import Sentence, said, system_says, unreadable, unwritable

LOGS_NAME: Final = "games"
"""The folder of the logs in the data folder."""

# The bytes that a disk writes completely or not at all.
_SECTOR: Final = 512
_LINE: Final = re.compile(rb"([0-9a-f]{8}) ([0-9]{1,9}) ([0-9]{1,15}) (\S+) ([a-z]+) (.+)")
# Eighteen digits always fit into SQLite's 64 bits.
_NAME: Final = re.compile(r"([1-9][0-9]{0,17})\.log")
# The bytes in which a flipped bit is searched for. CRC-32 tells single bits apart in up to 11 kB, where its Hamming
# distance is 4 (Koopman, "32-Bit Cyclic Redundancy Codes for Internet Applications", 2002).
_LONGEST_CORRECTED: Final = 8192


class LineKind(StrEnum):
    """The effect of a line; the JSON after it is given in brackets."""

    GAME = "game"
    """The first line (the header of a game record)."""
    TABLE = "table"
    """Where it is played (the table's name)."""
    SETUP = "setup"
    """More became known about the game's setup (the header)."""
    DECISION = "decision"
    """A decision (as in a game record)."""
    UNDO = "undo"
    """The last decision was undone (its number)."""
    REPLACE = "replace"
    """The last decision was replaced (the new one): one line, of which a power cut leaves all or nothing."""
    CUT = "cut"
    """Decisions that cannot be replayed were removed (how many remain)."""
    NOTE = "note"
    """A fact about the table (its key and its value)."""
    DELETED = "deleted"
    """The game was deleted; its number is not used again."""


class Line(NamedTuple):
    """A line of a log.

    Attributes:
        kind: a `LineKind`, or one of a newer companion.
        text: the JSON.
        change: the number of the change among those of all games.
        at: the time of day, in ISO 8601.
    """

    kind: str
    text: str
    change: int
    at: str


class LogState(Enum):
    """The state of a log after its last undamaged line."""

    WHOLE = "whole"
    TORN = "torn"
    """An incomplete line follows: the power failed, or the program ended, while it was written."""
    DAMAGED = "damaged"
    NEWER = "newer"
    """A line of a kind follows that only a newer companion writes."""


@dataclass(slots=True)
class GameLog:
    """The contents of a log up to the first line that is damaged.

    Attributes:
        game_id: the game's number.
        header: the header as JSON; empty if the first line is damaged.
        table: the name of the table where it was played; may be empty.
        started_at: the time of the first line, in ISO 8601.
        last_at: the time when the decisions changed last.
        changed: the number of that change.
        decisions: the decisions without undone ones, as lines of a game record.
        notes: the facts about the table, by key.
        is_deleted: whether the game was deleted.
        lines: the lines.
        checksum: that of the last line.
        size: the length of the lines in bytes.
        state: what follows them.
        is_corrected: whether a flipped bit was corrected in one of them.
    """

    game_id: int
    header: str = ""
    table: str = ""
    started_at: str = ""
    last_at: str = ""
    changed: int = 0
    decisions: list[str] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    is_deleted: bool = False
    lines: list[Line] = field(default_factory=list)
    checksum: int = 0
    size: int = 0
    state: LogState = LogState.WHOLE
    is_corrected: bool = False

    @property
    def fault(self) -> Sentence | None:
        """The reason why the log cannot be read to its end; None for a sound one."""
        if self.state is LogState.NEWER:
            return said("a newer companion continued it; install that one")
        if self.state is not LogState.DAMAGED and self.header:
            return None
        return said("its log is damaged after decision {number}", number=len(self.decisions))

    def encoded(self, lines: Iterable[Line]) -> bytes:
        """Return further lines as bytes."""
        numbered = enumerate(lines, start=len(self.lines))
        return b"".join(_encoded(self.game_id, number, line) for number, line in numbered)

    def take(self, line: Line, encoded: bytes) -> None:
        """Append a line.

        Raises:
            ValueError: it contradicts the lines before.
        """
        self._apply(line)
        self.lines.append(line)
        self.size += len(encoded)
        self.checksum = int(encoded[:8], 16)

    def _apply(self, line: Line) -> None:
        match line.kind, json.loads(line.text):
            case LineKind.GAME, dict() if not self.lines:
                self.header, self.started_at = line.text, line.at
            case LineKind.DELETED, _:
                self.is_deleted = True
            case _ if not self.header:
                raise ValueError(line)
            case LineKind.TABLE, str() as table:
                self.table = table
            case LineKind.SETUP, dict():
                self.header = line.text
            case LineKind.NOTE, [str() as key, str() as value]:
                self.notes[key] = value
            case kind, value:
                self._change_decisions(kind, line.text, value)
        if line.kind in _CHANGES:
            self.last_at, self.changed = line.at, line.change

    def _change_decisions(self, kind: str, text: str, value: object) -> None:
        match kind, value:
            case LineKind.DECISION, _:
                self.decisions.append(text)
            case LineKind.REPLACE, _ if self.decisions:
                self.decisions[-1] = text
            case LineKind.UNDO, int() as number if 0 < number == len(self.decisions):
                del self.decisions[-1]
            case LineKind.CUT, int() as count if 0 <= count <= len(self.decisions):
                del self.decisions[count:]
            case _:
                raise ValueError(kind, text)


_CHANGES: Final = (LineKind.GAME, LineKind.DECISION, LineKind.UNDO, LineKind.REPLACE)
_KINDS: Final = frozenset(LineKind)


def line_text(value: object) -> str:
    """Return JSON for a line; it contains no line's end."""
    return json.dumps(value, ensure_ascii=False)


def read_log(game_id: int, content: bytes) -> GameLog:
    """Return the contents of a log's undamaged lines."""
    log = GameLog(game_id)
    while log.size < len(content):
        end = content.find(b"\n", log.size) + 1
        number, line = _decoded(game_id, content[log.size : end - 1]) if end else (-1, None)
        if line is not None and number == len(log.lines):
            if line.kind not in _KINDS:
                log.state = LogState.NEWER
                break
            try:
                log.take(line, content[log.size : end])
            # A checksum detects chance damage, but not lines that were written on purpose.
            except (ValueError, RecursionError):
                log.state = LogState.DAMAGED
                break
            continue
        corrected = _corrected(log, content[log.size :])
        if corrected is None:
            log.state = LogState.TORN if _is_torn(content, log.size) else LogState.DAMAGED
            break
        content, log.is_corrected = content[: log.size] + corrected, True
    return log


def _encoded(game_id: int, number: int, line: Line) -> bytes:
    text = f"{number} {line.change} {line.at} {line.kind} {line.text}".encode(errors="surrogatepass")
    return b"%08x %s\n" % (_checksum(game_id, text), text)


def _decoded(game_id: int, content: bytes) -> tuple[int, Line | None]:
    """Return a line and its number, without the line's end; None if it is damaged."""
    if (found := _LINE.fullmatch(content)) is None or int(found[1], 16) != _checksum(game_id, content[9:]):
        return -1, None
    try:
        at, kind, text = (found[place].decode(errors="surrogatepass") for place in (4, 5, 6))
    except UnicodeDecodeError:
        return -1, None
    return int(found[2]), Line(kind, text, int(found[3]), at)


def _checksum(game_id: int, text: bytes) -> int:
    return crc32(text, crc32(b"%d " % game_id))


def _corrected(log: GameLog, rest: bytes) -> bytes | None:
    """Return the rest of a log with the one flipped bit corrected that makes its first line valid, or None."""
    # Two lines, because the flipped bit may be a line's end, or look like one.
    end = rest.find(b"\n", rest.find(b"\n") + 1) + 1 or len(rest)
    tried = bytearray(rest[: min(end, _LONGEST_CORRECTED)])
    for place in range(len(tried)):
        for bit in range(8):
            tried[place] ^= 1 << bit
            line, newline, _ = bytes(tried).partition(b"\n")
            if newline and _decoded(log.game_id, line)[0] == len(log.lines):
                return bytes(tried) + rest[len(tried) :]
            tried[place] ^= 1 << bit
    return None


def _is_torn(content: bytes, start: int) -> bool:
    """Return whether an incomplete line begins at `start`: it lacks its end, or a sector of it was never written."""
    if b"\n" in content[start:-1]:
        return False
    ends = [*range((start // _SECTOR + 1) * _SECTOR, len(content), _SECTOR), len(content)]
    sectors = zip([start, *ends[:-1]], ends, strict=True)
    return content[-1:] != b"\n" or any(not content[one:other].strip(b"\0") for one, other in sectors)


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
