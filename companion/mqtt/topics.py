"""The topics of a table and of a hall; see docs/mqtt.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

VERSION: Final = 1
"""Stands in every topic and message; a change that an old receiver would misread raises it."""
ONLINE, OFFLINE = b"online", b"offline"
"""What `availability` says."""


@dataclass(frozen=True, slots=True)
class TableTopics:
    """The topics of one table.

    Attributes:
        prefix: of all topics of the companion.
        table: the table's name in topics.
    """

    prefix: str
    table: str

    @property
    def availability(self) -> str:
        """Retained: "online", or "offline" as its last will."""
        return self._of("availability")

    @property
    def state(self) -> str:
        """Retained: a `StateMessage`."""
        return self._of("state")

    @property
    def events(self) -> str:
        """An `EventMessage` each."""
        return self._of("events")

    @property
    def picture(self) -> str:
        """Retained: a JPEG of what the camera sees."""
        return self._of("picture")

    @property
    def press(self) -> str:
        """To the table: the name of a button."""
        return self._of("press")

    @property
    def resend(self) -> str:
        """To the table: a `ResendMessage`."""
        return self._of("resend")

    @property
    def announcement(self) -> str:
        """To this table, retained: an `AnnouncementMessage`; empty takes it back."""
        return self._of("announcement")

    def _of(self, part: str) -> str:
        return f"{self.prefix}/v{VERSION}/tables/{self.table}/{part}"


@dataclass(frozen=True, slots=True)
class HallTopics:
    """The topics of a hall, and those by which it follows all tables.

    Attributes:
        prefix: of all topics of the companion.
    """

    prefix: str

    @property
    def availability(self) -> str:
        """Retained: "online", or "offline" as its last will."""
        return f"{self.prefix}/v{VERSION}/hall/availability"

    @property
    def announcement(self) -> str:
        """To every table, retained: an `AnnouncementMessage`; empty takes it back."""
        return f"{self.prefix}/v{VERSION}/hall/announcement"

    @property
    def followed(self) -> tuple[str, ...]:
        """The subscriptions of a hall."""
        return tuple(f"{self.prefix}/v{VERSION}/tables/+/{part}" for part in ("availability", "state", "events"))

    def parted(self, topic: str) -> tuple[str, str] | None:
        """Return the table and the part of its topic, or None for any other topic."""
        start = f"{self.prefix}/v{VERSION}/tables/"
        table, _, part = topic.removeprefix(start).partition("/")
        return (table, part) if topic.startswith(start) and table and part else None
