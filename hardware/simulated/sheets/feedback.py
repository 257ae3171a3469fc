"""The companion's lights and page, as the players at a simulated table of Kvilt understand them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from companion.games.kvilt import Decision, State
    from companion.games.kvilt.sheet.sheet import Colour


@dataclass(frozen=True, slots=True)
class Offered:
    """One thing to choose.

    Attributes:
        kind: what it is, in a word.
        colours: the pencils that it is about.
        numbers: the pincushion or the rows that it is about.
        decision: what it comes to, where that is settled.
    """

    kind: str
    colours: tuple[Colour, ...] = ()
    numbers: tuple[int, ...] = ()
    decision: Decision | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat is to choose; the first option is on display.

    Attributes:
        asks: what it is about, in a word.
        seat: who chooses.
        options: what there is.
        regions: of the seat's sheet, that it is about.
        state: the game.
    """

    asks: str
    seat: int
    options: tuple[Offered, ...]
    regions: tuple[str, ...]
    state: State


@dataclass(frozen=True, slots=True)
class Complained:
    """The companion does not take a sheet as it is; `codes` say why."""

    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""


News: TypeAlias = Asked | Complained | Ended
