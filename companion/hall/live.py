"""The current state of every table for the hall's page, in memory, from the broker's messages."""

import json
from threading import Lock
from typing import Any, Final

import msgspec

from companion.mqtt.messages import ONLINE, StateMessage
from companion.web.transport.hub import Hub

TABLES: Final = "tables"
"""The hub's topic for the list of tables."""
CHANGED: Final = "changed"
"""The hub's topic for changes of results, tournaments or announcements."""
# Ten times as many as the hall was measured with.
_MOST_TABLES: Final = 2000


def table_topic(table: str) -> str:
    """Return the hub's topic for one table."""
    return f"table-{table}"


class Live:
    """The tables' current states. Thread-safe.

    Attributes:
        hub: the messages to all browsers.
    """

    def __init__(self) -> None:
        self.hub: Final = Hub()
        self._lock = Lock()
        self._states: dict[str, dict[str, Any]] = {}
        self._online: dict[str, bool] = {}
        self._changes = 0
        self._publish_tables()

    def tables(self) -> list[dict[str, Any]]:
        """Return name, availability and last state of all tables, ordered by name."""
        with self._lock:
            return [self._entry(name) for name in sorted(self._online)]

    def table(self, name: str) -> dict[str, Any] | None:
        """Return name, availability and last state of a table, or None for an unknown one."""
        with self._lock:
            return self._entry(name) if name in self._online else None

    def online(self) -> list[str]:
        """Return the names of the tables that are online: first those on which no game is played, each in order."""
        with self._lock:
            busy = {name for name, state in self._states.items() if state["game"] and state["phase"] != "finished"}
            return sorted((name for name in self._online if self._online[name]), key=lambda name: (name in busy, name))

    def state(self, table: str, state: StateMessage) -> None:
        """Set a table's state."""
        self._update(table, json.loads(msgspec.json.encode(state)), None)

    def availability(self, table: str, payload: bytes) -> None:
        """Set a table's availability from the payload of its message."""
        self._update(table, None, payload == ONLINE)

    def forget(self, table: str) -> None:
        """Remove a table."""
        with self._lock:
            self._states.pop(table, None)
            if self._online.pop(table, None) is not None:
                self._publish_tables()

    def changed(self) -> None:
        """Notify browsers that results, tournaments or announcements have changed."""
        with self._lock:
            self._changes += 1
            self.hub.publish(CHANGED, _encoded({"number": self._changes}))

    def _update(self, table: str, state: dict[str, Any] | None, online: bool | None) -> None:
        with self._lock:
            is_new = table not in self._online
            # A broker without access lists lets any client use any number of names.
            if is_new and len(self._online) >= _MOST_TABLES:
                return
            if state is not None:
                self._states[table] = state
            # A retained state may come before the availability, or from a table that is gone.
            self._online[table] = self._online.get(table, False) if online is None else online
            self.hub.publish(table_topic(table), _encoded(self._entry(table)))
            if is_new:
                self._publish_tables()

    def _publish_tables(self) -> None:
        self.hub.publish(TABLES, _encoded({"tables": sorted(self._online)}))

    def _entry(self, table: str) -> dict[str, Any]:
        return {"table": table, "online": self._online[table], "state": self._states.get(table)}


def _encoded(body: object) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
