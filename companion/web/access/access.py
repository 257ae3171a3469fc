"""Permissions on the page, and the host names that it answers to."""

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
    Need.WATCH: said("You need the table’s key to watch: join with the code on the TV view or in the terminal."),
    Need.CAMERA: said(
        "You need the table’s key to see the camera’s pictures: join with the code on the TV view or in the terminal."
    ),
    Need.TOUCH: said(
        "You need the table’s key to control the table: join with the code on the TV view or in the terminal."
    ),
}


@dataclass(frozen=True, slots=True)
class Access:
    """The rules by which a request's permissions are decided.

    Attributes:
        keys: the table's key.
        config: which of the page is open without the key.
        cookie: the name of the cookie that carries the key.
    """

    keys: Keys
    config: PageConfig
    cookie: str

    def has_key(self, scope: Scope) -> bool:
        """Return whether a request has the table's key."""
        return self.keys.opens(HTTPConnection(scope).cookies.get(self.cookie))

    def may(self, request: HTTPConnection, need: Need) -> bool:
        """Return whether the sender of a request has this permission."""
        if need is Need.NOTHING or self.keys.opens(request.cookies.get(self.cookie)):
            return True
        if need is Need.TOUCH:
            return False
        # Whoever sits at the machine sees the table anyway.
        watches = self.config.spectators or _is_local(request)
        return watches and (need is Need.WATCH or self.config.open_camera)

    def require(self, request: HTTPConnection, need: Need) -> None:
        """Raise an error unless the sender of a request has this permission.

        Raises:
            RefusedError: 401, with a sentence on how to get the key.
        """
        if not self.may(request, need):
            raise RefusedError(401, _KEY_NEEDED[need], headers={"www-authenticate": 'TableKey realm="table"'})


def _is_local(request: HTTPConnection) -> bool:
    """Return whether the client runs on this machine and calls it by a loopback name or address."""
    client = request.client.host if request.client else ""
    # Both: a proxy on this machine passes requests of others on, under the name by which they call it.
    return is_loopback(client) and is_loopback(host_of(request.headers.get("host", "")))


def host_of(authority: str) -> str:
    """Return the host of a `Host` header, lower case, without port and brackets."""
    if authority.startswith("["):
        return authority[1:].partition("]")[0].lower()
    return authority.partition(":")[0].lower()


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is a loopback one."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def own_names(more: Iterable[str] = ()) -> frozenset[str]:
    """Return the host names, lower case, by which browsers may call this machine, with further ones given.

    Checking them defends against DNS rebinding: a foreign page can point its own name here, but cannot use one of
    these names or an address.
    """
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return frozenset({"localhost", name, short, f"{short}.local", *more})


def is_own(host: str, names: frozenset[str]) -> bool:
    """Return whether a requested host is an address or one of these names."""
    if host in names:
        return True
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
