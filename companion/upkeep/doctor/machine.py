"""The machine under examination: its files, and the output of its commands."""

import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

Run: TypeAlias = Callable[[Sequence[str]], str | None]
"""A function that runs a command and returns its output, or None if it is missing or fails."""
Reaches: TypeAlias = Callable[[Path], bool]
"""A function that returns whether this user may read and write a file."""

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
    """

    root: Path = Path("/")
    run: Run = run_command
    reaches: Reaches = may_use

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
