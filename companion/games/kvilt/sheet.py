"""A playing sheet as the rules see it, the marks of one player on it, and their score."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, TypeAlias

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


@dataclass(frozen=True, slots=True)
class RowMarks:
    """The marks of a row: its colour, the number of coloured pictures, and the cells with a background.

    Attributes:
        colour: a key, or None for an empty row.
        cells: the number of coloured pictures, always the first ones.
        full: the cells with a background too, as a bit mask; bit 0 is the first cell.
    """

    colour: Colour | None = None
    cells: int = 0
    full: int = 0

    @property
    def full_cells(self) -> tuple[int, ...]:
        """The numbers, from 1, of the cells with a background."""
        return tuple(cell for cell in range(1, self.cells + 1) if self.full >> cell - 1 & 1)


@dataclass(frozen=True, slots=True)
class Marks:
    """All marks of one player, each with its colour, in the order of the sheet.

    Attributes:
        rows: from the top.
        patches: the colour of each patch, or None.
        bodies: the colours of the spools that were opened, without those open from the start.
        threads: the colours of the threads, from the left.
        parts: for each embroidery the colour of each of its parts, or None.
    """

    rows: tuple[RowMarks, ...]
    patches: tuple[Colour | None, ...]
    bodies: tuple[Colour, ...]
    threads: tuple[Colour, ...]
    parts: tuple[tuple[Colour | None, ...], ...]

    def is_coloured(self, cell: Cell) -> bool:
        """Return whether the picture of a cell is coloured."""
        return cell[1] <= self.rows[cell[0] - 1].cells

    def complete_rows(self, sheet: Sheet) -> int:
        """Return the number of rows in which every picture is coloured."""
        return sum(marked.cells == len(row) for marked, row in zip(self.rows, sheet.rows, strict=True))

    def open_spools(self, sheet: Sheet) -> int:
        """Return the number of open spools."""
        return sheet.spools.open + len(self.bodies)

    def count_bonuses(self, sheet: Sheet, kind: BonusKind) -> int:
        """Return the number of bonus marks of a kind on the coloured cells."""
        cells = (cell for cell in sheet.cells() if self.is_coloured(cell))
        return sum(bonus.kind is kind for cell in cells for bonus in sheet.bonuses_at(cell))

    def regions(self, sheet: Sheet) -> dict[str, Colour]:
        """Return every coloured region of the sheet with its colour, by name."""
        return dict(self._regions(sheet))

    def _regions(self, sheet: Sheet) -> Iterator[tuple[str, Colour]]:
        for cell in sheet.cells():
            row = self.rows[cell[0] - 1]
            if self.is_coloured(cell) and row.colour:
                yield f"{cell_name(cell)}.picture", row.colour
                if cell[1] in row.full_cells:
                    yield f"{cell_name(cell)}.background", row.colour
        yield from ((mark.id, colour) for mark, colour in zip(sheet.patches, self.patches, strict=True) if colour)
        for number, colour in enumerate(self.bodies, start=sheet.spools.open + 1):
            yield f"spool{number}.body", colour
        for number, colour in enumerate(self.threads, start=1):
            yield f"spool{number}.thread", colour
        for figure, colours in zip(sheet.embroideries, self.parts, strict=True):
            yield from ((name, colour) for name, colour in zip(figure.regions, colours, strict=True) if colour)


def blank(sheet: Sheet) -> Marks:
    """Return the marks of an untouched sheet."""
    parts: tuple[tuple[Colour | None, ...], ...] = tuple((None,) * figure.parts for figure in sheet.embroideries)
    return Marks((RowMarks(),) * len(sheet.rows), (None,) * len(sheet.patches), (), (), parts)


_ROWS_THAT_END: Final = 3
_ROWS_THAT_END_WITH_THREADS: Final = 2


@dataclass(frozen=True, slots=True)
class Score:
    """A player's result, by the rulebook's steps.

    Attributes:
        patches: the points of the coloured patches, positive if the column is complete, negative otherwise.
        rows: for each row the points of its last coloured cell plus one for each full cell.
        spools: the points of the last thread's spool, plus the sheet's bonus for threads of all colours.
        buttons: the number of buttons on coloured cells times the smallest row.
        negative: the rows, from 1, that count negative in the variant "all counted".
    """

    patches: int
    rows: tuple[int, ...]
    spools: int
    buttons: int
    negative: tuple[int, ...] = ()

    @property
    def total(self) -> int:
        """The sum of all parts."""
        turned = sum(self.rows[row - 1] for row in self.negative)
        # Twice, because the sum of the rows includes them once with the wrong sign.
        return self.patches + sum(self.rows) - 2 * turned + self.spools + self.buttons

    @property
    def best_row(self) -> int:
        """The points of the best row before any negation, which breaks ties of the total."""
        return max(self.rows)

    def to_json(self) -> dict[str, Any]:
        """Return the score as in the companion's files, with `negative` only if any rows count negative."""
        fields: dict[str, Any] = {
            "patches": self.patches,
            "rows": list(self.rows),
            "spools": self.spools,
            "buttons": self.buttons,
        }
        if self.negative:
            fields["negative"] = list(self.negative)
        return {**fields, "total": self.total}


