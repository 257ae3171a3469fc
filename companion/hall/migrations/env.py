"""Alembic's environment for the hall's migrations; the connection comes from `Database.upgrade`."""

from alembic import context

from companion.hall.database import Base


def migrate() -> None:
    """Run the pending migrations in one transaction."""
    connection = context.config.attributes["connection"]
    is_sqlite = connection.dialect.name == "sqlite"
    if is_sqlite:
        # Rows refer to a table that is missing while it is copied; within a transaction this could not be set.
        connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
        # Python's driver begins one only before a change of rows: a kill would leave half a copy.
        connection.exec_driver_sql("BEGIN")
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        # SQLite cannot alter a column; Alembic then copies the table.
        render_as_batch=is_sqlite,
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()
    # The connection is the caller's, and SQLAlchemy would roll it back at its end.
    connection.commit()
    if is_sqlite:
        connection.exec_driver_sql("PRAGMA foreign_keys = ON")


migrate()
