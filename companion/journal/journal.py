"""The journal: the logs of all games, and the index of them."""

import errno
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self, TypeAlias

import msgspec

from companion import durable
from companion.games.history import DecisionOutcome
from companion.journal.errors import StorageError, UnknownGameError
from companion.journal.index import DamagedIndexError, Index, Indexed, KeptIndex, fault_in
from companion.journal.log import GameLog, Line, LineKind, LogState, damage_of, line_text
from companion.journal.logs import LOGS_NAME, JournalLock, LogMark, Logs, MemoryLogs, make_folder
from companion.journal.restoration import complete_exchange
from companion.journal.summary import (
    GameFilter,
    GameSummary,
    Replays,
    decisions_in,
    game_in,
    players_in,
    refuse_contradicted,
    setup_in,
    with_players,
)
from companion.journal.takeover import earlier_logs, has_earlier, take_over
from companion.languages import Label, Sentence, all_of, counted, reason, said, system_says, unreadable
from companion.ownership import as_owner_of
from companion.record import AnyCodec, Codec, DecisionT, Games, SetupT, StateT

JOURNAL_NAME: Final = "games.sqlite3"
"""The index's file in the data folder; the logs are in the folder `logs.LOGS_NAME` beside it."""
SHEET_NOTE: Final = "sheet"
"""The key of the note on a game whose score sheet was shown and closed, so that it no longer occupies a table."""
# The parsed logs that are kept: that of the game on the table, and one that is looked at beside it.
_LOGS_KEPT: Final = 2

ALL: Final = GameFilter()

WallClock: TypeAlias = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the current time in UTC, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


