"""The choice of connections to close if there are too many: each address has a share, those with the key come last."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST: Final = 512
"""The largest number of connections in total; a page keeps one open, and a few more briefly. Most systems allow 1024
descriptors."""
SHARE: Final = 128
"""The largest number of connections of one address without the key."""


class Connection(Protocol):
    """A connection, with the properties by which it is kept or closed."""

    @property
    def address(self) -> str:
        """The client's address."""

    @property
    def keyed(self) -> bool:
        """True if a request over it had the table's key."""

    @property
    def busy(self) -> bool:
        """True while a request over it is being answered."""

    def drop(self) -> None:
        """Close it at once."""


class Connections:
    """All open connections. A new one is never refused, as its request may have the key; another is closed for it.

    Connections of the address with the most keyless ones are closed first; among these, idle ones before busy ones,
    least recently active first.
    nginx makes room in a similar way, by closing its oldest idle connections.

    Args:
        most: the largest number of connections in total.
        share: the largest number of connections without the key of one address.
    """

    def __init__(self, most: int = MOST, share: int = SHARE) -> None:
        self._most, self._share = most, share
        # In the order of their last activity.
        self._open: dict[Connection, None] = {}

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, fresh: Connection) -> None:
        """Add a new connection; another may be closed for it."""
        of_address = [each for each in self._open if each.address == fresh.address and not each.keyed]
        if len(of_address) >= self._share:
            self._drop(of_address)
        elif len(self._open) >= self._most:
            # If all have the key, one of these must go.
            self._drop(self._heaviest() or self._open)
        self._open[fresh] = None

    def refresh(self, connection: Connection) -> None:
        """Mark a connection as active."""
        if connection in self._open:
            del self._open[connection]
            self._open[connection] = None

    def discard(self, connection: Connection) -> None:
        """Remove a closed connection."""
        self._open.pop(connection, None)

    def _heaviest(self) -> list[Connection]:
        """Return the keyless connections of the address with the most of them, least recently active first."""
        keyless = [each for each in self._open if not each.keyed]
        counted = Counter(each.address for each in keyless).most_common(1)
        return [each for each in keyless if each.address == counted[0][0]] if counted else []

    def _drop(self, candidates: Iterable[Connection]) -> None:
        # `min` takes the first of equals, the least recently active one.
        least = min(candidates, key=lambda each: each.busy)
        self.discard(least)
        least.drop()
