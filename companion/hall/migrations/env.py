"""Alembic's environment for the hall's migrations; the connection comes from `Database.upgrade`."""

from alembic import context

from companion.hall.database import Base


def migrate() -> None:
    """Run the pending migrations in one transaction."""
    connection = context.config.attributes["connection"]
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        # SQLite cannot alter a column; Alembic then copies the table.
        render_as_batch=connection.dialect.name == "sqlite",
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()
    # The connection is the caller's, and SQLAlchemy would roll it back at its end.
    connection.commit()


migrate()
