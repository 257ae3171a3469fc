"""The games of a journal in the format before this one, whose truth was in SQLite's tables and in logs beside them.

The first start writes them anew, once, and keeps the former files. A game is taken from its log, or from the tables if
they have more of it.
"""

import json
import os
import re
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from companion.durable import sync_folder
from companion.journal.errors import StorageError
from companion.journal.log import GameLog, Line, LineKind, line_text
from companion.journal.logs import LOGS_NAME
from companion.languages import Sentence, counted, unwritable
from companion.record import FORMAT

EARLIER_NAME: Final = "earlier-journal"
"""The folder in the data folder that keeps the former files."""
_DATABASE: Final = "journal.sqlite3"
_LOGS: Final = "decisions"
_NAME: Final = re.compile(r"([1-9][0-9]{0,17})\.log")
_LINE: Final = re.compile(rb"([0-9a-f]{8}) ([0-9]{1,9}) (.+)")
# While the games are written; a start that is interrupted begins again.
_STAGING: Final = ".games-taken-over"


@dataclass(slots=True)
class _Game:
    """A game in the former format; an entry is its kind, the decision's number, its JSON and its time."""

    table: str
    setup: str
    started_at: str
    entries: list[tuple[str, int, str, str]] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    touched: int = 0
    is_whole: bool = True

    @property
    def last_at(self) -> str:
        """The time of its last change."""
        return self.entries[-1][3] if self.entries else self.started_at


def has_earlier(folder: Path) -> bool:
    """Return whether a data folder contains a journal in the former format."""
    return (folder / _DATABASE).exists() or (folder / _LOGS).is_dir()


def take_over(folder: Path) -> list[Sentence]:
    """Write the games of a journal in the former format as logs, and move its files into a folder of their own.

    Returns:
        The message about it; empty if there is no such journal.

    Raises:
        StorageError: a file cannot be written or moved.
    """
    if not has_earlier(folder):
        return []
    try:
        count = 0
        if not (folder / LOGS_NAME).exists():
            count = _write(folder, earlier_logs(folder))
        kept = _move_away(folder)
    except OSError as error:
        raise StorageError(unwritable(folder, error)) from error
    return [
        counted(
            "{count} game of an earlier version was taken over; its files are kept in {kept}",
            "{count} games of an earlier version were taken over; their files are kept in {kept}",
            count,
            kept=str(kept),
        )
    ]


def earlier_logs(folder: Path) -> dict[int, bytes]:
    """Return the games of a journal in the former format as logs, by the games' numbers."""
    stored, logged = _in_tables(folder / _DATABASE), _in_logs(folder / _LOGS)
    games = {number: _fuller(stored.get(number), logged.get(number)) for number in {*stored, *logged}}
    known = {number: game for number, game in games.items() if game is not None}
    ranks = {
        number: rank
        for rank, number in enumerate(
            sorted(known, key=lambda each: (known[each].touched, known[each].last_at, each)), start=1
        )
    }
    return {number: _encoded(number, game, ranks[number]) for number, game in known.items()}


def _write(folder: Path, logs: Mapping[int, bytes]) -> int:
    staging = folder / _STAGING
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir()
    for number, content in logs.items():
        with (staging / f"{number}.log").open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
    sync_folder(staging)
    staging.rename(folder / LOGS_NAME)
    sync_folder(folder)
    return len(logs)


def _move_away(folder: Path) -> Path:
    kept = folder / EARLIER_NAME
    kept.mkdir(exist_ok=True)
    # The database goes last: until then the next start moves the rest.
    names = (_LOGS, *(f"{_DATABASE}{suffix}" for suffix in (".lock", ".suspect", "-wal", "-shm", "")))
    for name in names:
        if (folder / name).exists():
            (folder / name).rename(kept / name)
    sync_folder(kept)
    sync_folder(folder)
    return kept


def _fuller(stored: _Game | None, logged: _Game | None) -> _Game | None:
    """Return the game as its log has it, or as the tables do if they have more decisions."""
    if stored is None or logged is None:
        return logged or stored
    logged.touched = stored.touched
    # The tables may be behind a whole log after a power cut, and ahead of a damaged one.
    if not logged.is_whole:
        logged.notes |= stored.notes
    return stored if len(stored.entries) > len(logged.entries) else logged


