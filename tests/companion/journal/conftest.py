"""Fixtures of games to store, and a clock that a test sets."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from companion.games.patchwork.decisions import Decision
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, GameFilter, GameSummary, Journal, MemoryJournal, Status
from companion.registry import codecs

NOW = datetime(2026, 1, 2, 19, 0, 7, tzinfo=UTC)
_SHM = Path("/dev/shm")  # noqa: S108  # Each test has a folder of its own below it.
MEMORY = _SHM if _SHM.is_dir() else None
"""A folder in memory, where syncing takes no time: what is synced, and when, is tested by `tests/crash`."""


class WallClock:
    """A clock that advances by a minute at every reading."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 2, 19, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder in memory."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        yield Path(folder)


def _is_open(connection: sqlite3.Connection) -> bool:
    with suppress(sqlite3.ProgrammingError):
        connection.total_changes  # noqa: B018  # It is refused once the connection is closed.
        return True
    return False


@pytest.fixture(autouse=True)
def no_connection_stays_open() -> Iterator[None]:
    """Check that all connections to databases are closed: each holds its file, and Python warns of it from 3.13 on."""
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def connected(*arguments: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*arguments, **options))
        return opened[-1]

    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(sqlite3, "connect", connected)
        yield
    assert not any(_is_open(connection) for connection in opened)


@pytest.fixture
def wall_clock() -> WallClock:
    return WallClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / JOURNAL_NAME


@pytest.fixture(params=["disk", "memory"])
def book(request: pytest.FixtureRequest, path: Path, wall_clock: WallClock) -> Iterator[Journal]:
    """Each kind of journal; a test that takes it runs on each."""
    games = codecs()
    with Journal(path, games, wall_clock) if request.param == "disk" else MemoryJournal(games, wall_clock) as journal:
        yield journal


@pytest.fixture(scope="session")
def game() -> tuple[Decision, ...]:
    """All decisions of a random game with the usual setup, to its end."""
    history, rng = History(Setup()), random.Random(5)
    while not history.state.finished:
        history.apply(legal_decisions(history.state).pick(rng))
    return history.decisions


@pytest.fixture
def keep() -> Callable[[Journal, tuple[Decision, ...]], int]:
    """A function that stores decisions as a new game and returns its number."""

    def keep(book: Journal, decisions: tuple[Decision, ...]) -> int:
        game_id = book.new_game(Setup())
        for sequence, decision in enumerate(decisions, start=1):
            book.append(game_id, sequence, decision)
        return game_id

    return keep


def unfinished(book: Journal, table: str | None = None, game: str | None = None) -> GameSummary | None:
    """Return the unfinished game that was changed last, at a table and of a kind, or None."""
    return next(iter(book.find(GameFilter(table, game, Status.UNFINISHED, limit=1, by_change=True))), None)


def log_of(path: Path, game_id: int) -> Path:
    """Return the path of a game's log."""
    return path.parent / "games" / f"{game_id}.log"


def put(path: Path, content: bytes) -> None:
    """Replace a file by another, as a disk's damage is found after a restart: with another mark."""
    path.unlink(missing_ok=True)
    path.write_bytes(content)
