"""Time until a press is answered while spectators without the key ask for everything that is costly.

    python -m bench.page.spectators [--connections 120] [--games 2000] [--prints 400] [--presses 12]

A simulated evening is played in a process of its own, over a journal of so many games; another process asks from
127.0.0.66, over so many connections, again as soon as it is answered. The first row, with nobody else, is the
baseline, and the last shows whether anything has stayed. "replay" asks for one game, "replays" for all in turn, "games"
for the list of all, "print" for sheets to print, and hangs up at once; "all" does all of that at once, over so many
connections each. The presses have the key and are `advance` and `undo`, over a new connection each, answered once the
turn loop has taken them; what a spectator at a third address waits for the newest games is in the columns after them.

Measured in 2026-11 on two cores, with the attacker on the same ones: a press took 0.08 s with nobody else, 0.21 at
worst, and 0.20 with all at once, 0.27 at worst. Before costly answers were made one at a time, it took 2.0 s with
"replay", 2.4 at worst, and the list of games 37 s with "games".
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import multiprocessing
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from bench.costs.journal import write_games
from bench.page.connections import Table
from companion.journal import JOURNAL_NAME, Journal
from companion.registry import codecs
from companion.web.documents import SHEETS
from tests.ending import end_with_starter, with_parent

ATTACKER, SPECTATOR = "127.0.0.66", "127.0.0.67"
PATIENCE_S, SETTLES_S, BETWEEN_S = 60.0, 4.0, 0.4
SHEET_PATHS = [
    f"/help/print/{sheet.name}/{paper}.pdf?language={language}"
    for sheet in SHEETS
    for paper in sheet.papers
    for language in ("en", "ru", "fa")
]


@dataclass(frozen=True)
class Attack:
    """An attack: what is asked for, over so many connections at once.

    Attributes:
        paths: asked for in turn.
        connections: the number of connections.
        hang_up: the number of requests whose client leaves at once; 0 if all wait for their answers.
    """

    paths: list[str]
    connections: int
    hang_up: int = 0

    async def go_on(self, port: int) -> None:
        """Ask for ever, or as often as clients hang up."""
        if self.hang_up:
            for path in itertools.islice(itertools.cycle(self.paths), self.hang_up):
                with contextlib.suppress(OSError):
                    _, writer = await connected(port, ATTACKER)
                    writer.write(request(port, path))
                    await asyncio.sleep(0.004)
                    writer.transport.abort()
            return
        paths = itertools.cycle(self.paths)
        await asyncio.gather(*(self._ask(port, paths) for _ in range(self.connections)))

    async def _ask(self, port: int, paths: itertools.cycle[str]) -> None:
        while True:
            with contextlib.suppress(OSError, ValueError, asyncio.IncompleteReadError):
                reader, writer = await connected(port, ATTACKER)
                with contextlib.closing(writer):
                    while True:
                        await answer(reader, writer, request(port, next(paths)))
            await asyncio.sleep(0.1)


async def connected(port: int, address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a connection from an address of this machine."""
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0), limit=1 << 20)


def request(port: int, path: str) -> bytes:
    """Return a request for a path, without the key."""
    return f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nAccept-Encoding: gzip\r\n\r\n".encode()


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, asked: bytes) -> int:
    """Send a request, read the whole answer, and return its status."""
    writer.write(asked)
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    length = re.search(r"content-length: (\d+)", head)
    await reader.readexactly(int(length[1]) if length else 0)
    return int(head.split()[1])


def attack(port: int, attacks: list[Attack]) -> None:
    """Carry out attacks until this process or its starter is ended."""
    end_with_starter()

    async def all_of_them() -> None:
        await asyncio.gather(*(each.go_on(port) for each in attacks))

    asyncio.run(all_of_them())


