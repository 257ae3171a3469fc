"""The announcements in force, to all tables and to single ones."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from companion.hall import club
from companion.hall.models import Announcement, Pairing, Tournament


def announce(session: Session, table: str, text: str) -> None:
    """Set the announcement to a table or to all, replacing the former; an empty text withdraws it.

    Args:
        session: a transaction.
        table: the table's name, or "" for all tables.
        text: the announcement.
    """
    # Deleted first: the table is the key, and the new text may be empty.
    session.execute(delete(Announcement).where(Announcement.table_name == table))
    if text:
        at = datetime.now(UTC).isoformat(timespec="seconds")
        session.add(Announcement(table_name=table, text=text, at=at))


def announce_pairings(session: Session, tournament: Tournament, pairings: Sequence[Pairing]) -> None:
    """Set an announcement at each paired table that names the two players of its game."""
    players = club.players_of(session, tournament)
    for pairing in pairings:
        if pairing.table_name is not None and pairing.second is not None:
            one, other = players[pairing.first].name, players[pairing.second].name
            text = f"{tournament.name} {pairing.round}/{tournament.rounds}: {one} – {other}"
            announce(session, pairing.table_name, text)


def announcements(session: Session) -> list[dict[str, Any]]:
    """Return the announcements in force, the one to all tables first."""
    query = select(Announcement).order_by(Announcement.table_name)
    return [{"table": each.table_name, "text": each.text, "at": each.at} for each in session.scalars(query)]
