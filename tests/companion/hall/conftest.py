from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.hall.database import Database
from tests.companion.hall.standin import close_tables


@pytest.fixture(autouse=True)
def no_table_stays_open() -> Iterator[None]:
    """Close the tables that a test has made."""
    yield
    close_tables()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database made by the migrations; they take a while, so it is copied."""
    path = tmp_path_factory.mktemp("hall") / "hall.sqlite3"
    database = Database(f"sqlite:///{path}")
    database.upgrade()
    database.close()
    return path


@pytest.fixture
def database(made: Path, tmp_path: Path) -> Iterator[Database]:
    path = tmp_path / "hall.sqlite3"
    path.write_bytes(made.read_bytes())
    opened = Database(f"sqlite:///{path}")
    yield opened
    opened.close()