def score(sheet: Sheet, marks: Marks, *, empty_row_counts: bool = True, negative: tuple[int, ...] = ()) -> Score:
    """Return the score of a player's marks.

    Args:
        sheet: the sheet.
        marks: the marks on it.
        empty_row_counts: whether an empty row counts as 0 for the smallest row; otherwise it is skipped.
        negative: rows, from 1, that count negative.
    """
    rows = tuple(
        (row.points[marked.cells - 1] if marked.cells else 0) + marked.full.bit_count()
        for row, marked in zip(sheet.rows, marks.rows, strict=True)
    )
    buttons, each = button_factors(sheet, marks, rows, empty_row_counts=empty_row_counts)
    return Score(_patches(sheet, marks), rows, _spools(sheet, marks), buttons * each, negative)


def button_factors(
    sheet: Sheet, marks: Marks, rows: Sequence[int], *, empty_row_counts: bool = True
) -> tuple[int, int]:
    """Return the number of buttons on coloured cells, and the points of the smallest row, which each is worth."""
    counted = [points for points, marked in zip(rows, marks.rows, strict=True) if marked.cells or empty_row_counts]
    return marks.count_bonuses(sheet, BonusKind.BUTTON), min(counted, default=0)


def _patches(sheet: Sheet, marks: Marks) -> int:
    points = 0
    for patch, colour in zip(sheet.patches, marks.patches, strict=True):
        if colour:
            complete = all(marks.is_coloured(cell) for cell in sheet.columns[patch.column])
            points += patch.points if complete else -patch.points
    return points


def _spools(sheet: Sheet, marks: Marks) -> int:
    last = sheet.spools.points[len(marks.threads) - 1] if marks.threads else 0
    return last + (sheet.spools.all_colours_bonus if set(marks.threads) == set(sheet.colours) else 0)


def lowest_rows(points: Sequence[int]) -> tuple[int, int]:
    """Return the two rows, from 1, that are best counted negative: those with the fewest points, upper rows first."""
    first, second = sorted(range(1, len(points) + 1), key=lambda row: (points[row - 1], row))[:2]
    return min(first, second), max(first, second)


def ends_game(sheet: Sheet, marks: Marks) -> bool:
    """Return whether these marks end the game: three complete rows, or two and all threads."""
    complete = marks.complete_rows(sheet)
    threads = len(marks.threads) == len(sheet.spools.points)
    return complete >= _ROWS_THAT_END or (complete >= _ROWS_THAT_END_WITH_THREADS and threads)


def winners(scores: Sequence[Score]) -> tuple[int, ...]:
    """Return the seats, from 1, with the highest total; ties are broken by the best row, and may remain."""
    ranks = [(score.total, score.best_row) for score in scores]
    return tuple(seat for seat, rank in enumerate(ranks, start=1) if rank == max(ranks))
