"""The program in a process of its own, with its page."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tests.ending import with_parent

if TYPE_CHECKING:
    from pathlib import Path

_LINK: Final = re.compile(r"http://\S+\?key=\S+")


def free_port() -> int:
    """Return a port on which no program listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@dataclass
class Program:
    """A command that serves the page.

    Attributes:
        folder: its data folder, which is also its home folder.
        command: the command and its options.
        settings: the configuration as TOML.
        port: the page's port, the same at each start.
        link: the page's address, with the table's key.
    """

    folder: Path
    command: tuple[str, ...]
    settings: str
    port: int = field(default_factory=free_port)
    link: str = ""
    _process: subprocess.Popen[str] | None = None

    @property
    def settings_file(self) -> Path:
        """The path of its configuration."""
        return self.folder / "companion.toml"

    def start(self) -> None:
        """Start it and wait until its page can be reached."""
        settings = self.settings_file
        settings.write_text(f"{self.settings}\n[page]\nport = {self.port}\n")
        program = [sys.executable, "-m", "companion"]
        self._process = subprocess.Popen(
            with_parent([*program, *self.command, "--config", str(settings), "--data", str(self.folder)]),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "HOME": str(self.folder), "PYTHONUNBUFFERED": "1"},
        )
        assert self._process.stdout is not None
        found = next((found for line in self._process.stdout if (found := _LINK.search(line))), None)
        assert found, "the program has ended"
        self.link = found[0]

    def kill(self) -> None:
        """Kill it, as a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
