"""The parts that the hall's handlers use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.web.access import RateLimit
from companion.web.routing import COMMANDS, JOINS

if TYPE_CHECKING:
    from companion.hall.database import Database
    from companion.hall.invitations import Invitations
    from companion.hall.live import Live
    from companion.hall.roles import Roles


@dataclass(frozen=True, slots=True)
class HallSite:
    """The parts that the handlers use.

    Attributes:
        roles: the roles and their keys.
        database: the collected games, and the tournaments.
        live: the current states of the tables.
        announce: updates the announcements on the broker.
        joins: the rate limit of attempts with a key or a code.
        commands: the rate limit of commands.
        invitations: the open invitations of tables; None if the hall invites none.
    """

    roles: Roles
    database: Database
    live: Live
    announce: Callable[[], None] = lambda: None
    joins: RateLimit = field(default_factory=lambda: RateLimit(*JOINS))
    commands: RateLimit = field(default_factory=lambda: RateLimit(*COMMANDS))
    invitations: Invitations | None = None
