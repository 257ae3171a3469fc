"""Files of the program that one thing at the table enters, from the device or the inbox to the last listener.

    python -m bench.costs.ways [--list] [ROW ...]

Rows are the frames at a table at rest, a press of *confirm*, a patch entered on the page, a photograph, and a sheet of
Kvilt. The table is a real one over simulated devices: its journal is on disk, it has lights, a page with one reader of
its event stream, a host for further games, and a broker that accepts everything. A press and an entry count from the
frame that they come with to the third frame after the decision, the writing for page and broker included.

A file counts if one of its functions is entered in any thread; in the idle row the timers of the broker's threads do
not, as no frame causes them. Simulated devices (`hardware/simulated`), messages (`companion/languages`) and code that
runs when a module is imported do not count. `--list` prints the files.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import io
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any, Final

import cv2

from companion.__main__ import main as companion
from companion.compose.playing import RealTable, play
from companion.config import Config, PageConfig
from companion.games.kvilt.state import Setup
from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH
from companion.games.patchwork.decisions import TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup as PatchworkSetup
from companion.journal import TABLE_NAME, Journal
from companion.kvilt.sheets.files import load_sheet
from companion.mqtt.courier import CourierHooks
from companion.mqtt.link import Hello, News, Published
from companion.mqtt.messages import HallTopics, TableTopics
from companion.mqtt.table import TableOnBroker
from companion.patchwork.commands import Override
from companion.patchwork.settings import PatchworkSettings
from companion.play import events
from companion.play.host import Host, NextGame
from companion.play.session import DeviceFactory, Participants
from companion.registry import codecs, game_named, games, pages
from companion.web.page import PageServer
from hardware.ports import Button, EndOfFramesError, Frame
from hardware.reconnecting import ReopeningCamera
from hardware.simulated.conditions import normal
from hardware.simulated.devices import SimulatedClock, SimulatedControls, SimulatedLightStrip
from hardware.simulated.scene.table import SimulatedTable, cells_of
from hardware.simulated.sheets.conditions import LIGHTS, STYLES
from hardware.simulated.sheets.sheet import SimulatedSheet
from hardware.strips import ResilientStrip
from tests.companion.games.kvilt.played import play_game

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = ("companion", "vision", "calibration", "hardware")
WITHOUT: Final = ("hardware/simulated/", "companion/languages/")
FRAME_S: Final = 0.2
MARKET: Final = (*(patch for patch in PATCHES if patch != SMALLEST_PATCH), SMALLEST_PATCH)
SETTLE: Final = 25
"""Frames until the empty boards are known."""
REST: Final = 75
"""Frames until the table counts as at rest, after which pictures come less often."""
IDLE: Final = 15
"""Frames of the idle row: more than one cycle of the lights, whose changes the page shows."""
LOOK: Final = 30
"""Frames within which a look ends and all listeners have its decision."""
WRITTEN_S: Final = 1.0
"""Time for the other threads to finish what a decision gives them to do, in real seconds."""


class Trace:
    """The files that functions are entered in while it is on, in all threads started after it."""

    def __init__(self) -> None:
        self._is_on, self._without = False, ""
        self._seen: dict[str, str | None] = {}
        self._entered: set[str] = set()
        sys.setprofile(self._called)
        threading.setprofile(self._called)

    def begin(self, *, without: str = "") -> None:
        """Start counting from nothing, except in threads whose name begins with `without`, if it is not empty."""
        self._entered, self._without, self._is_on = set(), without, True

    def end(self) -> list[str]:
        """Stop counting and return the files, by their paths from the root."""
        self._is_on = False
        return sorted(self._entered)

    def _called(self, frame: FrameType, event: str, _: Any) -> None:
        if not self._is_on or event != "call" or frame.f_code.co_name == "<module>":
            return
        if self._without and threading.current_thread().name.startswith(self._without):
            return
        name = frame.f_code.co_filename
        if name not in self._seen:
            self._seen[name] = _counted(name)
        if (path := self._seen[name]) is not None:
            self._entered.add(path)


def _counted(name: str) -> str | None:
    """Return a file's path from the root, or None if it does not count."""
    path = Path(name)
    if not path.is_relative_to(ROOT):
        return None
    inside = path.relative_to(ROOT).as_posix()
    return inside if inside.startswith(PACKAGES) and not inside.startswith(WITHOUT) else None