def _encoded(number: int, game: _Game, rank: int) -> bytes:
    """Return a game as a log, up to the first entry that does not follow from those before."""
    header = {"format": FORMAT, **json.loads(game.setup)}
    if header.get("market", ()) is None:
        del header["market"]
    lines = [Line(LineKind.GAME, line_text(header), rank, game.started_at)]
    if game.table:
        lines.append(Line(LineKind.TABLE, line_text(game.table), rank, game.started_at))
    for kind, sequence, text, at in game.entries:
        is_decision = kind == "decision"
        lines.append(Line(kind, text if is_decision else line_text(sequence), rank, at))
    lines += [Line(LineKind.NOTE, line_text([key, value]), rank, game.last_at) for key, value in game.notes.items()]
    log, content = GameLog(number), b""
    for line in lines:
        encoded = log.encoded([line])
        with suppress(ValueError):
            log.take(line, encoded)
            content += encoded
    return content


def _in_tables(path: Path) -> dict[int, _Game]:
    """Return the games in the tables, as far as SQLite can read them."""
    found: dict[int, _Game] = {}
    if not path.is_file():
        return found
    # SQLite quotes a damaged schema in its message, which may then be no text.
    faults = sqlite3.Error, UnicodeDecodeError
    with suppress(*faults), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as tables:
        tables.text_factory = lambda text: text.decode(errors="replace")
        # A restored backup may be anybody's: a view would run when it is read.
        kinds = tables.execute("SELECT type FROM sqlite_schema WHERE name IN ('games', 'entries', 'notes')")
        if [kind for (kind,) in kinds] != ["table"] * 3:
            return found
        for number, *values in tables.execute("SELECT id, table_name, setup, started_at FROM games"):
            if _is_object(values[1]):
                found[number] = _Game(*values)
        for number, touched in tables.execute("SELECT id, touched FROM games"):
            found[number].touched = touched
        for number, *entry in tables.execute(
            "SELECT game_id, kind, sequence, decision, at FROM entries ORDER BY game_id, number"
        ):
            if number in found:
                found[number].entries.append(tuple(entry))
        for number, key, value in tables.execute("SELECT game_id, key, value FROM notes"):
            if number in found:
                found[number].notes[key] = value
    return found


def _in_logs(folder: Path) -> dict[int, _Game]:
    """Return the games in the former logs, each up to the first damaged line."""
    found: dict[int, _Game] = {}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.is_file() and (name := _NAME.fullmatch(path.name)) is not None:
            game = _logged(int(name[1]), path.read_bytes())
            if game is not None and _is_object(game.setup):
                found[int(name[1])] = game
    return found


def _logged(game_id: int, content: bytes) -> _Game | None:
    game: _Game | None = None
    for number, line in enumerate(content.split(b"\n")[:-1]):
        found = _LINE.fullmatch(line)
        is_sound = found is not None and int(found[1], 16) == crc32(line[9:], crc32(b"%d " % game_id))
        if found is None or not is_sound or int(found[2]) != number:
            if game is not None:
                game.is_whole = False
            break
        kind, *values = json.loads(found[3])
        game = _Game(*values) if kind == "begun" else game
        if game is not None:
            _apply(game, kind, values)
    return game


def _apply(game: _Game, kind: str, values: list[Any]) -> None:
    match kind:
        case "amended":
            (game.setup,) = values
        case "added":
            game.entries[values[0] - 1 :] = [tuple(values[1])]
        case "replaced":
            game.entries[values[0] - 1 :] = [tuple(values[1]), tuple(values[2])]
        case "cut":
            del game.entries[values[0] :]
        case "noted":
            game.notes[values[0]] = values[1]
        case _:
            pass


def _is_object(setup: object) -> bool:
    with suppress(ValueError, TypeError, RecursionError):
        return isinstance(json.loads(setup), dict)  # type: ignore[arg-type]  # A damaged one may be anything.
    return False
