"""A short form of `make crash`: an evening in this process, power cuts at random moments, and flipped bits."""

from __future__ import annotations

import os
import random
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.patchwork.arrangement import dealt_market
from companion.registry import codecs
from tests.crash.announced import LostError, sentences
from tests.crash.cuts import Evening
from tests.crash.disk import Kind, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

SECTOR = 512


class Recorder:
    """A recorder of the changes of a folder's files, which compares them whenever something is synced or printed.

    SQLite's syncs are not seen, so its files count as never synced.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[Path, tuple[int, bytes]] = {}
        self._folders: set[Path] = set()
        self.steps: list[Step] = []

    def print(self, line: str) -> None:
        self._look()
        self.steps.append(Step(Kind.PRINT, data=f"{line}\n".encode()))

    def synced(self, descriptor: int) -> None:
        self._look()
        name = str(Path(f"/proc/self/fd/{descriptor}").readlink())
        self.steps.append(Step(Kind.SYNC, os.fstat(descriptor).st_ino, name=name))

    def renamed(self, old: Path, new: Path) -> None:
        self.steps.append(Step(Kind.RENAME, name=str(old), other=str(new)))
        self._known[new] = self._known.pop(old)

    def _look(self) -> None:
        for path in sorted(self._folder.rglob("*")):
            if path.is_dir():
                if path not in self._folders:
                    self._folders.add(path)
                    self.steps.append(Step(Kind.MKDIR, name=str(path)))
            else:
                self._compare(path)
        for path in [path for path in self._known if not path.exists()]:
            del self._known[path]
            self.steps.append(Step(Kind.UNLINK, name=str(path)))

    def _compare(self, path: Path) -> None:
        inode, now, name = path.stat().st_ino, path.read_bytes(), str(path)
        if self._known.get(path, (0, b""))[0] != inode:
            self.steps.append(Step(Kind.CREATE, inode, name=name))
            self._known[path] = inode, b""
        before = self._known[path][1]
        if len(now) < len(before):
            self.steps.append(Step(Kind.TRUNCATE, inode, len(now), name))
        for place in range(0, len(now), SECTOR):
            if now[place : place + SECTOR] != before[place : place + SECTOR]:
                self.steps.append(Step(Kind.WRITE, inode, place, name, data=now[place : place + SECTOR]))
        self._known[path] = inode, now


@contextmanager
def recording(folder: Path) -> Iterator[Recorder]:
    """Record syncs and renames within the context."""
    recorder = Recorder(folder)
    fsync, fdatasync, replace = os.fsync, os.fdatasync, Path.replace

    def syncing(descriptor: int) -> None:
        fsync(descriptor)
        recorder.synced(descriptor)

    def data_syncing(descriptor: int) -> None:
        fdatasync(descriptor)
        recorder.synced(descriptor)

    def replacing(self: Path, target: Path) -> Path:
        moved = replace(self, target)
        recorder.renamed(self, target)
        return moved

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", syncing)
        patch.setattr("os.fdatasync", data_syncing)
        patch.setattr(Path, "replace", replacing)
        yield recorder


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """An evening of 16 decisions and one undo, each announced as soon as it is stored."""
    home = tmp_path_factory.mktemp("home")
    data, rng = home / "data", random.Random(4)
    history = History(Setup(players=("Anna", "Boris"), market=dealt_market(4)))
    with recording(data) as recorder, Journal(data / JOURNAL_NAME, codecs()) as book:
        game_id = book.new_game(history.state.setup, "table")
        for number in range(17):
            if number == 9:
                book.undo(game_id, len(history.decisions))
                history.undo()
            else:
                history.apply(legal_decisions(history.state).pick(rng))
                book.append(game_id, len(history.decisions), history.decisions[-1])
            recorder.print(sentences(data / JOURNAL_NAME, game_id)[-1])
    return Evening(data, home / "nothing", recorder.steps, sees_syncs=False)


def test_announced_decisions_outlast_a_power_cut(evening: Evening, tmp_path: Path) -> None:
    found = evening.cuts(30, tmp_path / "left", random.Random(2), flips=0.0)
    assert set(found) <= {"cut: all there", "cut: all there, damage said"}
    assert found.total() == 30


def test_a_flipped_bit_on_top_loses_nothing_in_silence(evening: Evening, tmp_path: Path) -> None:
    found = evening.cuts(30, tmp_path / "left", random.Random(3), flips=1.0)
    assert found["flipped: all there, damage said"] > 0
    assert found.total() == 30


def test_a_loss_in_silence_is_found(evening: Evening, tmp_path: Path) -> None:
    """The suite detects announcements made before the decision is stored."""
    early = Evening.__new__(Evening)
    early.data, early.entries, early.due = evening.data, evening.entries, evening.due
    early.steps = [*(step for step in evening.steps if step.kind is Kind.PRINT), *evening.steps]
    early._before, early._sees_syncs = tmp_path / "nothing", False
    with pytest.raises(LostError, match="were announced"):
        early.cuts(10, tmp_path / "left", random.Random(1), flips=0.0)