class Broker:
    """A connection to a broker that accepts every message at once."""

    def __init__(self, _: Hello, notify: Callable[[News], None]) -> None:
        self._notify, self._sent = notify, 0

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 1) -> int:
        """Accept a message and acknowledge it."""
        del topic, payload, retain, qos
        self._sent += 1
        self._notify(Published(self._sent))
        return self._sent

    def subscribe(self, topic: str) -> None:
        """Do nothing: no message ever arrives."""

    def close(self) -> None:
        """Do nothing."""


class Room:
    """The devices of a table at which the rows happen one after the other; it is its own camera."""

    def __init__(self, trace: Trace, page: PageServer) -> None:
        self._trace, self._page = trace, page
        self.clock = SimulatedClock()
        self.controls = SimulatedControls(self.clock)
        self.table = SimulatedTable(3, normal(), market=MARKET)
        self._script = self._played()
        self._state: Any = None
        self._taken = 0
        self.rows: dict[str, list[str]] = {}

    def openers(self) -> DeviceFactory:
        """Return the functions that open these devices."""
        strip = SimulatedLightStrip(60)
        return DeviceFactory(
            self.clock,
            lambda say, idle: ReopeningCamera(lambda: self, self.clock, say, idle),
            lambda: self.controls,
            lambda say: ResilientStrip(lambda: strip, 60, self.clock, say),
        )

    def follow(self, event: Any) -> None:
        """Remember the state of the game; a listener."""
        self._state = event.state
        self._taken += isinstance(event, events.DecisionTaken)

    def capture(self) -> Frame:
        """Return the next picture, after what happens before it."""
        self.clock.sleep(FRAME_S)
        try:
            next(self._script)
        except StopIteration:
            raise EndOfFramesError("that was all") from None
        now_s = self.clock.now()
        return Frame(self.table.frame(now_s), now_s, f"{now_s:.1f}.jpg")

    def close(self) -> None:
        """Do nothing."""

    def _played(self) -> Iterator[None]:
        yield from self._frames(SETTLE)
        first = self._next_patch()
        self._lay(first)
        yield from self._frames(SETTLE)
        self._trace.begin()
        self.controls.press(Button.CONFIRM)
        yield from self._until_taken("confirm")
        yield from self._frames(REST)
        self._trace.begin(without="mqtt")
        yield from self._frames(IDLE)
        self._end("idle frame")
        entered = self._next_patch()
        self._lay(entered)
        yield from self._frames(SETTLE)
        self._trace.begin()
        self._page.remote.inbox.put(Override(entered.seat, entered.cells, entered.patch))
        yield from self._until_taken("correction")

    @staticmethod
    def _frames(count: int) -> Iterator[None]:
        for _ in range(count):
            yield

    def _until_taken(self, row: str) -> Iterator[None]:
        """Pass frames until one more decision is taken and all listeners have it, and store the row."""
        before = self._taken
        for _ in range(LOOK):
            yield
            if self._taken > before:
                break
        else:
            raise SystemExit(f"{row}: no decision was taken")
        yield from self._frames(3)
        self._end(row)

    def _end(self, row: str) -> None:
        """Store a row, once the other threads have done their part."""
        time.sleep(WRITTEN_S)
        self.rows[row] = self._trace.end()

    def _next_patch(self) -> TakePatch:
        return next(each for each in legal_decisions(self._state) if isinstance(each, TakePatch))

    def _lay(self, taken: TakePatch) -> None:
        self.table.lay(taken.seat, taken.patch, cells_of(taken.cells))


