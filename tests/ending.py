"""Programs that are started by tests and benchmarks, and end with them however these end."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Sequence
from types import FrameType


def with_parent(command: Sequence[str], name: str = "KILL") -> list[str]:
    """Return a command that Linux ends when its parent is gone, also if that is killed.

    The thread that starts the process counts as the parent. Without util-linux's setpriv the command is returned as is.

    Args:
        command: the command.
        name: the name of the signal that ends it.
    """
    setpriv = shutil.which("setpriv")
    return [*command] if setpriv is None else [setpriv, "--pdeathsig", name, *command]


def end_on_signals() -> None:
    """Let a closed terminal, and SIGTERM, end this program as Ctrl-C does, so that what it began is cleared away."""

    def end(signum: int, _: FrameType | None) -> None:
        raise KeyboardInterrupt(signum)

    for signum in (signal.SIGHUP, signal.SIGTERM):
        signal.signal(signum, end)
