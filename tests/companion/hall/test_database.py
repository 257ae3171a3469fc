from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from companion.hall.database import Base, Database, DatabaseError, Deed


def test_the_migrations_lead_to_what_the_models_say(made: Path) -> None:
    engine = create_engine(f"sqlite:///{made}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    engine.dispose()


def test_upgrading_what_is_up_to_date_changes_nothing(made: Path) -> None:
    before = made.read_bytes()
    database = Database(f"sqlite:///{made}")
    database.upgrade()
    database.close()
    assert made.read_bytes() == before


def test_tables_of_another_version_of_the_program_are_said_in_a_line_and_stay_as_they_are(
    made: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(made, tmp_path))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    before, database = path.read_bytes(), Database(f"sqlite:///{path}")
    with pytest.raises(DatabaseError, match=r"hall\.sqlite3: belongs to another version of this program"):
        database.upgrade()
    database.close()
    assert path.read_bytes() == before


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
    database.close()
    with pytest.raises(sqlite3.DatabaseError), closing(sqlite3.connect(path)) as connection:
        connection.execute("SELECT * FROM sqlite_master")


def test_a_password_is_not_shown() -> None:
    assert "secret" not in Database("postgresql://hall:secret@localhost:1/hall").shown
