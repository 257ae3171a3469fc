"""Benchmark of the page under held connections: half-open ones, idle ones, streams.

    python bench/page/connections.py [--half-open 330] [--idle 2000] [--streams 300] [--seconds 6]

A simulated evening is played in a process of its own, and the connections are held by another: from 127.0.0.66, while
the reader is at 127.0.0.1; with --same-address all are at one. What is closed is opened again after five seconds. The
first row, with nobody else, is the baseline. The reader asks for the page, the snapshot and the start of a stream,
with the table's key and without, over a new connection each time; "failed" counts what was refused or took longer than
five seconds. "cpu %" is the share of one core that the program took meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import multiprocessing
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.ending import end_with_starter, with_parent

PATIENCE_S = AGAIN_AFTER_S = 5.0
STARTS_IN_S = 4.0
HELD_OPEN = {"half-open": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", "idle": b"", "streams": b"GET /api/events"}


@dataclass
class Asked:
    """The outcome of a reader's requests."""

    answers_ms: list[float] = field(default_factory=list)
    failed: int = 0

    def row(self) -> str:
        """Return the figures as columns."""
        if not self.answers_ms:
            return f"{'-':>9} {'-':>9} {self.failed:>6}"
        worst_ms = max(self.answers_ms)
        return f"{statistics.median(self.answers_ms):>9.1f} {worst_ms:>9.1f} {self.failed:>6}"


@dataclass(frozen=True)
class Table:
    """The program under attack.

    Attributes:
        port: the page's port.
        key: the table's key.
        pid: the process's ID.
    """

    port: int
    key: str
    pid: int

    def request(self, path: str, *, keyed: bool) -> bytes:
        """Return a GET request."""
        cookie = f"Cookie: table_{self.port}={self.key}\r\n" if keyed else ""
        return f"GET {path} HTTP/1.1\r\nHost: localhost:{self.port}\r\n{cookie}\r\n".encode()

    def cpu_s(self) -> float:
        """Return the CPU time of its process."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mb(self) -> float:
        """Return the resident memory of its process."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text(encoding="utf-8").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


class Holder:
    """Connections that are held open, each opened again when it is closed.

    Args:
        table: the program to connect to.
        kind: "half-open", "idle" or "streams".
        address: the local address to connect from.
    """

    def __init__(self, table: Table, kind: str, address: str) -> None:
        self._table, self._address = table, address
        self._says = table.request("/api/events", keyed=False) if kind == "streams" else HELD_OPEN[kind]
        self._drips = kind == "half-open"

    async def hold(self) -> None:
        """Hold one connection forever."""
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", self._table.port, local_addr=(self._address, 0)
                )
                writer.write(self._says)
                await (self._drip(reader, writer) if self._drips else _read_all(reader))
                writer.close()
            await asyncio.sleep(AGAIN_AFTER_S)

    async def _drip(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        gone = asyncio.create_task(_read_all(reader))
        while not gone.done():
            writer.write(b"a")
            await asyncio.wait({gone}, timeout=1)


async def _read_all(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await reader.read(1 << 16):
            pass


def hold(table: Table, kind: str, number: int, address: str) -> None:
    """Hold a number of connections until the starter of this process ends."""
    end_with_starter()

    async def all_of_them() -> None:
        holder = Holder(table, kind, address)
        await asyncio.gather(*(holder.hold() for _ in range(number)))

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    asyncio.run(all_of_them())


async def ask(table: Table, path: str, asked: Asked, *, keyed: bool) -> None:
    """Send one request over a new connection, and measure until the first bytes of a successful response's body."""
    began_s = time.perf_counter()
    try:
        async with asyncio.timeout(PATIENCE_S):
            reader, writer = await asyncio.open_connection("127.0.0.1", table.port)
            writer.write(table.request(path, keyed=keyed))
            status = await reader.readline()
            await reader.readuntil(b"\r\n\r\n")
            await reader.read(1)
            writer.close()
    except (OSError, TimeoutError, asyncio.IncompleteReadError):
        status = b""
    if b" 200 " in status:
        asked.answers_ms.append(1000 * (time.perf_counter() - began_s))
    else:
        asked.failed += 1


async def measure(table: Table, told: str, seconds: float) -> None:
    """Send requests for some seconds, and print a row."""
    keyed, keyless = Asked(), Asked()
    began_s, cpu_s = time.perf_counter(), table.cpu_s()
    while time.perf_counter() - began_s < seconds:
        for path in ("/", "/api/snapshot", "/api/events"):
            await ask(table, path, keyed, keyed=True)
            await ask(table, path, keyless, keyed=False)
        await asyncio.sleep(0.1)
    share = 100 * (table.cpu_s() - cpu_s) / (time.perf_counter() - began_s)
    print(f"{told:<14} {keyed.row()}  {keyless.row()} {share:>6.0f} {table.memory_mb():>7.0f}", flush=True)


def main() -> None:
    """Attack, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half-open", type=int, default=330)
    parser.add_argument("--idle", type=int, default=2000)
    parser.add_argument("--streams", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--same-address", action="store_true")
    args = parser.parse_args()
    attacks = (("", 0), ("half-open", args.half_open), ("idle", args.idle), ("streams", args.streams))
    address = "127.0.0.1" if args.same_address else "127.0.0.66"
    play = with_parent([sys.executable, "-m", "companion", "play", "--simulate", "--autoplay", "--new", "--port", "0"])
    print(f"{'':14} {'with the key':<26}  {'without it':<26}")
    columns = f"{'median ms':>9} {'worst ms':>9} {'failed':>6}"
    print(f"{'held open':<14} {columns}  {columns} {'cpu %':>6} {'mem MB':>7}")
    for kind, number in attacks:
        with (
            tempfile.TemporaryDirectory() as folder,
            subprocess.Popen([*play, "--data", folder], stdout=subprocess.PIPE, text=True) as evening,  # noqa: S603
        ):
            assert evening.stdout is not None
            found = re.search(r":(\d+)/\?key=(\S+)", evening.stdout.readline())
            assert found is not None
            table = Table(int(found[1]), found[2], evening.pid)
            holding = multiprocessing.get_context("spawn").Process(target=hold, args=(table, kind, number, address))
            if number:
                holding.start()
            time.sleep(STARTS_IN_S)
            asyncio.run(measure(table, f"{number} {kind}" if number else "nobody else", args.seconds))
            if number:
                holding.terminate()
                holding.join()
            evening.terminate()


if __name__ == "__main__":
    main()
