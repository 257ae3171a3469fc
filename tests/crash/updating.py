"""Kills of `companion update` at each of its steps, after which a complete version must be left or restorable."""

from __future__ import annotations

import shutil
import sys
import zipfile
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.games.patchwork import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.registry import codecs
from companion.upkeep.backup import Places
from companion.upkeep.update import CommandResult, Program, Update, UpdateError, UpdateSource
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
"""The file that the stand-in for an installer writes last."""


def main(data: Path, what: str) -> None:
    """Update the program, let the update fail at its end, or go back, as `what` says, in a separate process."""
    program = _installed(data)
    update = Update(program, _places(data), _Installer(program, fails=what == "fails"), lambda _: None)
    if what == "back":
        update.take_back(_NOW)
        return
    try:
        update.carry_out(UpdateSource(data / "nothing.whl"), _NOW)
    except UpdateError:
        if what != "fails":
            raise


def each_killed_update(recorded: Recorded) -> Counter[str]:
    """Kill an update, a failing update and a rollback at each step that changes a name or a file.

    Args:
        recorded: a program with its own home folder.

    Raises:
        LostError: no complete version is left, or none can be restored.
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
    _wheel(data / "nothing.whl")
    with Journal(data / "games" / JOURNAL_NAME, codecs()) as book:
        book.new_game(Setup())
    if what == "back":
        program.keep()
        _write(program.prefix, _NEW)
        program.settle()
    return recorded.run(str(data), what, module="tests.crash.updating", kill_at=kill_at)


def _held(data: Path, where: str) -> str:
    """Check the versions left, and try both a rollback and another update."""
    program = _installed(data)
    there = _version(program.prefix)
    if there == "" and not (program.is_interrupted and _version(program.previous) == _OLD):
        raise LostError(f"{where}: no version is whole")
    copy = data.with_name("again")
    for go_on in (_go_back, _update_again):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(data, copy, symlinks=True)
        go_on(copy, where, there)
    return {_OLD: "the old version", _NEW: "the new version"}.get(there, "half a version, and the old one beside")


def _go_back(data: Path, where: str, there: str) -> None:
    program = _installed(data)
    try:
        program.exchange()
    except UpdateError as error:
        if there == "":
            raise LostError(f"{where}: no way back: {error}") from error
    if not _version(program.prefix):
        raise LostError(f"{where}: gone back to half a version")


def _update_again(data: Path, where: str, there: str) -> None:
    del there
    program = _installed(data)
    failing = Update(program, _places(data), _Installer(program, fails=True), lambda _: None)
    with suppress(UpdateError):
        failing.carry_out(UpdateSource(data / "nothing.whl"), _LATER)
    if not _version(program.prefix):
        raise LostError(f"{where}: another update that fails leaves no version that is whole")


class _Installer:
    """A stand-in for pip that replaces modules one by one.

    Args:
        program: the program to install into.
        fails: whether the new version does not start.
    """

    def __init__(self, program: Program, *, fails: bool) -> None:
        self._prefix, self._fails = program.prefix, fails

    def __call__(self, command: Sequence[str]) -> CommandResult:
        if "--force-reinstall" in command:
            _write(self._prefix, _NEW)
        is_broken = self._fails and "--version" in command
        return CommandResult(1 if is_broken else 0, "it is broken" if is_broken else "")


def _installed(data: Path) -> Program:
    prefix = data / "opt" / "companion"
    return Program(prefix, Path("/usr"), prefix / "lib", data / "no.list")


def _places(data: Path) -> Places:
    return Places(data / "games", None)


def _write(prefix: Path, version: str) -> None:
    modules = prefix / "lib" / "site-packages"
    modules.mkdir(parents=True, exist_ok=True)
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


def _wheel(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("quilt_companion-9.dist-info/METADATA", "Name: quilt-companion\nVersion: 9\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
