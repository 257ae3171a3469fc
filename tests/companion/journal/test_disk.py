"""Test the journal on disk: it persists, several processes may write to it, and each failure is one clear line."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.games.patchwork import Advance, Decision, Setup, decision_from_json
from companion.journal import Book, Journal, JournalError
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs

NORMAL, FULL = 1, 2
"""SQLite's levels of syncing (pragma `synchronous`)."""
Keep = Callable[[Book, tuple[Decision, ...]], int]


def test_games_last(path: Path, game: tuple[Decision, ...], keep: Keep) -> None:
    with Journal(path, codecs()) as journal:
        game_id = keep(journal, game)
        journal.note(game_id, "seed", "7")
    with Journal(path, codecs()) as journal:
        assert journal.decisions(game_id, PATCHWORK) == game
        assert journal.notes(game_id) == {"seed": "7"}
        assert journal.set_aside is None


def test_a_decision_is_synced_in_its_game_s_log_before_it_is_committed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    with Journal(path, codecs()) as journal, Journal(path, codecs(), read_only=True) as reader:
        assert journal._file.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        game_id = journal.new_game(Setup())

        def synced(_: int) -> None:
            assert b"advance" in (path.parent / "decisions" / f"{game_id}.log").read_bytes()
            seen.append(len(reader.decisions(game_id, PATCHWORK)))

        monkeypatch.setattr("os.fdatasync", synced)
        journal.append(game_id, 1, Advance(1))
        assert seen == [0]
        assert len(reader.decisions(game_id, PATCHWORK)) == 1


def test_the_beginning_and_the_cutting_of_a_game_are_synced_in_the_database_too(path: Path) -> None:
    levels: list[int] = []

    def level() -> int:
        return int(journal._file.connection.execute("PRAGMA synchronous").fetchone()[0])

    def trace(statement: str) -> None:
        if statement.startswith(("INSERT INTO games", "DELETE FROM entries")):
            journal._file.connection.set_trace_callback(None)
            levels.append(level())

    with Journal(path, codecs()) as journal:
        assert level() == NORMAL
        journal._file.connection.set_trace_callback(trace)
        game_id = journal.new_game(Setup())
        assert (levels, level()) == ([FULL], NORMAL)
        journal.append(game_id, 1, Advance(1))
        journal._file.connection.set_trace_callback(trace)
        journal.truncate_game(game_id, 0)
        assert (levels, level()) == ([FULL, FULL], NORMAL)


def test_a_decision_is_one_transaction_and_seen_from_outside_at_once(path: Path) -> None:
    with Journal(path, codecs()) as journal:
        game_id = journal.new_game(Setup())
        journal.append(game_id, 1, Advance(1))
        assert not journal._file.connection.in_transaction
        with Journal(path, codecs(), read_only=True) as reader:
            assert reader.decisions(game_id, PATCHWORK) == (Advance(1),)


def test_what_was_taken_back_stays_in_the_history(path: Path, game: tuple[Decision, ...], keep: Keep) -> None:
    with Journal(path, codecs()) as journal:
        game_id = keep(journal, game[:2])
        journal.undo(game_id, 2)
    with sqlite3.connect(path) as connection:
        kinds = [kind for (kind,) in connection.execute("SELECT kind FROM entries ORDER BY number")]
    connection.close()
    assert kinds == ["decision", "decision", "undo"]


def test_two_companions_write_side_by_side(path: Path, game: tuple[Decision, ...]) -> None:
    with Journal(path, codecs()) as one, Journal(path, codecs()) as other:
        first, second = one.new_game(Setup(), "a"), other.new_game(Setup(), "b")
        for sequence, decision in enumerate(game[:8], start=1):
            one.append(first, sequence, decision)
            other.append(second, sequence, decision)
        other.undo(second, 8)
        assert first != second
        assert one.decisions(first, PATCHWORK) == game[:8]
        assert one.decisions(second, PATCHWORK) == game[:7]


def test_of_two_companions_at_one_game_the_later_is_refused(path: Path, game: tuple[Decision, ...]) -> None:
    with Journal(path, codecs()) as one, Journal(path, codecs()) as other:
        game_id = one.new_game(Setup())
        one.append(game_id, 1, game[0])
        with pytest.raises(JournalError, match="decision 1 is stored already: decision 2 is next"):
            other.append(game_id, 1, game[0])


def test_the_waiting_for_another_writer_is_long_enough_for_a_busy_card(path: Path) -> None:
    with Journal(path, codecs()) as journal:
        assert journal._file.connection.execute("PRAGMA busy_timeout").fetchone() == (10_000,)


