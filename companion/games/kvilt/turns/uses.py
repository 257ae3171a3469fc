"""Phase 3: using a pencil on a cell, on a patch or on a thread."""

from dataclasses import replace
from typing import NoReturn

from companion.games.kvilt.decisions import ColourCell, ColourPatch, ColourThread, PencilSource
from companion.games.kvilt.errors import FaultCode
from companion.games.kvilt.facts import CellColoured, PatchColoured, ThreadColoured
from companion.games.kvilt.marks import Marks
from companion.games.kvilt.naming import TASK_WORDS, colour_name
from companion.games.kvilt.sheet.sheet import Bonus, BonusKind, Colour, Sheet, cell_name
from companion.games.kvilt.state import HeldPencil, OwnPencil, SeatState, Task, TaskKind
from companion.games.kvilt.turns.draft import Draft, refuse
from companion.languages import said

_TASK_OF = {
    BonusKind.PENCIL: TaskKind.EXTRA,
    BonusKind.NEUTRAL: TaskKind.NEUTRAL,
    BonusKind.SWAP: TaskKind.SWAP,
    BonusKind.SPOOL: TaskKind.SPOOL,
    BonusKind.STITCH: TaskKind.STITCH,
}


def open_rows(sheet: Sheet, marks: Marks, colour: Colour) -> tuple[int, ...]:
    """Return the rows, from 1, whose next picture a pencil of this colour may colour."""
    pairs = list(enumerate(zip(sheet.rows, marks.rows, strict=True), start=1))
    own = [number for number, (_, mine) in pairs if mine.colour == colour]
    rows = own or [number for number, (_, mine) in pairs if mine.colour is None]
    return tuple(number for number in rows if marks.rows[number - 1].cells < len(sheet.rows[number - 1]))


def open_patches(sheet: Sheet, marks: Marks) -> tuple[str, ...]:
    """Return the patches that may be coloured: not yet coloured, and no cell of the column has a picture."""
    return tuple(
        patch.id
        for patch, colour in zip(sheet.patches, marks.patches, strict=True)
        if colour is None and not any(marks.is_coloured(cell) for cell in sheet.columns[patch.column])
    )


def has_open_thread(sheet: Sheet, marks: Marks) -> bool:
    """Return whether a thread can be coloured now."""
    return len(marks.threads) < marks.open_spools(sheet)


def is_of_use(sheet: Sheet, marks: Marks, colour: Colour) -> bool:
    """Return whether a pencil of this colour can be used for anything."""
    return has_open_thread(sheet, marks) or bool(open_rows(sheet, marks, colour) or open_patches(sheet, marks))


def colour_cell(draft: Draft, decision: ColourCell) -> None:
    """Colour the next picture of a row, its background if it is due, and add the tasks of the cell's bonuses."""
    side, sheet = draft.seat(decision.seat), draft.sheet
    _check_row(sheet, side.marks, decision)
    row = side.marks.rows[decision.row - 1]
    cell = (decision.row, row.cells + 1)
    full = _is_full(draft, side, decision)
    _spend(draft, decision.seat, decision.colour)
    grown = replace(row, colour=decision.colour, cells=cell[1], full=row.full | (full << cell[1] - 1))
    rows = tuple(grown if number == decision.row else other for number, other in enumerate(side.marks.rows, start=1))
    draft.change(decision.seat, marks=replace(side.marks, rows=rows), round_cells=(*side.round_cells, cell))
    draft.facts.append(CellColoured(decision.seat, cell, decision.colour, full))
    # On top of a held pencil, which returns only after them (`docs/kvilt.md`).
    draft.push(decision.seat, *(task for bonus in sheet.bonuses_at(cell) if (task := _task(bonus, decision))))


def _task(bonus: Bonus, decision: ColourCell) -> Task | None:
    """Return the task of a bonus mark, or None: a button gives nothing now, nor does a spool that is left locked."""
    if bonus.kind is BonusKind.BUTTON or (bonus.kind is BonusKind.SPOOL and not decision.spool):
        return None
    kind = _TASK_OF[bonus.kind]
    return Task(kind, decision.colour if kind in (TaskKind.SPOOL, TaskKind.STITCH) else bonus.colour)


def _check_row(sheet: Sheet, marks: Marks, decision: ColourCell) -> None:
    number, colour = decision.row, decision.colour
    if not 1 <= number <= len(sheet.rows):
        refuse(
            FaultCode.ORDER,
            said("there is no row {number}; they are {first} to {last}", number=number, first=1, last=len(sheet.rows)),
        )
    row = marks.rows[number - 1]
    if row.cells == len(sheet.rows[number - 1]):
        refuse(FaultCode.ORDER, said("row {number} is complete", number=number))
    region = f"{cell_name((number, row.cells + 1))}.picture"
    if row.colour not in (None, colour):
        refuse(
            FaultCode.ROW_COLOUR,
            said(
                "row {number} is {colour}, not {other}",
                number=number,
                colour=colour_name(row.colour),
                other=colour_name(colour),
            ),
            region,
        )
    if row.colour is None:
        taken = next((other for other, mine in enumerate(marks.rows, start=1) if mine.colour == colour), None)
        if taken:
            refuse(
                FaultCode.COLOUR_TAKEN,
                said("{colour} is the colour of row {number}", colour=colour_name(colour), number=taken),
                region,
            )


