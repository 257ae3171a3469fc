"""Programs that are started by tests and benchmarks, and end with them however these end."""

from __future__ import annotations

import multiprocessing
import os
import re
import shutil
import signal
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import Final

_LOOKS_EVERY_S: Final = 0.5


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
    """Let a closed terminal, SIGTERM and a hangup of make end this program as Ctrl-C does, with all that it began."""
    make = os.getppid()

    def end(signum: int, _: FrameType | None) -> None:
        # Another signal must not interrupt the clearing away, except a second Ctrl-C.
        signal.setitimer(signal.ITIMER_REAL, 0)
        for each in (signal.SIGHUP, signal.SIGTERM):
            signal.signal(each, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        raise KeyboardInterrupt(signum)

    def look(signum: int, frame: FrameType | None) -> None:
        if not _catches_hangups(make):
            end(signum, frame)

    for signum in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, end)
    # If make is the terminal's only program, only make is told that it was closed. Make waits for its recipe without
    # passing that on, and no longer catches hangups, which is all that shows it.
    if _catches_hangups(make):
        signal.signal(signal.SIGALRM, look)
        signal.setitimer(signal.ITIMER_REAL, _LOOKS_EVERY_S, _LOOKS_EVERY_S)


def _catches_hangups(pid: int) -> bool:
    """Return whether a process handles SIGHUP itself (Linux; False elsewhere)."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    found = re.search(r"^SigCgt:\s*([0-9a-f]+)$", status, re.MULTILINE)
    return found is not None and bool(int(found[1], 16) >> signal.SIGHUP - 1 & 1)


def end_with_starter() -> None:
    """End this process of `multiprocessing` when the one that started it is gone, also if that was killed."""
    starter = multiprocessing.parent_process()

    def watch() -> None:
        if starter is not None:
            starter.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()
