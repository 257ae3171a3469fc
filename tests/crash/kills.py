"""Repeated kills of the real program, during evenings and during each command that writes a file."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.journal import JOURNAL_NAME
from companion.journal.logs import LOGS_NAME
from tests.crash.announced import (
    Books,
    LostError,
    announced,
    indexed_lines,
    lines_in_log,
    opened,
    sentences,
    silent_until,
)
from tests.crash.disk import Kind, damage
from tests.crash.program import Program, Run, play

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

_NONE: Final = Books((), 0, 0, finished=False, says=())
_STEPS: Final = 90
"""The last step at which to kill; resuming a game takes some 40 steps to the first decision, and 12 for each one."""
_LATEST_S: Final = 5.0
"""The latest time at which to kill; a fast evening takes some 10 s on a desktop."""
_DAMAGED: Final = 0.3
"""The share of kills after which a copy of the files is damaged, too."""
_SHEET: Final = re.compile(r"(score|total) +−?\d")
"""The beginning of a line that occurs only in a score sheet."""


@dataclass(slots=True)
class KilledEvenings:
    """Successive evenings of one game in one journal, each resumed until it has ended.

    Args:
        program: a program with its own home folder.
        game: the game's name.
        rng: chooses the moments.
        fast: whether to play as fast as possible rather than at the usual pace.
        seed: the seed of the first table.

    Attributes:
        found: the number of each outcome.
        evenings: the number of evenings that ended.
    """

    program: Program
    game: str
    rng: random.Random
    fast: bool = True
    seed: int = 1
    found: Counter[str] = field(default_factory=Counter)
    evenings: int = 0
    _before: Books = field(default=_NONE, init=False)
    _over: int = field(default=0, init=False)
    _is_sheet_shown: bool = field(default=False, init=False)

    @property
    def _journal(self) -> Path:
        return self.program.data / JOURNAL_NAME

    def kill(self) -> None:
        """Start or resume an evening, kill the program at a random moment, and check its journal by its announcements.

        Raises:
            LostError: data were lost.
        """
        line = play(self.game, self.seed, "--temper", "hasty", *(("--fast",) if self.fast else ()))
        if self.rng.random() < 0.5:
            torn = self.rng.random() < 0.5
            run = self.program.run(*line, kill_at=self.rng.randint(1, _STEPS), torn=torn)
            how = "at a step, torn" if torn else "at a step"
        else:
            run = self.program.run(*line, kill_after_s=self.rng.uniform(0, _LATEST_S))
            how = "at an instant"
        if not run.was_killed and run.status:
            raise LostError(f"status {run.status}: {run.says}")
        self.found[how if run.was_killed else "not killed"] += 1
        if self.rng.random() < _DAMAGED:
            self.found[self._damage_copy()] += 1
        self._check(run)

    def _damage_copy(self) -> str:
        """Damage the index and a log at once in a copy of what the kill left; return what became of the last game."""
        with tempfile.TemporaryDirectory(dir=self.program.home) as copy:
            if not self._journal.exists():
                return "nothing to damage yet"
            data = shutil.copytree(self.program.data, Path(copy) / "damaged")
            sound = shutil.copytree(data, Path(copy) / "sound") / JOURNAL_NAME
            indexed = indexed_lines(sound)
            before = opened(sound)
            if not before.game_id:
                return "nothing to damage yet"
            damage(data / JOURNAL_NAME, self.rng, self.rng.choice(("flip", "zero")))
            log = data / LOGS_NAME / f"{before.game_id}.log"
            content = damage(log, self.rng, self.rng.choice(("flip", "zero", "cut")))
            after = opened(data / JOURNAL_NAME)
            if after.game_id == before.game_id and after.entries == before.entries:
                return "index and log damaged: all there"
            is_said = any(f"game {before.game_id} " in says for says in after.says)
            # Nothing else tells how long a log was whose latest lines the kill has kept from the index.
            if not is_said and lines_in_log(data / JOURNAL_NAME, before.game_id) >= indexed.get(before.game_id, 0):
                return "index and log damaged: lost what the kill had kept from the index"
            if not is_said:
                raise LostError(f"index and log damaged, a loss without a message: {after.says}")
            if content not in [path.read_bytes() for path in (data / LOGS_NAME).iterdir()]:
                raise LostError(f"index and log damaged, and the log is not kept: {after.says}")
            if opened(data / JOURNAL_NAME).says:
                raise LostError("index and log damaged, and not repaired at once")
            return "index and log damaged: loss said, file kept"

    def _check(self, run: Run) -> None:
        books = opened(self._journal)
        if books.says:
            raise LostError(f"a kill damages nothing: {books.says}")
        if books.game_id and books.game_id == self._over:
            # The program was killed before it began the next evening.
            return
        before, due = self._before, list[str]()
        is_same = books.game_id == before.game_id
        if before.game_id and (books.game_id < before.game_id or (not is_same and not before.finished)):
            raise LostError(f"game {before.game_id} was not gone on with: {books.game_id}")
        if is_same and books.entries[: len(before.entries)] != before.entries:
            raise LostError("an earlier entry is gone or another one")
        if books.game_id:
            due = sentences(self._journal, books.game_id)[len(before.entries) if is_same else 0 :]
        told = announced(run.lines, due)
        unsaid = silent_until(due, told)
        if silent_until(due, unsaid + 1) < len(due):
            raise LostError(f"{len(due)} entries were written, {told} announced")
        self.found["written, not announced"] += unsaid < len(due)
        is_sheet_shown = "was finished, but its score sheet" in run.says or any(map(_SHEET.match, run.lines))
        if before.finished and not is_same and not (self._is_sheet_shown or is_sheet_shown):
            raise LostError(f"the score sheet of game {before.game_id} was never shown")
        # The kill may have come between the sheet and the next game.
        self._is_sheet_shown = books.finished and (is_sheet_shown or (is_same and self._is_sheet_shown))
        self._before = books
        if books.finished and not run.was_killed:
            # The next evening is at another table.
            self.evenings += 1
            self.seed += 1
            self._before, self._over, self._is_sheet_shown = _NONE, books.game_id, False


def each_step(
    program: Program, line: tuple[str, ...], lay: Callable[[Path], None], check: Callable[[Run], None], most: int,
    *, first_words: bool = False,
) -> Counter[str]:  # fmt: skip
    """Kill a command at each of its steps, with complete and with torn writes, and return the number of each outcome.

    Args:
        program: a program with its own home folder.
        line: the command line.
        lay: fills an empty data folder with the initial files.
        check: checks the folder after a run.
        most: the number of steps to try, evenly spread.
        first_words: whether only the steps up to the first printed line are used.
    """
    run = _fresh(program, lay).run(*line, kill_after_s=0.0 if first_words else None)
    check(run)
    steps, found = run.steps, Counter[str]()
    for number in range(1, len(steps) + 1, max(1, -(-len(steps) // most))):
        for torn in (False, True) if steps[number - 1].kind is Kind.WRITE else (False,):
            run = _fresh(program, lay).run(*line, kill_at=number, torn=torn)
            check(run)
            found["killed" if run.was_killed else "not killed"] += 1
    return found


def _fresh(program: Program, lay: Callable[[Path], None]) -> Program:
    shutil.rmtree(program.data, ignore_errors=True)
    program.data.mkdir(parents=True)
    lay(program.data)
    return program
