"""Columns for absences and games older than their pairing; players whose names differ only in their writing merge."""

import sqlalchemy as sa
from alembic import op

from companion.hall.club import player_key

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns, and compare names as this version does."""
    with op.batch_alter_table("pairings") as pairings:
        pairings.add_column(sa.Column("absent", sa.String(length=8), nullable=True))
        pairings.add_column(sa.Column("after_game", sa.Integer(), nullable=True))
    connection = op.get_bind()
    everyone = connection.execute(sa.text("SELECT id, name FROM players ORDER BY id")).all()
    keys: dict[str, int] = {}
    for number, name in everyone:
        _set_key(connection, number, f"#{number}")
        key = player_key(name)
        if key in keys and not _is_merged(connection, number, keys[key]):
            key = f"{key[:50]} #{number}"
        keys.setdefault(key, number)
    for key, number in keys.items():
        _set_key(connection, number, key)


def _set_key(connection: sa.Connection, number: int, key: str) -> None:
    connection.execute(sa.text("UPDATE players SET key = :key WHERE id = :id"), {"key": key, "id": number})


def _is_merged(connection: sa.Connection, number: int, into: int) -> bool:
    """Give a player's tournaments to another one; return False if one tournament has both, who then stay two."""
    players = {"id": number, "other": into}
    both = sa.text(
        "SELECT count(*) FROM entries AS one JOIN entries AS two ON one.tournament_id = two.tournament_id"
        " WHERE one.player_id = :id AND two.player_id = :other"
    )
    if connection.execute(both, players).scalar():
        return False
    connection.execute(sa.text("UPDATE entries SET player_id = :other WHERE player_id = :id"), players)
    connection.execute(sa.text("DELETE FROM players WHERE id = :id"), players)
    return True


def downgrade() -> None:
    """Drop the columns; names stay as they are."""
    with op.batch_alter_table("pairings") as pairings:
        pairings.drop_column("after_game")
        pairings.drop_column("absent")
