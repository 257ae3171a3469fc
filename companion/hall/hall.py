"""The hall with all its parts: database, collector, broker connection and page."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

from companion.hall import announcing, settling
from companion.hall.collector import Collector, GameEndHooks
from companion.hall.database import Database, DatabaseError
from companion.hall.invitations import FOLDER_NAME, Invitations
from companion.hall.listener import ListenerThread
from companion.hall.live import Live
from companion.hall.page import HallPage
from companion.hall.roles import stored_roles
from companion.hall.storing import StorageThread
from companion.mqtt.topics import HallTopics

if TYPE_CHECKING:
    from pathlib import Path

    from companion.config import HallConfig
    from companion.mqtt.link import Connect
    from companion.mqtt.messages import ResendMessage


class Hall:
    """A hall, running between `with` and its end.

    Args:
        config: the hall's section of the configuration.
        folder: the folder of its keys and invitations, and of its database if that is a file.
        prefix: the prefix of all topics.
        connect: opens a connection to the broker.

    Raises:
        DatabaseError: if the database is misconfigured or, on entering, cannot be used.
        PageError: on entering, if the page cannot be served.
    """

    def __init__(self, config: HallConfig, folder: Path, prefix: str, connect: Connect) -> None:
        self._folder = folder
        self.database = Database(config.database or f"sqlite:///{folder / 'hall.sqlite3'}")
        self.live = Live()
        topics = HallTopics(prefix)
        settles = GameEndHooks(settling.ended, settling.reopened)
        collector = Collector(self.database, topics, self.live, self._ask, settles)
        self._storing = StorageThread(collector)
        self.listening = ListenerThread(topics, connect, self._storing.take, self._announced)
        self.page = HallPage(
            config,
            lambda cookie: stored_roles(folder, cookie),
            self.database,
            self.live,
            self.listening.announce,
            Invitations(folder / FOLDER_NAME),
        )
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._folder.mkdir(parents=True, exist_ok=True)
            # Closed in reverse: first nothing more arrives, then everything received is stored, and the database closes
            # last.
            stack.callback(self.database.close)
            self.database.upgrade()
            # Before the threads start: if the port is taken, none of them is running.
            stack.enter_context(self.page)
            stack.callback(self._storing.close)
            self._storing.start()
            stack.callback(self.listening.close)
            self.listening.start()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _ask(self, table: str, request: ResendMessage) -> None:
        self.listening.ask(table, request)

    def _announced(self) -> dict[str, str] | None:
        """Return the announcement of every known table, empty for none, or None while the database is unavailable."""
        try:
            with self.database.transaction() as session:
                standing = {each["table"]: each["text"] for each in announcing.announcements(session)}
        # The listener asks again with its next round.
        except DatabaseError:
            return None
        # Also tables without one: an announcement that was withdrawn while the broker was away is still retained there.
        known = ["", *(each["table"] for each in self.live.tables())]
        return {**dict.fromkeys(known, ""), **standing}
