"""What a program has announced of a game, held against what its journal has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.journal import Journal
from companion.journal.entries import EntryKind, decisions_in
from companion.journal.logs import GameLogs, StoredEntry
from companion.languages import ENGLISH, tell
from companion.play.events import DecisionTaken, DecisionUndone
from companion.registry import codecs, game_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

_VARIES: Final = re.compile(r"^\S+(?=[ :])|\b(violet|blue|brown|red|green|yellow|white)\b|\d+")


class LostError(AssertionError):
    """Something that was announced is not there, and nobody said so; or a file is in a state that it must not be in."""


class Books(NamedTuple):
    """A data folder as a companion finds it that starts.

    Attributes:
        entries: of the game that was begun last, as its log has them.
        game_id: its number; 0 if there is no game.
        finished: whether it has ended.
        says: what the companion says of damage.
        recovered: what it says of changes that a power cut took from the database, and not from the logs.
    """

    entries: tuple[StoredEntry, ...]
    game_id: int
    finished: bool
    says: tuple[str, ...]
    recovered: tuple[str, ...] = ()


def opened(journal: Path) -> Books:
    """Open a journal as the companion does, let it mend what it finds, and return what is in it.

    Raises:
        LostError: the journal and the log of its last game do not agree afterwards.
        JournalError: it is refused.
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
            # An older companion's game, which nobody went on with.
            entries = tuple(StoredEntry(EntryKind.DECISION, number, text, "") for number, text in enumerate(stored, 1))
        else:
            entries = tuple(logged.entries[number] for number in sorted(logged.entries))
        if tuple(stored) != _standing(entries):
            raise LostError(f"game {last.game_id}: the journal has {len(stored)} decisions, and not those of its log")
        if last.error is not None and not says:
            raise LostError(f"game {last.game_id} cannot be replayed: {last.error}")
        return Books(entries, last.game_id, last.finished, says, recovered)


def sentences(journal: Path, game_id: int) -> list[str]:
    """Return the first line by which each entry of a game is announced; empty for one that is worth no line."""
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
        told.append(tell(lines[0], ENGLISH) if lines else "")
    return told


def announced(lines: Iterable[str], due: Sequence[str]) -> int:
    """Return how many of the sentences that are due were printed, in their order.

    Args:
        lines: what was printed, whole lines.
        due: the sentences of the entries that the journal has.

    Raises:
        LostError: an announcement was printed that the journal has no entry for.
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
    """Return the place of the next entry that is announced, from the entry with this place on."""
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
    """Return what announcements of a kind have in common: their first words without names, colours and numbers."""
    return tuple(_VARIES.sub("_", line).split()[:3])
