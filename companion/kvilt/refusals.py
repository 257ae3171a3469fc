"""The rules' refusals in words: faults of decisions in records, and of marks on sheets."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from companion.games.kvilt.decisions import MOVES, PencilSource
from companion.games.kvilt.errors import (
    FaultCode,
    IllegalDecisionError,
    IllegalReason,
    KviltError,
    MalformedDecisionError,
    MalformedReason,
    SetupError,
    SetupReason,
)
from companion.games.kvilt.judging import Fault, FaultReason
from companion.games.kvilt.sheet import Sheet
from companion.games.kvilt.state import Phase, Setup, TaskKind, Variant
from companion.games.kvilt.uncounted import Blocked, BlockedKind
from companion.kvilt.naming import PHASES, TASKS, colour_word, regions_words
from companion.languages import Sentence, any_of, counted, said


def fault_sentence(fault: Fault, sheet: Sheet) -> Sentence:
    """Return the sentence for a fault of some regions, with its code."""
    if fault.reason is not FaultReason.UNEXPLAINED:
        return said("{code}: {sentence}", code=str(fault.code), sentence=sheet_fault(fault))
    sentence = _unexplained(fault.code, regions_words(fault.regions, sheet))
    return said("{code}: {sentence}", code=str(fault.code), sentence=sentence)


def sheet_fault(fault: Fault) -> Sentence:
    """Return the sentence for a fault that one look at the sheet shows, without its code.

    Raises:
        KeyError: if only the round shows it.
    """
    return (_SINCE if fault.since else _FAULTS)[fault.reason](fault)


def _unexplained(code: FaultCode, regions: str) -> Sentence:
    """Return the sentence for a fault that only the round shows."""
    match code:
        case FaultCode.ERASED:
            return said("{regions}: was coloured before, but is white now.", regions=regions)
        case FaultCode.PATCH_LATE:
            return said("{regions}: coloured after the first cell of its column.", regions=regions)
        case FaultCode.BACKGROUND:
            return said("{regions}: no bonus colour and no finished embroidery gives it.", regions=regions)
        case FaultCode.STITCH:
            return said("{regions}: no stitch of this round can have made it.", regions=regions)
        case FaultCode.UNLOCK:
            return said("{regions}: no spool mark of this round has opened it.", regions=regions)
        case _:
            return said("{regions}: no pencil of this round can have coloured it.", regions=regions)


def _odd_cell(fault: Fault) -> Sentence:
    return said(
        "Cell {cell} of row {row} has another colour: the row is {colour}, and all its pictures have one colour.",
        cell=fault.number,
        row=fault.row,
        colour=colour_word(fault.colour),
    )


_FAULTS: Final[Mapping[FaultReason, Callable[[Fault], Sentence]]] = MappingProxyType(
    {
        FaultReason.GAP_IN_ROW: lambda it: said(
            "Row {row} is coloured from the left: cell {cell} is still white.", row=it.row, cell=it.number
        ),
        FaultReason.ODD_COLOUR: lambda it: (
            _odd_cell(it)
            if it.number
            else said(
                "Row {row} is {colour}: all its pictures have one colour.", row=it.row, colour=colour_word(it.colour)
            )
        ),
        FaultReason.BACKGROUND_ALONE: lambda it: said(
            "The background of cell {cell} in row {row} is coloured, its picture is not.", cell=it.number, row=it.row
        ),
        FaultReason.BACKGROUND_COLOUR: lambda it: said(
            "The background of cell {cell} in row {row} has another colour than its picture.",
            cell=it.number,
            row=it.row,
        ),
        FaultReason.COLOUR_OF_ROW: lambda it: said(
            "Row {row} has the colour of row {other}, {colour}.",
            row=it.row,
            other=it.other,
            colour=colour_word(it.colour),
        ),
        FaultReason.GAP_IN_SPOOLS: lambda it: said(
            "Spools are opened from the left: spool {spool} is still locked.", spool=it.number
        ),
        FaultReason.SPOOLS_OPENED: lambda it: counted(
            "{count} spool was opened; spool marks on the coloured cells: {given}.",
            "{count} spools were opened; spool marks on the coloured cells: {given}.",
            it.count,
            given=it.given,
        ),
        FaultReason.GAP_IN_THREADS: lambda it: said(
            "Threads are coloured from the left: spool {spool} has none.", spool=it.number
        ),
        FaultReason.SPOOL_LOCKED: lambda it: counted(
            "Only {count} spool is open.", "Only {count} spools are open.", it.count
        ),
        FaultReason.PARTS_STITCHED: lambda it: counted(
            "{count} part is embroidered; stitches on the coloured cells: {given}.",
            "{count} parts are embroidered; stitches on the coloured cells: {given}.",
            it.count,
            given=it.given,
        ),
        FaultReason.CELL_UNCOUNTED: lambda it: said(
            "Row {row} is coloured from the left: its cell {cell} does not count.", row=it.row, cell=it.number
        ),
        FaultReason.PICTURE_UNCOUNTED: lambda it: said(
            "Cell {cell} of row {row} does not count, nor does its background.", cell=it.number, row=it.row
        ),
        FaultReason.SPOOL_UNCOUNTED: lambda it: said("Spool {spool} does not count as open.", spool=it.number),
        FaultReason.THREAD_UNCOUNTED: lambda it: said(
            "Threads are coloured from the left: that of spool {spool} does not count.", spool=it.number
        ),
    }
)

_SINCE: Final[Mapping[FaultReason, Callable[[Fault], Sentence]]] = MappingProxyType(
    {
        FaultReason.CELL_UNCOUNTED: lambda it: said(
            "Row {row} is coloured from the left: its cell {cell} has not counted since round {round}.",
            row=it.row,
            cell=it.number,
            round=it.since,
        ),
        FaultReason.PICTURE_UNCOUNTED: lambda it: said(
            "Cell {cell} of row {row} has not counted since round {round}; without it its background does not count.",
            cell=it.number,
            row=it.row,
            round=it.since,
        ),
        FaultReason.SPOOL_UNCOUNTED: lambda it: said(
            "Spool {spool} has not counted as open since round {round}.", spool=it.number, round=it.since
        ),
        FaultReason.THREAD_UNCOUNTED: lambda it: said(
            "Threads are coloured from the left: that of spool {spool} has not counted since round {round}.",
            spool=it.number,
            round=it.since,
        ),
    }
)


def blocked_clause(blocked: Blocked, setup: Setup) -> Sentence:
    """Return the clause on what cannot go on as long as a mark does not count."""
    number, colour = blocked.number, colour_word(blocked.colour)
    match blocked.kind:
        case BlockedKind.ROW:
            return said(
                "row {row} then goes on only once a {colour} pencil has been used on its cell {cell} as well",
                row=number, colour=colour, cell=blocked.cell,
            )  # fmt: skip
        case BlockedKind.CLOSED_ROW if blocked.cell == 1 and setup.settings.empty_row_counts:
            return said("row {row} then stays empty to the end: it is worth 0, and so is every button", row=number)
        case BlockedKind.CLOSED_ROW:
            return said("row {row} then ends before cell {cell} for good", row=number, cell=blocked.cell)
        case BlockedKind.THREADS:
            return said("the threads then go on only once a {colour} pencil has been used on spool {number}",
                        colour=colour, number=number)  # fmt: skip
        case BlockedKind.EMBROIDERY:
            return said("embroidery {number} is then finished only with one more {colour} stitch",
                        number=number, colour=colour)  # fmt: skip


def rules_fault(error: KviltError) -> str:
    """Return the fault of a line in a record or a file: seats and rows are named by numbers, patches by their ids."""
    match error:
        case SetupError():
            return _IMPOSSIBLE[error.reason](error.players)
        case MalformedDecisionError():
            return _MALFORMED[error.reason](error)
        case IllegalDecisionError():
            return _ILLEGAL[error.reason](error)
        case _:
            return str(error)


_IMPOSSIBLE: Final[Mapping[SetupReason, Callable[[int], Sentence]]] = MappingProxyType(
    {
        SetupReason.NUMBER_OF_NAMES: lambda _: said("{key} must be two to four names", key="players"),
        SetupReason.EMPTY_NAME: lambda _: said("{key} must be names, none of them empty", key="players"),
        SetupReason.UNPRINTABLE_NAME: lambda _: said("{key} must be names without control characters", key="players"),
        SetupReason.FIRST_SEAT: lambda players: said(
            "{key} must be a seat from {first} to {last}", key="first_seat", first=1, last=players
        ),
        SetupReason.FOUR_PLAYERS: lambda _: said("the variant {name} is for four players", name=Variant.KVILTOMANIA),
    }
)


def _key(error: MalformedDecisionError) -> str:
    return f'"{error.key}"'


_MALFORMED: Final[Mapping[MalformedReason, Callable[[MalformedDecisionError], Sentence]]] = MappingProxyType(
    {
        MalformedReason.NOT_AN_OBJECT: lambda _: said(
            "a decision is an object such as {example}", example='{"seat": 2, "move": "done"}'
        ),
        MalformedReason.MOVE: lambda _: said("{key} must be one of {names}", key='"move"', names=", ".join(MOVES)),
        MalformedReason.NUMBER: lambda error: said(
            "{key} must be a whole number from {least} to {most}", key=_key(error), least=1, most=error.most
        ),
        MalformedReason.TEXT: lambda error: said("{key} must be a text", key=_key(error)),
        MalformedReason.LONG_TEXT: lambda error: said(
            "{key} must be a text of at most {count} characters", key=_key(error), count=error.most
        ),
        MalformedReason.TEXTS: lambda error: said("{key} must be a list of texts, not empty", key=_key(error)),
        MalformedReason.FLAG: lambda error: said(
            "{key} must be {names}", key=_key(error), names=any_of(["true", "false"])
        ),
        MalformedReason.SOURCE: lambda error: said(
            "{key} must be {names}", key=_key(error), names=any_of([*PencilSource])
        ),
        MalformedReason.CELLS: lambda error: said(
            "{key} must be a list of cells such as {example}", key=_key(error), example='["r1c2", "r2c1"]'
        ),
        MalformedReason.ROWS: lambda error: said("{key} must be two row numbers", key=_key(error)),
    }
)


def _colour(error: IllegalDecisionError) -> str:
    return colour_word(error.colour)


_ILLEGAL: Final[Mapping[IllegalReason, Callable[[IllegalDecisionError], Sentence]]] = MappingProxyType(
    {
        IllegalReason.FINISHED: lambda _: said("the game has ended"),
        IllegalReason.OTHER_PHASE: lambda it: said(
            "that belongs to the phase {other}, this is {phase}",
            other=PHASES[Phase(it.kind)],
            phase=PHASES[Phase(it.phase)],
        ),
        IllegalReason.WRONG_TURN: lambda it: said(
            "it is {seats}’s turn", seats=any_of([said("seat {seat}", seat=number) for number in it.seats])
        ),
        IllegalReason.NO_SUCH_TOKEN: lambda it: said("there is no {colour} token", colour=_colour(it)),
        IllegalReason.TOKEN_TAKEN: lambda it: said("the {colour} token is taken", colour=_colour(it)),
        IllegalReason.NOT_IN_BAG: lambda it: said("there is no {colour} pencil in the bag", colour=_colour(it)),
        IllegalReason.NOT_NEUTRAL: lambda it: said(
            "there is no {colour} pencil on the neutral pincushion", colour=_colour(it)
        ),
        IllegalReason.NO_SUCH_CUSHION: lambda it: said(
            "there is no pincushion {number}; they are {first} to {last}", number=it.number, first=1, last=it.last
        ),
        IllegalReason.CUSHION_FULL: lambda it: said("pincushion {number} is full", number=it.number),
        IllegalReason.CUSHION_EMPTY: lambda it: said("pincushion {number} is empty", number=it.number),
        IllegalReason.CUSHION_TAKEN: lambda it: said(
            "seat {seat} has taken pincushion {number}", seat=it.seats[0], number=it.number
        ),
        IllegalReason.NOT_JUST_FILLED: lambda it: said(
            "only pincushion {number}, just filled, may be taken", number=it.number
        ),
        IllegalReason.NEUTRAL_LACKS: lambda it: said(
            "the neutral pincushion lacks {lacking}, not {count}", lacking=it.last, count=it.number
        ),
        IllegalReason.BONUS_FIRST: lambda it: said(
            "first settle the bonus {kind}, or decline it", kind=TASKS[TaskKind(it.kind)]
        ),
        IllegalReason.NO_BONUS: lambda _: said("there is no bonus to decline"),
        IllegalReason.NOT_DUE: lambda it: said("no {kind} is due", kind=TASKS[TaskKind(it.kind)]),
        IllegalReason.TWO_ROWS: lambda it: said(
            "pick two different rows from {first} to {last}, the upper one first", first=1, last=it.last
        ),
        IllegalReason.NO_SUCH_ROW: lambda it: said(
            "there is no row {number}; they are {first} to {last}", number=it.number, first=1, last=it.last
        ),
        IllegalReason.ROW_COMPLETE: lambda it: said("row {number} is complete", number=it.number),
        IllegalReason.ROW_COLOUR: lambda it: said(
            "row {number} is {colour}, not {other}", number=it.number, colour=colour_word(it.other), other=_colour(it)
        ),
        IllegalReason.COLOUR_OF_ROW: lambda it: said(
            "{colour} is the colour of row {number}", colour=_colour(it), number=it.number
        ),
        IllegalReason.NO_BONUS_COLOUR: lambda it: said(
            "{colour} is not the bonus colour of this round", colour=_colour(it)
        ),
        IllegalReason.BACKGROUND_REQUIRED: lambda it: said(
            "{colour} is the bonus colour: the background must be coloured", colour=_colour(it)
        ),
        # Quoted and cut, here and below: a fault is one line, whatever a file contains.
        IllegalReason.NO_SUCH_PATCH: lambda it: said(
            "there is no patch {patch}; they are {names}", patch=repr(it.name[:40]), names=", ".join(it.names)
        ),
        IllegalReason.PATCH_COLOURED: lambda it: said("patch {patch} is coloured already", patch=it.name),
        IllegalReason.COLUMN_BEGUN: lambda it: said(
            "column {number} of patch {patch} has a coloured cell", number=it.number, patch=it.name
        ),
        IllegalReason.EVERY_THREAD: lambda _: said("every spool has its thread"),
        IllegalReason.SPOOL_LOCKED: lambda it: said("spool {number} is locked", number=it.number),
        IllegalReason.NO_OWN_PENCIL: lambda it: said(
            "there is no unused {colour} pencil on the player’s own pincushion", colour=_colour(it)
        ),
        IllegalReason.OTHER_PENCIL: lambda it: said(
            "the pencil to use now is not {colour}; use the bonus or decline it first", colour=_colour(it)
        ),
        IllegalReason.NO_SUCH_PART: lambda it: said(
            "there is no part {part}; one is {example}", part=repr(it.name[:40]), example=it.names[0]
        ),
        IllegalReason.PART_COLOURED: lambda it: said("part {part} is coloured already", part=it.name),
        IllegalReason.REPEATED_CELL: lambda _: said("name each cell once, at least one"),
        IllegalReason.NO_BACKGROUND: lambda it: said(
            "{cell} was not coloured in this round, or has its background", cell=it.name
        ),
        IllegalReason.AS_MANY: lambda _: said("one or two pencils are exchanged for as many"),
        IllegalReason.NOT_EXCHANGEABLE: lambda it: said(
            "there is no unused {colour} pencil that may be exchanged", colour=_colour(it)
        ),
        IllegalReason.EXCHANGES_FIRST: lambda it: said("seat {seat} exchanges first", seat=it.number),
    }
)
