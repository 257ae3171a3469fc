"""The roles of a hall, each with a key of its own, and the commands open to each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from companion.languages import said
from companion.play.page.refusing import RefusedError
from companion.web.access.keys import Keys
from companion.web.access.stored_key import stored_key

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import HTTPConnection

    from companion.languages import Sentence


class Role(IntEnum):
    """The roles; each may do what those before it may."""

    GUEST = 0
    REFEREE = 1
    DIRECTOR = 2


KEYED: Final = (Role.REFEREE, Role.DIRECTOR)
_NEEDED: Final[dict[Role, Sentence]] = {
    Role.REFEREE: said("Results are entered by a referee or the director: open the page by the link with their key."),
    Role.DIRECTOR: said("That is for the director: open the page by the link with the director's key."),
}


@dataclass(frozen=True, slots=True)
class Roles:
    """The keys of the roles.

    Attributes:
        keys: of each role but the guests'.
        cookie: the name of the cookie that carries a key.
    """

    keys: dict[Role, Keys]
    cookie: str

    def of_key(self, key: str | None) -> Role:
        """Return whose key it is; a guest's is none."""
        return next((role for role in reversed(KEYED) if self.keys[role].opens(key)), Role.GUEST)

    def of(self, request: HTTPConnection) -> Role:
        """Return the role of a request's sender."""
        return self.of_key(request.cookies.get(self.cookie))

    def require(self, request: HTTPConnection, role: Role) -> Role:
        """Return the sender's role.

        Raises:
            RefusedError: 401, if it may not do what this role may.
        """
        found = self.of(request)
        if found < role:
            raise RefusedError(401, _NEEDED[role], headers={"www-authenticate": 'HallKey realm="hall"'})
        return found


def stored_roles(folder: Path, cookie: str) -> Roles:
    """Return the roles with their keys from a folder; new keys if there are none yet, or they are old."""
    keys = {}
    for role in KEYED:
        place = folder / "keys" / role.name.lower()
        place.mkdir(parents=True, exist_ok=True)
        keys[role] = Keys(key=stored_key(place))
    return Roles(keys, cookie)
