"""Test recovery after damage: games without a log, decisions that cannot be read, writes that fail."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zlib import crc32

import pytest

from companion.games.patchwork import Advance, Decision, Setup
from companion.journal import Book, Journal, JournalError
from companion.journal.logs import LOGS_NAME, Noted, line_of
from companion.patchwork.codec import PATCHWORK
from companion.play.host import interrupted_game, repair_game, sheet_shown, unshown_sheet
from companion.registry import codecs

if TYPE_CHECKING:
    from pathlib import Path

Keep = Callable[[Book, tuple[Decision, ...]], int]
NOW = datetime(2026, 1, 2, 19, 0, 7, tzinfo=UTC)


def _without_logs(path: Path, statement: str, *values: object) -> None:
    """Change a journal by SQL and delete its logs, as if from a companion that kept none."""
    shutil.rmtree(path.with_name(LOGS_NAME))
    connection = sqlite3.connect(path)
    connection.execute(statement, values)
    connection.commit()
    connection.close()


def test_a_game_with_an_unreadable_decision_goes_on_before_it(
    path: Path, game: tuple[Decision, ...], keep: Keep
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:16])
    _without_logs(path, "UPDATE entries SET decision = CAST(x'7bff7d' AS TEXT) WHERE sequence = 7")
    with Journal(path, codecs(), lambda: NOW) as journal:
        found = interrupted_game(journal, "", "patchwork")
        assert found is not None
        assert (found.game_id, found.whole) == (1, 6)
        says = repair_game(journal, found)
        assert says is not None
        assert "it resumes after 6 decisions" in says
        assert journal.decisions(1, PATCHWORK) == game[:6]
        journal.append(1, 7, game[6])
    (kept,) = path.parent.glob("*.1.damaged-*")
    assert len(kept.read_text().splitlines()) == 16
    with Journal(path, codecs()) as journal:
        assert journal.findings == []
        assert journal.decisions(1, PATCHWORK) == game[:7]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET kind = 'decisiom' WHERE sequence = 7",
        "UPDATE entries SET sequence = 99 WHERE sequence = 7",
        "UPDATE entries SET decision = '{}' WHERE sequence = 7",
        "DELETE FROM entries WHERE sequence = 7",
    ],
)
def test_a_damaged_entry_hides_none_before_it(
    path: Path, game: tuple[Decision, ...], keep: Keep, statement: str
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:16])
    _without_logs(path, "SELECT 1")
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    connection.execute(statement)
    connection.commit()
    connection.close()
    with Journal(path, codecs(), lambda: NOW) as journal:
        found = interrupted_game(journal, "", "patchwork")
        assert found is not None
        # A damaged kind makes the file no valid journal; the rest is then salvaged.
        assert (found.whole if found.error else found.decisions) == 6
        repair_game(journal, found)
        assert journal.decisions(1, PATCHWORK) == game[:6]


@pytest.mark.parametrize("column", ["last_at", "started_at"])
def test_a_bad_date_blocks_no_game(path: Path, game: tuple[Decision, ...], keep: Keep, column: str) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:3])
        keep(journal, game[:2])
    _without_logs(path, f"UPDATE games SET {column} = '2026-13-45T99' WHERE id = 1")  # noqa: S608
    with Journal(path, codecs()) as journal:
        assert [found.decisions for found in journal.games()] == [3, 2]
        assert journal.decisions(1, PATCHWORK) == game[:3]


def test_games_of_a_cut_journal_without_logs_are_brought_back(
    path: Path, game: tuple[Decision, ...], keep: Keep
) -> None:
    with Journal(path, codecs()) as journal:
        for _ in range(8):
            keep(journal, game)
    _without_logs(path, "SELECT 1")
    content = path.read_bytes()
    path.write_bytes(content[: -len(content) // 4])
    with Journal(path, codecs(), lambda: NOW) as journal:
        found = journal.games()
        assert journal.set_aside is not None
        assert len(found) >= 5
        assert journal.decisions(found[0].game_id, PATCHWORK) == game
        assert "games were recovered" in journal.findings[0]


def test_a_zeroed_first_page_loses_no_game(path: Path, game: tuple[Decision, ...], keep: Keep) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game)
    _without_logs(path, "SELECT 1")
    path.write_bytes(bytes(4096) + path.read_bytes()[4096:])
    with Journal(path, codecs(), lambda: NOW) as journal:
        assert journal.decisions(1, PATCHWORK) == game


def test_a_missing_journal_comes_back_from_its_logs(path: Path, game: tuple[Decision, ...], keep: Keep) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:5])
        journal.note(1, "seed", "7")
        journal.amend_setup(1, Setup(players=("Anna", "Boris")))
    path.unlink()
    with Journal(path, codecs()) as journal:
        assert "was missing; 1 game was recovered" in journal.findings[0]
        assert journal.decisions(1, PATCHWORK) == game[:5]
        assert journal.notes(1) == {"seed": "7"}
        assert journal.setup(1, PATCHWORK) == Setup(players=("Anna", "Boris"))


def test_a_game_without_a_log_is_whole_in_one_from_its_next_change_on(
    path: Path, game: tuple[Decision, ...], keep: Keep
) -> None:
    """A companion that kept no logs began it."""
    with Journal(path, codecs()) as journal:
        keep(journal, game[:3])
        journal.note(1, "seed", "7")
    _without_logs(path, "SELECT 1")
    with Journal(path, codecs()) as journal:
        journal.append(1, 4, game[3])
        journal.append(1, 5, game[4])
    path.unlink()
    with Journal(path, codecs()) as journal:
        assert journal.decisions(1, PATCHWORK) == game[:5]
        assert journal.notes(1) == {"seed": "7"}


def _fails(*_: object) -> None:
    raise OSError(errno.EIO, "Input/output error")


def _fails_once() -> Callable[[int], None]:
    real, faults = os.fdatasync, iter([True])

    def sync(descriptor: int) -> None:
        if next(faults, False):
            _fails()
        real(descriptor)

    return sync


def test_what_is_said_of_a_write_that_fails_is_so(
    path: Path, game: tuple[Decision, ...], keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:2])
        with monkeypatch.context() as patched:
            patched.setattr(os, "fdatasync", _fails_once())
            with pytest.raises(JournalError, match=r"^nothing was stored: .*Input/output error"):
                journal.append(1, 3, game[2])
            for broken in ("fdatasync", "ftruncate"):
                # Neither the write nor its rollback is certain to be on the disk.
                patched.setattr(os, broken, _fails)
                with pytest.raises(JournalError, match=r"^the next start shows whether the last change was stored"):
                    journal.append(1, 3, game[2])
    with Journal(path, codecs()) as journal:
        assert len(journal.decisions(1, PATCHWORK)) in (2, 3)


def test_a_game_that_could_not_be_begun_is_not_there_at_the_next_start(
    path: Path, game: tuple[Decision, ...], keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(path, codecs()) as journal, monkeypatch.context() as patched:
        keep(journal, game[:1])
        patched.setattr("companion.durable.os.fsync", _fails)
        with pytest.raises(JournalError, match=r"^nothing was stored"):
            journal.new_game(Setup(players=("Anna", "Boris")), "table")
    with Journal(path, codecs()) as journal:
        assert [found.game_id for found in journal.games()] == [1]


def _behind(path: Path, game: tuple[Decision, ...], keep: Keep) -> None:
    """Leave the files of a power cut: the log holds changes that the database lacks."""
    with Journal(path, codecs()) as journal:
        number = keep(journal, game[:2])
    content = path.read_bytes()
    with Journal(path, codecs()) as journal:
        for sequence in range(3, 7):
            journal.append(number, sequence, game[sequence - 1])
        journal.note(number, "colours", "red blue")
    path.write_bytes(content)


def test_what_a_power_cut_leaves_is_no_damage(
    path: Path, game: tuple[Decision, ...], keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    _behind(path, game, keep)
    monkeypatch.setattr("companion.journal.locks.boot", lambda: "the next boot")
    with Journal(path, codecs()) as journal:
        assert journal.findings == []
        assert [str(each) for each in journal.recovered] == [
            "the machine was switched off before the last 5 changes of game 1 were in the database: they were "
            "recovered from the game’s log, and nothing is lost"
        ]
        assert journal.decisions(1, PATCHWORK) == game[:6]
    assert not list(path.parent.glob("*.damaged-*"))
    with Journal(path, codecs()) as journal:
        assert (journal.findings, journal.recovered) == ([], [])


@pytest.mark.parametrize("hole", [(0, 1), (0, 2), (1, 2)])
def test_a_line_of_which_the_disk_has_only_other_sectors_is_no_damage(
    path: Path, game: tuple[Decision, ...], keep: Keep, monkeypatch: pytest.MonkeyPatch, hole: tuple[int, int]
) -> None:
    _behind(path, game, keep)
    log = path.parent / "decisions" / "1.log"
    content = log.read_bytes()
    line = line_of(1, content.count(b"\n"), Noted("key", "x" * 1500))
    # The sectors that the line falls into: of the first it has but a part.
    begins = [len(content), *range((len(content) // 512 + 1) * 512, len(content) + len(line), 512)]
    start, end = begins[hole[0]], begins[hole[1]]
    whole = content + line
    log.write_bytes(whole[:start] + bytes(end - start) + whole[end:])
    monkeypatch.setattr("companion.journal.locks.boot", lambda: "the next boot")
    with Journal(path, codecs()) as journal:
        assert (journal.findings, len(journal.recovered)) == ([], 1)
        assert journal.decisions(1, PATCHWORK) == game[:6]
    assert log.read_bytes() == content
    assert not list(path.parent.glob("*.damaged-*"))


def test_a_last_line_that_was_damaged_otherwise_is_damage(
    path: Path, game: tuple[Decision, ...], keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    _behind(path, game, keep)
    log = path.parent / "decisions" / "1.log"
    log.write_bytes(log.read_bytes()[:-20] + bytes(10) + log.read_bytes()[-10:])
    monkeypatch.setattr("companion.journal.locks.boot", lambda: "the next boot")
    with Journal(path, codecs()) as journal:
        assert len(journal.findings) == 1


@pytest.mark.parametrize(
    "content", ['["noted", 1]', '{"a": 1}', '["added", "1", []]', "[" * 9000, '["begun", [], {}, 1]']
)
def test_a_line_that_somebody_has_made_up_is_damage(
    path: Path, game: tuple[Decision, ...], keep: Keep, content: str
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:4])
    log = path.parent / "decisions" / "1.log"
    lines = log.read_bytes().splitlines(keepends=True)
    text = f"2 {content}".encode()
    lines[2] = b"%08x %s\n" % (crc32(text, crc32(b"1 ")), text)
    log.write_bytes(b"".join(lines))
    with Journal(path, codecs()) as journal:
        assert len(journal.findings) == 1
        assert journal.decisions(1, PATCHWORK) == game[:4]


@pytest.mark.parametrize("statement", ["SELECT 1", "UPDATE entries SET decision = '{}' WHERE number = 1"])
def test_what_is_missing_while_the_machine_runs_or_is_another_is_damage(
    path: Path, game: tuple[Decision, ...], keep: Keep, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    _behind(path, game, keep)
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()
    if "SELECT" not in statement:
        monkeypatch.setattr("companion.journal.locks.boot", lambda: "the next boot")
    with Journal(path, codecs()) as journal:
        assert "game 1 was damaged" in str(journal.findings[0])
        assert journal.recovered == []
        assert journal.decisions(1, PATCHWORK) == game[:6]
    assert list(path.parent.glob("*.damaged-*"))


def test_a_game_that_was_logged_and_not_yet_committed_is_no_damage(
    path: Path, game: tuple[Decision, ...], keep: Keep
) -> None:
    """The program is killed between the two."""
    with Journal(path, codecs()) as journal:
        keep(journal, game[:1])
    content = path.read_bytes()
    with Journal(path, codecs()) as journal:
        journal.new_game(Setup(players=("Anna", "Boris")), "table", {"colours": "red blue"})
    path.write_bytes(content)
    with Journal(path, codecs()) as journal:
        assert (journal.findings, journal.recovered) == ([], [])
        assert journal.notes(2) == {"colours": "red blue"}


@pytest.mark.parametrize("cut", [0, 9])
def test_a_decision_that_was_being_replaced_is_there_as_it_was_or_as_it_is(
    path: Path, game: tuple[Decision, ...], keep: Keep, cut: int
) -> None:
    """The program is killed before the commit, or while it writes the log's last line."""
    with Journal(path, codecs()) as journal:
        number = keep(journal, game[:2])
    content = path.read_bytes()
    with Journal(path, codecs()) as journal:
        journal.replace(number, 2, Advance(1))
    path.write_bytes(content)
    log = path.parent / "decisions" / "1.log"
    log.write_bytes(log.read_bytes()[: -cut or None])
    with Journal(path, codecs()) as journal:
        assert (journal.findings, journal.recovered) == ([], [])
        assert journal.decisions(number, PATCHWORK) == (game[:2] if cut else (game[0], Advance(1)))


