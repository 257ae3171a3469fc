"""Phase 3: bonuses, depth-first. Bonuses without a choice are settled at once; the others await a decision."""

from dataclasses import replace

from companion.games.kvilt.decisions import ColourBackgrounds, Decline, Fetch, PencilSource, Stitch, Swap
from companion.games.kvilt.errors import FaultCode
from companion.games.kvilt.facts import (
    BackgroundsColoured,
    BonusLost,
    EmbroideryFinished,
    PartStitched,
    PencilFetched,
    PencilReturned,
    PencilsSwapped,
    SpoolOpened,
)
from companion.games.kvilt.marks import Marks
from companion.games.kvilt.naming import TASK_WORDS, colour_name
from companion.games.kvilt.sheet.sheet import Cell, Colour, Embroidery, cell_name
from companion.games.kvilt.state import HeldPencil, OwnPencil, SeatState, Task, TaskKind
from companion.games.kvilt.turns.draft import Draft, refuse
from companion.games.kvilt.turns.uses import is_of_use
from companion.languages import said

MOST_SWAPPED = 2
"""The pencils that one swap mark exchanges at most (rulebook)."""


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
    draft.facts.append(BonusLost(number, draft.pop(number).kind))


def _leaves_a_choice(draft: Draft, number: int, task: Task) -> bool:
    side = draft.seat(number)
    if task.kind is TaskKind.STITCH:
        return any(colour is None for parts in side.marks.parts for colour in parts)
    if task.kind is TaskKind.BACKGROUNDS:
        return bool(white_cells(side))
    if task.kind is TaskKind.SWAP:
        # Pencils that other seats hold come back: a bonus is not lost while it can wait for them.
        return bool(swappable(draft, side)) and any([*draft.bag, *draft.held_by_others(number, PencilSource.BAG)])
    if task.kind is TaskKind.NEUTRAL:
        pencils = {*draft.neutral_pencils, *draft.held_by_others(number, PencilSource.NEUTRAL)}
        return any(is_of_use(draft.sheet, side.marks, colour) for colour in pencils)
    return is_of_use(draft.sheet, side.marks, task.colour or "")


def _open_spool(draft: Draft, number: int) -> None:
    marks, task = draft.seat(number).marks, draft.pop(number)
    if marks.open_spools(draft.sheet) < len(draft.sheet.spools.points):
        draft.change(number, marks=replace(marks, bodies=(*marks.bodies, task.colour or "")))
        draft.facts.append(SpoolOpened(number, marks.open_spools(draft.sheet) + 1))
    else:
        draft.facts.append(BonusLost(number, TaskKind.SPOOL))


def _settle_held(draft: Draft, number: int, task: Task) -> bool:
    """Return the held pencils once none is waiting or none can be used; return whether that happened."""
    marks = draft.seat(number).marks
    if any(is_of_use(draft.sheet, marks, pencil.colour) for pencil in task.waiting):
        return False
    if task.waiting:
        draft.facts.append(BonusLost(number, TaskKind.HELD))
    draft.pop(number)
    for pencil in (*task.used, *task.waiting):
        draft.put_back(pencil)
        draft.facts.append(PencilReturned(number, pencil.source, pencil.colour))
    return True


def _can_fetch(draft: Draft, number: int) -> bool:
    """Return whether a pencil can be taken, or will be once another seat returns it."""
    others = (*draft.held_by_others(number, PencilSource.BAG), *draft.held_by_others(number, PencilSource.NEUTRAL))
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
        refuse(code, said("no {kind} is due", kind=TASK_WORDS[kind]))
    return task


def stitch(draft: Draft, decision: Stitch) -> None:
    """Colour a part; the last part of a figure triggers its effect at once."""
    task = _require(draft, decision.seat, TaskKind.STITCH, FaultCode.STITCH)
    marks, found = draft.seat(decision.seat).marks, draft.sheet.find_part(decision.part)
    if found is None:
        refuse(
            FaultCode.STITCH,
            said(
                "there is no part {part}; one is {example}", part=repr(decision.part[:40]), example=_first_part(draft)
            ),
        )
    figure, part = found
    if marks.parts[figure][part] is not None:
        refuse(FaultCode.STITCH, said("part {part} is coloured already", part=decision.part), decision.part)
    colours = (*marks.parts[figure][:part], task.colour, *marks.parts[figure][part + 1 :])
    # The stitch is settled before its effect is added: bonuses are resolved depth-first, the newest first.
    draft.pop(decision.seat)
    grown = replace(marks, parts=(*marks.parts[:figure], colours, *marks.parts[figure + 1 :]))
    draft.change(decision.seat, marks=grown)
    draft.facts.append(PartStitched(decision.seat, decision.part, task.colour or ""))
    if None not in colours:
        _finish(draft, decision.seat, draft.sheet.embroideries[figure])


def _first_part(draft: Draft) -> str:
    return draft.sheet.embroideries[0].regions[0]


