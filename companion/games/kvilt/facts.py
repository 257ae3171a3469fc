"""The facts that a decision brings about, in past tense and in the order in which they happen at the table."""

from dataclasses import dataclass
from typing import TypeAlias

from companion.games.kvilt.decisions import PencilSource
from companion.games.kvilt.sheet import Cell, Colour
from companion.games.kvilt.state import Phase, TaskKind


@dataclass(frozen=True, slots=True)
class TokenTaken:
    """The seat's bonus colour of this round."""

    seat: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class PencilPlaced:
    """A pencil from the bag now stands on a pincushion in the middle."""

    seat: int
    colour: Colour
    cushion: int


@dataclass(frozen=True, slots=True)
class CushionTaken:
    """A pincushion with these pencils went to the seat."""

    seat: int
    cushion: int
    pencils: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class FirstPlayerChanged:
    """The first-player token passed to `seat`; there is no such fact if it stays with its holder."""

    seat: int


@dataclass(frozen=True, slots=True)
class NeutralFilled:
    """The neutral pincushion got these pencils from the bag."""

    cushion: int
    drawn: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class CellColoured:
    """A picture was coloured, and if `full`, the background too."""

    seat: int
    cell: Cell
    colour: Colour
    full: bool


@dataclass(frozen=True, slots=True)
class PatchColoured:
    """A patch was coloured."""

    seat: int
    patch: str
    colour: Colour


@dataclass(frozen=True, slots=True)
class ThreadColoured:
    """The thread of a spool, from 1, was coloured."""

    seat: int
    spool: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class SpoolOpened:
    """A spool, from 1, was opened."""

    seat: int
    spool: int


@dataclass(frozen=True, slots=True)
class PartStitched:
    """A part of an embroidery was coloured."""

    seat: int
    part: str
    colour: Colour


@dataclass(frozen=True, slots=True)
class EmbroideryFinished:
    """The last part of an embroidery was coloured."""

    seat: int
    embroidery: str


@dataclass(frozen=True, slots=True)
class PencilFetched:
    """A pencil was taken for a finished embroidery."""

    seat: int
    source: PencilSource
    colour: Colour


@dataclass(frozen=True, slots=True)
class PencilReturned:
    """A pencil went back to where it had been taken from."""

    seat: int
    source: PencilSource
    colour: Colour


@dataclass(frozen=True, slots=True)
class BackgroundsColoured:
    """Backgrounds of cells of this round were coloured."""

    seat: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class PencilsSwapped:
    """Pencils of the seat's pincushion were exchanged."""

    seat: int
    given: tuple[Colour, ...]
    drawn: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class BonusLost:
    """A bonus was declined, or could not be used."""

    seat: int
    bonus: TaskKind


@dataclass(frozen=True, slots=True)
class ColouringEnded:
    """The seat has ended its colouring in this round; these pencils were left unused."""

    seat: int
    unused: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class RowsNegated:
    """Two rows of the seat count negative."""

    seat: int
    rows: tuple[int, int]


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """All pencils are back in the bag, pincushions and tokens in the middle."""

    round: int


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """A phase of a round began."""

    phase: Phase
    round: int


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """The turn passed to `seat`; there is no such fact if the same player decides again."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over; more than one seat may share the victory."""

    winners: tuple[int, ...]


Fact: TypeAlias = (
    TokenTaken
    | PencilPlaced
    | CushionTaken
    | FirstPlayerChanged
    | NeutralFilled
    | CellColoured
    | PatchColoured
    | ThreadColoured
    | SpoolOpened
    | PartStitched
    | EmbroideryFinished
    | PencilFetched
    | PencilReturned
    | BackgroundsColoured
    | PencilsSwapped
    | BonusLost
    | ColouringEnded
    | RowsNegated
    | RoundEnded
    | PhaseBegan
    | TurnPassed
    | GameEnded
)
