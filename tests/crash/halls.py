"""A running hall that is killed again and again, while a table reports games and a director enters tournaments."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import replace
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final

from companion.durable import database_damage
from companion.mqtt.courier import CourierHooks
from companion.mqtt.link import Address, PahoLink
from companion.mqtt.messages import HallTopics, TableTopics
from companion.mqtt.table import TableOnBroker
from companion.registry import pages
from companion.web.access import KEY_NAME
from tests.companion.mqtt.standin import game_events
from tests.crash.announced import LostError
from tests.crash.disk import damage
from tests.ending import with_parent
from tests.mosquitto import MISSING, PROGRAM, Mosquitto, free_port

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from tests.crash.program import Program

_PREFIX: Final = "quilt-companion"
_STEPS: Final = 900
"""The last step at which to kill; a first start makes some 300, an event or an entry some 6."""
_LATEST_S: Final = 4.0
_PATIENCE_S: Final = 120.0
_PAGE: Final = 4096
_EVENTS: Final = "SELECT count(*) FROM events"
_ENDED: Final = "SELECT count(*) FROM games WHERE finished_at IS NOT NULL"


class KilledHall:
    """A hall that is killed while it is used; a table and a director go on until the end.

    Args:
        program: a program with its own home folder.
        rng: chooses the moments, and what is damaged.

    Attributes:
        found: the number of each outcome.
    """

    def __init__(self, program: Program, rng: random.Random) -> None:
        if PROGRAM is None:
            raise SystemExit(MISSING)
        self._program, self._rng = program, rng
        self._database = program.data / "hall" / "hall.sqlite3"
        self._broker, self._port = Mosquitto(program.home / "broker"), free_port()
        self._config = program.home / "hall.toml"
        self._line = ("hall", "--config", str(self._config), "--data", str(program.data))
        self._ends = Event()
        self._entered: dict[str, str] = {}
        self._opened, self._taken = game_events(6)
        self._games = 0
        self.found = Counter[str]()

    def killed(self, count: int) -> Counter[str]:
        """Kill it `count` times, then let it collect everything, damage its files, and let it do that again.

        Raises:
            LostError: an event or an entry that was answered is missing, or one is there twice.
        """
        with self._broker:
            self._config.write_text(
                f'[mqtt]\nbroker = "mqtt://127.0.0.1:{self._broker.port}"\n[hall]\nport = {self._port}\n', "utf-8"
            )
            with self._table() as table:
                users = [Thread(target=self._play, args=[table]), Thread(target=self._direct)]
                for user in users:
                    user.start()
                try:
                    for _ in range(count):
                        self._kill()
                finally:
                    self._ends.set()
                    for user in users:
                        user.join()
                self._collect()
                self._damage()
                self._collect()
        self.found["games collected"] = self._games
        self.found["tournaments entered"] = len(self._entered)
        return self.found

    def _kill(self) -> None:
        torn = self._rng.random() < 0.5
        run = self._program.run(
            *self._line,
            kill_at=self._rng.randint(1, _STEPS),
            torn=torn,
            kill_after_s=self._rng.uniform(0, _LATEST_S),
        )
        if not run.was_killed:
            raise LostError(f"the hall ended by itself: {run.status} {run.says}")
        if "damaged" in run.says or "Traceback" in run.says:
            raise LostError(f"a kill damages nothing: {run.says}")
        self.found["killed"] += 1
        self._check()

    def _check(self) -> None:
        """Check the database: sound, without a gap in the events, and with everything that was answered."""
        if self._count("SELECT count(*) FROM sources") < 0:
            if self._entered:
                raise LostError("there is no database")
            return
        if (fault := database_damage(self._database)) is not None:
            raise LostError(f"a kill damages nothing: {fault}")
        for source, last in _rows(self._database, "SELECT source, sequence FROM sources"):
            query = "SELECT count(*), max(sequence) FROM events WHERE source = ?"
            if _rows(self._database, query, source) != [(last, last)]:
                raise LostError(f"events are missing up to {last}")
        self._check_entered()

    def _check_entered(self) -> None:
        query = (
            "SELECT CASE WHEN score IS NOT NULL THEN 'result' WHEN pairings.id IS NULL THEN 'begun' ELSE 'paired' END "
            "FROM tournaments LEFT JOIN pairings ON tournament_id = tournaments.id WHERE name = ?"
        )
        order = ("begun", "paired", "result")
        for name, stage in dict(self._entered).items():
            there = _rows(self._database, query, name)
            if len(there) != 1 or order.index(there[0][0]) < order.index(stage):
                raise LostError(f"{name} was answered as {stage}, and is {there}")

    def _collect(self) -> None:
        """Let the hall run until it has every event of the table; each game has ended once."""
        whole = self._games * (len(self._taken) + 2)
        with (self._program.home / "hall.out").open("w+", encoding="utf-8") as says:
            command = with_parent([sys.executable, "-m", "companion", *self._line])
            with subprocess.Popen(command, stdout=says, stderr=subprocess.STDOUT) as process:
                ends_s = time.monotonic() + _PATIENCE_S
                while time.monotonic() < ends_s and process.poll() is None:
                    time.sleep(0.2)
                    is_up = "key=" in (self._program.home / "hall.out").read_text("utf-8")
                    if is_up and (self._count(_EVENTS), self._count(_ENDED)) == (whole, self._games):
                        break
                process.send_signal(signal.SIGTERM)
            says.seek(0)
            text = says.read()
        events, games = self._count(_EVENTS), self._count(_ENDED)
        if (events, games) != (whole, self._games):
            raise LostError(f"{whole} events of {self._games} games were sent, {events} of {games} are there: {text}")
        if (process.returncode, "Traceback" in text) != (0, False):
            raise LostError(f"the hall ended with {process.returncode}: {text}")
        self._check_entered()
        if "is damaged" in text:
            self.found["damage said, everything collected again"] += 1

    def _damage(self) -> None:
        """Zero a page of what the hall has collected; what has been entered is on other pages."""
        query = "SELECT rootpage FROM sqlite_master WHERE name IN ('events', 'games', 'sources')"
        (page,) = self._rng.choice(_rows(self._database, query))
        with self._database.open("r+b") as file:
            file.seek((page - 1) * _PAGE)
            file.write(bytes(_PAGE))
        # And a second file: the key of a role, without which another one is drawn.
        damage(self._program.data / "hall" / "keys" / "director" / KEY_NAME, self._rng, "zero")

    def _count(self, query: str) -> int:
        with suppress(sqlite3.Error):
            return int(_rows(self._database, query)[0][0])
        return -1

    def _table(self) -> TableOnBroker:
        hooks = CourierHooks(TableTopics(_PREFIX, "table-1"), HallTopics(_PREFIX))
        address = Address("127.0.0.1", self._broker.port)
        outbox = self._program.home / "outbox.sqlite3"
        return TableOnBroker("Table 1", hooks, pages(), outbox, lambda hello, tell: PahoLink(address, hello, tell))

    def _play(self, table: TableOnBroker) -> None:
        """Report one game after the other, each to its end."""
        while not self._ends.wait(0.2):
            self._games += 1
            table(replace(self._opened, game_id=self._games))
            for event in self._taken:
                table(event)
                self._ends.wait(0.02)

    def _direct(self) -> None:
        """Enter one tournament after the other, and note what was answered."""
        number = 0
        while not self._ends.wait(0.3):
            number += 1
            name = f"Cup {number}"
            begun = self._post(
                "/api/tournaments", {"name": name, "system": "swiss", "players": ["Anna", "Boris"], "rounds": 1}
            )
            if begun is None:
                continue
            self._entered[name] = "begun"
            place = f"/api/tournaments/{begun['tournament']['id']}"
            if self._post(f"{place}/pair", {}) is not None:
                self._entered[name] = "paired"
                if self._post(f"{place}/result", {"round": 1, "board": 1, "score": 0.5}) is not None:
                    self._entered[name] = "result"

    def _post(self, path: str, body: Any) -> Any:
        """Return the answer to a command, or None if there is none."""
        with suppress(OSError, HTTPException, ValueError):
            key = (self._program.data / "hall" / "keys" / "director" / KEY_NAME).read_text("ascii")
            head = {"Content-Type": "application/json", "Cookie": f"hall_{self._port}={key}"}
            with closing(HTTPConnection("127.0.0.1", self._port, timeout=10)) as connection:
                connection.request("POST", path, json.dumps(body), head)
                answer = connection.getresponse()
                return json.loads(answer.read()) if answer.status == 200 else None
        return None


def _rows(path: Path, query: str, *values: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query, values).fetchall()
