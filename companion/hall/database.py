"""The hall's database: its tables, connections, migrations and transactions."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from threading import Condition
from threading import Event as Signal
from typing import Any, Final

from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.util import CommandError
from sqlalchemy import (
    JSON,
    DateTime,
    Engine,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
    create_engine,
    event,
    make_url,
)
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, sessionmaker

from companion.durable import is_damage
from companion.errors import CompanionError


class Base(DeclarativeBase):
    """The base class of all models."""


class EventSource(Base):
    """The progress of an event source of a table, by which each event is counted exactly once."""

    __tablename__ = "sources"

    table_name: Mapped[str] = mapped_column(String(64), primary_key=True)
    source: Mapped[str] = mapped_column(String(64), primary_key=True)
    sequence: Mapped[int] = mapped_column(Integer)


class Event(Base):
    """An event of a table, as received."""

    __tablename__ = "events"

    table_name: Mapped[str] = mapped_column(String(64), primary_key=True)
    source: Mapped[str] = mapped_column(String(64), primary_key=True)
    sequence: Mapped[int] = mapped_column(Integer, primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    at: Mapped[str] = mapped_column(String(40))
    body: Mapped[str] = mapped_column(Text)


class TableGame(Base):
    """A game at a table, derived from its events.

    Attributes:
        started_at: when it began, by the hall's clock as far as the table's is known to be wrong, as is `finished_at`.
    """

    __tablename__ = "games"
    __table_args__ = (UniqueConstraint("table_name", "source", "number"), Index("games_by_end", "finished_at"))

    id: Mapped[int] = mapped_column(primary_key=True)
    table_name: Mapped[str] = mapped_column(String(64))
    source: Mapped[str] = mapped_column(String(64))
    number: Mapped[int] = mapped_column(Integer)
    game: Mapped[str] = mapped_column(String(64))
    title: Mapped[str] = mapped_column(String(128))
    players: Mapped[list[Any]] = mapped_column(JSON)
    scores: Mapped[list[Any]] = mapped_column(JSON)
    winners: Mapped[list[Any]] = mapped_column(JSON)
    decisions: Mapped[int] = mapped_column(Integer, default=0)
    started_at: Mapped[str] = mapped_column(String(40))
    finished_at: Mapped[str | None] = mapped_column(String(40))


class Player(Base):
    """A player of the club; the rating is computed from all closed tournaments."""

    __tablename__ = "players"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64))
    key: Mapped[str] = mapped_column(String(64), unique=True)
    rating: Mapped[float] = mapped_column(Float, default=1500.0)
    deviation: Mapped[float] = mapped_column(Float, default=350.0)
    volatility: Mapped[float] = mapped_column(Float, default=0.06)


class Tournament(Base):
    """A tournament; `closed_at` is set once it counts for the ratings."""

    __tablename__ = "tournaments"
    # The page's links name a tournament by its number, which one that is removed does not pass on.
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012  # SQLAlchemy reads it once.

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64))
    system: Mapped[str] = mapped_column(String(16))
    rounds: Mapped[int] = mapped_column(Integer)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    closed_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class TournamentEntry(Base):
    """A player in a tournament."""

    __tablename__ = "entries"
    __table_args__ = (UniqueConstraint("tournament_id", "number"), UniqueConstraint("tournament_id", "player_id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    number: Mapped[int] = mapped_column(Integer)
    present: Mapped[bool] = mapped_column(default=True)


class Pairing(Base):
    """A game of a round, or a bye if `second` is null.

    Attributes:
        score: the points of `first`; null while undecided.
        absent: who did not appear: "first", "second" or "both"; null for a game that was or will be played.
        after_game: the number of the last game that a table had begun when the round was paired.
        paired_at: the time of the pairing by the hall's clock; null if it is not known.
    """

    __tablename__ = "pairings"
    __table_args__ = (UniqueConstraint("tournament_id", "round", "board"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))
    round: Mapped[int] = mapped_column(Integer)
    board: Mapped[int] = mapped_column(Integer)
    table_name: Mapped[str | None] = mapped_column(String(64))
    first: Mapped[int] = mapped_column(Integer)
    second: Mapped[int | None] = mapped_column(Integer)
    score: Mapped[float | None] = mapped_column(Float)
    game_id: Mapped[int | None] = mapped_column(ForeignKey("games.id"))
    absent: Mapped[str | None] = mapped_column(String(8))
    after_game: Mapped[int | None] = mapped_column(Integer)
    paired_at: Mapped[str | None] = mapped_column(String(40))


class Announcement(Base):
    """An announcement in force, to one table, or to all if `table_name` is empty."""

    __tablename__ = "announcements"

    table_name: Mapped[str] = mapped_column(String(64), primary_key=True, default="")
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[str] = mapped_column(String(40))


class Deed(Base):
    """A command that was carried out, and the role that sent it."""

    __tablename__ = "deeds"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    role: Mapped[str] = mapped_column(String(16))
    what: Mapped[str] = mapped_column(Text)


_MIGRATIONS: Final = Path(__file__).parent / "migrations"
# In seconds; for a connection to a server, or for SQLite's other writers.
_ANSWERS_IN_S: Final = 5
# Longer than any transaction, which may wait for another writer.
_ENDS_IN_S: Final = 30.0


class DatabaseError(CompanionError):
    """Raised if the database cannot be used, now or as configured."""


class Database:
    """The hall's database. Thread-safe; each transaction belongs to one thread.

    Args:
        address: a URL of SQLAlchemy, such as "sqlite:////var/lib/hall.sqlite3" or "postgresql://hall@localhost/hall".

    Attributes:
        shown: its address without the password.
        suspected: set when SQLite says that its file is damaged.
        generation: how often its file was replaced; progress that was read from an earlier one is not true any more.

    Raises:
        DatabaseError: the URL is invalid, or its driver is missing.
    """

    def __init__(self, address: str) -> None:
        try:
            url = make_url(address)
            # SQLAlchemy would take psycopg2, which is not installed; users write the plain name.
            if url.drivername == "postgresql":
                url = url.set(drivername="postgresql+psycopg")
            self.shown: Final = url.render_as_string(hide_password=True)
            self._engine = _engine(url)
        except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
            raise DatabaseError.said("{place}: is not a database: {fault}", place=address, fault=str(error)) from error
        # Values that were read stay readable after the commit, when pages are made of them.
        self._sessions = sessionmaker(self._engine, expire_on_commit=False)
        self.suspected: Final = Signal()
        self.generation = 0
        self._changed = Condition()
        self._transactions, self._is_held = 0, False

    @property
    def file(self) -> Path | None:
        """The file of SQLite, or None for a database on a server."""
        name = self._engine.url.database
        return Path(name) if self._engine.url.get_backend_name() == "sqlite" and name is not None else None

    def upgrade(self) -> None:
        """Migrate the tables to the newest version, if they are older.

        Raises:
            DatabaseError: the database cannot be reached, or its tables are those of another version of the program.
        """
        config = AlembicConfig()
        config.set_main_option("script_location", str(_MIGRATIONS))
        with self._explaining(), self._engine.connect() as connection:
            config.attributes["connection"] = connection
            try:
                command.upgrade(config, "head")
            except CommandError as error:
                raise DatabaseError.said(
                    "{place}: belongs to another version of this program: use that one, or give another database",
                    place=self.shown,
                ) from error

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Run a transaction, committed at the end of `with`, or rolled back on an error.

        Raises:
            DatabaseError: the database cannot be reached, or has refused a change; nothing was changed.
        """
        with self._explaining(), self._counted(), self._sessions.begin() as session:
            yield session

    @contextmanager
    def replacing(self) -> Iterator[None]:
        """Keep everybody away from the file, which is replaced in the context.

        Raises:
            DatabaseError: a transaction has not ended in time; nothing may be replaced.
        """
        with self._changed:
            self._is_held = True
        try:
            with self._changed:
                if not self._changed.wait_for(lambda: not self._transactions, _ENDS_IN_S):
                    raise DatabaseError.said("{place}: is in use, and cannot be repaired yet", place=self.shown)
            # Their descriptors would lead to the file that was moved away.
            self._engine.dispose()
            yield
            self.generation += 1
        finally:
            with self._changed:
                self._is_held = False

    @contextmanager
    def _counted(self) -> Iterator[None]:
        with self._changed:
            if self._is_held:
                # Refused rather than delayed: the page answers, and tables send their events again.
                raise DatabaseError.said("{place}: is being repaired", place=self.shown)
            self._transactions += 1
        try:
            yield
        finally:
            with self._changed:
                self._transactions -= 1
                self._changed.notify_all()

    def close(self) -> None:
        """Close all connections; may be called more than once."""
        self._engine.dispose()

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            # SQLAlchemy adds the statement and a link to the driver's message, which is what the user can act on.
            cause = error.__cause__ or error
            if is_damage(cause):
                self.suspected.set()
            fault = str(cause).strip().partition("\n")[0]
            raise DatabaseError.said("{place}: cannot be used: {fault}", place=self.shown, fault=fault) from error


def _engine(url: Any) -> Engine:
    """Return the engine; SQLite waits for other writers, and loses nothing in a power cut."""
    if url.get_backend_name() != "sqlite":
        # With pool_pre_ping, connections that the server has dropped are replaced before use.
        return create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": _ANSWERS_IN_S})
    engine = create_engine(url, connect_args={"timeout": _ANSWERS_IN_S})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")

    return engine