def _is_full(draft: Draft, side: SeatState, decision: ColourCell) -> bool:
    """Return whether the background is coloured too; raise if that is not allowed, or required but not done."""
    settings = draft.setup.settings
    own = side.task is None
    by_colour = decision.colour == side.bonus and (own or settings.bonus_pencils_background)
    region = f"{cell_name((decision.row, side.marks.rows[decision.row - 1].cells + 1))}.background"
    if decision.background and not (by_colour or side.all_backgrounds):
        refuse(
            FaultCode.BACKGROUND,
            said("{colour} is not the bonus colour of this round", colour=colour_name(decision.colour)),
            region,
        )
    if decision.background is False and by_colour and settings.background_must:
        refuse(
            FaultCode.BACKGROUND,
            said("{colour} is the bonus colour: the background must be coloured", colour=colour_name(decision.colour)),
            region,
        )
    return (by_colour or side.all_backgrounds) and decision.background is not False


def colour_patch(draft: Draft, decision: ColourPatch) -> None:
    """Colour a patch, with any pencil, if its column has no coloured cell."""
    marks, index = draft.seat(decision.seat).marks, draft.sheet.index_of_patch(decision.patch)
    if index < 0:
        ids = ", ".join(patch.id for patch in draft.sheet.patches)
        refuse(
            FaultCode.PATCH_LATE,
            said("there is no patch {patch}; they are {names}", patch=repr(decision.patch[:40]), names=ids),
        )
    if marks.patches[index] is not None:
        refuse(FaultCode.PATCH_LATE, said("patch {patch} is coloured already", patch=decision.patch), decision.patch)
    if decision.patch not in open_patches(draft.sheet, marks):
        column = draft.sheet.patches[index].column
        refuse(
            FaultCode.PATCH_LATE,
            said("column {number} of patch {patch} has a coloured cell", number=column, patch=decision.patch),
            decision.patch,
        )
    _spend(draft, decision.seat, decision.colour)
    patches = (*marks.patches[:index], decision.colour, *marks.patches[index + 1 :])
    draft.change(decision.seat, marks=replace(marks, patches=patches))
    draft.facts.append(PatchColoured(decision.seat, decision.patch, decision.colour))


def colour_thread(draft: Draft, decision: ColourThread) -> None:
    """Colour the thread of the next spool, with any pencil, if the spool is open."""
    marks = draft.seat(decision.seat).marks
    spool = len(marks.threads) + 1
    if spool > len(draft.sheet.spools.points):
        refuse(FaultCode.LOCKED, said("every spool has its thread"))
    if not has_open_thread(draft.sheet, marks):
        refuse(FaultCode.LOCKED, said("spool {number} is locked", number=spool), f"spool{spool}.thread")
    _spend(draft, decision.seat, decision.colour)
    draft.change(decision.seat, marks=replace(marks, threads=(*marks.threads, decision.colour)))
    draft.facts.append(ThreadColoured(decision.seat, spool, decision.colour))


def pencils_now(draft: Draft, number: int) -> tuple[Colour, ...]:
    """Return the colours of the pencils that a seat may use now, in the order of the sheet's colours."""
    side = draft.seat(number)
    task = side.task
    if task is None:
        mine = {pencil.colour for pencil in side.hand}
    elif task.kind is TaskKind.EXTRA:
        mine = {task.colour or ""}
    elif task.kind is TaskKind.NEUTRAL:
        mine = set(draft.neutral_pencils)
    else:
        mine = {pencil.colour for pencil in task.waiting} if task.kind is TaskKind.HELD else set()
    return tuple(colour for colour in draft.sheet.colours if colour in mine)


def _spend(draft: Draft, number: int, colour: Colour) -> None:
    """Take the pencil from its source: the innermost task, or the seat's own pincushion."""
    side = draft.seat(number)
    task = side.task
    if colour not in pencils_now(draft, number):
        _refuse_pencil(task, colour)
    if task is None:
        _spend_own(draft, number, colour)
    elif task.kind is TaskKind.EXTRA:
        # An extra pencil may come from anywhere and returns there at once: no container changes (rulebook).
        draft.pop(number)
    elif task.kind is TaskKind.NEUTRAL:
        # Held until the bonuses of its cell are settled; no other seat can use it meanwhile (`docs/kvilt.md`).
        draft.take_from_neutral(colour)
        draft.pop(number, Task(TaskKind.HELD, used=(HeldPencil(colour, PencilSource.NEUTRAL),)))
    else:
        pencil = next(pencil for pencil in task.waiting if pencil.colour == colour)
        waiting = list(task.waiting)
        waiting.remove(pencil)
        draft.pop(number, replace(task, waiting=tuple(waiting), used=(*task.used, pencil)))


def _refuse_pencil(task: Task | None, colour: Colour) -> NoReturn:
    if task is None:
        refuse(
            FaultCode.NO_PENCIL,
            said("there is no unused {colour} pencil on the player’s own pincushion", colour=colour_name(colour)),
        )
    if task.kind in (TaskKind.EXTRA, TaskKind.NEUTRAL, TaskKind.HELD):
        refuse(
            FaultCode.NO_PENCIL,
            said(
                "the pencil to use now is not {colour}; use the bonus or decline it first", colour=colour_name(colour)
            ),
        )
    refuse(FaultCode.NO_PENCIL, said("first settle the bonus {kind}, or decline it", kind=TASK_WORDS[task.kind]))


def _spend_own(draft: Draft, number: int, colour: Colour) -> None:
    """Spend an own pencil; of two of the same colour the exchanged one, as the other may still be exchanged."""
    side = draft.seat(number)
    hand = list(side.hand)
    swapped = OwnPencil(colour, True)
    hand.remove(swapped if swapped in hand else OwnPencil(colour))
    draft.change(number, hand=tuple(hand), spent=(*side.spent, colour))
