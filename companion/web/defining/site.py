"""The parts of the page on which a sheet is described."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.web.access.limits import RateLimit
from companion.web.site import COMMANDS, JOINS

if TYPE_CHECKING:
    from companion.kvilt.defining import DefiningDesk
    from companion.web.access.access import Access


@dataclass(frozen=True, slots=True)
class DefiningSite:
    """The parts that handlers work with.

    Attributes:
        access: who may do what: all of it needs the key.
        desk: where the sheet is described.
        joins: limits tries to join.
        commands: limits what is sent.
    """

    access: Access
    desk: DefiningDesk
    joins: RateLimit = field(default_factory=lambda: RateLimit(*JOINS))
    commands: RateLimit = field(default_factory=lambda: RateLimit(*COMMANDS))
