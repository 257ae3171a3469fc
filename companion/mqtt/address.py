"""A broker's address, and how to enter it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Address:
    """A broker and how to enter it.

    Attributes:
        host: its name or address.
        port: usually 1883, or 8883 with TLS.
        tls: whether the connection is encrypted.
        ca: the certificates that it is checked against, or None for those of the system.
        username: or None to enter without.
        password: or None.
    """

    host: str
    port: int = 1883
    tls: bool = False
    ca: Path | None = None
    username: str | None = None
    password: str | None = None
