"""The code by which a table joins a hall, and what it gets for it: its place at the broker."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from ipaddress import IPv4Address
from typing import Final, Self

import msgspec

from companion.errors import CompanionError
from companion.languages import said

SECRET_BYTES: Final = 5
"""Of an invitation: a million million guesses, which the hall's page takes ten a minute of one address."""
_ADDRESS_BYTES: Final = 4
_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letter that is taken for a digit."""
_ALIKE: Final = str.maketrans("OIL", "011", "- \t")
_LENGTH: Final = 16
_GROUP: Final = 4


class JoinError(CompanionError):
    """A table cannot join a hall."""


class BrokerPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The place of a table at a hall's broker.

    Attributes:
        broker: its address, such as "mqtt://192.168.1.5:1883".
        prefix: of all topics.
        table: its name in topics, and its user's name at the broker.
        name: its name for people.
        password: its user's.
    """

    broker: str
    prefix: str
    table: str
    name: str
    password: str


@dataclass(frozen=True, slots=True)
class HallCode:
    """A code that is read out, or typed off a card: four groups of four letters and digits.

    Attributes:
        address: of the hall's machine on its network.
        secret: of the invitation, of `SECRET_BYTES`.
    """

    address: IPv4Address
    secret: bytes

    def __str__(self) -> str:
        content = self.address.packed + self.secret
        number = int.from_bytes(content + _check(content))
        text = "".join(_LETTERS[number >> 5 * place & 31] for place in reversed(range(_LENGTH)))
        return "-".join(text[start : start + _GROUP] for start in range(0, _LENGTH, _GROUP))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the code that was typed; small letters, and those that look like digits, will do.

        Raises:
            JoinError: it is none.
        """
        letters = text.upper().translate(_ALIKE)
        if len(letters) == _LENGTH and set(letters) <= set(_LETTERS):
            number = 0
            for letter in letters:
                number = number << 5 | _LETTERS.index(letter)
            whole = number.to_bytes(_ADDRESS_BYTES + SECRET_BYTES + 1)
            if _check(whole[:-1]) == whole[-1:]:
                return cls(IPv4Address(whole[:_ADDRESS_BYTES]), whole[_ADDRESS_BYTES:-1])
        raise JoinError(
            said(
                "join: {code}: is no code, or not typed as it was printed; allowed: four groups of four letters and "
                "digits, such as {example}",
                code=text[:40],
                example="R2M0-21BG-4TZX-9KQD",
            )
        )


def _check(content: bytes) -> bytes:
    """Return the byte by which a slip in typing is noticed."""
    return hashlib.sha256(content).digest()[:1]
