"""The colouring of a round: pencils are used on a sheet, and bonuses settled depth-first.

Bonuses without a choice are settled at once; the others await a decision.
"""

from dataclasses import replace
from typing import Final

from companion.games.kvilt import decisions as d
from companion.games.kvilt import facts as f
from companion.games.kvilt.draft import Draft
from companion.games.kvilt.errors import FaultCode, IllegalDecisionError, IllegalReason
from companion.games.kvilt.sheet import Bonus, BonusKind, Cell, Colour, Embroidery, Marks, Sheet, cell_name
from companion.games.kvilt.state import HeldPencil, OwnPencil, SeatState, Task, TaskKind

MOST_SWAPPED: Final = 2
"""The pencils that one swap mark exchanges at most (rulebook)."""
_TASK_OF: Final = {
    BonusKind.PENCIL: TaskKind.EXTRA,
    BonusKind.NEUTRAL: TaskKind.NEUTRAL,
    BonusKind.SWAP: TaskKind.SWAP,
    BonusKind.SPOOL: TaskKind.SPOOL,
    BonusKind.STITCH: TaskKind.STITCH,
}


def open_rows(sheet: Sheet, marks: Marks, colour: Colour) -> tuple[int, ...]:
    """Return the rows, from 1, whose next picture a pencil of this colour may colour."""
    pairs = list(enumerate(zip(sheet.rows, marks.rows, strict=True), start=1))
    own = [number for number, (_, marked) in pairs if marked.colour == colour]
    rows = own or [number for number, (_, marked) in pairs if marked.colour is None]
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


def _colour_cell(draft: Draft, decision: d.ColourCell) -> None:
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
    draft.facts.append(f.CellColoured(decision.seat, cell, decision.colour, full))
    # On top of a held pencil, which returns only after them (`docs/kvilt.md`).
    draft.push(decision.seat, *(task for bonus in sheet.bonuses_at(cell) if (task := _task(bonus, decision))))


def _task(bonus: Bonus, decision: d.ColourCell) -> Task | None:
    """Return the task of a bonus mark, or None: a button gives nothing now, nor does a spool that is left locked."""
    if bonus.kind is BonusKind.BUTTON or (bonus.kind is BonusKind.SPOOL and not decision.spool):
        return None
    kind = _TASK_OF[bonus.kind]
    return Task(kind, decision.colour if kind in (TaskKind.SPOOL, TaskKind.STITCH) else bonus.colour)


def _check_row(sheet: Sheet, marks: Marks, decision: d.ColourCell) -> None:
    number, colour = decision.row, decision.colour
    if not 1 <= number <= len(sheet.rows):
        raise IllegalDecisionError(FaultCode.ORDER, IllegalReason.NO_SUCH_ROW, number=number, last=len(sheet.rows))
    row = marks.rows[number - 1]
    if row.cells == len(sheet.rows[number - 1]):
        raise IllegalDecisionError(FaultCode.ORDER, IllegalReason.ROW_COMPLETE, number=number)
    region = f"{cell_name((number, row.cells + 1))}.picture"
    if row.colour not in (None, colour):
        raise IllegalDecisionError(
            FaultCode.ROW_COLOUR, IllegalReason.ROW_COLOUR, region, number=number, colour=colour, other=row.colour
        )
    if row.colour is None:
        taken = next((other for other, marked in enumerate(marks.rows, start=1) if marked.colour == colour), None)
        if taken:
            raise IllegalDecisionError(
                FaultCode.COLOUR_TAKEN, IllegalReason.COLOUR_OF_ROW, region, number=taken, colour=colour
            )


def _is_full(draft: Draft, side: SeatState, decision: d.ColourCell) -> bool:
    """Return whether the background is coloured too; raise if that is not allowed, or required but not done."""
    settings = draft.setup.settings
    own = side.task is None
    by_colour = decision.colour == side.bonus and (own or settings.bonus_pencils_background)
    region = f"{cell_name((decision.row, side.marks.rows[decision.row - 1].cells + 1))}.background"
    if decision.background and not (by_colour or side.all_backgrounds):
        raise IllegalDecisionError(FaultCode.BACKGROUND, IllegalReason.NO_BONUS_COLOUR, region, colour=decision.colour)
    if decision.background is False and by_colour and settings.background_must:
        raise IllegalDecisionError(
            FaultCode.BACKGROUND, IllegalReason.BACKGROUND_REQUIRED, region, colour=decision.colour
        )
    return (by_colour or side.all_backgrounds) and decision.background is not False


