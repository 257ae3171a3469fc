"""Test taking over a journal in the former format."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from companion.journal import JOURNAL_NAME, GameFilter, Journal, JournalError
from companion.journal.log import read_log
from companion.kvilt.codec import KVILT
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs
from tests.companion.journal.earlier import DECISIONS, NOTES, lay_earlier


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder as the former version left it."""
    lay_earlier(tmp_path)
    return tmp_path


def _check(journal: Journal) -> None:
    finished, open_game, other = journal.games()
    assert {each.game_id: each.decisions for each in journal.games()} == DECISIONS
    assert (finished.players, finished.scores, finished.winners) == (("Anna", "Boris"), (-9, -18), (1,))
    assert (finished.started_at.isoformat(), finished.last_at.isoformat()) == (
        "2026-01-02T19:01:00+00:00", "2026-01-02T19:43:00+00:00",
    )  # fmt: skip
    assert (open_game.game, open_game.players, open_game.table) == ("kvilt", ("Anna", "Boris", "Zoë"), "table")
    assert (other.finished, other.error, other.table) == (False, None, "")
    assert journal.setup(3, PATCHWORK).market is not None
    assert {number: journal.notes(number) for number in DECISIONS} == NOTES
    assert [each.game_id for each in journal.find(GameFilter(by_change=True))] == [2, 3, 1]


def test_every_game_is_taken_over_once_and_the_former_files_are_kept(folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in (folder / "decisions").iterdir()}
    with Journal(folder / JOURNAL_NAME, codecs()) as journal:
        _check(journal)
        (says,) = journal.findings
        assert str(says).startswith("3 games of an earlier version were taken over; their files are kept in ")
        journal.undo(2, 9)
        assert len(journal.decisions(2, KVILT)) == 8
    kept = folder / "earlier-journal"
    assert {path.name: path.read_bytes() for path in (kept / "decisions").iterdir()} == before
    assert (kept / "journal.sqlite3").is_file()
    assert sorted(path.name for path in folder.iterdir()) == [
        "earlier-journal", "games", JOURNAL_NAME, f"{JOURNAL_NAME}.lock",
    ]  # fmt: skip
    with Journal(folder / JOURNAL_NAME, codecs()) as journal:
        assert (journal.findings, journal.listed(2).decisions) == ([], 8)


def test_undone_and_replaced_decisions_stay_in_the_history(folder: Path) -> None:
    with Journal(folder / JOURNAL_NAME, codecs()):
        pass
    log = read_log(3, (folder / "games" / "3.log").read_bytes())
    kinds = [line.kind for line in log.lines]
    assert kinds == ["game", *["decision"] * 6, "undo", "undo"]


def test_a_reader_reads_the_former_files_and_leaves_them(folder: Path) -> None:
    before = sorted(folder.iterdir())
    with Journal(folder / JOURNAL_NAME, codecs(), read_only=True) as journal:
        _check(journal)
    assert {"earlier-journal", "games"}.isdisjoint(path.name for path in folder.iterdir())
    assert set(before) <= set(folder.iterdir())


def _cut(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-3]))


def _spoil(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"added",3,', b'"Zdded",4,', 1))


@pytest.mark.parametrize("damage", [_cut, _spoil, Path.unlink])
def test_decisions_that_the_logs_lack_are_taken_from_the_tables(folder: Path, damage: Callable[[Path], None]) -> None:
    for number in DECISIONS:
        damage(folder / "decisions" / f"{number}.log")
    with Journal(folder / JOURNAL_NAME, codecs()) as journal:
        assert {each.game_id: each.decisions for each in journal.games()} == DECISIONS
        assert {number: journal.notes(number) for number in DECISIONS} == NOTES


@pytest.mark.parametrize("content", [None, b"", b"no database" * 99, bytes(8192)])
def test_games_are_taken_from_their_logs_without_the_tables(folder: Path, content: bytes | None) -> None:
    (folder / "journal.sqlite3").unlink()
    if content is not None:
        (folder / "journal.sqlite3").write_bytes(content)
    with Journal(folder / JOURNAL_NAME, codecs()) as journal:
        _check(journal)


def test_tables_that_a_power_cut_left_behind_are_not_used(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "journal.sqlite3", isolation_level=None)) as connection:
        connection.execute("DELETE FROM entries WHERE number > 2")
        connection.execute("DELETE FROM notes WHERE key <> 'colours'")
    with Journal(folder / JOURNAL_NAME, codecs()) as journal:
        _check(journal)


@pytest.mark.parametrize("name", ["rename", "mkdir"])
def test_an_interrupted_takeover_is_finished_by_the_next_start(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    whole = getattr(Path, name)
    for place in range(1, 5):
        left = [place]

        def interrupted(path: Path, *arguments: object, left: list[int] = left, **options: object) -> object:
            left[0] -= 1
            if not left[0]:
                raise KeyboardInterrupt
            return whole(path, *arguments, **options)

        with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
            patch.setattr(Path, name, interrupted)
            Journal(folder / JOURNAL_NAME, codecs()).close()
    with Journal(folder / JOURNAL_NAME, codecs()) as journal:
        _check(journal)
    assert (folder / "earlier-journal" / "journal.sqlite3").exists()
    assert not (folder / "decisions").exists()


def test_a_folder_that_cannot_be_written_is_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: Path, __: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "rename", full)
    with pytest.raises(JournalError, match="cannot be written: No space left on device"):
        Journal(folder / JOURNAL_NAME, codecs())
