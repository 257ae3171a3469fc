"""The code with which a table joins a hall, and the broker's address and credentials that it gets for it."""

import hashlib
import ssl
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Final, Self, TypeAlias

import msgspec

from companion.errors import CompanionError
from companion.languages import said

SECRET_BYTES: Final = 5
"""The length of an invitation's secret: 10^12 values, of which the hall's page accepts ten guesses a minute from one
address."""
LONGEST_CA: Final = 1 << 15
"""The largest number of characters of a broker's certificates; a chain of a club's own has some thousands."""
# Crockford's base 32, without letters that look like digits.
_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ALIKE: Final = str.maketrans("OIL", "011", "- \t")
_GROUP: Final = 4
IPAddress: TypeAlias = IPv4Address | IPv6Address
# The type of a code's address, by the code's length: as many letters as its bytes need.
_KINDS: Final[dict[int, type[IPAddress]]] = {16: IPv4Address, 36: IPv6Address}


class JoinError(CompanionError):
    """Raised if a table cannot join a hall."""


class BrokerPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table's account at a hall's broker.

    Attributes:
        broker: the broker's address, such as "mqtt://192.168.1.5:1883".
        prefix: the prefix of all topics.
        table: the table's name in topics, which is also its user name at the broker.
        name: the table's display name.
        password: the password of the table's user.
        ca: the certificates to trust, as PEM; empty for those of the system.
    """

    broker: str
    prefix: str
    table: str
    name: str
    password: str
    ca: str = ""


@dataclass(frozen=True, slots=True)
class HallCode:
    """A code to type or read out: four groups of four letters and digits, nine with IPv6.

    Attributes:
        address: the address of the hall's machine on its network.
        secret: the invitation's secret, `SECRET_BYTES` long.
    """

    address: IPAddress
    secret: bytes

    def __str__(self) -> str:
        content = self.address.packed + self.secret
        number = int.from_bytes(content + _check(content))
        length = next(length for length, kind in _KINDS.items() if isinstance(self.address, kind))
        text = "".join(_LETTERS[number >> 5 * place & 31] for place in reversed(range(length)))
        return "-".join(text[start : start + _GROUP] for start in range(0, length, _GROUP))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the code of a typed text; lower case, and letters that look like digits, are accepted.

        Raises:
            JoinError: the text is no valid code.
        """
        letters = text.upper().translate(_ALIKE)
        kind, size = _KINDS.get(len(letters)), len(letters) * 5 // 8
        if kind is not None and set(letters) <= set(_LETTERS):
            number = 0
            for letter in letters:
                number = number << 5 | _LETTERS.index(letter)
            whole = number.to_bytes(size) if number < 1 << 8 * size else b""
            if whole and _check(whole[:-1]) == whole[-1:]:
                end = size - SECRET_BYTES - 1
                return cls(kind(whole[:end]), whole[end:-1])
        raise JoinError.said(
            "join: {code}: is not a code, or was not typed as printed; allowed: four or nine groups of four "
            "letters and digits, such as {example}",
            code=text[:40],
            example="R2M0-21BG-4TZX-9KQD",
        )


def fingerprint(ca: str) -> str:
    """Return a certificate's fingerprint to compare by eye: half of its file's `sha256sum`, in groups of four."""
    digest = hashlib.sha256(ca.encode()).hexdigest()
    return " ".join(digest[start : start + 4] for start in range(0, 32, 4))


def check_certificates(ca: str) -> None:
    """Check that a text contains certificates usable as trust anchors.

    Raises:
        ValueError: it does not; the message is the reason.
    """
    if len(ca) > LONGEST_CA:
        raise ValueError(said("more than {count} characters", count=LONGEST_CA))
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=ca)
    except (ssl.SSLError, TypeError, ValueError) as error:
        raise ValueError(said("no certificates (PEM)")) from error


def at_port(address: IPAddress, port: int) -> str:
    """Return an address and a port as the authority of a URL."""
    return f"[{address}]:{port}" if address.version == 6 else f"{address}:{port}"


def _check(content: bytes) -> bytes:
    """Return the check byte of a code's content, which detects typing errors."""
    return hashlib.sha256(content).digest()[:1]
