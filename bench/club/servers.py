"""The servers of a club's evening on one machine, PostgreSQL and the hall, which can be killed and restarted."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Final, Self

from tests.ending import with_parent
from tests.mosquitto import free_port

_BINARIES: Final = ":".join(
    [*map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), os.environ.get("PATH", "")]
)
INITDB, POSTGRES = (shutil.which(name, path=_BINARIES) for name in ("initdb", "postgres"))
_STARTS_IN_S: Final = 40.0


def postgres_user() -> str | None:
    """Return the user to run PostgreSQL as, or None for the current one; PostgreSQL refuses root.

    Raises:
        KeyError: this is root, and there is no user "postgres", as Debian's package creates it.
    """
    if os.geteuid() != 0:
        return None
    import pwd  # noqa: PLC0415  # Systems without root do not have the module.

    return pwd.getpwnam("postgres").pw_name


def has_postgres() -> bool:
    """Return whether PostgreSQL can be started here."""
    try:
        postgres_user()
    except KeyError:
        return False
    return INITDB is not None and POSTGRES is not None


class Postgres:
    """A separate PostgreSQL cluster in a folder, as a context manager."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._port, self._user = folder / "postgres", free_port(), postgres_user()
        self.address: Final = f"postgresql://hall@127.0.0.1:{self._port}/postgres"
        if not (self._folder / "PG_VERSION").exists():
            self._folder.mkdir(parents=True)
            if self._user is not None:
                shutil.chown(self._folder, self._user)
            assert INITDB is not None, "PostgreSQL is not installed"
            made = [INITDB, "-D", str(self._folder), "-U", "hall", "-A", "trust", "--no-sync", "-E", "UTF8"]
            # The other user may have no access to the current folder.
            subprocess.run(made, check=True, user=self._user, cwd="/", stdout=subprocess.DEVNULL)  # noqa: S603
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server, also after a crash, and wait until it answers."""
        assert POSTGRES is not None, "PostgreSQL is not installed"
        command = [POSTGRES, "-D", str(self._folder), "-p", str(self._port), "-h", "127.0.0.1", "-k", ""]
        out = subprocess.DEVNULL
        # SIGQUIT is its immediate shutdown, which also ends the processes that it has started.
        self._process = subprocess.Popen(  # noqa: S603
            with_parent(command, "QUIT"), user=self._user, cwd="/", stdout=out, stderr=out, start_new_session=True
        )
        await_port(self._port, self._process)
        self._await_answer()

    def _await_answer(self) -> None:
        """Wait until it accepts connections: after a crash it listens before it has recovered."""
        import psycopg  # noqa: PLC0415

        deadline_s = time.monotonic() + _STARTS_IN_S
        while True:
            try:
                psycopg.connect(self.address).close()
            except psycopg.OperationalError:
                if time.monotonic() > deadline_s:
                    raise
                time.sleep(0.05)
            else:
                return

    def kill(self) -> None:
        """Stop the server at once, without a checkpoint, as a crash would."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


class HallProcess:
    """`companion hall` as a context manager.

    Args:
        folder: the folder of its data.
        broker: the broker's port.
        database: the database's address; None for SQLite.
        port: the page's port; None for any free one.
        shown: whether its output is shown.
    """

    def __init__(
        self, folder: Path, broker: int, database: str | None, port: int | None = None, *, shown: bool = False
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port() if port is None else port
        where = "" if database is None else f'database = "{database}"\n'
        self._config, self._folder, self._shown = folder / "config.toml", folder, shown
        self._config.write_text(f'[mqtt]\nbroker = "mqtt://127.0.0.1:{broker}"\n[hall]\nport = {self.port}\n{where}')
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process's ID."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start the process, and wait until its page listens."""
        command = [sys.executable, "-m", "companion", "hall"]
        command += ["--config", str(self._config), "--data", str(self._folder)]
        out = None if self._shown else subprocess.DEVNULL
        self._process = subprocess.Popen(  # noqa: S603
            with_parent(command, "TERM"), stdout=out, stderr=out, start_new_session=True
        )
        await_port(self.port, self._process)

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


def await_port(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until a process listens at a port."""
    deadline_s = time.monotonic() + _STARTS_IN_S
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert process.poll() is None, "the program has ended"
        assert time.monotonic() < deadline_s, "the program does not listen"
        time.sleep(0.05)


def cpu_s(pid: int) -> float:
    """Return the CPU time of a process (Linux)."""
    told = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int) -> float:
    """Return the resident memory of a process (Linux)."""
    told = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", told)
    return 0.0 if found is None else int(found[1]) / 1024
