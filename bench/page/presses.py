"""Time until what one press changes is on every open page: from the request to the last byte at each listener.

    python bench/page/presses.py [--pages 1 50] [--presses 20]

A simulated evening is played in a process of its own; `confirm` is pressed over HTTP, and raw connections listen to
the page's events until they tell of the look that begins. The first row, with one page open, is the baseline: what the
turn loop itself takes; the last is the same while the robot thinks beside it without a pause. The pages are
spectators': fifty of them get an update at most six times a second each, as `SENDS_PER_S` in
`companion/web/transport/hub.py` says.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.games.strategy import Level
from companion.patchwork.arrangement import dealt_market
from companion.patchwork.codec import PATCHWORK
from companion.play.partner import ThinkingProcess
from tests.ending import with_parent

BETWEEN_S = 3.0
"""The time between presses, enough for a look to end."""


@dataclass
class Listener:
    """One open page, with the time of arrival of each snapshot that shows a look, by its number."""

    heard: dict[int, float] = field(default_factory=dict)

    async def listen(self, port: int) -> None:
        """Read events until the stream ends."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        writer.write(f"GET /api/events HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
        while line := await reader.readline():
            if line.startswith(b'data: {"version"'):
                arrived_s, shown = time.perf_counter(), json.loads(line[6:])
                if shown["phase"] == "looking":
                    self.heard.setdefault(shown["number"], arrived_s)
        writer.close()


@contextmanager
def thinking() -> Iterator[None]:
    """Let the robot think for as long as this lasts, in a process as at a table."""
    robot = ThinkingProcess(PATCHWORK, 3600.0)
    robot.begin(History(Setup(market=dealt_market(1))), Level.CHAMPION)
    try:
        yield
    finally:
        robot.close()


async def press_confirm(port: int, key: str) -> None:
    """Press confirm on the page, and wait for the response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    body = b'{"button": "confirm"}'
    head = (
        f"POST /api/press HTTP/1.1\r\nHost: localhost:{port}\r\nCookie: table_{port}={key}\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    await reader.read()
    writer.close()


async def measure(port: int, key: str, pages: int, presses: int) -> list[float]:
    """Return the milliseconds from each press to each page's snapshot."""
    listeners = [Listener() for _ in range(pages)]
    tasks = [asyncio.create_task(listener.listen(port)) for listener in listeners]
    await asyncio.sleep(BETWEEN_S)
    delays_ms: list[float] = []
    for _ in range(presses):
        known = {number for listener in listeners for number in listener.heard}
        pressed_s = time.perf_counter()
        await press_confirm(port, key)
        await asyncio.sleep(BETWEEN_S)
        for listener in listeners:
            fresh = [at_s for number, at_s in listener.heard.items() if number not in known]
            delays_ms += [1000 * (min(fresh) - pressed_s)] if fresh else []
    for task in tasks:
        task.cancel()
    return delays_ms


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, nargs="+", default=[1, 50])
    parser.add_argument("--presses", type=int, default=20)
    args = parser.parse_args()
    print(f"{'pages':<18} {'samples':>8} {'median ms':>10} {'95 % ms':>8} {'worst ms':>9}")
    rows = [(f"{pages} open", pages, False) for pages in args.pages]
    for label, pages, is_thinking in (*rows, ("1, robot thinks", 1, True)):
        with tempfile.TemporaryDirectory() as folder, thinking() if is_thinking else nullcontext():
            play = with_parent(
                [sys.executable, "-m", "companion", "play", "--simulate", "--autoplay", "--new", "--port", "0"]
            )
            with subprocess.Popen([*play, "--data", folder], stdout=subprocess.PIPE, text=True) as evening:  # noqa: S603
                assert evening.stdout is not None
                found = re.search(r":(\d+)/\?key=(\S+)", evening.stdout.readline())
                assert found is not None
                delays_ms = asyncio.run(measure(int(found[1]), found[2], pages, args.presses))
                evening.terminate()
        delays_ms.sort()
        late = delays_ms[int(0.95 * (len(delays_ms) - 1))]
        print(
            f"{label:<18} {len(delays_ms):>8} {statistics.median(delays_ms):>10.0f} {late:>8.0f} {delays_ms[-1]:>9.0f}"
        )


if __name__ == "__main__":
    main()
