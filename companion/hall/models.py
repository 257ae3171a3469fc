"""The hall's database tables, the same in PostgreSQL and SQLite; `migrations` creates them."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, DateTime, Float, ForeignKey, Index, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """The base class of all models."""


class EventSource(Base):
    """The progress of an event source of a table, by which each event is counted exactly once."""

    __tablename__ = "sources"

    table_name: Mapped[str] = mapped_column(String(64), primary_key=True)
    source: Mapped[str] = mapped_column(String(64), primary_key=True)
    sequence: Mapped[int] = mapped_column(Integer)


class Event(Base):
    """An event of a table, as received."""

    __tablename__ = "events"

    table_name: Mapped[str] = mapped_column(String(64), primary_key=True)
    source: Mapped[str] = mapped_column(String(64), primary_key=True)
    sequence: Mapped[int] = mapped_column(Integer, primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    at: Mapped[str] = mapped_column(String(40))
    body: Mapped[str] = mapped_column(Text)


class TableGame(Base):
    """A game at a table, derived from its events."""

    __tablename__ = "games"
    __table_args__ = (
        UniqueConstraint("table_name", "source", "number"),
        Index("games_by_end", "finished_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    table_name: Mapped[str] = mapped_column(String(64))
    source: Mapped[str] = mapped_column(String(64))
    number: Mapped[int] = mapped_column(Integer)
    game: Mapped[str] = mapped_column(String(64))
    title: Mapped[str] = mapped_column(String(128))
    players: Mapped[list[Any]] = mapped_column(JSON)
    scores: Mapped[list[Any]] = mapped_column(JSON)
    winners: Mapped[list[Any]] = mapped_column(JSON)
    decisions: Mapped[int] = mapped_column(Integer, default=0)
    started_at: Mapped[str] = mapped_column(String(40))
    finished_at: Mapped[str | None] = mapped_column(String(40))


class Player(Base):
    """A player of the club; the rating is computed from all closed tournaments."""

    __tablename__ = "players"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64))
    key: Mapped[str] = mapped_column(String(64), unique=True)
    rating: Mapped[float] = mapped_column(Float, default=1500.0)
    deviation: Mapped[float] = mapped_column(Float, default=350.0)
    volatility: Mapped[float] = mapped_column(Float, default=0.06)


class Tournament(Base):
    """A tournament; `closed_at` is set once it counts for the ratings."""

    __tablename__ = "tournaments"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64))
    system: Mapped[str] = mapped_column(String(16))
    rounds: Mapped[int] = mapped_column(Integer)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    closed_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class TournamentEntry(Base):
    """A player in a tournament."""

    __tablename__ = "entries"
    __table_args__ = (UniqueConstraint("tournament_id", "number"), UniqueConstraint("tournament_id", "player_id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    number: Mapped[int] = mapped_column(Integer)
    present: Mapped[bool] = mapped_column(default=True)


class Pairing(Base):
    """A game of a round, or a bye if `second` is null; `score` is the points of `first`, null while undecided."""

    __tablename__ = "pairings"
    __table_args__ = (UniqueConstraint("tournament_id", "round", "board"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))
    round: Mapped[int] = mapped_column(Integer)
    board: Mapped[int] = mapped_column(Integer)
    table_name: Mapped[str | None] = mapped_column(String(64))
    first: Mapped[int] = mapped_column(Integer)
    second: Mapped[int | None] = mapped_column(Integer)
    score: Mapped[float | None] = mapped_column(Float)
    game_id: Mapped[int | None] = mapped_column(ForeignKey("games.id"))


class Announcement(Base):
    """An announcement in force, to one table, or to all if `table_name` is empty."""

    __tablename__ = "announcements"

    table_name: Mapped[str] = mapped_column(String(64), primary_key=True, default="")
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[str] = mapped_column(String(40))


class Deed(Base):
    """A command that was carried out, and the role that sent it."""

    __tablename__ = "deeds"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    role: Mapped[str] = mapped_column(String(16))
    what: Mapped[str] = mapped_column(Text)