def _colour_patch(draft: Draft, decision: d.ColourPatch) -> None:
    """Colour a patch, with any pencil, if its column has no coloured cell."""
    marks, index = draft.seat(decision.seat).marks, draft.sheet.index_of_patch(decision.patch)
    if index < 0:
        ids = tuple(patch.id for patch in draft.sheet.patches)
        raise IllegalDecisionError(FaultCode.PATCH_LATE, IllegalReason.NO_SUCH_PATCH, name=decision.patch, names=ids)
    if marks.patches[index] is not None:
        raise IllegalDecisionError(
            FaultCode.PATCH_LATE, IllegalReason.PATCH_COLOURED, decision.patch, name=decision.patch
        )
    if decision.patch not in open_patches(draft.sheet, marks):
        column = draft.sheet.patches[index].column
        raise IllegalDecisionError(
            FaultCode.PATCH_LATE, IllegalReason.COLUMN_BEGUN, decision.patch, number=column, name=decision.patch
        )
    _spend(draft, decision.seat, decision.colour)
    patches = (*marks.patches[:index], decision.colour, *marks.patches[index + 1 :])
    draft.change(decision.seat, marks=replace(marks, patches=patches))
    draft.facts.append(f.PatchColoured(decision.seat, decision.patch, decision.colour))


def _colour_thread(draft: Draft, decision: d.ColourThread) -> None:
    """Colour the thread of the next spool, with any pencil, if the spool is open."""
    marks = draft.seat(decision.seat).marks
    spool = len(marks.threads) + 1
    if spool > len(draft.sheet.spools.points):
        raise IllegalDecisionError(FaultCode.LOCKED, IllegalReason.EVERY_THREAD)
    if not has_open_thread(draft.sheet, marks):
        raise IllegalDecisionError(FaultCode.LOCKED, IllegalReason.SPOOL_LOCKED, f"spool{spool}.thread", number=spool)
    _spend(draft, decision.seat, decision.colour)
    draft.change(decision.seat, marks=replace(marks, threads=(*marks.threads, decision.colour)))
    draft.facts.append(f.ThreadColoured(decision.seat, spool, decision.colour))


def pencils_now(draft: Draft, number: int) -> tuple[Colour, ...]:
    """Return the colours of the pencils that a seat may use now, in the order of the sheet's colours."""
    side = draft.seat(number)
    task = side.task
    if task is None:
        usable = {pencil.colour for pencil in side.hand}
    elif task.kind is TaskKind.EXTRA:
        usable = {task.colour or ""}
    elif task.kind is TaskKind.NEUTRAL:
        usable = set(draft.neutral_pencils)
    else:
        usable = {pencil.colour for pencil in task.waiting} if task.kind is TaskKind.HELD else set()
    return tuple(colour for colour in draft.sheet.colours if colour in usable)


def _spend(draft: Draft, number: int, colour: Colour) -> None:
    """Take the pencil from its source: the innermost task, or the seat's own pincushion."""
    side = draft.seat(number)
    task = side.task
    if colour not in pencils_now(draft, number):
        raise _refused_pencil(task, colour)
    if task is None:
        _spend_own(draft, number, colour)
    elif task.kind is TaskKind.EXTRA:
        # An extra pencil may come from anywhere and returns there at once: no container changes (rulebook).
        draft.pop(number)
    elif task.kind is TaskKind.NEUTRAL:
        # Held until the bonuses of its cell are settled; no other seat can use it meanwhile (`docs/kvilt.md`).
        draft.take_from_neutral(colour)
        draft.pop(number, Task(TaskKind.HELD, used=(HeldPencil(colour, d.PencilSource.NEUTRAL),)))
    else:
        pencil = next(pencil for pencil in task.waiting if pencil.colour == colour)
        waiting = list(task.waiting)
        waiting.remove(pencil)
        draft.pop(number, replace(task, waiting=tuple(waiting), used=(*task.used, pencil)))