def _finish(draft: Draft, number: int, figure: Embroidery) -> None:
    draft.facts.append(EmbroideryFinished(number, figure.id))
    if not figure.pencils:
        draft.change(number, all_backgrounds=draft.setup.settings.later_backgrounds)
        draft.push(number, Task(TaskKind.BACKGROUNDS))
    elif draft.setup.settings.take_both_first:
        draft.push(number, Task(TaskKind.FETCH, left=figure.pencils))
    else:
        draft.push(number, *[Task(TaskKind.FETCH, left=1)] * figure.pencils)


def fetch(draft: Draft, decision: Fetch) -> None:
    """Take a pencil for a finished embroidery; after the last one the pencils are used."""
    task = _require(draft, decision.seat, TaskKind.FETCH, FaultCode.NO_PENCIL)
    if decision.source is PencilSource.BAG:
        draft.draw([decision.colour])
    else:
        draft.take_from_neutral(decision.colour)
    taken = (*task.waiting, HeldPencil(decision.colour, decision.source))
    more = Task(TaskKind.FETCH, left=task.left - 1, waiting=taken)
    draft.pop(decision.seat, more if more.left else Task(TaskKind.HELD, waiting=taken))
    draft.facts.append(PencilFetched(decision.seat, decision.source, decision.colour))


def colour_backgrounds(draft: Draft, decision: ColourBackgrounds) -> None:
    """Colour backgrounds of cells of this round."""
    _require(draft, decision.seat, TaskKind.BACKGROUNDS, FaultCode.BACKGROUND)
    side = draft.seat(decision.seat)
    marks, white = side.marks, white_cells(side)
    if not decision.cells or len(set(decision.cells)) != len(decision.cells):
        refuse(FaultCode.BACKGROUND, said("name each cell once, at least one"))
    for cell in decision.cells:
        if cell not in white:
            says = said("{cell} was not coloured in this round, or has its background", cell=cell_name(cell))
            refuse(FaultCode.BACKGROUND, says, f"{cell_name(cell)}.background")
        marks = _with_background(marks, cell)
    draft.pop(decision.seat)
    draft.change(decision.seat, marks=marks)
    draft.facts.append(BackgroundsColoured(decision.seat, decision.cells))


def _with_background(marks: Marks, cell: Cell) -> Marks:
    rows = list(marks.rows)
    row = rows[cell[0] - 1]
    rows[cell[0] - 1] = replace(row, full=row.full | 1 << cell[1] - 1)
    return replace(marks, rows=tuple(rows))


def swap(draft: Draft, decision: Swap) -> None:
    """Exchange pencils: they are named, new ones drawn blind, and only then do the named ones go into the bag."""
    _require(draft, decision.seat, TaskKind.SWAP, FaultCode.NO_PENCIL)
    if not 1 <= len(decision.given) <= MOST_SWAPPED or len(decision.drawn) != len(decision.given):
        refuse(FaultCode.NO_PENCIL, said("one or two pencils are exchanged for as many"))
    _check_swap_order(draft, decision.seat)
    side = draft.seat(decision.seat)
    hand, allowed = list(side.hand), swappable(draft, side)
    for colour in decision.given:
        if colour not in allowed:
            refuse(
                FaultCode.NO_PENCIL,
                said("there is no unused {colour} pencil that may be exchanged", colour=colour_name(colour)),
            )
        allowed.remove(colour)
        hand.remove(OwnPencil(colour) if OwnPencil(colour) in hand else OwnPencil(colour, True))
    # Drawn before the others go in: a seat cannot draw what it gives.
    draft.draw(decision.drawn)
    draft.put_into_bag(decision.given)
    draft.pop(decision.seat)
    draft.change(decision.seat, hand=(*hand, *(OwnPencil(colour, True) for colour in decision.drawn)))
    draft.facts.append(PencilsSwapped(decision.seat, decision.given, decision.drawn))


def _check_swap_order(draft: Draft, number: int) -> None:
    """Refuse an exchange out of order: waiting seats exchange clockwise, starting from the first player."""
    order = draft.setup.seats_from(draft.first)
    for seat in order[: order.index(number)]:
        task = draft.seat(seat).task
        if task is not None and task.kind is TaskKind.SWAP:
            refuse(FaultCode.TURN, said("seat {seat} exchanges first", seat=seat))


def decline(draft: Draft, decision: Decline) -> None:
    """Forgo the bonus that is due. After declining to take a pencil, those already taken can still be used."""
    task = draft.seat(decision.seat).task
    if task is None:
        refuse(FaultCode.TURN, said("there is no bonus to decline"))
    draft.facts.append(BonusLost(decision.seat, task.kind))
    if task.kind is TaskKind.FETCH:
        draft.pop(decision.seat, Task(TaskKind.HELD, waiting=task.waiting))
    elif task.kind is TaskKind.HELD:
        # As if used, so that `settle` returns the pencils and does not count the bonus as lost once more.
        draft.pop(decision.seat, Task(TaskKind.HELD, used=(*task.used, *task.waiting)))
    else:
        draft.pop(decision.seat)
