"""The check of a single sheet by the rules: the marks that count, the faults, and the score.

A single look at a sheet has no history. It finds marks out of order, colours that clash, locked spools with threads,
backgrounds without pictures, and more spools or stitches than the coloured cells can have given.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile

from companion.games.kvilt.errors import FaultCode
from companion.games.kvilt.sheet import BonusKind, Colour, Marks, RowMarks, Score, Sheet, cell_name, score


class FaultReason(StrEnum):
    """The reasons of a fault, more finely than by its code."""

    GAP_IN_ROW = "gap-in-row"
    ODD_COLOUR = "odd-colour"
    BACKGROUND_ALONE = "background-alone"
    BACKGROUND_COLOUR = "background-colour"
    COLOUR_OF_ROW = "colour-of-row"
    GAP_IN_SPOOLS = "gap-in-spools"
    SPOOLS_OPENED = "spools-opened"
    GAP_IN_THREADS = "gap-in-threads"
    SPOOL_LOCKED = "spool-locked"
    PARTS_STITCHED = "parts-stitched"
    CELL_UNCOUNTED = "cell-uncounted"
    PICTURE_UNCOUNTED = "picture-uncounted"
    SPOOL_UNCOUNTED = "spool-uncounted"
    THREAD_UNCOUNTED = "thread-uncounted"
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a sheet: something that the rules forbid.

    Attributes:
        code: the kind.
        regions: the names of the regions at fault, at least one.
        reason: the kind, more finely. UNEXPLAINED: no decision of the round explains the regions; the code says why.
            CELL_UNCOUNTED and the like: what must come before them is coloured on the paper, but does not count.
        row: the row at fault; 0 if none is.
        number: the cell or the spool concerned, the first one of a gap or of another colour; otherwise 0.
        other: the other row of the same colour; otherwise 0.
        colour: the row's colour, or None.
        count: the number of opened spools or stitched parts; otherwise 0.
        given: the number of them that the coloured cells give; otherwise 0.
        since: the round since which what must come before the regions has not counted; 0 if it was coloured only now.
    """

    code: FaultCode
    regions: tuple[str, ...]
    reason: FaultReason = FaultReason.UNEXPLAINED
    row: int = 0
    number: int = 0
    other: int = 0
    colour: Colour | None = None
    count: int = 0
    given: int = 0
    since: int = 0


@dataclass(frozen=True, slots=True)
class SheetVerdict:
    """The result of checking a sheet by the rules.

    Attributes:
        sheet: the sheet.
        marks: the marks that count. Marks out of order, threads on locked spools and wrong backgrounds are left out; a
            cell of a wrong colour counts.
        errors: the faults, from the top of the sheet to its bottom.
        score: the score of the counted marks.
    """

    sheet: Sheet
    marks: Marks
    errors: tuple[Fault, ...]
    score: Score


def judge_sheet(sheet: Sheet, seen: Mapping[str, Colour | None], *, empty_row_counts: bool = True) -> SheetVerdict:
    """Check the coloured regions of a sheet by the rules.

    Args:
        sheet: the sheet.
        seen: the colour of every coloured region, by name; None, or no entry, for one that is not coloured.
            Names that are not regions of the sheet are ignored.
        empty_row_counts: as in `score`.
    """
    judge = _Judge(sheet, {region: colour for region, colour in seen.items() if colour})
    marks = judge.marks()
    worth = score(sheet, marks, empty_row_counts=empty_row_counts)
    return SheetVerdict(sheet, marks, tuple(judge.faults), worth)


