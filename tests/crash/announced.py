"""Comparison of a program's printed announcements with its journal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.journal import Journal
from companion.journal.entries import EntryKind, decisions_in
from companion.journal.logs import GameLogs, StoredEntry
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
        entries: the entries of the last game, from its log.
        game_id: the last game's number; 0 if there is no game.
        finished: whether it has ended.
        says: the companion's messages about damage.
        recovered: the messages about changes that a power cut took from the database, restored from the logs.
    """

    entries: tuple[StoredEntry, ...]
    game_id: int
    finished: bool
    says: tuple[str, ...]
    recovered: tuple[str, ...] = ()


def opened(journal: Path) -> Books:
    """Open a journal as the companion does, with its repairs, and return its contents.

    Raises:
        LostError: afterwards the journal and the log of its last game disagree.
        JournalError: the journal is refused.
    """
    with Journal(journal, codecs()) as book:
        games = book.games()
        says, recovered = tuple(map(str, book.findings)), tuple(map(str, book.recovered))
        if not games:
            return Books((), 0, finished=False, says=says, recovered=recovered)
        last = games[-1]
        logged = GameLogs(journal).read(last.game_id)
        stored = book.stored(last.game_id).texts
        if logged is None:
            # A game of an older companion that was not resumed.
            entries = tuple(StoredEntry(EntryKind.DECISION, number, text, "") for number, text in enumerate(stored, 1))
        else:
            entries = tuple(logged.entries[number] for number in sorted(logged.entries))
        if tuple(stored) != _standing(entries):
            raise LostError(f"game {last.game_id}: the journal has {len(stored)} decisions, and not those of its log")
        if last.error is not None and not says:
            raise LostError(f"game {last.game_id} cannot be replayed: {last.error}")
        return Books(entries, last.game_id, last.finished, says, recovered)


def sentences(journal: Path, game_id: int) -> list[str]:
    """Return the first line that announces each entry of a game; empty for an entry without a line."""
    with Journal(journal, codecs(), read_only=True) as book:
        game = game_named(book.game(game_id).name)
        history: Any = game.codec.begin(book.setup(game_id, game.codec))
    logged = GameLogs(journal).read(game_id)
    assert logged is not None
    told = []
    for _, row in sorted(logged.entries.items()):
        if row.kind == EntryKind.DECISION:
            (decision,) = decisions_in([row.text], game.codec)
            outcome = history.apply(decision)
            event: Any = DecisionTaken(decision, outcome.facts, outcome.state)
        else:
            event = DecisionUndone(history.undo(), history.state)
        lines = game.terminal.lines(event)
        told.append(render(lines[0], ENGLISH) if lines else "")
    return told


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


def _standing(entries: Iterable[StoredEntry]) -> tuple[str, ...]:
    texts: list[str] = []
    for row in entries:
        if row.kind == EntryKind.DECISION:
            texts.append(row.text)
        else:
            del texts[-1:]
    return tuple(texts)


def _kind(line: str) -> tuple[str, ...]:
    """Return the kind of an announcement: its first words without names, colours and numbers."""
    return tuple(_VARIES.sub("_", line).split()[:3])
