"""Benchmark of the turn loop's pace while connections to its page are held for minutes, all kinds at once.

    python -m bench.page.pace [--half-open 330] [--idle 2000] [--streams 128] [--minutes 2] [--fps 10]

An evening at the usual pace is played in this process, with its page; the connections are held by others, from
127.0.0.66, and what is closed is opened again after five seconds (`connections.py`). Told is how long a frame came
after the one before, against the time that it should take. The evening goes on from row to row: the first, with
nobody else, is the baseline; in the second the robot thinks beside it, without a pause; the last shows whether anything
has stayed. "cpu %" is the share of one core.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bench.page.connections import Table, hold
from bench.page.presses import thinking
from companion.compose.playing import SimulatedDevices, play
from companion.config import Config, PageConfig
from companion.journal import JOURNAL_NAME, Journal
from companion.patchwork.arrangement import CircleSource, with_circle_known
from companion.patchwork.game import PATCHWORK
from companion.play.host import NextGame
from companion.play.session import Participants, RemoteParticipant, Simulation
from companion.registry import codecs, pages
from companion.web.page import PageServer

ADDRESS = "127.0.0.66"
SETTLES_S = 8.0
"""The time for connections to be opened or closed."""


class OverError(BaseException):
    """Raised once all rows are printed."""


@dataclass
class Rows:
    """The table of frame intervals while connections are held.

    Attributes:
        table: the program.
        kinds: the number of connections of each kind.
        seconds: the duration of a row.
        frame_s: the nominal interval between frames.
    """

    table: Table
    kinds: dict[str, int]
    seconds: float
    frame_s: float
    _called: str = "nobody else"
    _since_s: float = 0.0
    _cpu_s: float = 0.0
    _latest_s: float = 0.0
    _gaps_s: list[float] = field(default_factory=list)
    _holders: list[multiprocessing.process.BaseProcess] = field(default_factory=list)
    _meanwhile: ExitStack = field(default_factory=ExitStack)

    def observe(self) -> None:
        """Measure a frame's interval, and begin the next row when it is due."""
        now_s = time.perf_counter()
        if not self._since_s:
            self._since_s = now_s + SETTLES_S
        if now_s < self._since_s:
            self._latest_s, self._cpu_s = now_s, self.table.cpu_s()
            return
        self._gaps_s.append(now_s - self._latest_s)
        self._latest_s = now_s
        if now_s - self._since_s >= self.seconds:
            self._print(now_s)
            self._next(now_s)

    def _print(self, now_s: float) -> None:
        gaps_ms = 1000 * np.array(self._gaps_s)
        median, late, worst = np.percentile(gaps_ms, (50, 99, 100))
        share = 100 * (self.table.cpu_s() - self._cpu_s) / (now_s - self._since_s)
        print(
            f"{self._called:<22} {len(gaps_ms):>7} {1000 * self.frame_s:>8.0f} {median:>9.1f} {late:>9.1f} "
            f"{worst:>9.1f} {share:>6.0f} {self.table.memory_mb():>7.0f}",
            flush=True,
        )

    def _next(self, now_s: float) -> None:
        self._since_s, self._gaps_s = now_s + SETTLES_S, []
        if self._called == "nobody else":
            self._called = "robot thinks"
            self._meanwhile.enter_context(thinking())
        elif self._called == "robot thinks":
            self.close()
            self._called = "held"
            for kind, number in self.kinds.items():
                context = multiprocessing.get_context("spawn")
                self._holders.append(context.Process(target=hold, args=(self.table, kind, number, ADDRESS)))
                self._holders[-1].start()
        elif self._called == "held":
            self._called = "nobody any more"
            self.close()
        else:
            raise OverError

    def close(self) -> None:
        """Close all held connections, and stop the robot."""
        self._meanwhile.close()
        for each in self._holders:
            each.terminate()
            each.join()
        self._holders.clear()


def main() -> int:
    """Play, attack, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--half-open", type=int, default=330)
    parser.add_argument("--idle", type=int, default=2000)
    parser.add_argument("--streams", type=int, default=128)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--fps", type=float, default=10.0)
    args = parser.parse_args()
    config = Config()
    config = with_circle_known(config, CircleSource.DEALT)
    columns = (
        f"{'frames':>7} {'asked ms':>8} {'median ms':>9} {'99 % ms':>9} {'worst ms':>9} {'cpu %':>6} {'mem MB':>7}"
    )
    print(f"{'held open':<22} {columns}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / JOURNAL_NAME
        with Journal(path, codecs()) as journal, PageServer(pages(), PageConfig(port=0), path) as page:
            table = Table(page.door.port, page.door.link.partition("=")[2], os.getpid())
            kinds = {"half-open": args.half_open, "idle": args.idle, "streams": args.streams}
            rows = Rows(table, kinds, 60 * args.minutes, 1 / args.fps)
            shown = page.remote

            def observe(watch: object, now_s: float) -> None:
                shown.observe(watch, now_s)
                rows.observe()

            attached = RemoteParticipant(shown.inbox, observe, shown.desks)
            try:
                for seed in range(1, 1000):
                    devices = SimulatedDevices(Simulation(seed, ("hasty", "tidy")))
                    sitting = NextGame(PATCHWORK, config)
                    play(sitting, devices, journal, path.parent, Participants((page,), (page.strip,), attached))
            except OverError:
                pass
            finally:
                rows.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
