"""The marks of one player, as a value."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.kvilt.sheet.sheet import BonusKind, Cell, Colour, Sheet, cell_name


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
        return sum(mine.cells == len(row) for mine, row in zip(self.rows, sheet.rows, strict=True))

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
