"""The facts that a decision brings about, in past tense and in the order in which they happen at the table."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class PatchPlaced:
    """A patch was bought for `paid` buttons and covers `cells` (bit mask)."""

    seat: int
    patch: str
    cells: int
    paid: int


@dataclass(frozen=True, slots=True)
class LeatherPlaced:
    """The leather patch just won covers `cells` (bit mask of one cell)."""

    seat: int
    cells: int


@dataclass(frozen=True, slots=True)
class BonusTileTaken:
    """The seat was the first to cover a whole 7x7 square."""

    seat: int


@dataclass(frozen=True, slots=True)
class TokenMoved:
    """The seat's time token went from space `start` to space `end`."""

    seat: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ButtonsEarned:
    """The bank paid for advancing, one button per space."""

    seat: int
    buttons: int


@dataclass(frozen=True, slots=True)
class IncomePaid:
    """An income mark was crossed and the bank paid `buttons`; 0 if the quilt has no button icons."""

    seat: int
    mark: int
    buttons: int


@dataclass(frozen=True, slots=True)
class LeatherWon:
    """The seat was the first to cross a leather patch's mark."""

    seat: int
    mark: int


@dataclass(frozen=True, slots=True)
class LeatherSetAside:
    """There was no empty cell for the leather patch just won; it is out of the game."""

    seat: int


@dataclass(frozen=True, slots=True)
class ButtonsCounted:
    """The game has ended, and the seat has `buttons` in hand; by the rules it had `booked`."""

    seat: int
    buttons: int
    booked: int


@dataclass(frozen=True, slots=True)
class TileAwarded:
    """The game has ended, and the 7x7 tile is awarded to the seat; by the rules it was that of the seat `booked`."""

    seat: int
    booked: int


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """The turn passed to `seat`; there is no such fact if the same player moves again."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """Both tokens stand on the last space and nothing is left to place."""

    winner: int


Fact: TypeAlias = (
    PatchPlaced
    | LeatherPlaced
    | BonusTileTaken
    | TokenMoved
    | ButtonsEarned
    | IncomePaid
    | LeatherWon
    | LeatherSetAside
    | ButtonsCounted
    | TileAwarded
    | TurnPassed
    | GameEnded
)
