"""Access to the page: its key and join codes, the permissions of requests, rate limits, and the page's host names."""

import os
import re
import secrets
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from hmac import compare_digest
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import Scope

from companion.config import PageConfig
from companion.durable import at_once
from companion.languages import said
from companion.ownership import as_owner_of
from companion.play.page import Need, RefusedError

CODE_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""The alphabet of join codes, without letters and digits that are easily confused on a screen."""
CODE_LENGTH: Final = 6
SHOWN_S: Final = 240.0
"""The time for which a join code is shown."""
GRACE_S: Final = 60.0
"""The time for which a join code stays valid after it was shown, for users who are typing it."""


@dataclass(frozen=True, slots=True)
class JoinCode:
    """A join code for the table.

    Attributes:
        code: six characters.
        shown_until_s: when the next one replaces it, on the clock of its `Keys`.
    """

    code: str
    shown_until_s: float


class Keys:
    """The table's key, and its join codes. Thread-safe.

    Args:
        clock: monotonic, in seconds.
        choose: a cryptographically secure random choice of a character.
        key: the saved key, or None for a new one.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        choose: Callable[[str], str] = secrets.choice,
        key: str | None = None,
    ) -> None:
        self.key: Final = key or secrets.token_urlsafe(15)
        self._clock, self._choose = clock, choose
        self._codes: tuple[JoinCode, ...] = ()

    def opens(self, key: str | None) -> bool:
        """Return whether `key` is the table's key."""
        # In constant time; as bytes, because texts with other than ASCII characters raise an error.
        return key is not None and compare_digest(key.encode(), self.key.encode())

    def code(self) -> JoinCode:
        """Return the join code to show now; a new one is drawn when the last has expired."""
        now_s, codes = self._clock(), self._codes
        if not codes or codes[-1].shown_until_s <= now_s:
            drawn = "".join(self._choose(CODE_LETTERS) for _ in range(CODE_LENGTH))
            # With the last one, which users may still be typing.
            codes = (*codes[-1:], JoinCode(drawn, now_s + SHOWN_S))
            self._codes = codes
        return codes[-1]

    def expires_in_s(self, code: JoinCode) -> float:
        """Return the time for which a code is still shown, in seconds; at least 0."""
        return max(0.0, code.shown_until_s - self._clock())

    def accepts(self, code: str) -> bool:
        """Return whether `code` is a valid join code; case and blanks are ignored."""
        typed = "".join(code.upper().split()).encode()
        good = [each for each in self._codes if self._clock() < each.shown_until_s + GRACE_S]
        return any(compare_digest(typed, each.code.encode()) for each in good)


KEY_NAME: Final = "page.key"
LASTS_S: Final = 21 * 24 * 3600.0
"""The age at which a key is replaced by a new one; also the lifetime of the browsers' cookies."""
# 2026-01-01: an earlier time is that of a machine which has not got the time from the network yet.
_EARLIEST_S: Final = 1_767_225_600.0
_KEY: Final = re.compile(r"[\w-]{20}")


def stored_key(folder: Path, now_s: float | None = None) -> str:
    """Return the table's key; a new one if there is none, it is too old, or users other than its owner may read it.

    Args:
        folder: the folder of the companion's data.
        now_s: seconds since 1970; None for the present time.
    """
    path, now_s = folder / KEY_NAME, time.time() if now_s is None else now_s
    with as_owner_of(folder):
        return _stored(path, now_s) or _drawn(path, now_s)


def _stored(path: Path, now_s: float) -> str | None:
    with suppress(OSError, UnicodeDecodeError), open(path, encoding="ascii", opener=at_once) as file:
        # Of the open file, not of the path, which another one may have replaced meanwhile.
        status = os.fstat(file.fileno())
        key = file.read(64)
        is_sound = not status.st_mode & 0o077 and _KEY.fullmatch(key) is not None
        # One of the two clocks was wrong; the age is unknown, and counts from now.
        is_odd = status.st_mtime > now_s or status.st_mtime < _EARLIEST_S
        if is_sound and is_odd and now_s >= _EARLIEST_S:
            os.utime(file.fileno(), (now_s, now_s))
        if is_sound and (is_odd or now_s - status.st_mtime < LASTS_S):
            return key
    return None


