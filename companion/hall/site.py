"""The parts that the hall's handlers work with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.web.access.limits import RateLimit
from companion.web.site import COMMANDS, JOINS

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.hall.database import Database
    from companion.hall.invitations import Invitations
    from companion.hall.live import Live
    from companion.hall.roles import Roles


@dataclass(frozen=True, slots=True)
class HallSite:
    """The parts.

    Attributes:
        roles: who may do what.
        database: what was collected, and the club's business.
        live: how the tables stand.
        announce: brings what is announced up to date on the broker.
        joins: limits tries with a key or a code.
        commands: limits commands.
        invitations: of tables that may join; None for a hall that invites none.
    """

    roles: Roles
    database: Database
    live: Live
    announce: Callable[[], None] = lambda: None
    joins: RateLimit = field(default_factory=lambda: RateLimit(*JOINS))
    commands: RateLimit = field(default_factory=lambda: RateLimit(*COMMANDS))
    invitations: Invitations | None = None
