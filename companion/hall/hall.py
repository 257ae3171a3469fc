"""The hall with all its parts: database, collector, broker connection and page."""

import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Condition, Event, Thread
from typing import Final, Self

from sqlalchemy import and_, case, or_, select
from sqlalchemy.orm import Session, aliased
from starlette.requests import HTTPConnection
from starlette.routing import Route
from starlette.types import ASGIApp, Scope

from companion.config import HallConfig
from companion.hall import club
from companion.hall.collector import Collector, GameEndHooks, Note
from companion.hall.damage import DamageWatch, repair
from companion.hall.database import Database, DatabaseError, Pairing, Player, TableGame, Tournament, TournamentEntry
from companion.hall.invitations import FOLDER_NAME, Invitations
from companion.hall.listener import ListenerThread
from companion.hall.live import Live
from companion.hall.routes import ROUTES, bound
from companion.hall.site import HallSite, Role, Roles, stored_roles
from companion.hall.tournaments import result_of
from companion.journal import JOURNAL_NAME
from companion.journal.logs import JournalLock
from companion.journal.restoration import complete_exchange
from companion.languages import Sentence
from companion.mqtt.link import Arrived, Connect
from companion.mqtt.messages import HallTopics, ResendMessage, is_table
from companion.ownership import as_owner_of
from companion.web.routing import application
from companion.web.transport.hub import BYE
from companion.web.transport.server import Server, authority, listen, reached_at


def build_hall_app(site: HallSite, names: Iterable[str] = ()) -> ASGIApp:
    """Return the ASGI application of a hall's page; `names` are further host names by which browsers may call it."""
    routes = [Route(path, bound(site, handler), methods=[method]) for method, path, handler in ROUTES]
    return application(routes, names=names)


class HallPage:
    """The hall's page, served between `with` and its end.

    Args:
        config: the address and port that it listens at.
        roles: returns the roles and their keys for the name of the page's cookie.
        database: the collected games, and the tournaments.
        live: the current states of the tables.
        announce: updates the announcements on the broker.
        invitations: the open invitations of tables.

    Raises:
        PageError: on entering, if it cannot be served.
    """

    def __init__(
        self,
        config: HallConfig,
        roles: Callable[[str], Roles],
        database: Database,
        live: Live,
        announce: Callable[[], None],
        invitations: Invitations,
    ) -> None:
        self._config, self._roles_of = config, roles
        self._database, self._live, self._announce, self._invitations = database, live, announce, invitations
        self._server: Server | None = None
        self._roles: Roles | None = None
        self.port = 0

    @property
    def address(self) -> str:
        """The page's address for a browser on the network if it is open to that, else for one on this machine."""
        host = reached_at(self._config.host) if self._config.lan else None
        return f"http://{'localhost' if host is None else authority(host)}:{self.port}/"

    def link(self, role: Role) -> str:
        """Return the page's address with a role's key."""
        assert self._roles is not None  # noqa: S101  # It is served.
        return f"{self.address}?key={self._roles.keys[role].key}"

    def __enter__(self) -> Self:
        listener = listen(self._config.host, self._config.port, lan=self._config.lan)
        self.port = int(listener.getsockname()[1])
        roles = self._roles = self._roles_of(f"hall_{self.port}")

        def has_key(scope: Scope) -> bool:
            return roles.of(HTTPConnection(scope)) > Role.GUEST

        site = HallSite(roles, self._database, self._live, self._announce, invitations=self._invitations)
        self._server = Server(build_hall_app(site, self._config.names), listener, has_key)
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        # Before the server stops, which would otherwise wait for the open streams.
        self._live.hub.publish(BYE, b"{}")
        if self._server is not None:
            self._server.stop()


_LOG: Final = logging.getLogger(__name__)
_TICK_S: Final = 0.25
_BATCH: Final = 500
# Of one table; about ten games.
_MOST_WAITING: Final = 2000
_ALIVE_EVERY_S: Final = 1.0
# Longer than it takes to connect to a broker that does not answer, and than any batch.
_HANGS_AFTER_S: Final = 60.0
# Longer than a database's time-out; what is not stored by then is asked for at the next start.
_ENDS_IN_S: Final = 10.0


