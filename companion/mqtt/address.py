"""A broker's address and credentials."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Address:
    """A broker's address, with the credentials to connect.

    Attributes:
        host: the host name or IP address.
        port: the TCP port; usually 1883, or 8883 with TLS.
        tls: whether the connection is encrypted.
        ca: the file of trusted certificates, or None for those of the system.
        username: the user name, or None to connect without one.
        password: the password, or None.
    """

    host: str
    port: int = 1883
    tls: bool = False
    ca: Path | None = None
    username: str | None = None
    password: str | None = None
