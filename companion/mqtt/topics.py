"""The topics of a table and of a hall; see docs/mqtt.md."""

from dataclasses import dataclass
from typing import Final

from companion.config import topic_level

VERSION: Final = 1
"""The version in every topic and message, raised by changes that old receivers would misread."""
ONLINE, OFFLINE = b"online", b"offline"
"""The payloads of `availability`."""


@dataclass(frozen=True, slots=True)
class TableTopics:
    """The MQTT topics of one table.

    Attributes:
        prefix: the prefix of all topics of the companion.
        table: the table's name in topics.
    """

    prefix: str
    table: str

    @property
    def availability(self) -> str:
        """The topic of retained "online" or, also as the last will, "offline"."""
        return self._of("availability")

    @property
    def state(self) -> str:
        """The topic of the retained `StateMessage`."""
        return self._of("state")

    @property
    def events(self) -> str:
        """The topic of `EventMessage`s."""
        return self._of("events")

    @property
    def picture(self) -> str:
        """The topic of the camera's picture, a retained JPEG."""
        return self._of("picture")

    @property
    def press(self) -> str:
        """The topic of presses sent to the table: a `PressMessage`, or the bare name of a button."""
        return self._of("press")

    @property
    def resend(self) -> str:
        """The topic of `ResendMessage`s sent to the table."""
        return self._of("resend")

    @property
    def announcement(self) -> str:
        """The topic of the retained `AnnouncementMessage` to this table; an empty payload withdraws it."""
        return self._of("announcement")

    def _of(self, part: str) -> str:
        return f"{self.prefix}/v{VERSION}/tables/{self.table}/{part}"


@dataclass(frozen=True, slots=True)
class HallTopics:
    """The MQTT topics of a hall, and its subscriptions to all tables.

    Attributes:
        prefix: the prefix of all topics of the companion.
    """

    prefix: str

    @property
    def availability(self) -> str:
        """The topic of retained "online" or, also as the last will, "offline"."""
        return f"{self.prefix}/v{VERSION}/hall/availability"

    @property
    def announcement(self) -> str:
        """The topic of the retained `AnnouncementMessage` to all tables; an empty payload withdraws it."""
        return f"{self.prefix}/v{VERSION}/hall/announcement"

    @property
    def followed(self) -> tuple[str, ...]:
        """The subscriptions of a hall."""
        return tuple(f"{self.prefix}/v{VERSION}/tables/+/{part}" for part in ("availability", "state", "events"))

    def parted(self, topic: str) -> tuple[str, str] | None:
        """Return table name and last part of a table's topic, or None for any other topic."""
        start = f"{self.prefix}/v{VERSION}/tables/"
        table, _, part = topic.removeprefix(start).partition("/")
        return (table, part) if topic.startswith(start) and table and part else None


def is_table(name: str) -> bool:
    """Return whether a text is a table's name in topics."""
    try:
        topic_level(name)
    except ValueError:
        return False
    return True
