"""A convention on one broker and one hall: how fast events reach the page, whether any is lost, what memory does.

    .venv/bin/python bench/club/scale.py [--tables N] [--every S] [--seconds S] [--kill] [--sqlite]

Simulated tables that only decide play in processes of their own beside the broker, the database and the hall, all on
this machine. Each decision's way is timed from its announcement at the table to the hall's page (its stream of events,
as a browser reads it). With `--kill` hall, broker and database are killed in turn, a quarter of the run apart, and stay
away for some seconds. In the end every event of every table's outbox must stand in the database exactly once.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import platform
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

sys.path.insert(0, str(Path(__file__).parents[2]))

from sqlalchemy import func, select

from bench.club.servers import HallProcess, Postgres, cpu_s, has_postgres, memory_mb
from bench.club.tables import Deciding, paced
from companion.hall.database import Database, Event, TableGame
from tests.ending import end_on_signals, end_with_starter
from tests.mosquitto import Mosquitto

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event as Flag

PROCESSES: Final = 4
AWAY_S: Final = 5.0
"""The time between the kill of a server and its restart."""
DRAINED_IN_S: Final = 180.0


@dataclass
class Reader:
    """A browser that reads the hall's stream.

    Attributes:
        port: the page's port.
        took: time of arrival and delay of each state, in seconds.
        heard: the last game and number of decisions received of each table.
    """

    port: int
    took: list[tuple[float, float]] = field(default_factory=list)
    heard: dict[str, tuple[int, int]] = field(default_factory=dict)

    def run(self) -> None:
        """Read until the program ends, reconnecting when the connection is lost."""
        while True:
            try:
                self._read()
            except (OSError, http.client.HTTPException):
                time.sleep(0.5)

    def _read(self) -> None:
        connection = http.client.HTTPConnection("localhost", self.port, timeout=30)
        connection.request("GET", "/api/events")
        response = connection.getresponse()
        first = True
        while line := response.readline():
            if line == b"\n":
                # The first block is the state before the connection.
                first = False
            if line.startswith(b"data: ") and not first:
                self._take(json.loads(line[6:]), time.time())
            elif line.startswith(b"data: "):
                continue

    def _take(self, told: dict[str, Any], now: float) -> None:
        state = told.get("state")
        if not state or not state["game"] or not told.get("online"):
            return
        key = (state["game"]["id"], state["decisions"])
        if self.heard.get(told["table"]) == key:
            return
        self.heard[told["table"]] = key
        self.took.append((now, now - datetime.fromisoformat(state["at"]).timestamp()))


def play(numbers: list[int], folder: Path, port: int, every_s: float, ends: Flag) -> None:
    """Play some tables in this process until `ends` is set, and stay connected until all events are stored."""
    end_with_starter()
    with ExitStack() as stack:
        tables = [Deciding(number, folder, port, 1) for number in numbers]
        for table in tables:
            stack.enter_context(table.place)
        paced(tables, every_s, ends.is_set)
        # The hall may still request events.
        while not (folder / "drained").exists():
            time.sleep(0.2)


def expected(folder: Path) -> dict[str, int]:
    """Return the number of the last event of each table, from its outbox."""
    found = {}
    for path in folder.glob("table-*.sqlite3"):
        with sqlite3.connect(path) as outbox:
            row = outbox.execute("SELECT seq FROM sqlite_sequence WHERE name = 'events'").fetchone()
        found[path.stem] = 0 if row is None else int(row[0])
    return found


def stored(database: Database) -> dict[str, tuple[int, int]]:
    """Return the number of stored events of each table, and the highest sequence number."""
    query = select(Event.table_name, func.count(), func.max(Event.sequence)).group_by(Event.table_name)
    with database.transaction() as session:
        return {name: (count, last) for name, count, last in session.execute(query)}


def drained(folder: Path, database: Database) -> float | None:
    """Wait until all events are stored; return the time waited, or None after `DRAINED_IN_S`."""
    began = time.monotonic()
    while time.monotonic() - began < DRAINED_IN_S:
        if all(stored(database).get(name) == (last, last) for name, last in expected(folder).items()):
            return time.monotonic() - began
        time.sleep(0.5)
    return None


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--every", type=float, default=20.0, help="seconds between two decisions at a table")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--sqlite", action="store_true")
    args = parser.parse_args()
    end_on_signals()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="club-")))
        folder.chmod(0o711)
        # With these options a killed broker loses no retained messages.
        broker = stack.enter_context(Mosquitto(folder / "mosquitto", "autosave_interval 1", "max_queued_messages 0"))
        postgres = None if args.sqlite or not has_postgres() else stack.enter_context(Postgres(folder))
        address = f"sqlite:///{folder / 'hall.sqlite3'}" if postgres is None else postgres.address
        hall = stack.enter_context(HallProcess(folder / "hall", broker.port, address))
        reader = Reader(hall.port)
        threading.Thread(target=reader.run, daemon=True).start()
        context = multiprocessing.get_context("spawn")
        ends = context.Event()
        parts = [list(range(1, args.tables + 1))[at::PROCESSES] for at in range(PROCESSES)]
        players = [
            context.Process(target=play, args=(part, folder, broker.port, args.every, ends), daemon=True)
            for part in parts
            if part
        ]
        for process in players:
            process.start()
        memory = _run(args, hall, broker, postgres)
        used = {"hall": cpu_s(hall.pid), "broker": cpu_s(broker.pid)}
        ends.set()
        database = Database(address)
        stack.callback(database.close)
        took = drained(folder, database)
        (folder / "drained").touch()
        for process in players:
            process.join(20)
        _print(args, reader, memory, took, folder, database, postgres is not None)
        if not args.kill:
            print("processor time, their start included: " + ", ".join(f"{name} {s:.1f} s" for name, s in used.items()))
    return 0 if took is not None else 1


def _run(args: argparse.Namespace, hall: HallProcess, broker: Mosquitto, postgres: Postgres | None) -> list[float]:
    """Wait for the duration of the run, killing servers if requested; return the hall's memory each second, in MB."""
    began, memory = time.monotonic(), list[float]()
    victims: list[tuple[str, HallProcess | Mosquitto | Postgres]] = [("hall", hall), ("broker", broker)]
    victims += [] if postgres is None else [("database", postgres)]
    parts = [args.seconds * (at + 1) / 4 for at in range(len(victims))]
    due = [(at, *victim) for at, victim in zip(parts, victims, strict=True)] if args.kill else []
    while (passed := time.monotonic() - began) < args.seconds:
        if due and passed >= due[0][0]:
            _, name, victim = due.pop(0)
            print(f"{datetime.now(UTC):%H:%M:%S} {name} is killed, and comes back after {AWAY_S:.0f} s", flush=True)
            victim.kill()
            time.sleep(AWAY_S)
            victim.start()
        memory.append(memory_mb(hall.pid))
        time.sleep(1.0)
    return memory


