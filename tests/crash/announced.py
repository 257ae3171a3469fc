"""Comparison of a program's printed announcements with its journal."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.journal import Journal
from companion.journal.log import GameLog, Line, LineKind, read_log
from companion.journal.logs import LOGS_NAME
from companion.journal.summary import decisions_in
from companion.languages import ENGLISH, render
from companion.play.events import DecisionTaken, DecisionUndone
from companion.registry import codecs, game_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

_VARIES: Final = re.compile(r"^\S+(?=[ :])|\b(violet|blue|brown|red|green|yellow|white)\b|\d+")


class LostError(AssertionError):
    """Raised if announced data are missing without a message, or a file is in an invalid state."""


class Books(NamedTuple):
    """The contents of a data folder at the start of a companion.

    Attributes:
        entries: the lines of the last game's log, a replaced decision as two: its undo and the new decision.
        game_id: the last game's number; 0 if there is no game.
        decisions: the number of its decisions.
        finished: whether it has ended.
        says: the companion's messages about damage.
    """

    entries: tuple[Line, ...]
    game_id: int
    decisions: int
    finished: bool
    says: tuple[str, ...]


def opened(journal: Path) -> Books:
    """Open a journal as the companion does, with its repairs, and return its contents.

    Raises:
        LostError: the list of games and the log of the last game disagree.
        JournalError: the journal is refused.
    """
    with Journal(journal, codecs()) as book:
        games, says = book.games(), tuple(map(str, book.findings))
        if not games:
            return Books((), 0, 0, finished=False, says=says)
        last, log = games[-1], _log(journal, games[-1].game_id)
        if last.decisions != len(log.decisions) or book.notes(last.game_id) != log.notes:
            raise LostError(f"game {last.game_id}: the index has {last.decisions} decisions, and not those of its log")
        if last.error is not None and not says:
            raise LostError(f"game {last.game_id} cannot be replayed: {last.error}")
        return Books(_entries(log), last.game_id, last.decisions, last.finished, says)


def indexed_lines(journal: Path) -> dict[int, int]:
    """Return for each game in the index how many lines its log had when it was entered there."""
    with closing(sqlite3.connect(journal)) as database:
        try:
            return dict(database.execute("SELECT id, lines FROM games").fetchall())
        except sqlite3.OperationalError:
            return {}  # Killed before it made the table.


def lines_in_log(journal: Path, game_id: int) -> int:
    """Return how many whole lines a game's log has."""
    return len(_log(journal, game_id).lines)


def _log(journal: Path, game_id: int) -> GameLog:
    return read_log(game_id, (journal.with_name(LOGS_NAME) / f"{game_id}.log").read_bytes())


def _entries(log: GameLog) -> tuple[Line, ...]:
    entries: list[Line] = []
    for line in log.lines:
        if line.kind == LineKind.REPLACE:
            entries += [line._replace(kind=LineKind.UNDO), line._replace(kind=LineKind.DECISION)]
        else:
            entries.append(line)
    return tuple(entries)


def sentences(journal: Path, game_id: int) -> list[str]:
    """Return the first line that announces each entry of a game; empty for an entry without a line.

    A drawn pencil of Kvilt is only noted when it is announced: with the note lost, another one would be drawn.
    """
    with Journal(journal, codecs(), read_only=True) as book:
        game = game_named(book.game(game_id).name)
        history: Any = game.codec.begin(book.setup(game_id, game.codec))
    due = []
    for entry in _entries(_log(journal, game_id)):
        event: Any = None
        if entry.kind == LineKind.NOTE:
            due.append(_noted(entry, history.state))
            continue
        if entry.kind == LineKind.DECISION:
            (decision,) = decisions_in([entry.text], game.codec)
            outcome = history.apply(decision)
            event = DecisionTaken(decision, outcome.facts, outcome.state)
        elif entry.kind == LineKind.UNDO:
            undone = history.undo()
            # Decisions of Kvilt that were read together are taken back together, with one sentence.
            event = DecisionUndone(undone, history.state) if game.name == "patchwork" else None
        lines = () if event is None else game.terminal.lines(event)
        due.append(render(lines[0], ENGLISH) if lines else "")
    return due


def _noted(entry: Line, state: Any) -> str:
    key, text = json.loads(entry.text)
    if key != "drawn":
        return ""
    return f"{state.setup.players[state.turn - 1]} has drawn {text.split()[-1]}: where does it go?"


def announced(lines: Iterable[str], due: Sequence[str]) -> int:
    """Return the number of the journal's entries up to the last one announced.

    Args:
        lines: the printed lines, without an incomplete last one.
        due: the sentences of the journal's entries.

    Raises:
        LostError: an announcement was printed for which the journal has no entry.
    """
    kinds = {_kind(sentence) for sentence in due if sentence}
    count = 0
    for line in lines:
        following = silent_until(due, count)
        if following < len(due) and line == due[following]:
            count = following + 1
        elif following == len(due) and _kind(line) in kinds and line not in due:
            raise LostError(f"was announced, and is not in the journal: {line!r}")
    return count


def silent_until(due: Sequence[str], count: int) -> int:
    """Return the index of the next entry with a sentence, from index `count` on."""
    return next((place for place in range(count, len(due)) if due[place]), len(due))


def _kind(line: str) -> tuple[str, ...]:
    """Return the kind of an announcement: its first words without names, colours and numbers."""
    return tuple(_VARIES.sub("_", line).split()[:3])
