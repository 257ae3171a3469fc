"""The decisions of a player, as values. A pencil drawn blind is part of the decision that it belongs to."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from companion.games.kvilt.sheet.sheet import Cell, Colour


class PencilSource(StrEnum):
    """The places from which the pencils of a finished embroidery can be taken."""

    NEUTRAL = "neutral"
    BAG = "bag"


@dataclass(frozen=True, slots=True)
class TakeToken:
    """Take a scrap token; its colour is the seat's bonus colour for this round."""

    seat: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class PlacePencil:
    """Put the pencil `drawn` blind on a pincushion, counted from 1."""

    seat: int
    drawn: Colour
    cushion: int


@dataclass(frozen=True, slots=True)
class TakeCushion:
    """Take a pincushion from the middle, counted from 1."""

    seat: int
    cushion: int


@dataclass(frozen=True, slots=True)
class FillNeutral:
    """Draw blind until the neutral pincushion holds three; the first player's decision."""

    seat: int
    drawn: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class ColourCell:
    """Colour the next picture of a row, from 1.

    Attributes:
        seat: the sheet's seat.
        colour: of the pencil: an own one, or the one of the bonus that is due.
        row: from 1.
        background: None: colour it if that is allowed. True: it was coloured. False: it was left white.
        spool: whether a spool mark on the cell, if there is one, is used.
    """

    seat: int
    colour: Colour
    row: int
    background: bool | None = None
    spool: bool = True


@dataclass(frozen=True, slots=True)
class ColourPatch:
    """Colour a patch, by its id."""

    seat: int
    colour: Colour
    patch: str


@dataclass(frozen=True, slots=True)
class ColourThread:
    """Colour the thread of the next open spool."""

    seat: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class Stitch:
    """Colour a part of an embroidery, such as "e5.2", with the pencil that has just coloured a cell with a stitch."""

    seat: int
    part: str


@dataclass(frozen=True, slots=True)
class Fetch:
    """Take a pencil for a finished embroidery: a chosen one from the neutral pincushion, or a blind one."""

    seat: int
    source: PencilSource
    colour: Colour


@dataclass(frozen=True, slots=True)
class ColourBackgrounds:
    """Colour backgrounds of cells of this round, for a finished two-part embroidery."""

    seat: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Swap:
    """Exchange one or two unused pencils for as many that are `drawn` blind."""

    seat: int
    given: tuple[Colour, ...]
    drawn: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class Decline:
    """Forgo the bonus that is due; it is lost."""

    seat: int


@dataclass(frozen=True, slots=True)
class Done:
    """End the seat's colouring in this round; unused pencils are lost."""

    seat: int


@dataclass(frozen=True, slots=True)
class Negate:
    """Count two rows, numbered from 1, negative (variant "all counted")."""

    seat: int
    rows: tuple[int, int]


Use: TypeAlias = ColourCell | ColourPatch | ColourThread
"""The three ways to use a pencil."""

Decision: TypeAlias = (
    TakeToken
    | PlacePencil
    | TakeCushion
    | FillNeutral
    | ColourCell
    | ColourPatch
    | ColourThread
    | Stitch
    | Fetch
    | ColourBackgrounds
    | Swap
    | Decline
    | Done
    | Negate
)
