"""The real program killed again and again: whole evenings, and each command that writes a file."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from companion.journal import JOURNAL_NAME
from tests.crash.announced import Books, LostError, announced, opened, sentences, silent_until
from tests.crash.disk import Kind
from tests.crash.program import Program, Run, play

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from pathlib import Path

_NONE: Final = Books((), 0, finished=False, says=())
_STEPS: Final = 90
"""A companion that goes on with a game does some 40 steps before the first decision, and 12 or so for each."""
_LATEST_S: Final = 5.0
"""A fast evening takes some 10 s of a desktop's time."""
_SHEET: Final = re.compile(r"(score|total) +-?\d")
"""The beginning of a line that only a score sheet has."""


@dataclass(slots=True)
class KilledEvenings:
    """Evenings of one game, one after the other in one journal, each gone on with until it is over.

    Args:
        program: with a home of its own.
        game: its name.
        rng: chooses the moments.
        fast: whether it is played as fast as possible; else at the usual pace.
        seed: of the first table.

    Attributes:
        found: what was killed, how often.
        evenings: how many came to their end.
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
        """Begin the program, or go on, and kill it at some moment; hold its books against what it announced.

        Raises:
            LostError: something was lost.
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
        self._check(run)

    def _check(self, run: Run) -> None:
        books = opened(self._journal)
        if books.says:
            raise LostError(f"a kill damages nothing: {books.says}")
        if books.game_id and books.game_id == self._over:
            # It was killed before it began the next evening.
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
        is_sheet_shown = "had come to its end" in run.says or any(map(_SHEET.match, run.lines))
        if before.finished and not is_same and not (self._is_sheet_shown or is_sheet_shown):
            raise LostError(f"the score sheet of game {before.game_id} was never shown")
        # It may have been killed between the sheet and the next game.
        self._is_sheet_shown = books.finished and (is_sheet_shown or (is_same and self._is_sheet_shown))
        self._before = books
        if books.finished and not run.was_killed:
            # The next evening is another table's.
            self.evenings += 1
            self.seed += 1
            self._before, self._over, self._is_sheet_shown = _NONE, books.game_id, False


def each_step(
    program: Program, line: tuple[str, ...], lay: Callable[[Path], None], check: Callable[[Run], None], most: int,
    *, first_words: bool = False,
) -> Counter[str]:  # fmt: skip
    """Kill a command at each of its steps, with whole and with torn writes.

    Args:
        program: with a home of its own.
        line: the command line.
        lay: puts into an empty data folder what is there before.
        check: holds the folder against what must be so.
        most: of so many steps, spread evenly.
        first_words: whether the steps up to the first line that it prints are enough.
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
