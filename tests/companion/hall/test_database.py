from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, select

from companion.hall import club
from companion.hall.database import Base, Database, DatabaseError, Deed, Player, Tournament


def test_the_migrations_lead_to_what_the_models_say(made: Path) -> None:
    engine = create_engine(f"sqlite:///{made}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    engine.dispose()


def test_a_player_who_was_two_by_the_writing_of_the_name_becomes_one(tmp_path: Path) -> None:
    path = tmp_path / "hall.sqlite3"
    database = Database(f"sqlite:///{path}")
    database.upgrade("0001")
    with closing(sqlite3.connect(path)) as old:
        names = [(1, "\u0639\u0644\u064a"), (2, "\u0639\u0644\u06cc"), (3, "Zoe\u0308"), (4, "Zo\u00eb")]
        old.executemany("INSERT INTO players VALUES (?1, ?2, lower(?2), 1500, 350, 0.06)", names)
        old.execute("INSERT INTO tournaments VALUES (1, 'Cup', 'swiss', 1, '2026-01-02', NULL)")
        old.executemany("INSERT INTO entries VALUES (?, 1, ?, ?, 1)", [(1, 2, 1), (2, 3, 2), (3, 4, 3)])
        old.commit()
    database.upgrade()
    with database.transaction() as session:
        names_now = [each.name for each in session.scalars(select(Player).order_by(Player.id))]
        entered = club.players_of(session, session.get_one(Tournament, 1))
    # Who was entered twice in one tournament stays two players.
    assert names_now == ["\u0639\u0644\u064a", "Zoe\u0308", "Zo\u00eb"]
    assert [entered[number].id for number in (1, 2, 3)] == [1, 3, 4]
    with database.transaction() as session:
        club.remove(session, session.get_one(Tournament, 1))
        # Also in a database of an earlier version a link to the removed one leads to no other.
        assert club.begin(session, "League", club.SWISS, 1, ["Anna", "Boris"]).id == 2
    database.close()


def test_upgrading_what_is_up_to_date_changes_nothing(made: Path) -> None:
    before = made.read_bytes()
    database = Database(f"sqlite:///{made}")
    database.upgrade()
    database.close()
    assert made.read_bytes() == before


def test_a_transaction_is_all_or_nothing(database: Database) -> None:
    refused = pytest.raises(DatabaseError, match=r"hall\.sqlite3: cannot be used: NOT NULL")
    with refused, database.transaction() as session:
        session.add(Deed(role="director", what=None))
    with database.transaction() as session:
        assert session.query(Deed).count() == 0


@pytest.mark.parametrize("address", ["nonsense", "mysql://localhost/hall", "sqlite+nonsense:///x"])
def test_a_file_that_is_no_database_is_refused(address: str) -> None:
    with pytest.raises(DatabaseError, match=r"is not a database: "):
        Database(address)


def test_a_file_of_something_else_is_said_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite3"
    path.write_bytes(b"no database at all" * 100)
    database = Database(f"sqlite:///{path}")
    with pytest.raises(DatabaseError, match="file is not a database"):
        database.upgrade()
    with pytest.raises(sqlite3.DatabaseError):
        sqlite3.connect(path).execute("SELECT * FROM sqlite_master")


def test_a_password_is_not_shown() -> None:
    assert "secret" not in Database("postgresql://hall:secret@localhost:1/hall").shown
