"""A friend at another table who has a seat at this one: the code of their game, and the two tables’ connection."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

from companion.config import Config
from companion.errors import CompanionError
from companion.languages import Sentence, said

NOTE: Final = "partner"
"""The key of the journal's note on a game's partner: the seat and the level, or nothing."""
# Without letters and digits that look alike; 10^12 codes.
_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_CODE_LENGTH: Final = 8


class NoPartnerError(CompanionError):
    """Raised if the robot, or a friend at another table, cannot have a seat."""


@dataclass(frozen=True, slots=True)
class Friend:
    """The choice of a friend at another table for a seat.

    Attributes:
        seat: the friend's seat.
        code: the code of the game, which both tables have; empty for a new one.
    """

    seat: int
    code: str = ""

    def __str__(self) -> str:
        return f"{self.seat} friend {self.code}"


@dataclass(frozen=True, slots=True)
class FriendStatus:
    """The state of a friend's table, as far as it is known here.

    Attributes:
        seat: the friend's seat.
        code: the code of the game.
        is_there: whether the other table is on; None while that is unknown.
        word: the friend's latest word, or "".
        own_word: the latest word from this table, or "".
        wish: how many decisions the friend asks to take back; 0 if none, or if this table has agreed.
    """

    seat: int
    code: str
    is_there: bool | None = None
    word: str = ""
    own_word: str = ""
    wish: int = 0

    @property
    def shown_code(self) -> str:
        """The code as people read it."""
        return f"{self.code[:4]}-{self.code[4:]}"


def new_code() -> str:
    """Return a code for a game with a friend that begins."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))


def code_in(typed: str) -> str:
    """Return a code as it was made, without what people add to it.

    Raises:
        NoPartnerError: it is none.
    """
    code = typed.upper().translate(str.maketrans("", "", "- "))
    if len(code) != _CODE_LENGTH or set(code) - set(_LETTERS):
        example = FriendStatus(0, "KQ7XM4PD").shown_code
        raise NoPartnerError.said("“{text}” is no code; a code looks like {example}", text=typed[:20], example=example)
    return code


def messages_stay(friend: Friend) -> Sentence:
    """Return the sentence on a deleted game whose messages could not be removed from the broker."""
    return said("The broker cannot be reached, and keeps this table’s messages of the game {code}.", code=friend.code)


def friend_in(notes: Mapping[str, str]) -> Friend | None:
    """Return the friend of a game by its notes, or None if it has none."""
    match notes.get(NOTE, "").split(" "):
        case [seat, "friend", code] if seat.isdigit():
            return Friend(int(seat), code)
    return None


def friend_of(config: Config) -> Friend | None:
    """Return the friend of a game that begins with this configuration, or None if it has none."""
    chosen = config.partner
    return None if chosen.seat is None or chosen.code is None else Friend(chosen.seat, chosen.code)


def with_friend(config: Config, friend: Friend) -> Config:
    """Return the configuration of a game in which a friend at another table has a seat."""
    return replace(config, partner=replace(config.partner, seat=friend.seat, code=friend.code))


class FriendLine(Protocol):
    """The connection to the friend's table; its methods never wait, except `wait`."""

    @property
    def newest(self) -> bytes | None:
        """The newest message from the friend's table, or None if none has come."""

    @property
    def is_there(self) -> bool | None:
        """True if the friend's table is on; None while that is unknown."""

    def publish(self, message: bytes, *, is_last: bool) -> None:
        """Send a message as soon as that is possible; `is_last` if both tables have all of a finished game."""

    def wait(self, seconds: float) -> bool:
        """Wait for a message that is newer than at the last call; return whether there is one."""


class FarTable(Protocol):
    """The friend's table, as the turn loop asks it: nothing that both have is changed by one of them."""

    @property
    def is_laid(self) -> bool:
        """True if the friend's patches are laid on this table, too."""

    @property
    def wants_undo(self) -> bool:
        """True if this table has agreed that decisions are taken back."""

    def ask_undo(self) -> str:
        """Agree that decisions are taken back, or withdraw that; return the sentence for the players here."""

    def send(self, text: str) -> None:
        """Send a word."""
