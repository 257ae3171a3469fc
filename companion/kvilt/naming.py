"""Colours, regions and faults of a sheet in the players' words."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from companion.games.kvilt import Fault, FaultCode
from companion.games.kvilt.sheet.sheet import Cell, Colour, Sheet
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


def fault_sentence(fault: Fault, sheet: Sheet) -> str:
    """Return the sentence for a fault of some regions, with its code."""
    # A plain text is one of `explain`, which knows no words for regions; it is worded here instead.
    if not fault.regions or isinstance(fault.says, Sentence):
        return said("{code}: {sentence}", code=str(fault.code), sentence=fault.says)
    regions = regions_words(fault.regions, sheet)
    sentence = _placed(fault.code, regions) or _unearned(fault.code, regions) or fault.says
    return said("{code}: {sentence}", code=str(fault.code), sentence=sentence)


def _placed(code: FaultCode, regions: str) -> str | None:
    """Return the sentence for a fault that one look at the sheet shows, or None."""
    match code:
        case FaultCode.ORDER:
            return said("{regions}: coloured before the one to its left.", regions=regions)
        case FaultCode.ROW_COLOUR:
            return said("{regions}: not in the colour of its row.", regions=regions)
        case FaultCode.COLOUR_TAKEN:
            return said("{regions}: another row has this colour.", regions=regions)
        case FaultCode.LOCKED:
            return said("{regions}: the spool is locked.", regions=regions)
        case FaultCode.ERASED:
            return said("{regions}: was coloured before, but is white now.", regions=regions)
        case _:
            return None


def _unearned(code: FaultCode, regions: str) -> str | None:
    """Return the sentence for a fault that only the round shows, or None."""
    match code:
        case FaultCode.PATCH_LATE:
            return said("{regions}: coloured after the first cell of its column.", regions=regions)
        case FaultCode.BACKGROUND:
            return said("{regions}: no bonus colour and no finished embroidery gives it.", regions=regions)
        case FaultCode.STITCH:
            return said("{regions}: no stitch of this round can have made it.", regions=regions)
        case FaultCode.UNLOCK:
            return said("{regions}: no spool mark of this round has opened it.", regions=regions)
        case FaultCode.NO_PENCIL:
            return said("{regions}: no pencil of this round can have coloured it.", regions=regions)
        case _:
            return None
