"""Memory of a program that plays game after game with pages open: it must be flat.

    python bench/page/memory.py [--minutes 60] [--pages 8] [--seed 1]
    python bench/page/memory.py --games 60 [--pages 20]

Simulated evenings are played as fast as the machine can, in this process, with the page's server and its listeners,
until so many minutes of simulated time have gone by. Pages fetch camera pictures and the list of games meanwhile, as
people do. Resident memory is read every so often; the first quarter is the baseline, for caches fill and libraries
are loaded then. The last line tells how much it grew from there, over each hour of play.

Measured in 2026-11 with 8 pages, over an hour of 84 games and 18,000 frames: 600 MB after 10 minutes, 602 MB after 30
and 602 MB after 60; +3 MB an hour after the first quarter, +0.4 MB in another run.

With --games the table is left out: so many games are only told to the page, which takes a minute and shows the page's
own part.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import random
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

import numpy as np

from companion.compose.playing import SimulatedDevices, play
from companion.config import Config, PageConfig
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.patchwork.arrangement import CircleSource, dealt_market, with_circle_known
from companion.patchwork.game import PATCHWORK
from companion.play.events import DecisionTaken, GameOpened, LookStarted
from companion.play.host import NextGame
from companion.play.session import Participants, RemoteParticipant, Simulation
from companion.registry import codecs, pages
from companion.web.page import PageServer

SAMPLES = 24
ASKED_EVERY_S = 0.5
# The time for the server to send an event.
_BETWEEN_S = 0.004


def resident_mb() -> float:
    """Return the resident memory of this process (Linux)."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise SystemExit("resident memory is read from /proc/self/status: run this on Linux")


class Pastime:
    """The simulated time over all games, and samples of the memory.

    Args:
        minutes: the simulated time to play for.
    """

    def __init__(self, minutes: float) -> None:
        self.wanted_s = 60.0 * minutes
        self.gone_s = self.before_s = 0.0
        self.games = self.frames = 0
        self.samples: list[tuple[float, float]] = []

    def observe(self, now_s: float) -> None:
        """Count one frame, and print a sample if it is due."""
        self.frames += 1
        self.gone_s = self.before_s + now_s
        if self.gone_s >= (len(self.samples) + 1) * self.wanted_s / SAMPLES:
            gc.collect()
            self.samples.append((self.gone_s / 60, resident_mb()))
            minutes, used_mb = self.samples[-1]
            print(f"{minutes:>8.1f} {self.games:>6} {self.frames:>8} {used_mb:>9.1f}", flush=True)

    def ended(self) -> None:
        """Count the end of a game."""
        self.games += 1
        self.before_s = self.gone_s

    def growth_mb_an_hour(self) -> float:
        """Return the slope of a straight line fitted to the samples after the first quarter."""
        kept = np.array(self.samples[len(self.samples) // 4 :])
        return float(np.polyfit(kept[:, 0], kept[:, 1], 1)[0] * 60)


def watch(page: PageServer, open_pages: int) -> None:
    """Keep pages open forever: event streams, and repeated requests."""

    async def listen() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", page.door.port, limit=1 << 20)
        writer.write(f"GET /api/events HTTP/1.1\r\nHost: localhost:{page.door.port}\r\n\r\n".encode())
        while await reader.read(1 << 16):
            pass

    async def all_of_them() -> None:
        await asyncio.gather(*(listen() for _ in range(open_pages)))

    def ask() -> None:
        key = page.door.link.partition("=")[2]
        while True:
            for path in ("/camera.jpg?reading=1", "/crop/1.jpg", "/api/games", "/api/statistics", "/api/snapshot"):
                asked = urllib.request.Request(f"http://localhost:{page.door.port}{path}")  # this machine
                asked.add_header("Cookie", f"table_{page.door.port}={key}")
                with contextlib.suppress(OSError), urllib.request.urlopen(asked) as answer:  # noqa: S310
                    answer.read()
            time.sleep(ASKED_EVERY_S)

    threading.Thread(target=lambda: asyncio.run(all_of_them()), daemon=True).start()
    threading.Thread(target=ask, daemon=True).start()


def tell(games: int, open_pages: int) -> None:
    """Send random games' events to a page, and print the memory meanwhile."""
    print(f"{'games':>6} {'events':>8} {'memory MB':>9}")
    events = 0
    with PageServer(pages(), PageConfig(port=0)) as page:
        watch(page, open_pages)
        for game in range(1, games + 1):
            rng, history = random.Random(game), History(Setup(players=("Anna", "Boris"), market=dealt_market(game)))
            page(GameOpened(game, history.state))
            while not history.state.finished:
                decision = legal_decisions(history.state).pick(rng)
                page(LookStarted(history.state))
                outcome = history.apply(decision)
                page(DecisionTaken(decision, outcome.facts, outcome.state))
                events += 2
                time.sleep(_BETWEEN_S)
            if game % max(1, games // 6) == 0:
                gc.collect()
                print(f"{game:>6} {events:>8} {resident_mb():>9.1f}", flush=True)


def evening(journal: Journal, page: PageServer, pastime: Pastime, seed: int) -> None:
    """Play one game to its end with the page attached."""
    shown = page.remote

    def observe(watch: object, now_s: float) -> None:
        shown.observe(watch, now_s)
        pastime.observe(now_s)

    sitting = NextGame(PATCHWORK, with_circle_known(Config(), CircleSource.DEALT))
    devices = SimulatedDevices(Simulation(seed + pastime.games, ("hasty", "tidy"), fast=True))
    attached = RemoteParticipant(shown.inbox, observe, shown.desks)
    play(sitting, devices, journal, journal.path.parent, Participants((page,), (page.strip,), attached))
    pastime.ended()


def main() -> None:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--pages", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int)
    args = parser.parse_args()
    if args.games is not None:
        tell(args.games, args.pages)
        return
    pastime, began_s = Pastime(args.minutes), time.perf_counter()
    print(f"{'minutes':>8} {'games':>6} {'frames':>8} {'memory MB':>9}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / JOURNAL_NAME
        with Journal(path, codecs()) as journal, PageServer(pages(), PageConfig(port=0), path) as page:
            watch(page, args.pages)
            while pastime.gone_s < pastime.wanted_s:
                evening(journal, page, pastime, args.seed)
    took_s = time.perf_counter() - began_s
    print(f"{args.pages} pages, {took_s:.0f} s: {pastime.growth_mb_an_hour():+.1f} MB an hour after the first quarter")


if __name__ == "__main__":
    main()
