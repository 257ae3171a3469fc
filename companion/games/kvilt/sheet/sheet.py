"""The rules' view of a playing sheet: the points and effects of its rows, patches, spools and embroideries."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

Colour: TypeAlias = str
"""A key of one of the sheet's six colours."""

Cell: TypeAlias = "tuple[int, int]"
"""Row and number of a cell in its row, both from 1."""


class BonusKind(StrEnum):
    """The kinds of bonus marks on cells, by their words in a sheet file."""

    PENCIL = "pencil"
    NEUTRAL = "neutral"
    SWAP = "swap"
    SPOOL = "spool"
    BUTTON = "button"
    STITCH = "stitch"


@dataclass(frozen=True, slots=True)
class Bonus:
    """A bonus mark on a cell. `colour` is that of an extra pencil, None for every other kind."""

    kind: BonusKind
    colour: Colour | None = None

    def __str__(self) -> str:
        return f"{self.kind}:{self.colour}" if self.colour else str(self.kind)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of cells, from the left.

    Attributes:
        points: for each cell the row's points if it is the last coloured one.
        bonuses: the bonus marks of each cell.
        columns: the column in which each cell stands.
    """

    points: tuple[int, ...]
    bonuses: tuple[tuple[Bonus, ...], ...]
    columns: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.points)


@dataclass(frozen=True, slots=True)
class ColumnPatch:
    """A patch that points at a column: plus `points` if the whole column is coloured at the end, minus otherwise."""

    id: str
    column: int
    points: int


@dataclass(frozen=True, slots=True)
class Spools:
    """The spools, from the left.

    Attributes:
        points: the points of each spool if it is the last one with a coloured thread.
        open: the number of spools open from the start.
        all_colours_bonus: the points for threads of all colours.
    """

    points: tuple[int, ...]
    open: int
    all_colours_bonus: int


@dataclass(frozen=True, slots=True)
class Embroidery:
    """A figure of `parts`. Completing it gives `pencils` pencils, or backgrounds if that is 0."""

    id: str
    parts: int
    pencils: int

    @property
    def regions(self) -> tuple[str, ...]:
        """The names of its parts, such as "e5.2"."""
        return tuple(f"{self.id}.{number}" for number in range(1, self.parts + 1))


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet. All players of a game colour the same one.

    Attributes:
        id: its name in records.
        colours: the keys of its six colours.
        rows: from the top.
        patches: from the left.
        spools: from the left.
        embroideries: in the order of the file.
        columns: the cells of each column; derived from the rows.
    """

    id: str
    colours: tuple[Colour, ...]
    rows: tuple[Row, ...]
    patches: tuple[ColumnPatch, ...]
    spools: Spools
    embroideries: tuple[Embroidery, ...]
    columns: dict[int, tuple[Cell, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Derive the cells of each column."""
        columns: dict[int, tuple[Cell, ...]] = {}
        for row, cell in self.cells():
            column = self.rows[row - 1].columns[cell - 1]
            columns[column] = (*columns.get(column, ()), (row, cell))
        object.__setattr__(self, "columns", dict(sorted(columns.items())))

    def __hash__(self) -> int:
        return hash((self.id, self.colours, self.rows))

    def cells(self) -> Iterator[Cell]:
        """Yield all cells, row by row."""
        for number, row in enumerate(self.rows, start=1):
            yield from ((number, cell) for cell in range(1, len(row) + 1))

    def bonuses_at(self, cell: Cell) -> tuple[Bonus, ...]:
        """Return the bonus marks of a cell."""
        return self.rows[cell[0] - 1].bonuses[cell[1] - 1]

    def index_of_patch(self, patch: str) -> int:
        """Return the index of a patch, from 0; -1 if no patch has that id."""
        return next((index for index, mark in enumerate(self.patches) if mark.id == patch), -1)

    def find_part(self, region: str) -> tuple[int, int] | None:
        """Return the indices of an embroidery and of its part for a name such as "e5.2", or None if there is none."""
        for index, figure in enumerate(self.embroideries):
            if region in figure.regions:
                return index, figure.regions.index(region)
        return None

    def regions(self) -> tuple[str, ...]:
        """Return the names of all regions that a player can colour, without the swatches."""
        cells = [f"{cell_name(cell)}.{part}" for cell in self.cells() for part in ("picture", "background")]
        numbers = range(1, len(self.spools.points) + 1)
        spools = [f"spool{number}.{part}" for number in numbers for part in ("body", "thread")]
        parts = [region for figure in self.embroideries for region in figure.regions]
        return (*cells, *(patch.id for patch in self.patches), *spools, *parts)


def cell_name(cell: Cell) -> str:
    """Return a cell's name, such as "r2c3"."""
    return f"r{cell[0]}c{cell[1]}"
