"""Power cuts at random moments of a recorded evening, and the companion's recovery from what is left."""

from __future__ import annotations

import random
import shutil
import signal
from collections import Counter
from typing import TYPE_CHECKING
from unittest.mock import patch

from companion.journal import JOURNAL_NAME, JournalError
from tests.crash.announced import LostError, announced, opened, sentences, silent_until
from tests.crash.disk import Disk, flip, printed
from tests.crash.program import Run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from companion.journal.logs import StoredEntry
    from tests.crash.announced import Books
    from tests.crash.disk import Step
    from tests.crash.program import Program


class Evening:
    """A recorded evening of one complete game.

    Args:
        data: the data folder after the evening.
        before: a copy of it from before.
        steps: the program's steps.
        sees_syncs: whether SQLite's syncs are among them; without them a cut may leave database states that are
            impossible on a real disk.
    """

    def __init__(self, data: Path, before: Path, steps: Sequence[Step], *, sees_syncs: bool = True) -> None:
        self.data, self._before, self.steps = data, before, steps
        self._sees_syncs = sees_syncs
        books = opened(data / JOURNAL_NAME)
        self.entries: tuple[StoredEntry, ...] = books.entries
        self.due = sentences(data / JOURNAL_NAME, books.game_id)
        told = announced_before(self.steps, self.due, len(steps))
        if silent_until(self.due, told) != len(self.due):
            raise LostError(f"{told} of {len(self.due)} entries were announced")

    def cuts(self, count: int, scratch: Path, rng: random.Random, flips: float = 0.3) -> Counter[str]:
        """Simulate power cuts, and return the number of each outcome.

        Args:
            count: the number of cuts.
            scratch: a folder for the files left by each cut; it need not exist.
            rng: chooses the moments, and the files left.
            flips: the share of cuts after which one bit is flipped, too.

        Raises:
            LostError: data were lost without a message.
        """
        disk = Disk(self.data)
        disk.begin(self._before)
        taken, found = 0, Counter[str]()
        for moment in sorted(rng.randint(0, len(self.steps)) for _ in range(count)):
            for step in self.steps[taken:moment]:
                disk.take(step)
            taken = moment
            shutil.rmtree(scratch, ignore_errors=True)
            scratch.mkdir(parents=True)
            disk.cut(rng, scratch)
            damaged = flip(scratch, rng) if rng.random() < flips else None
            try:
                found[self._held(scratch, moment, damaged)] += 1
            except Exception as error:
                # An uncaught exception would keep the companion from starting.
                where = f"power cut at step {moment}, {damaged and damaged.name} flipped"
                raise LostError(f"{where}: {type(error).__name__}: {error}") from error
        return found

    def _held(self, folder: Path, moment: int, damaged: Path | None) -> str:
        """Return the outcome of a power cut."""
        due = announced_before(self.steps, self.due, moment)
        content = None if damaged is None else damaged.read_bytes()
        # These files contain no games: SQLite recreates the first each time, the second exists only while a file
        # without games is created, and the third identifies the machine's boot.
        is_passing = damaged is not None and damaged.name.endswith(("-shm", "-journal", ".lock"))
        try:
            with patch("companion.journal.locks.boot", return_value="the next boot"):
                books = opened(folder / JOURNAL_NAME)
        except JournalError as error:
            if damaged is None:
                raise LostError(f"refused: {error}") from error
            if damaged.read_bytes() != content:
                raise LostError(f"refused, and the damaged file is not as it was: {error}") from error
            return "flipped: refused, said"
        whole = self.entries[: len(books.entries)] == books.entries
        says = bool(books.says)
        is_kept = content is None or is_passing or any(path.read_bytes() == content for path in _files(folder))
        if says and not is_kept:
            raise LostError(f"the damaged file is not kept: {books.says}")
        if damaged is None and not whole:
            raise LostError("an entry is another one")
        if damaged is None and says and self._sees_syncs:
            raise LostError(f"a power cut damages nothing: {books.says}")
        if (len(books.entries) < due or not whole) and not (says and damaged):
            raise LostError(f"{due} entries were announced, {len(books.entries)} are there: {books.says}")
        again = opened(folder / JOURNAL_NAME)
        if again.says or again.recovered or again.entries != books.entries:
            raise LostError(f"it is not mended at once: {again.says}")
        return _kind(books, is_flipped=damaged is not None, is_all_there=len(books.entries) >= due and whole)


def cut_writer(
    program: Program, line: tuple[str, ...], lay: Callable[[Path], None], check: Callable[[Path, Run], None],
    count: int, rng: random.Random, *, first_words: bool = False,
) -> Counter[str]:  # fmt: skip
    """Simulate power cuts at random moments of a command that writes files.

    Args:
        program: a program with its own home folder.
        line: the command line.
        lay: fills an empty data folder with the initial files.
        check: checks a folder left by a power cut.
        count: the number of cuts.
        rng: chooses the moments, and the files left.
        first_words: whether only the steps up to the first printed line are used.
    """
    shutil.rmtree(program.data, ignore_errors=True)
    program.data.mkdir(parents=True)
    lay(program.data)
    image, scratch = program.home / "image", program.home / "left"
    shutil.copytree(program.data, image)
    steps = program.run(*line, kill_after_s=0.0 if first_words else None).steps
    disk, taken = Disk(program.data), 0
    disk.begin(image)
    for moment in sorted(rng.randint(0, len(steps)) for _ in range(count)):
        for step in steps[taken:moment]:
            disk.take(step)
        taken = moment
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        disk.cut(rng, scratch)
        try:
            with patch("companion.journal.locks.boot", return_value="the next boot"):
                check(scratch, Run(-signal.SIGKILL, [], ""))
        except Exception as error:
            raise LostError(f"power cut at step {moment}: {type(error).__name__}: {error}") from error
    return Counter({"cut: the old file, or the new one whole": count})


def announced_before(steps: Sequence[Step], due: Sequence[str], moment: int) -> int:
    """Return the number of entries announced before a step."""
    return announced(printed(steps[:moment]), due)


def _kind(books: Books, *, is_flipped: bool, is_all_there: bool) -> str:
    kind = "flipped" if is_flipped else "cut"
    if not is_all_there:
        return f"{kind}: loss said, file kept"
    if books.says:
        return f"{kind}: all there, damage said"
    return f"{kind}: all there, brought back" if books.recovered else f"{kind}: all there"


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