def _refused_pencil(task: Task | None, colour: Colour) -> IllegalDecisionError:
    if task is None:
        return IllegalDecisionError(FaultCode.NO_PENCIL, IllegalReason.NO_OWN_PENCIL, colour=colour)
    if task.kind in (TaskKind.EXTRA, TaskKind.NEUTRAL, TaskKind.HELD):
        return IllegalDecisionError(FaultCode.NO_PENCIL, IllegalReason.OTHER_PENCIL, colour=colour)
    return IllegalDecisionError(FaultCode.NO_PENCIL, IllegalReason.BONUS_FIRST, kind=task.kind)


def _spend_own(draft: Draft, number: int, colour: Colour) -> None:
    """Spend an own pencil; of two of the same colour the exchanged one, as the other may still be exchanged."""
    side = draft.seat(number)
    hand = list(side.hand)
    swapped = OwnPencil(colour, True)
    hand.remove(swapped if swapped in hand else OwnPencil(colour))
    draft.change(number, hand=tuple(hand), spent=(*side.spent, colour))


def carry_out(draft: Draft, decision: d.Colouring) -> None:
    """Carry out a decision that a player may make while colouring.

    Raises:
        IllegalDecisionError: if the rules forbid it.
    """
    match decision:
        case d.ColourCell():
            _colour_cell(draft, decision)
        case d.ColourPatch():
            _colour_patch(draft, decision)
        case d.ColourThread():
            _colour_thread(draft, decision)
        case d.Stitch():
            _stitch(draft, decision)
        case d.Fetch():
            _fetch(draft, decision)
        case d.ColourBackgrounds():
            _colour_backgrounds(draft, decision)
        case d.Swap():
            _swap(draft, decision)
        case d.Decline():
            _decline(draft, decision)


def settle(draft: Draft, number: int) -> None:
    """Settle a seat's tasks, innermost first, up to one that needs a decision."""
    while (task := draft.seat(number).task) is not None:
        if task.kind is TaskKind.SPOOL:
            _open_spool(draft, number)
        elif task.kind is TaskKind.HELD:
            if not _settle_held(draft, number, task):
                return
        elif task.kind is TaskKind.FETCH and not _can_fetch(draft, number):
            # There is no further pencil to take; those already taken can still be used.
            draft.pop(number, Task(TaskKind.HELD, waiting=task.waiting))
        elif task.kind is not TaskKind.FETCH and not _leaves_a_choice(draft, number, task):
            _lose(draft, number)
        else:
            return


def _lose(draft: Draft, number: int) -> None:
    draft.facts.append(f.BonusLost(number, draft.pop(number).kind))


def _leaves_a_choice(draft: Draft, number: int, task: Task) -> bool:
    side = draft.seat(number)
    if task.kind is TaskKind.STITCH:
        return any(colour is None for parts in side.marks.parts for colour in parts)
    if task.kind is TaskKind.BACKGROUNDS:
        return bool(white_cells(side))
    if task.kind is TaskKind.SWAP:
        # Pencils that other seats hold come back: a bonus is not lost while it can wait for them.
        return bool(swappable(draft, side)) and any([*draft.bag, *draft.held_by_others(number, d.PencilSource.BAG)])
    if task.kind is TaskKind.NEUTRAL:
        pencils = {*draft.neutral_pencils, *draft.held_by_others(number, d.PencilSource.NEUTRAL)}
        return any(is_of_use(draft.sheet, side.marks, colour) for colour in pencils)
    return is_of_use(draft.sheet, side.marks, task.colour or "")


def _open_spool(draft: Draft, number: int) -> None:
    marks, task = draft.seat(number).marks, draft.pop(number)
    if marks.open_spools(draft.sheet) < len(draft.sheet.spools.points):
        draft.change(number, marks=replace(marks, bodies=(*marks.bodies, task.colour or "")))
        draft.facts.append(f.SpoolOpened(number, marks.open_spools(draft.sheet) + 1))
    else:
        draft.facts.append(f.BonusLost(number, TaskKind.SPOOL))


