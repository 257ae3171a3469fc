"""Colours, regions, phases and bonuses in the players' words."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from companion.games.kvilt.sheet import Cell, Colour, Sheet
from companion.games.kvilt.state import Phase, TaskKind
from companion.languages import Sentence, listed, said

_COLOURS: Final[Mapping[str, str]] = {
    "red": said("red"),
    "yellow": said("yellow"),
    "green": said("green"),
    "blue": said("blue"),
    "violet": said("violet"),
    "brown": said("brown"),
    "orange": said("orange"),
    "black": said("black"),
    "pink": said("pink"),
}
_CELL: Final = re.compile(r"r(\d+)c(\d+)\.(picture|background)")
_SPOOL: Final = re.compile(r"spool(\d+)\.(body|thread)")


def colour_word(colour: Colour | None) -> str:
    """Return the word for a colour, white for None; a key other than the usual pencils' is returned as it is."""
    return said("white") if colour is None else _COLOURS.get(colour, colour)


def pencils(colours: Sequence[Colour]) -> str:
    """Return the words for several pencils, in their order; "none" for none."""
    return listed([colour_word(colour) for colour in colours]) if colours else said("none")


def cell_words(cell: Cell) -> str:
    """Return the words for a cell: "cell 3 of row 2"."""
    row, number = cell
    return said("cell {cell} of row {row}", cell=number, row=row)


def region_words(region: str, sheet: Sheet) -> str:
    """Return the words for a region of a sheet: "cell 3 of row 2", "the background of cell 3 of row 2", "spool 4".

    Patches and embroideries are named by their position on the sheet, not by their ids in its file: a patch by its
    column, an embroidery by its number, in the order of the file.
    """
    if cell := _CELL.fullmatch(region):
        row, number = int(cell[1]), int(cell[2])
        if cell[3] == "picture":
            return cell_words((row, number))
        return said("the background of cell {cell} of row {row}", cell=number, row=row)
    if spool := _SPOOL.fullmatch(region):
        if spool[2] == "body":
            return said("spool {number}", number=int(spool[1]))
        return said("the thread of spool {number}", number=int(spool[1]))
    if (part := sheet.find_part(region)) is not None:
        return said("part {part} of embroidery {number}", part=part[1] + 1, number=part[0] + 1)
    return said("the patch of column {number}", number=sheet.patches[sheet.index_of_patch(region)].column)


def regions_words(regions: Sequence[str], sheet: Sheet) -> str:
    """Return the words for several regions; at least one."""
    return listed([region_words(region, sheet) for region in regions])


PHASES: Final[Mapping[Phase, Sentence]] = {
    Phase.SCRAPS: said("scraps"),
    Phase.PENCILS: said("pencils"),
    Phase.NEUTRAL: said("neutral pincushion"),
    Phase.COLOURING: said("colouring"),
    Phase.COUNTING: said("counting"),
    Phase.END: said("end"),
}
TASKS: Final[Mapping[TaskKind, Sentence]] = {
    TaskKind.EXTRA: said("extra pencil"),
    TaskKind.NEUTRAL: said("pencil of the neutral pincushion"),
    TaskKind.SWAP: said("swap"),
    TaskKind.SPOOL: said("spool"),
    TaskKind.STITCH: said("stitch"),
    TaskKind.FETCH: said("pencil for an embroidery"),
    TaskKind.HELD: said("pencil that was fetched"),
    TaskKind.BACKGROUNDS: said("backgrounds"),
}