class _Judge:
    """A judge that collects the marks of a sheet that count, and its faults."""

    def __init__(self, sheet: Sheet, seen: dict[str, Colour]) -> None:
        self._sheet, self._seen = sheet, seen
        self.faults: list[Fault] = []

    def marks(self) -> Marks:
        """Return the marks that count."""
        rows = tuple(self._row(number) for number in range(1, len(self._sheet.rows) + 1))
        self._check_row_colours(rows)
        patches = tuple(self._seen.get(patch.id) for patch in self._sheet.patches)
        bodies = self._bodies()
        threads = self._threads(self._sheet.spools.open + len(bodies))
        figures = self._sheet.embroideries
        parts = tuple(tuple(self._seen.get(region) for region in figure.regions) for figure in figures)
        self._check_stitches(parts)
        return Marks(rows, patches, bodies, threads, parts)

    def _report(self, fault: Fault) -> None:
        if fault.regions:
            self.faults.append(fault)

    def _run(self, regions: Sequence[str]) -> list[Colour]:
        """Return the colours of the regions before the first gap."""
        return [self._seen[region] for region in takewhile(self._seen.__contains__, regions)]

    def _row(self, number: int) -> RowMarks:
        cells = range(1, len(self._sheet.rows[number - 1]) + 1)
        pictures = [f"{cell_name((number, cell))}.picture" for cell in cells]
        run = self._run(pictures)
        late = [region for region in pictures[len(run) :] if region in self._seen]
        self._report(Fault(FaultCode.ORDER, tuple(late), FaultReason.GAP_IN_ROW, row=number, number=len(run) + 1))
        colour = _commonest(run)
        # Not strict: the run ends at the first white picture.
        odd = [region for region, found in zip(pictures, run, strict=False) if found != colour]
        first = next((cell for cell, found in enumerate(run, start=1) if found != colour), 0)
        fault = Fault(FaultCode.ROW_COLOUR, tuple(odd), FaultReason.ODD_COLOUR, row=number, number=first, colour=colour)
        self._report(fault)
        return RowMarks(colour, len(run), self._full(number, len(run)))

    def _full(self, number: int, coloured: int) -> int:
        """Return the cells with a background of their picture's colour, as a bit mask."""
        full = 0
        for cell in range(1, len(self._sheet.rows[number - 1]) + 1):
            picture, background = (f"{cell_name((number, cell))}.{part}" for part in ("picture", "background"))
            if background not in self._seen:
                continue
            if picture not in self._seen:
                self._report(
                    Fault(FaultCode.BACKGROUND, (background,), FaultReason.BACKGROUND_ALONE, row=number, number=cell)
                )
            elif self._seen[background] != self._seen[picture]:
                self._report(
                    Fault(FaultCode.BACKGROUND, (background,), FaultReason.BACKGROUND_COLOUR, row=number, number=cell)
                )
            elif cell <= coloured:
                full |= 1 << cell - 1
        return full

    def _check_row_colours(self, rows: Sequence[RowMarks]) -> None:
        """Report rows of the same colour: the one with fewer cells is at fault, or the lower one of equals."""
        order = sorted(range(1, len(rows) + 1), key=lambda number: (-rows[number - 1].cells, number))
        owners: dict[Colour, int] = {}
        for number in order:
            row = rows[number - 1]
            if row.colour is None:
                continue
            owner = owners.setdefault(row.colour, number)
            if owner != number:
                regions = [f"{cell_name((number, cell))}.picture" for cell in range(1, row.cells + 1)]
                self._report(
                    Fault(
                        FaultCode.COLOUR_TAKEN,
                        tuple(regions),
                        FaultReason.COLOUR_OF_ROW,
                        row=number,
                        other=owner,
                        colour=row.colour,
                    )
                )

    def _bodies(self) -> tuple[Colour, ...]:
        """Return the colours of the opened spools, without those open from the start, whose colours are ignored."""
        spools = self._sheet.spools
        names = [f"spool{number}.body" for number in range(spools.open + 1, len(spools.points) + 1)]
        run = self._run(names)
        late = [name for name in names[len(run) :] if name in self._seen]
        first = spools.open + len(run) + 1
        self._report(Fault(FaultCode.ORDER, tuple(late), FaultReason.GAP_IN_SPOOLS, number=first))
        surplus = max(0, len(run) - self._given(BonusKind.SPOOL))
        over = names[len(run) - surplus : len(run)]
        given = len(run) - surplus
        self._report(Fault(FaultCode.UNLOCK, tuple(over), FaultReason.SPOOLS_OPENED, count=len(run), given=given))
        return tuple(run)

    def _threads(self, opened: int) -> tuple[Colour, ...]:
        names = [f"spool{number}.thread" for number in range(1, len(self._sheet.spools.points) + 1)]
        run = self._run(names)
        late = [name for name in names[len(run) :] if name in self._seen]
        self._report(Fault(FaultCode.ORDER, tuple(late), FaultReason.GAP_IN_THREADS, number=len(run) + 1))
        self._report(Fault(FaultCode.LOCKED, tuple(names[opened : len(run)]), FaultReason.SPOOL_LOCKED, count=opened))
        return tuple(run[:opened])

    def _check_stitches(self, parts: tuple[tuple[Colour | None, ...], ...]) -> None:
        figures = zip(self._sheet.embroideries, parts, strict=True)
        coloured = [
            name for figure, colours in figures for name, colour in zip(figure.regions, colours, strict=True) if colour
        ]
        given = self._given(BonusKind.STITCH)
        if len(coloured) > given:
            self._report(
                Fault(FaultCode.STITCH, tuple(coloured), FaultReason.PARTS_STITCHED, count=len(coloured), given=given)
            )

    def _given(self, kind: BonusKind) -> int:
        """Return the number of marks of a kind on all cells with a picture, in order or not: no fault counts twice."""
        return sum(bonus.kind is kind for cell in self._coloured() for bonus in self._sheet.bonuses_at(cell))

    def _coloured(self) -> Iterator[tuple[int, int]]:
        return (cell for cell in self._sheet.cells() if f"{cell_name(cell)}.picture" in self._seen)


def _commonest(colours: Sequence[Colour]) -> Colour | None:
    """Return the commonest colour, the earliest of equals, or None if there is none."""
    return Counter(colours).most_common(1)[0][0] if colours else None