def _settle_held(draft: Draft, number: int, task: Task) -> bool:
    """Return the held pencils once none is waiting or none can be used; return whether that happened."""
    marks = draft.seat(number).marks
    if any(is_of_use(draft.sheet, marks, pencil.colour) for pencil in task.waiting):
        return False
    if task.waiting:
        draft.facts.append(f.BonusLost(number, TaskKind.HELD))
    draft.pop(number)
    for pencil in (*task.used, *task.waiting):
        draft.put_back(pencil)
        draft.facts.append(f.PencilReturned(number, pencil.source, pencil.colour))
    return True


def _can_fetch(draft: Draft, number: int) -> bool:
    """Return whether a pencil can be taken, or will be once another seat returns it."""
    others = (*draft.held_by_others(number, d.PencilSource.BAG), *draft.held_by_others(number, d.PencilSource.NEUTRAL))
    return any(draft.bag) or bool(draft.neutral_pencils) or bool(others)


def white_cells(side: SeatState) -> tuple[Cell, ...]:
    """Return the cells coloured in this round that have no background, in the order of colouring."""
    return tuple(cell for cell in side.round_cells if not side.marks.rows[cell[0] - 1].full >> cell[1] - 1 & 1)


def swappable(draft: Draft, side: SeatState) -> list[Colour]:
    """Return the unused pencils that may be exchanged."""
    again = draft.setup.settings.swap_again
    return [pencil.colour for pencil in side.hand if again or not pencil.swapped]


def _require(draft: Draft, number: int, kind: TaskKind, code: FaultCode) -> Task:
    task = draft.seat(number).task
    if task is None or task.kind is not kind:
        raise IllegalDecisionError(code, IllegalReason.NOT_DUE, kind=kind)
    return task


def _stitch(draft: Draft, decision: d.Stitch) -> None:
    """Colour a part; the last part of a figure triggers its effect at once."""
    task = _require(draft, decision.seat, TaskKind.STITCH, FaultCode.STITCH)
    marks, found = draft.seat(decision.seat).marks, draft.sheet.find_part(decision.part)
    if found is None:
        one = draft.sheet.embroideries[0].regions[:1]
        raise IllegalDecisionError(FaultCode.STITCH, IllegalReason.NO_SUCH_PART, name=decision.part, names=one)
    figure, part = found
    if marks.parts[figure][part] is not None:
        raise IllegalDecisionError(FaultCode.STITCH, IllegalReason.PART_COLOURED, decision.part, name=decision.part)
    colours = (*marks.parts[figure][:part], task.colour, *marks.parts[figure][part + 1 :])
    # The stitch is settled before its effect is added: bonuses are resolved depth-first, the newest first.
    draft.pop(decision.seat)
    grown = replace(marks, parts=(*marks.parts[:figure], colours, *marks.parts[figure + 1 :]))
    draft.change(decision.seat, marks=grown)
    draft.facts.append(f.PartStitched(decision.seat, decision.part, task.colour or ""))
    if None not in colours:
        _finish(draft, decision.seat, draft.sheet.embroideries[figure])


def _finish(draft: Draft, number: int, figure: Embroidery) -> None:
    draft.facts.append(f.EmbroideryFinished(number, figure.id))
    if not figure.pencils:
        draft.change(number, all_backgrounds=draft.setup.settings.later_backgrounds)
        draft.push(number, Task(TaskKind.BACKGROUNDS))
    elif draft.setup.settings.take_both_first:
        draft.push(number, Task(TaskKind.FETCH, left=figure.pencils))
    else:
        draft.push(number, *[Task(TaskKind.FETCH, left=1)] * figure.pencils)


def _fetch(draft: Draft, decision: d.Fetch) -> None:
    """Take a pencil for a finished embroidery; after the last one the pencils are used."""
    task = _require(draft, decision.seat, TaskKind.FETCH, FaultCode.NO_PENCIL)
    if decision.source is d.PencilSource.BAG:
        draft.draw([decision.colour])
    else:
        draft.take_from_neutral(decision.colour)
    taken = (*task.waiting, HeldPencil(decision.colour, decision.source))
    more = Task(TaskKind.FETCH, left=task.left - 1, waiting=taken)
    draft.pop(decision.seat, more if more.left else Task(TaskKind.HELD, waiting=taken))
    draft.facts.append(f.PencilFetched(decision.seat, decision.source, decision.colour))


