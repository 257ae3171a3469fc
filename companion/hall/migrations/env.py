"""Alembic's environment for the hall's migrations; the connection comes from `Database.upgrade`."""

from alembic import context

from companion.hall.database import Base


def migrate() -> None:
    """Run the pending migrations in one transaction."""
    connection = context.config.attributes["connection"]
    if connection.dialect.name == "sqlite":
        # Python's driver begins one only before a change of rows: a kill would leave half of the tables.
        connection.exec_driver_sql("BEGIN")
    context.configure(connection=connection, target_metadata=Base.metadata)
    with context.begin_transaction():
        context.run_migrations()
    # The connection is the caller's, and SQLAlchemy would roll it back at its end.
    connection.commit()


migrate()
