"""A log beside the journal for each game: one checksummed line per change, synced before the change is announced.

The database finds games quickly, but it cannot show that the disk changed or dropped a decision: SQLite takes a damaged
page of the write-ahead log for its end. A log's checksums show whether each line is undamaged.
"""

import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias
from zlib import crc32

from companion.durable import sync_folder, take_place, write_beside
from companion.journal.entries import StorageError
from companion.languages import said, system_says

LOGS_NAME: Final = "decisions"
"""The folder of the logs, beside the journal."""

# The bytes that a disk writes completely or not at all.
_SECTOR: Final = 512
_LINE: Final = re.compile(rb"([0-9a-f]{8}) ([0-9]{1,9}) (.+)")
# Eighteen digits always fit into SQLite's 64 bits.
_NAME: Final = re.compile(r"([1-9][0-9]{0,17})\.log")


class StoredEntry(NamedTuple):
    """An entry of a game in its stored form.

    Attributes:
        kind: a value of `entries.EntryKind`.
        sequence: the decision's number.
        text: the decision as a line of a game record; empty for an undo.
        at: the time of day, in ISO 8601.
    """

    kind: str
    sequence: int
    text: str
    at: str


class Begun(NamedTuple):
    """The first line of a log.

    Attributes:
        table: the name of the table.
        setup: the setup in the form of `entries.setup_text`.
        started_at: the time of day, in ISO 8601.
    """

    table: str
    setup: str
    started_at: str


class Amended(NamedTuple):
    """More became known about the game's setup."""

    setup: str


class Added(NamedTuple):
    """An entry was added; `number` counts the game's entries from 1."""

    number: int
    row: StoredEntry


class Replaced(NamedTuple):
    """The last decision was replaced: two entries in one line, of which a power cut leaves both or neither.

    Attributes:
        number: the number of the undo; the new decision has the next one.
        undo: the undo of the last decision.
        decision: the new decision.
    """

    number: int
    undo: StoredEntry
    decision: StoredEntry


class Cut(NamedTuple):
    """Entries that cannot be replayed were removed: the first `entries` remain."""

    entries: int


class Noted(NamedTuple):
    """A fact about the table was noted."""

    key: str
    value: str


Change: TypeAlias = Begun | Amended | Added | Replaced | Cut | Noted


@dataclass(slots=True)
class LoggedGame:
    """The contents of the undamaged lines of a log.

    Attributes:
        begun: the first line; None if it is damaged or missing.
        entries: the entries by number.
        notes: the notes by key.
        lines: the number of the next line.
        damaged: the number of damaged or missing lines.
        is_torn: whether the last line has no end: the program stopped while writing it, or its end is damaged.
        history: the changes, line by line.
    """

    begun: Begun | None = None
    entries: dict[int, StoredEntry] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    lines: int = 0
    damaged: int = 0
    is_torn: bool = False
    history: list[Change] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """True if every line is undamaged and complete."""
        return not self.damaged and not self.is_torn

    def take(self, change: Change) -> None:
        """Apply the change of the next line."""
        self.history.append(change)
        match change:
            case Begun():
                self.begun = change
            case Amended(setup):
                self.begun = self.begun and self.begun._replace(setup=setup)
            case Added(number, row):
                self.entries[number] = row
            case Replaced(number, undo, decision):
                self.entries |= {number: undo, number + 1: decision}
            case Cut(count):
                self.entries = {number: row for number, row in self.entries.items() if number <= count}
            case Noted(key, value):
                self.notes[key] = value

    def changes(self) -> list[Change]:
        """Return the shortest list of changes with the same result."""
        begun = [] if self.begun is None else [self.begun]
        added = [Added(number, row) for number, row in sorted(self.entries.items())]
        return [*begun, *added, *(Noted(key, value) for key, value in self.notes.items())]


class LogError(StorageError):
    """Raised if a line could not be written.

    Args:
        says: the message for the user.
        undone: whether it is certain that nothing of it was written.
    """

    def __init__(self, says: str, *, undone: bool) -> None:
        super().__init__(says)
        self.undone = undone


