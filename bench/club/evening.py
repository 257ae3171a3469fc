"""A club's evening on one machine, to look at: what `make club` runs, until Ctrl-C.

    .venv/bin/python bench/club/evening.py [--tables N] [--every SECONDS] [--sqlite] [--port N]

Starts the distribution's Mosquitto, PostgreSQL where it is installed (SQLite where not), `companion hall`, and
simulated tables that decide without pictures.
"""

from __future__ import annotations

import argparse
import socket
import sys
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.club.servers import HallProcess, Postgres, has_postgres
from bench.club.tables import Deciding, paced
from tests.ending import end_on_signals
from tests.mosquitto import MISSING, PROGRAM, Mosquitto


def main() -> int:
    """Play until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--every", type=float, default=6.0, help="seconds between two decisions at a table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sqlite", action="store_true", help="even where PostgreSQL is installed")
    parser.add_argument("--port", type=int, default=8090, help="the hall's page")
    args = parser.parse_args()
    if PROGRAM is None:
        sys.stderr.write(f"club: {MISSING}\n")
        return 2
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", args.port)) == 0:
            sys.stderr.write(f"club: port {args.port} is in use, perhaps by another evening; choose --port\n")
            return 2
    end_on_signals()
    with suppress(KeyboardInterrupt), ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="club-")))
        # PostgreSQL runs as another user, who must be able to reach its folder.
        folder.chmod(0o711)
        broker = stack.enter_context(Mosquitto(folder / "mosquitto"))
        database = None
        if has_postgres() and not args.sqlite:
            database = stack.enter_context(Postgres(folder)).address
        print(f"Broker: mqtt://127.0.0.1:{broker.port}   Database: {'SQLite' if database is None else database}")
        stack.enter_context(HallProcess(folder / "hall", broker.port, database, args.port, shown=True))
        tables = [Deciding(number, folder, broker.port, args.seed) for number in range(1, args.tables + 1)]
        for table in tables:
            stack.enter_context(table.place)
        print(f"{len(tables)} simulated tables play. Ctrl-C ends the evening.", flush=True)
        paced(tables, args.every, lambda: False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
