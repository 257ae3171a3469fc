"""The data of the hall's page, as JSON and CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.hall import club
from companion.hall.database import Event, Player, TableGame, Tournament
from companion.hall.tournaments import standings
from companion.languages import Language
from companion.mqtt.messages import EventMessage, read_message
from companion.play.page import ArchivedGame, Json
from companion.record import RecordError
from companion.registry import game_named
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
    return [{"name": names[each.number], **asdict(each)} for each in placed]


def pairing_rows(shown: Json) -> list[Json]:
    """Return the games in a result of `tournament`, one row each."""
    return [{"round": each["round"], **game} for each in shown["paired"] for game in each["games"]]


def played(session: Session, state: Json, language: Language) -> Json | None:
    """Return the game in a table's state as the page of a table returns a stored one, replayed from the events.

    Returns:
        `game`, `decisions`, the number of those stored, and what the game adds to them; None if its events are not all
        here, or are no game.
    """
    opened, lines = _recorded(session, state)
    if opened is None or opened.setup is None:
        return None
    try:
        game = game_named(state["game"]["name"])
    except RecordError:
        return None
    codec, pages = game.codec, game.page.archive
    if pages is None:
        return None
    try:
        decisions = tuple(codec.decision_from_json(line) for line in lines)
        archived = ArchivedGame(
            state["game"]["id"], datetime.fromisoformat(opened.at), codec.setup_from_json(opened.setup), decisions
        )
        return {"game": codec.name, "decisions": len(decisions), **pages.details(archived, language)}
    # What a table sends need not be a game by the rules.
    except (RecordError, codec.errors, ValueError):
        return None


def _recorded(session: Session, state: Json) -> tuple[EventMessage | None, list[Json]]:
    """Return the event that opened the game in a table's state, or None, and the lines of its decisions in force."""
    query = select(Event.body).where(Event.table_name == state["table"], Event.source == state["source"])
    query = query.where(Event.kind.in_(("opened", "decided", "undone"))).order_by(Event.sequence.desc())
    events: list[EventMessage] = []
    # From the newest back to the beginning of this game: a table has thousands of events of earlier ones.
    for body in session.scalars(query.execution_options(yield_per=100)):
        event = read_message(body.encode(), EventMessage)
        if event.game is None or event.game.id != state["game"]["id"]:
            continue
        events.append(event)
        if event.setup is not None:
            break
    lines: list[Json] = []
    for event in reversed(events):
        if event.kind == "decided":
            lines.append(event.decision or {})
        elif event.kind == "undone" and lines:
            lines.pop()
    return (events[-1] if events else None), lines


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