@dataclass
class Waits:
    """The time that a player's presses and a spectator's requests took, and the number that were not answered."""

    presses_s: list[float] = field(default_factory=list)
    lists_s: list[float] = field(default_factory=list)
    failed: int = 0

    async def take(self, table: Table, presses: int) -> None:
        """Press and ask in turn."""
        for button in itertools.islice(itertools.cycle(("advance", "undo")), presses):
            body = json.dumps({"button": button}).encode()
            head = (
                f"POST /api/press HTTP/1.1\r\nHost: localhost:{table.port}\r\nContent-Type: application/json\r\n"
                f"Cookie: table_{table.port}={table.key}\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            # A press at the wrong moment is refused, by the turn loop as well.
            await self._time(table, "127.0.0.1", head.encode() + body, self.presses_s, (200, 409))
            await self._time(table, SPECTATOR, request(table.port, "/api/games?limit=50"), self.lists_s, (200,))
            await asyncio.sleep(BETWEEN_S)

    async def _time(self, table: Table, address: str, asked: bytes, into: list[float], good: tuple[int, ...]) -> None:
        began_s = time.perf_counter()
        try:
            async with asyncio.timeout(PATIENCE_S):
                reader, writer = await connected(table.port, address)
                with contextlib.closing(writer):
                    status = await answer(reader, writer, asked)
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            status = 0
        if status not in good:
            self.failed += 1
        into.append(time.perf_counter() - began_s)


def measure(table: Table, called: str, attacks: list[Attack], presses: int) -> None:
    """Attack, and print a row."""
    attacking = multiprocessing.get_context("spawn").Process(target=attack, args=(table.port, attacks), daemon=True)
    attacking.start()
    time.sleep(SETTLES_S)
    waits, began_s, cpu_s = Waits(), time.perf_counter(), table.cpu_s()
    asyncio.run(waits.take(table, presses))
    share = 100 * (table.cpu_s() - cpu_s) / (time.perf_counter() - began_s)
    attacking.terminate()
    attacking.join()
    columns = " ".join(
        f"{sorted(each)[len(each) // 2]:>9.3f} {max(each):>8.3f}" for each in (waits.presses_s, waits.lists_s)
    )
    print(f"{called:<16} {columns} {waits.failed:>7} {share:>6.0f} {table.memory_mb():>7.0f}", flush=True)


def main() -> None:
    """Attack, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--connections", type=int, default=120)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--prints", type=int, default=400)
    parser.add_argument("--presses", type=int, default=12)
    parser.add_argument("--rows", nargs="+", metavar="ROW", help="only these")
    args = parser.parse_args()
    every = [f"/api/games/{game}/replay" for game in range(1, args.games)]
    alone = {
        "replay": Attack(["/api/games/1/replay"], args.connections),
        "replays": Attack(every, args.connections),
        "games": Attack(["/api/games"], args.connections),
        "print": Attack(SHEET_PATHS, args.connections, args.prints),
    }
    rows = {"nobody else": [], **{name: [each] for name, each in alone.items()}, "all": [*alone.values()]}
    print(f"{'':16} {'press s':>9} {'worst':>8} {'list s':>9} {'worst':>8} {'failed':>7} {'cpu %':>6} {'mem MB':>7}")
    play = with_parent([sys.executable, "-m", "companion", "play", "--simulate", "--autoplay", "--new", "--port", "0"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / JOURNAL_NAME
        write_games(path, args.games)
        Journal(path, codecs()).close()
        with subprocess.Popen([*play, "--data", folder], stdout=subprocess.PIPE, text=True) as evening:  # noqa: S603
            assert evening.stdout is not None
            found = re.search(r":(\d+)/\?key=(\S+)", evening.stdout.readline())
            assert found is not None
            table = Table(int(found[1]), found[2], evening.pid)
            for called, attacks in {**rows, "nobody any more": []}.items():
                if args.rows and called not in args.rows:
                    continue
                measure(table, called, attacks, args.presses)
            evening.terminate()


if __name__ == "__main__":
    main()
