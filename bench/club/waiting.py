"""Seconds that a decision takes the game while its broker is there, hangs, is slow or is gone.

    .venv/bin/python bench/club/waiting.py [--games N] [--rounds N] [--seed N]

Games are played by random legal decisions into a journal on disk, and announced as the turn loop announces them: to
nobody (the baseline), and to a table on a broker in each state. What is timed is the rules, the journal and the
announcement. The rounds are interleaved, and the first warms up and does not count; medians and 99th percentiles of all
decisions are printed, with their ratio to the baseline of the same run. A hung broker takes the connection and never
answers; a slow one reads 64 bytes every half second; both are a socket of this program. The broker that is there is
Mosquitto, and is left out where it is not installed.
"""

from __future__ import annotations

import argparse
import random
import socket
import statistics
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.mqtt.courier import CourierHooks

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.mqtt.link import Address, PahoLink
from companion.mqtt.messages import HallTopics, TableTopics
from companion.mqtt.table import TableOnBroker
from companion.play.events import DecisionTaken, GameOpened
from companion.registry import codecs, pages
from tests.mosquitto import MISSING, PROGRAM, Mosquitto

if TYPE_CHECKING:
    from collections.abc import Callable

ACK: Final = {0x10: b"\x20\x02\x00\x00", 0x80: b"\x90\x03\x00\x01\x01", 0xC0: b"\xd0\x00"}
SLOW_S: Final = 0.5


def listening(serve: Callable[[socket.socket], None]) -> int:
    """Return the port of a simulated broker that handles each connection with `serve`."""
    listener = socket.create_server(("127.0.0.1", 0))

    def accept() -> None:
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return int(listener.getsockname()[1])


def hang(connection: socket.socket) -> None:
    """Accept the client, and then read nothing."""
    connection.recv(1024)
    connection.sendall(ACK[0x10])
    time.sleep(3600)


def slow(connection: socket.socket) -> None:
    """Accept the client, and then read 64 bytes every `SLOW_S`."""
    connection.recv(1024)
    connection.sendall(ACK[0x10])
    while connection.recv(64):
        time.sleep(SLOW_S)


def round_s(seed: int, folder: Path, port: int | None, games: int) -> list[float]:
    """Return the duration of each decision, from the rules to the end of the announcement."""
    rng, took = random.Random(seed), []
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(folder / JOURNAL_NAME, codecs()))
        listener: Callable[[object], None] = lambda _: None  # noqa: E731
        if port is not None:
            address = Address("127.0.0.1", port)
            listener = stack.enter_context(  # type: ignore[assignment]
                TableOnBroker(
                    "Bench",
                    CourierHooks(TableTopics("bench", folder.name), HallTopics("bench")),
                    pages(),
                    folder / "outbox.sqlite3",
                    lambda hello, notify: PahoLink(address, hello, notify),
                )
            )
        for _ in range(games):
            history = History(Setup(players=("Anna", "Boris")))
            game = journal.new_game(history.setup, "bench")
            listener(GameOpened(game, history.state))
            while not history.state.finished:
                legal = legal_decisions(history.state)
                decision = legal[rng.randrange(len(legal))]
                began = time.perf_counter()
                outcome = history.apply(decision)
                journal.append(game, len(history.decisions), decision)
                listener(DecisionTaken(decision, outcome.facts, history.state))
                took.append(time.perf_counter() - began)
    return took


def rotated(each: list[tuple[str, int | None]], by: int) -> list[tuple[str, int | None]]:
    """Return a list rotated by a number of places."""
    by %= len(each)
    return each[by:] + each[:by]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", help="where the journal is: in memory (/dev/shm) the disk's moods are left out")
    args = parser.parse_args()
    with ExitStack() as stack, tempfile.TemporaryDirectory(dir=args.folder) as folder:
        ports: dict[str, int | None] = {"no broker": None}
        if PROGRAM is None:
            print(f"LEFT OUT: {MISSING}")
        else:
            ports["there"] = stack.enter_context(Mosquitto(Path(folder) / "mosquitto")).port
        ports |= {"hung": listening(hang), "slow": listening(slow), "gone": 1}
        took: dict[str, list[float]] = {name: [] for name in ports}
        for number in range(args.rounds + 1):
            # Each is first once, so that caches of the rules and the disk favour none.
            for name, port in rotated(list(ports.items()), number):
                place = Path(folder) / f"{name.replace(' ', '-')}-{number}"
                place.mkdir()
                timed = round_s(args.seed, place, port, args.games)
                took[name] += timed if number else []
    base = statistics.median(took["no broker"])
    print(f"{'broker':10} {'decisions':>9} {'median ms':>10} {'p99 ms':>8} {'worst ms':>9} {'ratio':>6}")
    for name, each in took.items():
        middle, high = statistics.median(each), statistics.quantiles(each, n=100)[98]
        times = f"{middle * 1e3:10.2f} {high * 1e3:8.2f} {max(each) * 1e3:9.2f}"
        print(f"{name:10} {len(each):9} {times} {middle / base:6.2f}")


if __name__ == "__main__":
    main()