def _colour_backgrounds(draft: Draft, decision: d.ColourBackgrounds) -> None:
    """Colour backgrounds of cells of this round."""
    _require(draft, decision.seat, TaskKind.BACKGROUNDS, FaultCode.BACKGROUND)
    side = draft.seat(decision.seat)
    marks, white = side.marks, white_cells(side)
    if not decision.cells or len(set(decision.cells)) != len(decision.cells):
        raise IllegalDecisionError(FaultCode.BACKGROUND, IllegalReason.REPEATED_CELL)
    for cell in decision.cells:
        if cell not in white:
            name = cell_name(cell)
            raise IllegalDecisionError(
                FaultCode.BACKGROUND, IllegalReason.NO_BACKGROUND, f"{name}.background", name=name
            )
        marks = _with_background(marks, cell)
    draft.pop(decision.seat)
    draft.change(decision.seat, marks=marks)
    draft.facts.append(f.BackgroundsColoured(decision.seat, decision.cells))


def _with_background(marks: Marks, cell: Cell) -> Marks:
    rows = list(marks.rows)
    row = rows[cell[0] - 1]
    rows[cell[0] - 1] = replace(row, full=row.full | 1 << cell[1] - 1)
    return replace(marks, rows=tuple(rows))


def _swap(draft: Draft, decision: d.Swap) -> None:
    """Exchange pencils: they are named, new ones drawn blind, and only then do the named ones go into the bag."""
    _require(draft, decision.seat, TaskKind.SWAP, FaultCode.NO_PENCIL)
    if not 1 <= len(decision.given) <= MOST_SWAPPED or len(decision.drawn) != len(decision.given):
        raise IllegalDecisionError(FaultCode.NO_PENCIL, IllegalReason.AS_MANY)
    _check_swap_order(draft, decision.seat)
    side = draft.seat(decision.seat)
    hand, allowed = list(side.hand), swappable(draft, side)
    for colour in decision.given:
        if colour not in allowed:
            raise IllegalDecisionError(FaultCode.NO_PENCIL, IllegalReason.NOT_EXCHANGEABLE, colour=colour)
        allowed.remove(colour)
        hand.remove(OwnPencil(colour) if OwnPencil(colour) in hand else OwnPencil(colour, True))
    # Drawn before the others go in: a seat cannot draw what it gives.
    draft.draw(decision.drawn)
    draft.put_into_bag(decision.given)
    draft.pop(decision.seat)
    draft.change(decision.seat, hand=(*hand, *(OwnPencil(colour, True) for colour in decision.drawn)))
    draft.facts.append(f.PencilsSwapped(decision.seat, decision.given, decision.drawn))


def _check_swap_order(draft: Draft, number: int) -> None:
    """Refuse an exchange out of order: waiting seats exchange clockwise, starting from the first player."""
    order = draft.setup.seats_from(draft.first)
    for seat in order[: order.index(number)]:
        task = draft.seat(seat).task
        if task is not None and task.kind is TaskKind.SWAP:
            raise IllegalDecisionError(FaultCode.TURN, IllegalReason.EXCHANGES_FIRST, number=seat)


def _decline(draft: Draft, decision: d.Decline) -> None:
    """Forgo the bonus that is due. After declining to take a pencil, those already taken can still be used."""
    task = draft.seat(decision.seat).task
    if task is None:
        raise IllegalDecisionError(FaultCode.TURN, IllegalReason.NO_BONUS)
    draft.facts.append(f.BonusLost(decision.seat, task.kind))
    if task.kind is TaskKind.FETCH:
        draft.pop(decision.seat, Task(TaskKind.HELD, waiting=task.waiting))
    elif task.kind is TaskKind.HELD:
        # As if used, so that `settle` returns the pencils and does not count the bonus as lost once more.
        draft.pop(decision.seat, Task(TaskKind.HELD, used=(*task.used, *task.waiting)))
    else:
        draft.pop(decision.seat)
