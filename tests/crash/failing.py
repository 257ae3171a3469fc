"""Failures of writes at any step: the message about the change must be true at the next start."""

from __future__ import annotations

import errno
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.games.patchwork.decisions import Advance
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal, JournalError
from companion.registry import codecs
from tests.crash.announced import LostError, opened

if TYPE_CHECKING:
    from tests.crash.program import Program, Run

_FAULTS: Final = (errno.EIO, errno.ENOSPC, errno.EROFS)
_DECISIONS: Final = 4
_TRIES: Final = 3


def main(journal: Path) -> None:
    """Begin a game and store decisions, retrying failures, and print the result of each attempt."""
    with Journal(journal, codecs()) as book:
        game_id = 0
        for number in range(_DECISIONS + 1):
            for _ in range(_TRIES):
                try:
                    if not number:
                        game_id = book.new_game(Setup(), "table", {"colours": "red blue"})
                    else:
                        book.append(game_id, number, Advance(2 - number % 2))
                except JournalError as error:
                    _put(f"{number} {error}")
                else:
                    _put(f"{number} kept")
                    break
            else:
                return


def each_failing_step(program: Program, most: int) -> Counter[str]:
    """Let each step of `main` fail, once or permanently, and compare its messages with the journal.

    Args:
        program: a program with its own home folder.
        most: the number of steps to try, evenly spread.

    Raises:
        LostError: a message is not true.
    """
    steps, found = len(_run(program).steps), Counter[str]()
    for place, number in enumerate(range(1, steps + 1, max(1, -(-steps // most)))):
        for once in (True, False):
            run = _run(program, kill_at=number, torn=place % 2 == 0, fault=_FAULTS[place % len(_FAULTS)], once=once)
            found[_held(program.data / JOURNAL_NAME, run)] += 1
    return found


def _run(program: Program, *, kill_at: int = 0, torn: bool = False, fault: int = 0, once: bool = False) -> Run:
    shutil.rmtree(program.data, ignore_errors=True)
    program.data.mkdir(parents=True)
    module, journal = "tests.crash.failing", str(program.data / JOURNAL_NAME)
    return program.run(journal, module=module, kill_at=kill_at, torn=torn, fault=fault, once=once)


def _held(journal: Path, run: Run) -> str:
    """Return the last message about a failed write, after comparing all messages with the journal.

    Raises:
        LostError: a message is not true.
    """
    lines = [line.split(" ", 1) for line in run.lines]
    if not lines:
        # The journal could not be opened; one line must give the reason.
        if not run.says:
            raise LostError("nothing is kept, and nothing is said")
        return "could not be opened"
    books = opened(journal)
    if books.says:
        raise LostError(f"called damaged: {books.says}")
    # The beginning of a game counts as its entry 0.
    there = books.decisions if books.game_id else -1
    tried = int(lines[-1][0])
    kept = max((int(number) for number, says in lines if says == "kept"), default=-1)
    unknown = any(says.startswith("the next start shows") for number, says in lines if int(number) == tried)
    if not kept <= there <= (tried if unknown else kept):
        raise LostError(f"entry {there} is the last, and it was said: {run.lines}")
    failed = next((says for _, says in reversed(lines) if says != "kept"), "")
    return f"said: {failed.split(':')[0]}" if failed else "nobody noticed"


def _put(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except JournalError as problem:
        sys.exit(str(problem))