def test_a_folder_that_cannot_be_synced_is_one_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.parent.mkdir()

    def fails(_: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("companion.journal.opening.sync_folder", fails)
    with pytest.raises(JournalError, match="cannot be written: Input/output error"):
        Journal(path, codecs())


def test_the_copy_of_a_damaged_log_survives_a_power_cut(
    path: Path, game: tuple[Decision, ...], keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:3])
    log = path.with_name(LOGS_NAME) / "1.log"
    content = bytearray(log.read_bytes())
    content[len(content) // 2] ^= 1
    log.write_bytes(content)
    synced: list[tuple[Path, int]] = []
    monkeypatch.setattr(
        "companion.journal.mending.sync_folder",
        lambda folder: synced.append((folder, len(list(path.parent.glob("*.damaged-*.1.log"))))),
    )
    with Journal(path, codecs(), lambda: NOW) as journal:
        assert journal.decisions(1, PATCHWORK) == game[:3]
    assert (path.parent, 1) in synced


@pytest.mark.parametrize("decisions", [0, 1, 5])
def test_a_log_of_another_journal_changes_no_game(
    path: Path, tmp_path: Path, game: tuple[Decision, ...], keep: Keep, decisions: int
) -> None:
    other = tmp_path / "other" / path.name
    with Journal(other, codecs(), lambda: NOW) as journal:
        number = journal.new_game(Setup(players=("Eva", "Max")), "elsewhere")
        for sequence, decision in enumerate(game[:decisions], start=1):
            journal.append(number, sequence, decision)
    with Journal(path, codecs()) as journal:
        keep(journal, game[:3])
    shutil.copyfile(other.with_name(LOGS_NAME) / "1.log", path.with_name(LOGS_NAME) / "1.log")
    with Journal(path, codecs(), lambda: NOW) as journal:
        assert len(journal.findings) == 1
        assert journal.decisions(1, PATCHWORK) == game[:3]
    assert list(path.parent.glob("*.damaged-*.1.log"))


def test_a_sheet_is_due_until_it_was_shown(book: Book, game: tuple[Decision, ...], keep: Keep) -> None:
    keep(book, game[:-1])
    assert unshown_sheet(book, "") is None
    book.append(1, len(game), game[-1])
    found = unshown_sheet(book, "")
    assert found is not None
    sheet_shown(book, found.game_id)
    assert unshown_sheet(book, "") is None