def test_another_program_s_lock_is_one_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.journal.opening.BUSY_TIMEOUT_S", 0.0)
    with Journal(path, codecs()) as journal:
        game_id = journal.new_game(Setup())
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match="another program is writing to it"):
            journal.append(game_id, 1, Advance(1))
        other.execute("ROLLBACK")
        other.close()
        journal.append(game_id, 1, Advance(1))
        assert journal.decisions(game_id, PATCHWORK) == (Advance(1),)


def test_a_full_disk_is_one_line_and_loses_nothing(path: Path, game: tuple[Decision, ...]) -> None:
    with Journal(path, codecs()) as journal:
        game_id = journal.new_game(Setup())
        (pages,) = journal._file.connection.execute("PRAGMA page_count").fetchone()
        journal._file.connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(JournalError, match="the disk is full"):
            _fill(journal, game_id, game[0])
        stored = len(journal.decisions(game_id, PATCHWORK))
        assert stored > 0
        assert journal.decisions(game_id, PATCHWORK) == (game[0],) * stored
        journal._file.connection.execute(f"PRAGMA max_page_count = {pages + 100}")
        journal.append(game_id, stored + 1, game[1])
        assert journal.decisions(game_id, PATCHWORK)[-1] == game[1]


def _fill(journal: Journal, game_id: int, decision: Decision) -> None:
    for sequence in range(1, 2000):
        journal.append(game_id, sequence, decision)


def test_a_reader_never_writes(path: Path) -> None:
    with Journal(path, codecs()) as journal:
        game_id = journal.new_game(Setup())
    with Journal(path, codecs(), read_only=True) as reader, pytest.raises(JournalError, match="cannot be written to"):
        reader.append(game_id, 1, Advance(1))


SEVERAL = """
import sys
from pathlib import Path
from companion.games.patchwork import Advance, Setup
from companion.journal import Journal
from companion.registry import codecs
sys.stdin.readline()
with Journal(Path(sys.argv[1]), codecs()) as journal:
    game_id = journal.new_game(Setup(), sys.argv[2])
    for sequence in range(1, 26):
        journal.append(game_id, sequence, Advance(1))
"""


def test_processes_that_begin_a_journal_at_once_all_get_their_games_in(path: Path) -> None:
    command = [sys.executable, "-c", SEVERAL, str(path)]
    processes = [subprocess.Popen([*command, name], stdin=subprocess.PIPE, stderr=subprocess.PIPE) for name in "abcd"]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"go\n")
        process.stdin.flush()
    assert [process.communicate()[1] for process in processes] == [b""] * 4
    with Journal(path, codecs()) as journal:
        assert sorted(game.table for game in journal.games()) == ["a", "b", "c", "d"]
        assert [game.decisions for game in journal.games()] == [25] * 4
        assert journal.set_aside is None


WRITER = """
import sys
from pathlib import Path
from companion.games.patchwork import PlaceLeather, Setup, decision_to_json
from companion.journal import Journal
from companion.registry import codecs
import json
with Journal(Path(sys.argv[1]), codecs()) as journal:
    game_id = journal.new_game(Setup())
    for sequence in range(1, 100_000):
        decision = PlaceLeather(1, 1 << (sequence * 7 % 81))
        journal.append(game_id, sequence, decision)
        print(json.dumps(decision_to_json(decision)), flush=True)
"""


@pytest.mark.parametrize("announced", [1, 17, 60])
def test_after_sigkill_every_announced_decision_is_there(path: Path, announced: int) -> None:
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(announced)]
        process.kill()
        lines += process.stdout.readlines()
    told = [line for line in lines if line.endswith(b"\n")]
    with Journal(path, codecs()) as journal:
        kept = journal.decisions(1, PATCHWORK)
        assert journal.set_aside is None
        assert kept[: len(told)] == tuple(decision_from_json(json.loads(line)) for line in told)
        # At most the decision that was stored and not yet announced.
        assert len(kept) - len(told) in (0, 1)
        journal.append(1, len(kept) + 1, Advance(1))


def test_decisions_leave_no_file_open(path: Path, game: tuple[Decision, ...], keep: Keep) -> None:
    opened = Path("/proc/self/fd")
    with Journal(path, codecs()) as journal:
        number = keep(journal, game[:2])
        before = len(list(opened.iterdir()))
        for sequence, decision in enumerate(game[2:6], start=3):
            journal.append(number, sequence, decision)
        assert len(list(opened.iterdir())) == before
