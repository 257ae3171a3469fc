"""The choice of connections to keep when there are too many: each address has a share, the table's key comes first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST: Final = 512
"""The number of connections of all browsers together; a page has one open, and a few more for a moment. Most systems
allow 1024 descriptors."""
SHARE: Final = 128
"""The number of connections of one address without the key."""


class Connection(Protocol):
    """One connection, as far as its worth tells."""

    @property
    def address(self) -> str:
        """The address that it comes from."""

    @property
    def keyed(self) -> bool:
        """True if a request over it had the table's key."""

    @property
    def busy(self) -> bool:
        """True while a request over it is being answered."""

    def drop(self) -> None:
        """Close it at once."""


class Connections:
    """All open connections. A new one is never refused, for its request may have the key: a lesser one gives way.

    The address with the most connections loses first; of one address those that nobody waits for, the oldest first.
    nginx makes room likewise, by its oldest idle connections.

    Args:
        most: how many there may be.
        share: how many without the key one address may have.
    """

    def __init__(self, most: int = MOST, share: int = SHARE) -> None:
        self._most, self._share = most, share
        # In the order of their last sign of life.
        self._open: dict[Connection, None] = {}

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, fresh: Connection) -> None:
        """Take a new connection; another may be closed for it."""
        of_address = [each for each in self._open if each.address == fresh.address and not each.keyed]
        if len(of_address) >= self._share:
            self._drop(of_address)
        elif len(self._open) >= self._most:
            self._drop(self._heaviest() or self._open)
        self._open[fresh] = None

    def refresh(self, connection: Connection) -> None:
        """Note a sign of life."""
        if connection in self._open:
            del self._open[connection]
            self._open[connection] = None

    def discard(self, connection: Connection) -> None:
        """Forget a connection that is closed."""
        self._open.pop(connection, None)

    def _heaviest(self) -> list[Connection]:
        """Return what the address with the most connections has open without the key, oldest first."""
        keyless = [each for each in self._open if not each.keyed]
        counted = Counter(each.address for each in keyless).most_common(1)
        return [each for each in keyless if each.address == counted[0][0]] if counted else []

    def _drop(self, candidates: Iterable[Connection]) -> None:
        least = min(candidates, key=lambda each: each.busy)
        self.discard(least)
        least.drop()