class GameLogs:
    """The logs of a journal's games.

    Args:
        journal: the journal's file.
    """

    def __init__(self, journal: Path) -> None:
        self.folder = journal.with_name(LOGS_NAME)
        # Size and number of lines of each log as last written here: a log of that size need not be read again.
        self._known: dict[int, tuple[int, int]] = {}

    def path(self, game_id: int) -> Path:
        """Return the path of a game's log."""
        return self.folder / f"{game_id}.log"

    def ids(self) -> list[int]:
        """Return the numbers of the games that have a log."""
        if not self.folder.is_dir():
            return []
        return sorted(int(found[1]) for each in self.folder.iterdir() if (found := _NAME.fullmatch(each.name)))

    def read(self, game_id: int) -> LoggedGame | None:
        """Return the contents of a log, or None if the game has none.

        Raises:
            StorageError: it cannot be read.
        """
        try:
            content = self.path(game_id).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unusable(self.path(game_id), error) from error
        return read_log(game_id, content)

    def append(self, game_id: int, change: Change) -> bool:
        """Write a line and sync it to disk; return False if the game has no log yet.

        Raises:
            LogError: it cannot be written.
        """
        path = self.path(game_id)
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise _unwritten(path, error, undone=True) from error
        try:
            self._append(descriptor, game_id, change)
        finally:
            os.close(descriptor)
        return True

    def delete(self, game_id: int) -> None:
        """Delete a log permanently, if there is one.

        Raises:
            StorageError: it cannot be deleted.
        """
        self._known.pop(game_id, None)
        try:
            self.path(game_id).unlink(missing_ok=True)
            if self.folder.is_dir():
                sync_folder(self.folder)
        except OSError as error:
            raise StorageError(
                said("{path}: cannot be deleted: {fault}", path=str(self.path(game_id)), fault=system_says(error))
            ) from error

    def write(self, game_id: int, changes: Sequence[Change]) -> None:
        """Write a complete log, replacing an existing one.

        Raises:
            LogError: it cannot be written.
        """
        content = b"".join(line_of(game_id, number, change) for number, change in enumerate(changes))
        # If the write fails, it is not certain which log is there.
        self._known.pop(game_id, None)
        try:
            if not self.folder.is_dir():
                self.folder.mkdir()
                sync_folder(self.folder.parent)
            beside = write_beside(self.path(game_id), content)
        except OSError as error:
            raise _unwritten(self.path(game_id), error, undone=True) from error
        try:
            take_place(beside, self.path(game_id))
        except OSError as error:
            raise _unwritten(self.path(game_id), error, undone=False) from error
        self._known[game_id] = len(content), len(changes)

    def _append(self, descriptor: int, game_id: int, change: Change) -> None:
        size = os.fstat(descriptor).st_size
        line = line_of(game_id, self._next(game_id, size), change)
        try:
            # A write may be partial, as on a disk that becomes full.
            rest = line
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            # Unlike fsync, it does not wait for the time stamps, which no reader needs.
            os.fdatasync(descriptor)
        except OSError as error:
            undone = False
            with suppress(OSError):
                # A part of a line must not remain: the next line would be appended to it.
                os.ftruncate(descriptor, size)
                # The data may be on disk although the sync failed.
                os.fdatasync(descriptor)
                undone = True
            raise _unwritten(self.path(game_id), error, undone=undone) from error
        self._known[game_id] = size + len(line), self._known[game_id][1] + 1

    def _next(self, game_id: int, size: int) -> int:
        """Return the number of the next line of a log of `size` bytes, to which another companion may have added."""
        if self._known.get(game_id, (-1, 0))[0] != size:
            logged = self.read(game_id) or LoggedGame()
            self._known[game_id] = size, logged.lines
        return self._known[game_id][1]


def line_of(game_id: int, number: int, change: Change) -> bytes:
    """Return a line of a log: the checksum, the line's number from 0, and the change as JSON.

    The checksum also covers the game's number, so that a file renamed to another game's log is detected.
    """
    content = json.dumps([type(change).__name__.lower(), *change], separators=(",", ":"))
    text = f"{number} {content}".encode()
    return b"%08x %s\n" % (_checksum(game_id, text), text)


def read_log(game_id: int, content: bytes) -> LoggedGame:
    """Return the contents of the undamaged lines of a log."""
    logged, whole = LoggedGame(), 0
    *lines, rest = content.split(b"\n")
    is_end_damaged = False
    if rest:
        logged.is_torn = True
        line = next((each for each in (rest, rest[:-1]) if _parsed(game_id, each)[1] is not None), None)
        if line is not None:
            lines.append(line)
            # A sector that was never written is zeros; any other byte in place of the line's end is damage.
            is_end_damaged = line != rest and not rest.endswith(b"\0")
    elif lines and _has_hole(content, len(content) - len(lines[-1]) - 1):
        logged.is_torn = True
        lines.pop()
    for line in lines:
        number, change = _parsed(game_id, line)
        if change is None or number < logged.lines:
            continue
        logged.lines = number + 1
        whole += 1
        logged.take(change)
    # A damaged end of line affects two lines, and a damaged line may be the last one.
    logged.damaged = max(len(lines), logged.lines) - whole + is_end_damaged
    return logged


def _has_hole(content: bytes, start: int) -> bool:
    """Return whether a sector of the line at `start` was never written, although later ones were.

    Each line is synced before the next is written: such a line is the last, and the power failed before it was synced.
    """
    ends = [*range((start // _SECTOR + 1) * _SECTOR, len(content), _SECTOR), len(content)]
    starts = [start, *ends[:-1]]
    return any(not content[one:other].strip(b"\0") for one, other in zip(starts, ends, strict=True) if other > one)


def _parsed(game_id: int, line: bytes) -> tuple[int, Change | None]:
    found = _LINE.fullmatch(line)
    if found is None or int(found[1], 16) != _checksum(game_id, line[9:]):
        return -1, None
    try:
        kind, *values = json.loads(found[3])
        return int(found[2]), _change(kind, values)
    except (ValueError, TypeError, RecursionError):
        # The checksum detects chance damage, but not lines that were written on purpose.
        return -1, None


def _change(kind: str, values: list[Any]) -> Change:
    match kind, values:
        case "begun", [str() as table, str() as setup, str() as started_at]:
            return Begun(table, setup, started_at)
        case "amended", [str() as setup]:
            return Amended(setup)
        case "added", [int() as number, row]:
            return Added(number, _row(row))
        case "replaced", [int() as number, undo, decision]:
            return Replaced(number, _row(undo), _row(decision))
        case "cut", [int() as count]:
            return Cut(count)
        case "noted", [str() as key, str() as value]:
            return Noted(key, value)
    raise ValueError(kind)


def _row(values: Any) -> StoredEntry:
    match values:
        case [str() as kind, int() as sequence, str() as text, str() as at]:
            return StoredEntry(kind, sequence, text, at)
    raise ValueError(values)


def _checksum(game_id: int, text: bytes) -> int:
    return crc32(text, crc32(b"%d " % game_id))


def _unusable(path: Path, error: OSError) -> StorageError:
    return StorageError(said("{path}: cannot be read: {fault}", path=str(path), fault=system_says(error)))


def _unwritten(path: Path, error: OSError, *, undone: bool) -> LogError:
    says = said("{path}: cannot be written: {fault}", path=str(path), fault=system_says(error))
    return LogError(says, undone=undone)