class TableQueues:
    """Messages that wait to be stored, by table: each table has an equal share of every batch. Thread-safe.

    Args:
        most: the number of messages of a table that wait; further ones are dropped, as the table keeps its events.
    """

    def __init__(self, most: int = _MOST_WAITING) -> None:
        self._most = most
        self._queues: dict[str, deque[Note]] = {}
        self._changed = Condition()

    def put(self, notes: Sequence[Note]) -> None:
        """Queue messages, in order; never waits."""
        with self._changed:
            for note in notes:
                queue = self._queues.setdefault(note.table, deque())
                if len(queue) < self._most:
                    queue.append(note)
            self._changed.notify()

    def take(self, count: int, wait_s: float) -> list[Note]:
        """Return up to `count` messages, one of each table in turn; wait up to `wait_s` for the first."""
        with self._changed:
            self._changed.wait_for(lambda: self._queues, wait_s)
            taken: list[Note] = []
            while self._queues and len(taken) < count:
                table, queue = next(iter(self._queues.items()))
                taken.append(queue.popleft())
                # Put behind the others for its next turn.
                del self._queues[table]
                if queue:
                    self._queues[table] = queue
            return taken

    def is_empty(self) -> bool:
        """Return whether no message waits."""
        return not self._queues


class StorageThread:
    """A thread that stores messages with a collector, which sees them at once.

    Args:
        collector: sees and stores the messages.

    Attributes:
        beat_s: when the thread last came round, on the monotonic clock.
    """

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._queues = TableQueues()
        self._closing = Event()
        self._thread = Thread(target=self._run, name="hall-storing", daemon=True)
        self.beat_s = time.monotonic()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def take(self, messages: Sequence[Arrived]) -> None:
        """Let the collector see messages, and queue them for storing; never waits."""
        self._queues.put(self._collector.see(messages))

    def close(self) -> None:
        """Store the queued messages, and end the thread; may be called more than once."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(_ENDS_IN_S)

    def _run(self) -> None:
        # What was received before the end is stored before the thread ends.
        while not (self._closing.is_set() and self._queues.is_empty()):
            self.beat_s = time.monotonic()
            try:
                waiting = self._queues.take(_BATCH, _TICK_S)
                self._collector.store(waiting, more=not self._queues.is_empty())
            except Exception:
                # The tables keep their events and are asked again, whatever the error is.
                _LOG.exception("not stored")


def ended(session: Session, game: TableGame) -> None:
    """Enter the result of a game into the pairing that has one from it, or else the newest open one of its players."""
    # Tournaments are for two players per table.
    if len(game.players) != 2 or len(game.scores) != 2:
        return
    keys = [club.player_key(str(name)) for name in game.players]
    found = _open_pairing(session, game, keys)
    if found is not None:
        pairing, first = found
        club.withdraw_pairing(session, session.get_one(Tournament, pairing.tournament_id), pairing)
        # The seats at the table need not follow the pairing's order.
        pairing.score = _score(game, keys.index(first))
        pairing.game_id, pairing.absent = game.id, None
        pairing.table_name = game.table_name


def reopened(session: Session, game: TableGame) -> None:
    """Withdraw the result of a game that was undone after its end, unless something was derived from it.

    A closed tournament has been counted in the ratings, and a later round has been paired. The result stands until the
    game ends again, or a referee corrects it.
    """
    for pairing in session.scalars(select(Pairing).where(Pairing.game_id == game.id)):
        tournament = session.get_one(Tournament, pairing.tournament_id)
        if tournament.closed_at is None and not club.is_later_paired(session, tournament, pairing.round):
            pairing.score, pairing.game_id = None, None
            club.announce_again(session, tournament, pairing)


def _score(game: TableGame, at: int) -> float:
    """Return the points of the player at index `at`, by the winners, which include tie-breaks, or else by scores."""
    if len(game.winners) == 1:
        return 1.0 if game.winners[0] == at + 1 else 0.0
    return result_of(float(game.scores[at]), float(game.scores[1 - at])) if not game.winners else 0.5


def _open_pairing(session: Session, game: TableGame, keys: Sequence[str]) -> tuple[Pairing, str] | None:
    """Return the pairing of a game's players in an open tournament, and its first player's key, or None.

    It is the one that has its result from this game, or else the newest one without a result that was paired before the
    game began: the hall may hear late of a game, whether its table knows that it has no connection, or not yet.
    """
    # The database finds the players: a table that ends one game after another must not delay the others.
    first, second = aliased(TournamentEntry), aliased(TournamentEntry)
    one, other = aliased(Player), aliased(Player)
    is_its_own = Pairing.game_id == game.id
    is_in_time = or_(Pairing.paired_at.is_(None), Pairing.paired_at <= game.started_at)
    query = (
        select(Pairing, one.key)
        .join(Tournament, Pairing.tournament_id == Tournament.id)
        .join(first, and_(first.tournament_id == Pairing.tournament_id, first.number == Pairing.first))
        .join(second, and_(second.tournament_id == Pairing.tournament_id, second.number == Pairing.second))
        .join(one, one.id == first.player_id)
        .join(other, other.id == second.player_id)
        .where(Tournament.closed_at.is_(None), or_(Pairing.score.is_(None), is_its_own))
        .where(or_(Pairing.after_game.is_(None), Pairing.after_game < game.id, is_its_own))
        .where(or_(is_in_time, is_its_own))
        .where(one.key.in_(keys), other.key.in_(keys))
        .order_by(case((is_its_own, 0), else_=1), Pairing.id.desc())
        .limit(1)
    )
    found = session.execute(query).first()
    return None if found is None else (found[0], found[1])


class Hall:
    """A hall, running between `with` and its end.

    Args:
        config: the hall's section of the configuration.
        folder: the folder of its keys and invitations, and of its database if that is a file.
        prefix: the prefix of all topics.
        connect: opens a connection to the broker.

    Raises:
        JournalError: on entering, if another hall uses the same folder.
        DatabaseError: if the database is misconfigured or, on entering, cannot be used.
        PageError: on entering, if the page cannot be served.
    """

    def __init__(self, config: HallConfig, folder: Path, prefix: str, connect: Connect) -> None:
        self._folder = folder
        self.repaired: Sentence | None = None
        self.database = Database(config.database or f"sqlite:///{folder / 'hall.sqlite3'}")
        self.live = Live()
        topics = HallTopics(prefix)
        settles = GameEndHooks(ended, reopened, self._announce)
        collector = Collector(self.database, topics, self.live, self._ask, settles)
        self._storing = StorageThread(collector)
        self._watch = DamageWatch(self.database, self._show_repair)
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
            stack.enter_context(as_owner_of(self._folder))
            complete_exchange(self._folder.with_name(JOURNAL_NAME))
            self._folder.mkdir(parents=True, exist_ok=True)
            # Held while it runs: its files are neither deleted nor replaced meanwhile, nor does a second hall use them.
            stack.enter_context(JournalLock(self._folder, timeout_s=0.0))
            # Closed in reverse: first nothing more arrives, then everything received is stored, and the database closes
            # last.
            stack.callback(self.database.close)
            self.repaired = repair(self.database, datetime.now(UTC))
            self.database.upgrade()
            # Before the threads start: if the port is taken, none of them is running.
            stack.enter_context(self.page)
            stack.callback(self._storing.close)
            self._storing.start()
            stack.callback(self.listening.close)
            self.listening.start()
            stack.callback(self._watch.close)
            self._watch.start()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def wait(self, alive: Callable[[], None]) -> None:
        """Wait until the user interrupts the program; call `alive` from time to time, while no thread hangs."""
        with suppress(KeyboardInterrupt):
            while True:
                if self.is_alive():
                    alive()
                time.sleep(_ALIVE_EVERY_S)

    def is_alive(self) -> bool:
        """Return whether both threads have come round lately."""
        return time.monotonic() - min(self._storing.beat_s, self.listening.beat_s) < _HANGS_AFTER_S

    def _show_repair(self, says: Sentence) -> None:
        self.repaired = says
        self.live.changed()
        self.listening.announce()

    def _ask(self, table: str, request: ResendMessage) -> None:
        self.listening.ask(table, request)

    def _announce(self) -> None:
        self.listening.announce()

    def _announced(self) -> dict[str, str] | None:
        """Return the announcement of every known table, empty for none, or None while the database is unavailable."""
        try:
            with self.database.transaction() as session:
                standing = {each["table"]: each["text"] for each in club.announcements(session)}
        # The listener asks again with its next round.
        except DatabaseError:
            return None
        # Also tables without one: an announcement that was withdrawn while the broker was away is still retained there.
        known = dict.fromkeys(["", *(each["table"] for each in self.live.tables())], "")
        return {table: text for table, text in (known | standing).items() if not table or is_table(table)}
