"""Marks that are on the paper and do not count: why not, and what they block as long as they do not.

Pencil cannot be erased. A mark that no legal decision explains stays on the sheet, until a legal pencil of its colour
claims it in a later round. Meanwhile what must be coloured after it cannot count either.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from companion.games.kvilt.errors import FaultCode
from companion.games.kvilt.judging import Fault, FaultReason
from companion.games.kvilt.sheet import Cell, Colour, Marks, Sheet, cell_name

_CELL: Final = re.compile(r"r(\d+)c(\d+)\.(picture|background)")
_SPOOL: Final = re.compile(r"spool(\d+)\.(body|thread)")


class BlockedKind(StrEnum):
    """The things that an uncounted mark blocks.

    ROW: a row goes on only if a pencil of the mark's colour claims the mark. CLOSED_ROW: no pencil can claim it, so
    that the row has ended. THREADS: as for a row. EMBROIDERY: it is finished only if a stitch claims the mark.
    """

    ROW = "row"
    CLOSED_ROW = "closed-row"
    THREADS = "threads"
    EMBROIDERY = "embroidery"


@dataclass(frozen=True, slots=True)
class Blocked:
    """Something that cannot go on as long as a mark does not count.

    Attributes:
        kind: what it is.
        number: of the row, of the thread's spool, or of the embroidery in the order of the sheet, from 1.
        colour: the mark's.
        cell: the number of the mark's cell in its row; otherwise 0.
    """

    kind: BlockedKind
    number: int
    colour: Colour
    cell: int = 0


def blocked_by(sheet: Sheet, marks: Marks, uncounted: Mapping[str, Colour]) -> tuple[Blocked, ...]:
    """Return what some uncounted marks block, in the order of the sheet.

    Args:
        sheet: the sheet.
        marks: the marks that count.
        uncounted: the others on the paper, by region.
    """
    return tuple(_blocked(sheet, marks, uncounted))


def _blocked(sheet: Sheet, marks: Marks, uncounted: Mapping[str, Colour]) -> Iterator[Blocked]:
    for number, row in enumerate(marks.rows, start=1):
        cell = row.cells + 1
        colour = uncounted.get(_picture((number, cell)))
        if colour:
            kind = BlockedKind.ROW if _row_fault(marks, number, colour) is None else BlockedKind.CLOSED_ROW
            yield Blocked(kind, number, colour, cell)
    spool = len(marks.threads) + 1
    if colour := uncounted.get(f"spool{spool}.thread"):
        yield Blocked(BlockedKind.THREADS, spool, colour)
    for number, figure in enumerate(sheet.embroideries, start=1):
        wanted = dict.fromkeys(uncounted[region] for region in figure.regions if region in uncounted)
        yield from (Blocked(BlockedKind.EMBROIDERY, number, colour) for colour in wanted)


def why_uncounted(
    sheet: Sheet, marks: Marks, paper: Mapping[str, Colour], over: Iterable[str], declined: Mapping[str, int]
) -> tuple[Fault, ...]:
    """Return why marks do not count, those of one reason together, in the order of the marks.

    Args:
        sheet: the sheet.
        marks: the marks that count.
        paper: the colour of every coloured region.
        over: the regions in question; each is coloured.
        declined: the round since which marks have not counted, by region; 0 if it is not known.
    """
    causes = _Causes(sheet, marks, paper, declined)
    regions: dict[Fault, list[str]] = {}
    for region in over:
        regions.setdefault(causes.of(region), []).append(region)
    return tuple(replace(fault, regions=tuple(names)) for fault, names in regions.items())


class _Causes:
    """The reasons why single marks do not count: faults without their regions."""

    def __init__(self, sheet: Sheet, marks: Marks, paper: Mapping[str, Colour], declined: Mapping[str, int]) -> None:
        self._sheet, self._marks, self._paper, self._declined = sheet, marks, paper, declined

    def of(self, region: str) -> Fault:
        if cell := _CELL.fullmatch(region):
            of_cell = self._of_picture if cell[3] == "picture" else self._of_background
            return of_cell((int(cell[1]), int(cell[2])), self._paper[region])
        if spool := _SPOOL.fullmatch(region):
            return self._of_body(int(spool[1])) if spool[2] == "body" else self._of_thread(int(spool[1]))
        if self._sheet.find_part(region):
            return Fault(FaultCode.STITCH, ())
        patch = self._sheet.patches[self._sheet.index_of_patch(region)]
        late = any(map(self._marks.is_coloured, self._sheet.columns[patch.column]))
        return Fault(FaultCode.PATCH_LATE if late else FaultCode.NO_PENCIL, ())

    def _of_picture(self, cell: Cell, colour: Colour) -> Fault:
        number, place = cell
        due = self._marks.rows[number - 1].cells + 1
        if place > due:
            white = Fault(FaultCode.ORDER, (), FaultReason.GAP_IN_ROW, row=number, number=due)
            return self._behind(_picture((number, due)), white, FaultReason.CELL_UNCOUNTED)
        return _row_fault(self._marks, number, colour) or Fault(FaultCode.NO_PENCIL, ())

    def _of_background(self, cell: Cell, colour: Colour) -> Fault:
        number, place = cell
        if not self._marks.is_coloured(cell):
            white = Fault(FaultCode.BACKGROUND, (), FaultReason.BACKGROUND_ALONE, row=number, number=place)
            return self._behind(_picture(cell), white, FaultReason.PICTURE_UNCOUNTED)
        if self._paper.get(_picture(cell)) != colour:
            return Fault(FaultCode.BACKGROUND, (), FaultReason.BACKGROUND_COLOUR, row=number, number=place)
        return Fault(FaultCode.BACKGROUND, ())

    def _of_body(self, number: int) -> Fault:
        due = self._marks.open_spools(self._sheet) + 1
        if number > due:
            white = Fault(FaultCode.ORDER, (), FaultReason.GAP_IN_SPOOLS, number=due)
            return self._behind(f"spool{due}.body", white, FaultReason.SPOOL_UNCOUNTED)
        return Fault(FaultCode.UNLOCK, ())

    def _of_thread(self, number: int) -> Fault:
        due, opened = len(self._marks.threads) + 1, self._marks.open_spools(self._sheet)
        if number > opened:
            white = Fault(FaultCode.LOCKED, (), FaultReason.SPOOL_LOCKED, number=opened + 1, count=opened)
            return self._behind(f"spool{opened + 1}.body", white, FaultReason.SPOOL_UNCOUNTED)
        if number > due:
            white = Fault(FaultCode.ORDER, (), FaultReason.GAP_IN_THREADS, number=due)
            return self._behind(f"spool{due}.thread", white, FaultReason.THREAD_UNCOUNTED)
        return Fault(FaultCode.NO_PENCIL, ())

    def _behind(self, first: str, white: Fault, uncounted: FaultReason) -> Fault:
        """Return the fault of a mark behind the region `first`: `white`, unless that is coloured and does not count."""
        if first not in self._paper:
            return white
        return replace(white, reason=uncounted, since=self._declined.get(first, 0))


def _row_fault(marks: Marks, number: int, colour: Colour) -> Fault | None:
    """Return why the next picture of a row cannot have a colour, or None if a pencil of it can make that picture."""
    row = marks.rows[number - 1]
    if row.colour == colour:
        return None
    if row.colour is not None:
        return Fault(FaultCode.ROW_COLOUR, (), FaultReason.ODD_COLOUR, row=number, colour=row.colour)
    other = next((other for other, marked in enumerate(marks.rows, start=1) if marked.colour == colour), None)
    if other is None:
        return None
    return Fault(FaultCode.COLOUR_TAKEN, (), FaultReason.COLOUR_OF_ROW, row=number, other=other, colour=colour)


def _picture(cell: Cell) -> str:
    return f"{cell_name(cell)}.picture"
