"""The roles of a hall's users with their keys, and the parts that the handlers of its page use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.requests import HTTPConnection

from companion.hall.invitations import Invitations
from companion.hall.live import Live
from companion.languages import Sentence, said
from companion.play.page import RefusedError
from companion.web.access import Keys, RateLimit, stored_key
from companion.web.routing import COMMANDS, JOINS

if TYPE_CHECKING:
    from companion.hall.database import Database


class Role(IntEnum):
    """The roles; each includes the permissions of the ones before it."""

    GUEST = 0
    REFEREE = 1
    DIRECTOR = 2


KEYED: Final = (Role.REFEREE, Role.DIRECTOR)
_NEEDED: Final[dict[Role, Sentence]] = {
    Role.REFEREE: said(
        "Only a referee or the director can enter results: open the page with the link that contains their key."
    ),
    Role.DIRECTOR: said("Only the director can do that: open the page with the link that contains the director’s key."),
}


@dataclass(frozen=True, slots=True)
class Roles:
    """The keys of the roles.

    Attributes:
        keys: the key of each role but the guest's.
        cookie: the name of the cookie that carries a key.
    """

    keys: dict[Role, Keys]
    cookie: str

    def of_key(self, key: str | None) -> Role:
        """Return the role of a key; GUEST if it is none of the keys, or None."""
        # The highest role first.
        return next((role for role in reversed(KEYED) if self.keys[role].opens(key)), Role.GUEST)

    def of(self, request: HTTPConnection) -> Role:
        """Return the role of a request's client, by its cookie."""
        return self.of_key(request.cookies.get(self.cookie))

    def require(self, request: HTTPConnection, role: Role) -> Role:
        """Return the role of a request's client.

        Raises:
            RefusedError: 401, if it is lower than the required one.
        """
        found = self.of(request)
        if found < role:
            raise RefusedError(401, _NEEDED[role], headers={"www-authenticate": 'HallKey realm="hall"'})
        return found


def stored_roles(folder: Path, cookie: str) -> Roles:
    """Return the roles with their keys from a folder; missing or old keys are replaced by new ones."""
    keys = {}
    for role in KEYED:
        place = folder / "keys" / role.name.lower()
        place.mkdir(parents=True, exist_ok=True)
        keys[role] = Keys(key=stored_key(place))
    return Roles(keys, cookie)


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
