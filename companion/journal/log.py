"""A game's log, one file for each game: its header and every decision, as in a game record, and what players noted.

Each line is `CHECKSUM NUMBER CHANGE TIME KIND JSON`, such as

    5d41402a 3 57 2026-01-02T19:04:00+00:00 decision {"seat": 1, "move": "advance"}

The checksum (CRC-32, which also covers the game's number, so that a renamed file is detected) and the line's number,
from 0, show whether anything is damaged or missing. CHANGE counts the changes of all games, so that their order does
not depend on the clock. A line is synced before the next one is written: an incomplete last line was never announced.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Final, NamedTuple
from zlib import crc32

from companion.journal.errors import JournalError
from companion.languages import Sentence, said

# The bytes that a disk writes completely or not at all.
_SECTOR: Final = 512
_LINE: Final = re.compile(rb"([0-9a-f]{8}) ([0-9]{1,9}) ([0-9]{1,15}) (\S+) ([a-z]+) (.+)")
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
        unread: the reason why nothing of the file could be read at present; None if it was read.
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
    unread: Sentence | None = None

    @property
    def fault(self) -> Sentence | None:
        """The reason why the log cannot be read to its end; None for a sound one."""
        if self.unread is not None:
            return self.unread
        if self.state is LogState.NEWER:
            return said("a newer companion continued it; install that one")
        if self.state is not LogState.DAMAGED and self.header:
            return None
        return said("its log is damaged after decision {number}", number=len(self.decisions))

    @property
    def unreadable(self) -> JournalError:
        """The error for a log that cannot be read to its end."""
        return JournalError.said("game {game} cannot be read: {fault}", game=self.game_id, fault=self.fault or "")

    def refuse_decision(self, sequence: int) -> None:
        """Refuse a further decision unless it is the next one.

        Raises:
            JournalError: one of this number is stored already, or it would leave a gap.
        """
        expected = len(self.decisions) + 1
        if sequence < expected:
            raise JournalError.said(
                "decision {number} is stored already: decision {expected} is next", number=sequence, expected=expected
            )
        if sequence > expected:
            raise JournalError.said(
                "decision {number} would leave a gap: decision {expected} is next", number=sequence, expected=expected
            )

    def refuse_undo(self, sequence: int) -> None:
        """Refuse to undo a decision unless it is the last one.

        Raises:
            JournalError: it is not.
        """
        last = len(self.decisions)
        if last == 0:
            raise JournalError.said("there is no decision to undo")
        if sequence != last:
            raise JournalError.said(
                "decision {number} cannot be undone: the last one is {last}", number=sequence, last=last
            )

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


def damage_of(log: GameLog, lines: int, *, is_suspect: bool) -> Callable[[str], Sentence] | None:
    """Return what to say of a log that its undamaged part replaces, given the file that keeps it; None if none does.

    Args:
        log: the log.
        lines: the number of lines that it had before.
        is_suspect: whether that is unknown, so that an incomplete last line may have been a complete one.
    """
    game = log.game_id
    has_lost = len(log.lines) < lines or log.state is LogState.DAMAGED or not (log.header or log.is_deleted)
    is_torn = log.state is LogState.TORN and is_suspect
    if log.unread is not None or log.state is LogState.NEWER or log.is_deleted:
        return None
    if not (has_lost or is_torn or log.is_corrected):
        return None
    if not log.header:
        return lambda kept: said(
            "the beginning of game {game} is lost; what is left of it is kept in {kept}", game=game, kept=kept
        )
    if has_lost:
        number = len(log.decisions)
        return lambda kept: said(
            "game {game} was damaged after decision {number}; the rest is kept in {kept}",
            game=game,
            number=number,
            kept=kept,
        )
    if is_torn:
        return lambda kept: said(
            "the last change of game {game} is incomplete; what is left of it is kept in {kept}", game=game, kept=kept
        )
    return lambda kept: said(
        "the log of game {game} was damaged, but nothing is lost; the damaged log is kept as {kept}",
        game=game,
        kept=kept,
    )


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
