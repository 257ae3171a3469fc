"""A real Mosquitto for tests and benchmarks: on a free port of this machine, with a configuration of its own."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Self

from tests.ending import with_parent

PROGRAM = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/sbin")
PATIENCE_S = 60.0
"""Long enough for a busy machine."""
MISSING = "Mosquitto is not installed (Debian: apt install mosquitto)"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Mosquitto:
    """A broker as a context manager; `kill` and `start` make it crash and come back with its data on disk."""

    def __init__(self, folder: Path, *more: str, port: int | None = None) -> None:
        if PROGRAM is None:
            raise RuntimeError(MISSING)
        self._chosen, self._folder, self._more = port, folder, more
        folder.mkdir(parents=True, exist_ok=True)
        self._conf = folder / "mosquitto.conf"
        self._process: subprocess.Popen[bytes] | None = None
        self._listen_at(port or free_port())

    def _listen_at(self, port: int) -> None:
        self.port = port
        lines = [
            f"listener {port} 127.0.0.1",
            "allow_anonymous true",
            "persistence true",
            f"persistence_location {self._folder}/",
            "user root" if Path("/proc/self").stat().st_uid == 0 else "",
            *self._more,
        ]
        self._conf.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def start(self) -> None:
        assert PROGRAM is not None
        self._process = subprocess.Popen(
            with_parent([PROGRAM, "-c", str(self._conf)]),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # Ctrl-C ends the program that has started the broker, which then ends the broker.
            start_new_session=True,
        )
        deadline = time.monotonic() + PATIENCE_S
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self._process.poll() is None, "Mosquitto does not take its configuration"
            assert time.monotonic() < deadline, "Mosquitto does not listen"
            time.sleep(0.02)

    @property
    def pid(self) -> int:
        """The id of its process."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Self:
        try:
            self.start()
        except AssertionError:
            if self._chosen is not None:
                raise
            # Another program has taken the free port meanwhile.
            self._listen_at(free_port())
            self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
