"""The hall's database: connections, migrations and transactions."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config as AlembicConfig
from sqlalchemy import Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import Session, sessionmaker

from companion.errors import CompanionError
from companion.languages import said

_MIGRATIONS: Final = Path(__file__).parent / "migrations"
# In seconds; for a connection to a server, or for SQLite's other writers.
_ANSWERS_IN_S: Final = 5


class DatabaseError(CompanionError):
    """Raised if the database cannot be used, now or as configured."""


class Database:
    """The hall's database. Thread-safe; each transaction belongs to one thread.

    Args:
        address: a URL of SQLAlchemy, such as "sqlite:////var/lib/hall.sqlite3" or "postgresql://hall@localhost/hall".

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
            raise DatabaseError(said("{place}: is not a database: {fault}", place=address, fault=str(error))) from error
        # Values that were read stay readable after the commit, when pages are made of them.
        self._sessions = sessionmaker(self._engine, expire_on_commit=False)

    def upgrade(self) -> None:
        """Migrate the tables to the newest version, if they are older.

        Raises:
            DatabaseError: the database cannot be reached.
        """
        config = AlembicConfig()
        config.set_main_option("script_location", str(_MIGRATIONS))
        with self._explaining(), self._engine.connect() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Run a transaction, committed at the end of `with`, or rolled back on an error.

        Raises:
            DatabaseError: the database cannot be reached, or has refused a change; nothing was changed.
        """
        with self._explaining(), self._sessions.begin() as session:
            yield session

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
            fault = str(cause).strip().partition("\n")[0]
            raise DatabaseError(said("{place}: cannot be used: {fault}", place=self.shown, fault=fault)) from error


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