def _drawn(path: Path, now_s: float) -> str:
    """Return a new key; if it cannot be saved, it is valid only until the program ends."""
    key = secrets.token_urlsafe(15)
    with suppress(OSError):
        path.unlink(missing_ok=True)
        # A new file, as another process may have the old one open; readable by its owner only.
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(key)
        # The file's time is the key's age, on the caller's clock.
        os.utime(path, (now_s, now_s))
    return key


# The number of addresses tracked; the one idle for longest is dropped first.
_ADDRESSES: Final = 1024


class RateLimit:
    """A rate limit for each address: `burst` requests at once, `per_s` a second in the long run.

    Args:
        burst: the number of requests allowed at once.
        per_s: the number of requests per second in the long run.
        clock: monotonic, in seconds.
    """

    def __init__(self, burst: float, per_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._per_s, self._clock = burst, per_s, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Return whether one more request of an address is allowed; if so, count it."""
        now_s = self._clock()
        # Removed and added again below, so that the one idle for longest is first.
        left, at_s = self._buckets.pop(address, (self._burst, now_s))
        left = min(self._burst, left + (now_s - at_s) * self._per_s)
        allowed = left >= 1
        self._buckets[address] = (left - 1 if allowed else left, now_s)
        if len(self._buckets) > _ADDRESSES:
            self._buckets.popitem(last=False)
        return allowed


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
        secure_port: the port of encrypted connections, or None if there are none; the key counts on no others then,
            except within this machine.
    """

    keys: Keys
    config: PageConfig
    cookie: str
    secure_port: int | None = None

    def has_key(self, scope: Scope) -> bool:
        """Return whether a request has the table's key."""
        return self._opens(HTTPConnection(scope))

    def is_private(self, request: HTTPConnection) -> bool:
        """Return whether a key may be sent on this connection."""
        return self.secure_port is None or request.url.scheme == "https" or _is_local(request)

    def secure_url(self, request: HTTPConnection, path: str) -> str:
        """Return the encrypted address of a path for the sender of a request."""
        host = host_of(request.headers.get("host", ""))
        return f"https://{f'[{host}]' if ':' in host else host}:{self.secure_port}{path}"

    def _opens(self, request: HTTPConnection) -> bool:
        return self.keys.opens(request.cookies.get(self.cookie)) and self.is_private(request)

    def may(self, request: HTTPConnection, need: Need) -> bool:
        """Return whether the sender of a request has this permission."""
        if need is Need.NOTHING or self._opens(request):
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
    """Return the host of a `Host` header, lower case, without port, brackets and the final dot of a complete name."""
    if authority.startswith("["):
        return authority[1:].partition("]")[0].lower()
    return authority.partition(":")[0].lower().removesuffix(".")


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is a loopback one."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


# Ends that machines' names have in home networks. Nobody can register a name that ends so; those of routers belong to
# their makers.
_LOCAL_ENDS: Final = ("local", "lan", "home", "home.arpa", "internal", "fritz.box", "speedport.ip")
_NAMESAKES: Final = 99


def own_names(more: Iterable[str] = ()) -> frozenset[str]:
    """Return the host names, lower case, by which browsers may call this machine, with further ones given.

    Checking them defends against DNS rebinding: a foreign page can point its own name here, but cannot use one of
    these names or an address.
    """
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    local = {f"{short}.{end}" for end in _LOCAL_ENDS}
    # Avahi's names for the second machine of a name, and the third.
    others = {f"{short}-{number}.local" for number in range(2, _NAMESAKES + 1)}
    return frozenset({"localhost", name, short, *local, *others, *(each.lower() for each in more)})


def is_own(host: str, names: frozenset[str]) -> bool:
    """Return whether a requested host is an address or one of these names."""
    if host in names:
        return True
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
