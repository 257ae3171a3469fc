"""Permissions on the page, and the names under which it may be called."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from enum import Enum
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final

from starlette.requests import HTTPConnection

from companion.languages import said
from companion.play.page.refusing import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.types import Scope

    from companion.config import PageConfig
    from companion.web.access.keys import Keys


class Need(Enum):
    """The permissions that an operation may need."""

    NOTHING = "nothing"
    WATCH = "watch"
    CAMERA = "camera"
    TOUCH = "touch"


_KEY_NEEDED: Final = {
    Need.WATCH: said("The table's key is needed to watch: join with the code on the TV view or in the terminal."),
    Need.CAMERA: said(
        "The table's key is needed to see the camera's pictures: join with the code on the TV view or in the terminal."
    ),
    Need.TOUCH: said(
        "The table's key is needed to touch the table: join with the code on the TV view or in the terminal."
    ),
}


@dataclass(frozen=True, slots=True)
class Access:
    """The rules of who may do what.

    Attributes:
        keys: the table's key.
        config: what is open to whom.
        cookie: the name of the cookie that carries the key.
    """

    keys: Keys
    config: PageConfig
    cookie: str

    def has_key(self, scope: Scope) -> bool:
        """Return whether a request has the table's key."""
        return self.keys.opens(HTTPConnection(scope).cookies.get(self.cookie))

    def may(self, request: HTTPConnection, need: Need) -> bool:
        """Return whether the sender of a request may do this."""
        if need is Need.NOTHING or self.keys.opens(request.cookies.get(self.cookie)):
            return True
        if need is Need.TOUCH:
            return False
        watches = self.config.spectators or _is_at_home(request)
        return watches and (need is Need.WATCH or self.config.open_camera)

    def require(self, request: HTTPConnection, need: Need) -> None:
        """Refuse a request that may not do this.

        Raises:
            RefusedError: 401, with a sentence on how to get the key.
        """
        if not self.may(request, need):
            raise RefusedError(401, _KEY_NEEDED[need], headers={"www-authenticate": 'TableKey realm="table"'})


def _is_at_home(request: HTTPConnection) -> bool:
    """Return whether the browser runs on this machine and calls it by a name that no other machine would."""
    client = request.client.host if request.client else ""
    return is_loopback(client) and is_loopback(host_of(request.headers.get("host", "")))


def host_of(authority: str) -> str:
    """Return the host in what a `Host` header says, lower case, without port and brackets."""
    if authority.startswith("["):
        return authority[1:].partition("]")[0].lower()
    return authority.partition(":")[0].lower()


def is_loopback(host: str) -> bool:
    """Return whether a name or address means this machine alone."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def own_names(more: Iterable[str] = ()) -> frozenset[str]:
    """Return the names, lower case, by which browsers may call this machine.

    A foreign page can let its own name point here (DNS rebinding), but it cannot choose one of these, or an address.
    """
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return frozenset({"localhost", name, short, f"{short}.local", *more})


def is_own(host: str, names: frozenset[str]) -> bool:
    """Return whether a host that a browser asked for is this machine, by address or by one of its names."""
    if host in names:
        return True
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
