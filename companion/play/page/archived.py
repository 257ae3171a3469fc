"""Stored games in the form in which the archive passes them to a game's page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """A game in the journal, finished or not.

    Attributes:
        game_id: its number.
        started_at: the time when it was begun.
        setup: the setup that it began with.
        decisions: all decisions that were not undone, in order.
        notes: the journal's notes about the table.
    """

    game_id: int
    started_at: datetime
    setup: Any
    decisions: tuple[Any, ...]
    notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rows:
    """A table to export: its heading, and its rows of texts and numbers."""

    heading: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A player's part in a finished game.

    Attributes:
        name: the player's name.
        points: the points at the end.
        won: whether this player alone won the game.
    """

    name: str
    points: int
    won: bool
