"""The data of the hall's page, as JSON and CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.hall import club
from companion.hall.database import Player, TableGame, Tournament
from companion.hall.tournaments import standings
from companion.play.page import Json
from companion.web.archive import safe_cell


def results(session: Session, limit: int) -> list[Json]:
    """Return the last `limit` games that have ended, newest first."""
    query = select(TableGame).where(TableGame.finished_at.is_not(None))
    ordered = query.order_by(TableGame.finished_at.desc(), TableGame.id.desc()).limit(limit)
    return [
        {
            "id": each.id,
            "table": each.table_name,
            "game": each.game,
            "title": each.title,
            "players": each.players,
            "scores": each.scores,
            "winners": each.winners,
            "decisions": each.decisions,
            "started_at": each.started_at,
            "finished_at": each.finished_at,
        }
        for each in session.scalars(ordered)
    ]


def players(session: Session) -> list[Json]:
    """Return all players, highest rating first."""
    query = select(Player).order_by(Player.rating.desc(), Player.name)
    return [
        {
            "name": each.name,
            "rating": round(each.rating),
            "deviation": round(each.deviation),
            "volatility": round(each.volatility, 5),
        }
        for each in session.scalars(query)
    ]


def tournaments(session: Session) -> list[Json]:
    """Return summaries of all tournaments, newest first."""
    query = select(Tournament).order_by(Tournament.id.desc())
    return [_in_short(each) for each in session.scalars(query)]


def _in_short(tournament: Tournament) -> Json:
    return {
        "id": tournament.id,
        "name": tournament.name,
        "system": tournament.system,
        "rounds": tournament.rounds,
        "closed": tournament.closed_at is not None,
    }


def tournament(session: Session, found: Tournament) -> Json:
    """Return a tournament with its players, rounds and standings."""
    entries, paired = club.entries_of(session, found), club.pairings_of(session, found)
    names = {number: player.name for number, player in club.players_of(session, found).items()}
    rounds: dict[int, list[Json]] = {}
    for each in paired:
        rounds.setdefault(each.round, []).append(
            {
                "board": each.board,
                "table": each.table_name,
                "first": names[each.first],
                "second": None if each.second is None else names[each.second],
                "score": each.score,
                "absent": each.absent,
                "from_table": each.game_id is not None,
            }
        )
    return {
        **_in_short(found),
        "players": [{"number": each.number, "name": names[each.number], "present": each.present} for each in entries],
        "paired": [{"round": number, "games": games} for number, games in sorted(rounds.items())],
        "standings": standing_rows(session, found),
    }


def standing_rows(session: Session, found: Tournament) -> list[Json]:
    """Return a tournament's standings with tie-breaks, one row per player."""
    entries = club.entries_of(session, found)
    names = {number: player.name for number, player in club.players_of(session, found).items()}
    rounds = club.rounds_of(club.pairings_of(session, found))
    placed = standings(club.entrants_of(entries), rounds, swiss=found.system == club.SWISS)
    return [
        {
            "place": each.place,
            "name": names[each.number],
            "points": each.points,
            "played": each.played,
            "wins": each.wins,
            "buchholz_cut": each.buchholz_cut,
            "buchholz": each.buchholz,
            "sonneborn_berger": each.sonneborn_berger,
        }
        for each in placed
    ]


def pairing_rows(shown: Json) -> list[Json]:
    """Return the games in a result of `tournament`, one row each."""
    return [{"round": each["round"], **game} for each in shown["paired"] for game in each["games"]]


def csv_text(rows: Iterable[Json], columns: Sequence[str]) -> str:
    """Return rows as CSV with a header; items of lists are joined by semicolons."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row[column]) for column in columns])
    return stream.getvalue()


def _cell(value: Any) -> Any:
    return "; ".join(str(safe_cell(item)) for item in value) if isinstance(value, list) else safe_cell(value)
