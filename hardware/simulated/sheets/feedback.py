"""The companion's news to the simulated players of Kvilt, as understood from its lights and page."""

from dataclasses import dataclass
from typing import TypeAlias

from companion.games.kvilt.decisions import Decision
from companion.games.kvilt.sheet import Colour
from companion.games.kvilt.state import State


@dataclass(frozen=True, slots=True)
class Offered:
    """One option.

    Attributes:
        kind: its kind, in a word.
        colours: the pencils that it concerns.
        numbers: the pincushion or the rows that it concerns.
        decision: the resulting decision, if that is fixed.
    """

    kind: str
    colours: tuple[Colour, ...] = ()
    numbers: tuple[int, ...] = ()
    decision: Decision | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat has to choose; the first option is on display.

    Attributes:
        asks: subject, in a word.
        seat: the seat that chooses.
        options: the options.
        regions: regions of the seat's sheet that it concerns.
        state: the game.
    """

    asks: str
    seat: int
    options: tuple[Offered, ...]
    regions: tuple[str, ...]
    state: State


@dataclass(frozen=True, slots=True)
class Complained:
    """The companion rejects a sheet; `codes` are the reasons."""

    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""


News: TypeAlias = Asked | Complained | Ended