class Journal:
    """All games of a data folder, each a setup and its decisions without undone ones; the rest is computed from them.

    Any number of processes may have it open, each with its own Journal, and write to different games. A Journal may be
    used only in the thread that opened it. All methods raise JournalError for a game that does not exist, for one whose
    log is damaged, and for storage that fails.

    Args:
        path: the index's file; its folder is created if missing.
        codecs: the known games. A game of an unknown kind is kept and listed, but cannot be replayed.
        wall_clock: returns the time of day to store with games and decisions.
        read_only: whether it is only read; nothing is created, repaired or set aside then.

    Attributes:
        path: see above.
        codecs: see above.
        findings: the damages found when it was opened, and where the damaged files are kept.

    Raises:
        JournalError: the folder cannot be used; the message is one line.
    """

    def __init__(self, path: Path, codecs: Games, wall_clock: WallClock = utc_now, *, read_only: bool = False) -> None:
        self._begin(path, codecs, wall_clock, Logs(path.with_name(LOGS_NAME)))
        self._is_writer = not read_only
        self._owner.enter_context(as_owner_of(path.parent))
        try:
            complete_exchange(path)
            if read_only:
                self._open_to_read()
            else:
                self._open_to_write()
        except BaseException:
            self.close()
            raise

    def _begin(self, path: Path, codecs: Games, wall_clock: WallClock, logs: Logs) -> None:
        self.path, self.codecs, self._logs = path, codecs, logs
        self.findings: list[Sentence] = []
        self._wall_clock, self._replays = wall_clock, Replays(codecs)
        self._index = KeptIndex(logs, self._replays)
        self._lock: JournalLock | None = None
        self._owner = ExitStack()
        self._is_writer = True
        self._kept: dict[int, tuple[LogMark, GameLog]] = {}
        self._last_change = 0

    def _open_to_read(self) -> None:
        if has_earlier(self.path.parent) and not self._logs.marks():
            self._index.close()
            self._logs = MemoryLogs()
            self._index = KeptIndex(self._logs, self._replays)
            for game_id, content in earlier_logs(self.path.parent).items():
                self._logs.replace(game_id, content)
        elif self.path.exists():
            self._index.open_to_read(self.path)
            if known := self._index.known():
                self._name_missing(self._logs.marks(), known)

    def _open_to_write(self) -> None:
        make_folder(self.path.parent)
        # Before the index is opened: only the holder may replace a damaged one.
        self._lock = JournalLock(self.path)
        if self._lock.is_exclusive:
            self.findings += take_over(self.path.parent)
        is_suspect = self._open_index(may_replace=self._lock.is_exclusive)
        self._lock.share()
        self._repair_logs(is_suspect=is_suspect)

    def _open_index(self, *, may_replace: bool) -> bool:
        """Open the index, and return whether it was damaged, so that it cannot show which logs have lost their ends."""
        try:
            return self._index.open(self.path)
        except DamagedIndexError:
            # Another companion would go on writing to a file that was set aside.
            if may_replace:
                self._replace_index()
            return True

    def _replace_index(self) -> None:
        try:
            aside = durable.set_aside(self.path, self._wall_clock())
        except OSError as error:
            says = said("{path}: is damaged and cannot be set aside: {fault}", path=str(self.path),
                        fault=system_says(error))  # fmt: skip
            raise StorageError(says) from error
        count = len(self._logs.marks())
        self.findings.append(
            counted(
                "{path}: was damaged and is kept as {kept}; the list was made again from the log of {count} game",
                "{path}: was damaged and is kept as {kept}; the list was made again from the logs of {count} games",
                count,
                path=str(self.path),
                kept=str(aside),
            )
        )
        with suppress(DamagedIndexError):
            self._index.open(self.path)

    def _repair_logs(self, *, is_suspect: bool) -> None:
        """Examine the logs that the index does not know as they are; set damaged ones aside, and keep what is sound."""
        marks, known = self._logs.marks(), self._index.known()
        self._name_missing(marks, known)
        for game_id, mark in sorted(marks.items()):
            stored = known.get(game_id)
            if stored is None or stored.mark != mark:
                with self._logs.locked():
                    log, lines = self._logs.parsed(game_id), 0 if stored is None else stored.lines
                    damage = damage_of(log, lines, is_suspect=is_suspect)
                    if damage is not None:
                        self.findings.append(damage(str(self._set_aside(log))))
                    elif log.unread is not None:
                        self.findings.append(log.unread)
        self._index.refresh()

    def _name_missing(self, marks: Mapping[int, LogMark], known: Mapping[int, Indexed]) -> None:
        missing = [number for number in known.keys() - marks.keys() if not known[number].is_deleted]
        if missing:
            self.findings.append(
                said(
                    "{path}: the logs of these games are missing: {games}",
                    path=str(self._logs.folder),
                    games=all_of([Label(number) for number in sorted(missing)]),
                )
            )

    def _set_aside(self, log: GameLog) -> Path:
        kept = self._logs.set_aside(log.game_id, self._wall_clock())
        self._logs.replace(log.game_id, GameLog(log.game_id).encoded(log.lines or [self._line(LineKind.DELETED, None)]))
        return kept

    def close(self) -> None:
        """Release the journal; may be called more than once."""
        try:
            self._index.close()
        finally:
            if self._lock is not None:
                self._lock.close()
            self._owner.close()

    def new_game(self, setup: object, table: str = "", notes: Mapping[str, str] | None = None) -> int:
        """Begin a game and return its number.

        Args:
            setup: the setup that it begins with.
            table: the name of the table.
            notes: the facts about the table that resuming it needs; stored together with it, or neither is stored.
        """
        with self._changing():
            game_id = max(self._logs.marks(), default=0) + 1
            lines = [self._line(LineKind.GAME, self.codecs.of_setup(setup).setup_to_json(setup))]
            lines += [self._line(LineKind.TABLE, table)] if table else []
            lines += [self._line(LineKind.NOTE, [key, value]) for key, value in (notes or {}).items()]
            self._rewrite(game_id, lines)
        return game_id

    def amend_setup(self, game_id: int, setup: object) -> None:
        """Replace the setup of a game once more of it is known.

        Raises:
            JournalError: if a decision does not follow from it. Nothing is changed then.
        """
        with self._changing():
            log = self._log(game_id)
            refuse_contradicted(game_id, setup, log.decisions, self.codecs)
            self._append(log, LineKind.SETUP, self.codecs.of_setup(setup).setup_to_json(setup))

    def append(self, game_id: int, sequence: int, decision: object, outcome: DecisionOutcome | None = None) -> None:
        """Store the game's decision number `sequence` (from 1); once this returns, a power cut does not lose it.

        Args:
            game_id: the game.
            sequence: the decision's number.
            decision: the decision.
            outcome: its outcome by the rules, if already known; None to compute it when it is needed.

        Raises:
            JournalError: if another number is expected, or the decision could not be stored. Nothing is changed then.
        """
        with self._changing():
            log = self._log(game_id)
            log.refuse_decision(sequence)
            text = self.codecs.of_decision(decision).decision_to_json(decision)
            self._append(log, LineKind.DECISION, text, None if outcome is None else (decision, outcome))

    def undo(self, game_id: int, sequence: int) -> None:
        """Undo the last decision, which must be number `sequence`. The undone decision remains in the log."""
        with self._changing():
            log = self._log(game_id)
            log.refuse_undo(sequence)
            self._append(log, LineKind.UNDO, sequence)

    def replace(self, game_id: int, sequence: int, decision: object) -> None:
        """Replace the last decision, which must be number `sequence`, by another; a power cut leaves one of them."""
        with self._changing():
            log = self._log(game_id)
            log.refuse_undo(sequence)
            self._append(log, LineKind.REPLACE, self.codecs.of_decision(decision).decision_to_json(decision))

    def truncate_game(self, game_id: int, whole: int) -> Path:
        """Make a game resumable after its first `whole` decisions, and return the file that contains all of it."""
        with self._changing():
            log = self._read(game_id)
            if log.unread is not None or log.state is LogState.NEWER:
                raise log.unreadable
            kept = self._logs.path(game_id) if log.fault is None else self._set_aside(log)
            self._append(self._log(game_id), LineKind.CUT, whole)
        return kept

    def note(self, game_id: int, key: str, value: str) -> None:
        """Store a fact about the table; a later value replaces an earlier one."""
        with self._changing():
            self._append(self._log(game_id), LineKind.NOTE, [key, value])

    def delete(self, game_id: int) -> None:
        """Delete a game permanently. Its number is not used again."""
        with self._changing():
            self._read(game_id)
            self._rewrite(game_id, [self._line(LineKind.DELETED, None)])
        self._wipe()

    def rename(self, game_id: int, players: Sequence[str]) -> None:
        """Change the names of a game's players; its log is rewritten so that the old names remain nowhere."""
        with self._changing():
            headers = (LineKind.GAME, LineKind.SETUP)
            lines = [
                line._replace(text=with_players(line.text, players)) if line.kind in headers else line
                for line in self._log(game_id).lines
            ]
            self._rewrite(game_id, lines)
        self._wipe()

    def _wipe(self) -> None:
        # The names are gone from the logs by now: a failure here must not be reported as one of the change.
        self._index.ask_now(Index.wipe)

    def record(self, game_id: int) -> tuple[list[str], Sentence | None]:
        """Return a game as the lines of a game record, as far as can be read, and the fault after them, or None."""
        log = self._read(game_id)
        return [log.header, *log.decisions] if log.header else [], log.fault

    def game(self, game_id: int) -> AnyCodec:
        """Return the codec of a game."""
        return game_in(self._log(game_id).header, self.codecs)

    def setup(self, game_id: int, codec: Codec[SetupT, DecisionT, StateT]) -> SetupT:
        """Return the setup of a game of this codec's kind."""
        return setup_in(self._log(game_id).header, codec, self.codecs)

    def decisions(self, game_id: int, codec: Codec[SetupT, DecisionT, StateT]) -> tuple[DecisionT, ...]:
        """Return the decisions of a game of this codec's kind, in order, without undone ones."""
        return decisions_in(self._log(game_id).decisions, codec)

    def names(self, game_id: int) -> tuple[str, ...]:
        """Return the players' names in a game of any kind, known or not, by seat; () if its log has lost them."""
        log = self._read(game_id)
        if log.unread is not None:
            raise log.unreadable
        return players_in(log.header)

    def notes(self, game_id: int) -> Mapping[str, str]:
        """Return the facts about the table; none of a game whose log cannot be read at present."""
        indexed = self._index.ask_about(game_id, lambda index: index.notes(game_id, game_id))
        if indexed is not None:
            return indexed.get(game_id, {})
        return {} if self._read(game_id).unread is not None else dict(self._log(game_id).notes)

    def notes_on(self, games: Sequence[GameSummary]) -> Mapping[int, Mapping[str, str]]:
        """Return the facts about the table of several games, by their numbers."""
        numbers = [game.game_id for game in games]
        if not numbers:
            return {}
        # It is up to date, as the games have just been listed.
        found = self._index.ask_now(lambda index: index.notes(min(numbers), max(numbers)))
        return {number: self.notes(number) for number in numbers} if found is None else found

    def find(self, wanted: GameFilter = ALL) -> Sequence[GameSummary]:
        """Return the selected games, newest first. Games that cannot be replayed are included and hide no others."""
        found = self._index.ask(lambda index: index.find(wanted))
        # A fault is a sentence in the reader's language, so it is determined again.
        asked = self._index.unread | {game.game_id for game in found if game.error is not None}
        return [self.replayed(game.game_id) if game.game_id in asked else game for game in found]

    def games(self) -> Sequence[GameSummary]:
        """Return all games in the order of their numbers."""
        return self.find()[::-1]

    def listed(self, game_id: int) -> GameSummary:
        """Return a game's entry in the list of games."""
        found = self._index.ask_about(game_id, lambda index: index.one(game_id))
        return self.replayed(game_id) if found is None or found.error is not None else found

    def replayed(self, game_id: int) -> GameSummary:
        """Return a game's entry in the list of games, recomputed from its log as it can be read now."""
        return self._replays.summary(self._read(game_id))

    def figures(self, codec: Codec[SetupT, DecisionT, StateT]) -> Sequence[Any]:
        """Return the figures of people's finished games of this codec's kind, in the order in which they were begun."""
        texts = self._index.ask(lambda index: list(index.figures(codec.name)))
        found: list[Any] = [msgspec.json.decode(text, type=codec.figures_type) for text in texts]
        return sorted(found, key=lambda each: (each.started_at, each.game_id))

    def players(self) -> Sequence[str]:
        """Return the names of all players, the most recent one first."""
        return list(dict.fromkeys(self._index.ask(lambda index: [name for each in index.players() for name in each])))

    def finished_mark(self) -> tuple[int, int, int]:
        """Return a mark that changes when a game ends, or when a finished one is changed, even only in its names."""
        return self._index.ask(Index.finished_mark)

    def check(self) -> Sequence[GameSummary]:
        """Read every log, replay every game, and return them in the order of their numbers.

        The index is checked, too; a damage of it is added to `findings`.
        """
        if self.path.exists() and (fault := fault_in(self.path)) is not None:
            says = said("{path}: is damaged ({fault}); the next start makes it again from the logs",
                        path=str(self.path), fault=fault)  # fmt: skip
            self.findings.append(says)
        logs = map(self._logs.parsed, sorted(self._logs.marks()))
        return [self._replays.summary(log) for log in logs if not log.is_deleted]

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Keep other companions from changing a log; an error that the context raises says what was stored."""
        if not self._is_writer:
            raise TypeError("this journal was opened to be read")
        try:
            with self._logs.locked():
                yield
        except StorageError as error:
            fault = reason(error)
            if error.is_undone:
                says = said("nothing was stored: {fault}", fault=fault)
            else:
                says = said("the next start shows whether the last change was stored: {fault}", fault=fault)
            raise StorageError(says) from error

    def _line(self, kind: LineKind, value: object) -> Line:
        self._last_change = 1 + max(self._last_change, self._index.ask_now(Index.last_change) or 0)
        return Line(kind, line_text(value), self._last_change, self._wall_clock().isoformat())

    def _append(
        self, log: GameLog, kind: LineKind, value: object, played: tuple[object, DecisionOutcome] | None = None
    ) -> None:
        """Write a line, and sync it; `played` is the decision in it and its outcome, if that is known."""
        line = self._line(kind, value)
        encoded = log.encoded([line])
        mark = self._logs.append(log, encoded)
        log.take(line, encoded)
        log.state = LogState.WHOLE
        self._kept[log.game_id] = mark, log
        if played is not None:
            self._replays.follow(log, *played)
        self._put(log, mark)

    def _put(self, log: GameLog, mark: LogMark) -> None:
        self._index.put(log, mark)

    def _rewrite(self, game_id: int, lines: Sequence[Line]) -> None:
        """Write a complete log."""
        mark = self._logs.replace(game_id, GameLog(game_id).encoded(lines))
        self._kept.pop(game_id, None)
        self._index.renew(game_id, mark)

    def _log(self, game_id: int) -> GameLog:
        """Return a log that can be read to its end."""
        log = self._read(game_id)
        if log.fault is not None:
            raise log.unreadable
        return log

    def _read(self, game_id: int) -> GameLog:
        """Return the contents of a log, as far as it can be read."""
        mark, kept = self._logs.mark(game_id), self._kept.get(game_id)
        if mark is None and kept is not None:
            # It was there before: the disk that it lies on has gone.
            path = self._logs.path(game_id)
            raise StorageError(unreadable(path, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))))
        if kept is None or kept[0] != mark:
            kept = (mark, self._logs.parsed(game_id)) if mark is not None else None
        if kept is None or kept[1].is_deleted:
            raise UnknownGameError(game_id)
        if kept[1].unread is not None:
            return kept[1]
        # Taken out and added again, so that the one used longest ago is the first.
        self._kept.pop(game_id, None)
        self._kept[game_id] = kept
        if len(self._kept) > _LOGS_KEPT:
            del self._kept[next(iter(self._kept))]
        return kept[1]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class MemoryJournal(Journal):
    """A journal whose games last as long as the program runs: for tests, and for games that are not to be stored.

    Args:
        codecs: the known games.
        wall_clock: returns the time of day to store with games and decisions.
    """

    def __init__(self, codecs: Games, wall_clock: WallClock = utc_now) -> None:
        self._begin(Path(os.devnull), codecs, wall_clock, MemoryLogs())

    def _put(self, log: GameLog, mark: LogMark) -> None:
        """Leave the summary until a list needs it, as no other companion reads the index."""