def _print(
    args: argparse.Namespace,
    reader: Reader,
    memory: list[float],
    took: float | None,
    folder: Path,
    database: Database,
    is_postgres: bool,
) -> None:
    outboxes, there = expected(folder), stored(database)
    lost = sum(last - there.get(name, (0, 0))[0] for name, last in outboxes.items())
    with database.transaction() as session:
        games = session.scalar(select(func.count()).select_from(TableGame))
        ended = session.scalar(select(func.count()).where(TableGame.finished_at.is_not(None)))
    times = sorted(each for _, each in reader.took)
    print(f"{platform.machine()}, {multiprocessing.cpu_count()} cores, {'PostgreSQL' if is_postgres else 'SQLite'}")
    print(f"{args.tables} tables, a decision every {args.every:g} s each, for {args.seconds:.0f} s")
    print(f"events {sum(outboxes.values())}, not stored {lost}; games {games}, of which {ended} have ended")
    print(f"all stored {'never' if took is None else f'{took:.1f} s'} after the last decision")
    if len(times) > 100:
        cuts = statistics.quantiles(times, n=100)
        middle, high, highest = cuts[49], cuts[94], cuts[98]
        print(f"to the page: {len(times)} states, median {middle:.3f} s, p95 {high:.3f}, p99 {highest:.3f}", end="")
        print(f", worst {times[-1]:.3f}")
    if len(memory) > 8:
        part = len(memory) // 4
        quarters = [statistics.median(memory[at * part : (at + 1) * part]) for at in range(4)]
        print("hall's memory by quarters, MB: " + ", ".join(f"{each:.1f}" for each in quarters))


if __name__ == "__main__":
    sys.exit(main())
