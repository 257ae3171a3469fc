"""The time of each pairing, which tells what was played before it; a removed tournament's number is not used again."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column, and number tournaments with SQLite's AUTOINCREMENT; PostgreSQL's sequences do so already."""
    with op.batch_alter_table("pairings") as pairings:
        pairings.add_column(sa.Column("paired_at", sa.String(length=40), nullable=True))
    _renumbered(autoincrement=True)


def _renumbered(*, autoincrement: bool) -> None:
    """Copy SQLite's table of tournaments into one that numbers new rows in this way."""
    if op.get_bind().dialect.name == "sqlite":
        with op.batch_alter_table(
            "tournaments", recreate="always", table_kwargs={"sqlite_autoincrement": autoincrement}
        ):
            pass


def downgrade() -> None:
    """Drop the column, and number tournaments as before."""
    _renumbered(autoincrement=False)
    with op.batch_alter_table("pairings") as pairings:
        pairings.drop_column("paired_at")