def read_stream(port: int) -> None:
    """Open the page's event stream as a spectator, and read it in a thread until it ends."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/api/events", headers={"Host": f"localhost:{port}"})
    response = connection.getresponse()

    def read() -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            while response.readline():
                pass

    threading.Thread(target=read, daemon=True).start()


def at_table(trace: Trace, folder: Path) -> dict[str, list[str]]:
    """Return the rows of a table's game."""
    patchwork = game_named("patchwork")
    path = folder / "games.sqlite3"
    config = replace(Config(), page=PageConfig(port=0)).with_game(PatchworkSettings(market=MARKET))
    host = Host(config, TABLE_NAME, patchwork, games(), by_hand=False)
    hooks = CourierHooks(TableTopics("bench", "table"), HallTopics("bench"))
    with (
        Journal(path, codecs()) as journal,
        PageServer(pages(), config.page, path, host=host) as page,
        TableOnBroker("Table", hooks, pages(), folder / "outbox", Broker) as broker,
    ):
        read_stream(page.door.port)
        room = Room(trace, page)
        company = Participants((page, broker, room.follow), [page.strip], page.remote)
        played = play(NextGame(patchwork, config), RealTable(room.openers()), journal, folder, company, host)
    if played.error is not None:
        raise SystemExit(played.error)
    return room.rows


def scored(trace: Trace, *arguments: str) -> list[str]:
    """Return the files that `companion score` enters."""
    printed = io.StringIO()
    trace.begin()
    with contextlib.redirect_stdout(printed):
        status = companion(["score", *arguments, "--json"])
    entered = trace.end()
    if status:
        raise SystemExit(f"companion score {' '.join(arguments)}: status {status}")
    return entered


def photograph(trace: Trace, folder: Path) -> list[str]:
    """Return the files that the score of a photographed table enters."""
    table, history = SimulatedTable(3, normal(), market=MARKET), History(PatchworkSetup(market=MARKET))
    for _ in range(10):
        legal = list(legal_decisions(history.state))
        decision = next((each for each in legal if isinstance(each, TakePatch)), legal[0])
        if isinstance(decision, TakePatch):
            table.lay(decision.seat, decision.patch, cells_of(decision.cells))
        history.apply(decision)
    cv2.imwrite(str(folder / "table.jpg"), table.frame(0.0))
    return scored(trace, str(folder / "table.jpg"))


def kvilt_sheet(trace: Trace, folder: Path) -> list[str]:
    """Return the files that the score of a coloured sheet enters."""
    game = play_game(Setup(load_sheet(), ("Anna", "Boris")), random.Random(1))
    sheet = SimulatedSheet(1, next(iter(STYLES.values())))
    sheet.colour(dict(game.state.seat(1).marks.regions(load_sheet())))
    cv2.imwrite(str(folder / "sheet.jpg"), sheet.photograph(next(iter(LIGHTS.values()))))
    return scored(trace, str(folder / "sheet.jpg"), "--game", "kvilt")


SEPARATE: Final[Mapping[str, Callable[[Trace, Path], list[str]]]] = {
    "photograph": photograph,
    "kvilt sheet": kvilt_sheet,
}
"""The rows that need no table."""
AT_TABLE: Final = ("idle frame", "confirm", "correction")


def main() -> None:
    """Count, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join((*AT_TABLE, *SEPARATE)))
    parser.add_argument("--list", action="store_true", help="print the files, too")
    args = parser.parse_args()
    rows = args.rows or [*AT_TABLE, *SEPARATE]
    unknown = set(rows) - {*AT_TABLE, *SEPARATE}
    if unknown:
        parser.error(f"there is no row {', '.join(sorted(unknown))}")
    trace = Trace()
    found: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if any(row in AT_TABLE for row in rows):
            found |= at_table(trace, folder)
        found |= {row: count(trace, folder) for row, count in SEPARATE.items() if row in rows}
    print(f"{'files entered by':20}  {'files':>6} {'folders':>8}")
    for row in rows:
        print(f"{row:20}  {len(found[row]):>6} {len({Path(each).parent for each in found[row]}):>8}")
        if args.list:
            print("".join(f"    {each}\n" for each in found[row]), end="")


if __name__ == "__main__":
    main()
