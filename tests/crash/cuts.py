"""Power cuts at random moments of a recorded evening, and the companion's recovery from what is left."""

from __future__ import annotations

import random
import shutil
import signal
from collections import Counter
from typing import TYPE_CHECKING

from companion.journal import JOURNAL_NAME
from tests.crash.announced import LostError, announced, opened, sentences, silent_until
from tests.crash.disk import Disk, flip, printed
from tests.crash.program import Run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from companion.journal.log import Line
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
        self.entries: tuple[Line, ...] = books.entries
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
            flips: the share of cuts after which a bit of one file or of two is flipped, too.

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
            damaged = flip(scratch, rng) if rng.random() < flips else {}
            try:
                found[self._held(scratch, moment, damaged)] += 1
            except Exception as error:
                # An uncaught exception would keep the companion from starting.
                where = f"power cut at step {moment}, flipped: {[path.name for path in damaged]}"
                raise LostError(f"{where}: {type(error).__name__}: {error}") from error
        return found

    def _held(self, folder: Path, moment: int, damaged: Mapping[Path, bytes]) -> str:
        """Return the outcome of a power cut."""
        due = announced_before(self.steps, self.due, moment)
        books = opened(folder / JOURNAL_NAME)
        whole = self.entries[: len(books.entries)] == books.entries
        is_all_there = len(books.entries) >= due and whole
        if not damaged and not whole:
            raise LostError("an entry is another one")
        if not damaged and books.says and self._sees_syncs:
            raise LostError(f"a power cut damages nothing: {books.says}")
        if not is_all_there and not (books.says and damaged):
            raise LostError(f"{due} entries were announced, {len(books.entries)} are there: {books.says}")
        kept = [path.read_bytes() for path in _files(folder)]
        lost = [path for path, content in damaged.items() if path.suffix == ".log" and content not in kept]
        if books.says and not is_all_there and lost:
            raise LostError(f"the damaged file is not kept: {books.says}")
        again = opened(folder / JOURNAL_NAME)
        if again.says or again.entries != books.entries:
            raise LostError(f"it is not repaired at once: {again.says}")
        kind = "flipped" if damaged else "cut"
        if not is_all_there:
            return f"{kind}: loss said, file kept"
        return f"{kind}: all there, damage said" if books.says else f"{kind}: all there"


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
            check(scratch, Run(-signal.SIGKILL, [], ""))
        except Exception as error:
            raise LostError(f"power cut at step {moment}: {type(error).__name__}: {error}") from error
    return Counter({"cut: the old file, or the new one whole": count})


def announced_before(steps: Sequence[Step], due: Sequence[str], moment: int) -> int:
    """Return the number of entries announced before a step."""
    return announced(printed(steps[:moment]), due)


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
