"""Kills of `companion update` at each of its steps, after which a complete version must be installed."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.errors import CompanionError
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.registry import codecs
from companion.upkeep.backup.manifest import Places
from companion.upkeep.update import CommandResult, Program, Update
from tests.crash.announced import LostError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.crash.program import Program as Recorded
    from tests.crash.program import Run

_NOW: Final = datetime(2026, 1, 2, 19, tzinfo=UTC)
_LATER: Final = _NOW + timedelta(minutes=9)
_OLD, _NEW = "old", "new"
_MODULES: Final = tuple(f"module{number}.py" for number in range(4))
_SETTINGS: Final = "pyvenv.cfg"
"""The file that the stand-in for the installer writes last."""


def main(data: Path, what: str) -> None:
    """Update the program, let the update fail at its end, or go back, as `what` says, in a separate process."""
    program = _installed(data)
    update = Update(program, _places(data), _Commands(program, fails=what == "fails"), lambda _: None)
    if what == "back":
        update.take_back(_NOW)
        return
    try:
        update.carry_out(_installer(data), _NOW)
    except CompanionError:
        if what != "fails":
            raise


def each_killed_update(recorded: Recorded) -> Counter[str]:
    """Kill an update, a failing update and a rollback at each step that changes a name or a file.

    Args:
        recorded: a program with its own home folder.

    Raises:
        LostError: no complete version is installed, or neither a rollback nor another update leaves one.
    """
    found = Counter[str]()
    for what in ("works", "fails", "back"):
        steps = len(_run(recorded, what).steps)
        for number in range(1, steps + 1):
            run = _run(recorded, what, kill_at=number)
            found[_held(recorded.data, f"{what}, killed at step {number}") if run.was_killed else "not killed"] += 1
    return found


def _run(recorded: Recorded, what: str, kill_at: int = 0) -> Run:
    data = recorded.data
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir(parents=True)
    program = _installed(data)
    _write(program.prefix, _OLD)
    with Journal(data / "games" / JOURNAL_NAME, codecs()) as book:
        book.new_game(Setup())
    if what == "back":
        _write(program.previous, _NEW)
    return recorded.run(str(data), what, module="tests.crash.updating", kill_at=kill_at)


def _held(data: Path, where: str) -> str:
    """Check the installed version, and try both a rollback and another update that fails."""
    there = _version(_installed(data).prefix)
    if not there:
        raise LostError(f"{where}: no version is whole")
    copy = data.with_name("again")
    for back in (True, False):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(data, copy, symlinks=True)
        program = _installed(copy)
        update = Update(program, _places(copy), _Commands(program, fails=True), lambda _: None)
        with suppress(CompanionError):
            if back:
                update.take_back(_LATER)
            else:
                update.carry_out(_installer(copy), _LATER)
        if not _version(program.prefix):
            raise LostError(f"{where}: what goes on leaves no version that is whole")
    return f"the {there} version"


class _Commands:
    """A stand-in for the commands of an update; its installer writes modules one by one.

    Args:
        program: the installed program.
        fails: whether the new version does not start.
    """

    def __init__(self, program: Program, *, fails: bool) -> None:
        self._program, self._fails = program, fails

    def __call__(self, command: Sequence[str]) -> CommandResult:
        if "sh" in command:
            _write(Path(command[-1]), _NEW)
        # Only once it is in place, so that the exchange is tried as well.
        is_broken = self._fails and command[0].startswith(str(self._program.prefix / "bin"))
        return CommandResult(1 if is_broken else 0, "it is broken" if is_broken else "")


def _installer(data: Path) -> Path:
    return data / "clone" / "packaging" / "install-program.sh"


def _installed(data: Path) -> Program:
    prefix = data / "opt" / "companion"
    return Program(prefix, Path("/usr"), prefix / "lib", data / "no.list")


def _places(data: Path) -> Places:
    return Places(data / "games", None)


def _write(prefix: Path, version: str) -> None:
    modules = prefix / "lib" / "site-packages"
    modules.mkdir(parents=True, exist_ok=True)
    (prefix / "bin").mkdir(exist_ok=True)
    for name in _MODULES:
        (modules / name).unlink(missing_ok=True)
        (modules / name).write_text(version, encoding="utf-8")
    (prefix / _SETTINGS).write_text(version, encoding="utf-8")


def _version(prefix: Path) -> str:
    """Return the installed version; empty if there is none, or parts of two."""
    modules = prefix / "lib" / "site-packages"
    files = [*(modules / name for name in _MODULES), prefix / _SETTINGS]
    found = {path.read_text(encoding="utf-8") if path.exists() else "" for path in files}
    return found.pop() if len(found) == 1 else ""


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
