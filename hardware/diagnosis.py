"""The machine under examination, and what the checks of `companion doctor` find on it."""

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Final, TypeAlias

from companion.languages import Sentence, said
from hardware.environment import Environment, PiBoard, board_of, this_environment


class Level(StrEnum):
    """The severity of a finding.

    OK: no problem. NOTE: worth knowing, but games can be played. FAULT: games cannot be played, or not for long.
    """

    OK = "ok"
    NOTE = "note"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of a check.

    Attributes:
        level: the severity.
        subject: the part examined, a word or two, such as "camera".
        title: the finding, a sentence.
        means: the consequence for players; empty if there is none.
        do: the remedy, if possible a command; empty if none is needed.
    """

    level: Level
    subject: str
    title: str
    means: str = ""
    do: str = ""

    def to_json(self) -> dict[str, str]:
        """Return the finding in the form of `companion doctor --json`."""
        return asdict(self) | {"level": self.level.value}


def ok(subject: str, title: str) -> Finding:
    """Return a finding without a problem."""
    return Finding(Level.OK, subject, title)


def note(subject: str, title: str, means: str = "", do: str = "") -> Finding:
    """Return a finding that is worth knowing."""
    return Finding(Level.NOTE, subject, title, means, do)


def fault(subject: str, title: str, means: str, do: str) -> Finding:
    """Return the finding of a fault that must be repaired."""
    return Finding(Level.FAULT, subject, title, means, do)


Run: TypeAlias = Callable[[Sequence[str]], str | None]
"""A function that runs a command and returns its output, or None if it is missing or fails."""
Reaches: TypeAlias = Callable[[Path], bool]
"""A function that returns whether this user may read and write a file."""
Load: TypeAlias = Callable[[str], object]
"""A function that imports a module."""
Version: TypeAlias = Callable[[str], str | None]
"""A function that returns the version of a distribution, or None if it is not installed."""

_TIMEOUT_S: Final = 10.0


def run_command(command: Sequence[str]) -> str | None:
    """Return the output of a command of this machine, or None if it is missing, fails or hangs."""
    try:
        ended = subprocess.run(  # noqa: S603 - the commands are the checks' own
            command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False, errors="replace"
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return ended.stdout if ended.returncode == 0 else None


def package_version(distribution: str) -> str | None:
    """Return the version of an installed distribution, or None."""
    from importlib import metadata  # noqa: PLC0415  # It takes longer than most commands, which do without.

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def may_use(path: Path) -> bool:
    """Return whether this user may read and write a file."""
    return os.access(path, os.R_OK | os.W_OK)


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine under examination.

    Attributes:
        root: the root of its file system.
        run: runs its commands.
        reaches: returns whether this user may read and write one of its files.
        load: imports a module of its Python.
        version: returns the version of a package of its Python, or None if it is not installed.
        environment: its Python environment.
    """

    root: Path = Path("/")
    run: Run = run_command
    reaches: Reaches = may_use
    load: Load = import_module
    version: Version = package_version
    environment: Environment = field(default_factory=this_environment)

    @property
    def board(self) -> PiBoard | None:
        """The Raspberry Pi's board, or None if it is another machine."""
        model = self.text("/proc/device-tree/model")
        return None if model is None else board_of(model)

    def path(self, path: str) -> Path:
        """Return an absolute path of the machine below `root`."""
        return self.root / path.lstrip("/")

    def text(self, path: str) -> str | None:
        """Return a file's text without white space or NULs around it, or None if it cannot be read."""
        try:
            return self.path(path).read_bytes().decode("utf-8", "replace").strip("\0 \t\r\n")
        except OSError:
            return None

    def devices(self, pattern: str) -> list[str]:
        """Return the device files whose names match a pattern, such as "video*", sorted."""
        return sorted(f"/dev/{path.name}" for path in self.path("/dev").glob(pattern))

    def holders(self, devices: Sequence[str]) -> list[Sentence]:
        """Return the other programs that have one of the devices open, such as "obs (process 812)".

        Only processes that this user may inspect are found.
        """
        paths = [self.path(device) for device in devices]
        # A program that uses a camera by its lasting name has the file open that the name stands for.
        wanted = {*devices, *(str(path) for path in paths), *(str(path.resolve()) for path in paths)}
        found = []
        for process in sorted(self.path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
            if int(process.name) != os.getpid() and wanted & set(self._open_files(process.name)):
                name = self.text(f"/proc/{process.name}/comm") or said("a program")
                found.append(said("{name} (process {number})", name=name, number=process.name))
        return found

    def _open_files(self, pid: str) -> Iterator[str]:
        # The process may have ended, or be another user's.
        with suppress(OSError):
            for link in self.path(f"/proc/{pid}/fd").iterdir():
                yield str(link.readlink())
