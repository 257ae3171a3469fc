"""The explanation of new marks on a sheet, from one look to the next during a player's colouring, by legal decisions.

The paper does not show the order of play inside a round. The marks are accepted if at least one legal order explains
them; the search is depth-first over the pencils and the new marks that each can have made. The pencils drawn from the
bag are either known, or may be any that the bag holds. If no order explains all marks, the smallest set of unexplained
marks is reported.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement
from typing import Final, Literal, TypeAlias

from companion.games.kvilt import decisions as d
from companion.games.kvilt.colouring import MOST_SWAPPED, pencils_now, swappable, white_cells
from companion.games.kvilt.decisions import Decision
from companion.games.kvilt.draft import Draft
from companion.games.kvilt.errors import FaultCode, IllegalDecisionError
from companion.games.kvilt.judging import Fault, judge_sheet
from companion.games.kvilt.rules import apply
from companion.games.kvilt.sheet import BonusKind, Colour, cell_name
from companion.games.kvilt.state import Phase, State, Task, TaskKind

# A colouring of a simulated game takes some dozen steps; this many take about two seconds.
_MOST_STEPS: Final = 20_000

# New marks not yet explained, by region.
_Left: TypeAlias = "dict[str, Colour]"

# A decision and the regions that it colours.
_Move: TypeAlias = "tuple[Decision, tuple[str, ...]]"

# The next draw from the bag: this one, any, or none.
_Due: TypeAlias = "d.Swap | d.Fetch | Literal['any'] | None"

BAG_TASKS: Final = (TaskKind.SWAP, TaskKind.FETCH)
"""The tasks that draw from the bag."""


def is_draw(decision: Decision) -> bool:
    """Return whether a decision drew pencils from the bag."""
    return isinstance(decision, d.Swap) or (isinstance(decision, d.Fetch) and decision.source is d.PencilSource.BAG)


@dataclass(frozen=True, slots=True)
class MarksExplanation:
    """The explanation of new marks.

    Attributes:
        decisions: the legal decisions that lead to the explained marks, without the closing `Done`.
        unexplained: the regions of the unexplained marks, in the order of the sheet.
        errors: the faults of the unexplained marks, and marks that were erased.
        complete: whether the decisions make every reported draw, and end at the bag if `wants_bag` was given.
        early: if everything is explained, but no order ends at the bag as `wants_bag` requires: the regions of the
            fewest marks without which one would; empty if no order reaches the bag.
    """

    decisions: tuple[Decision, ...]
    unexplained: tuple[str, ...]
    errors: tuple[Fault, ...]
    complete: bool = True
    early: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Return True if the decisions are complete and explain every mark."""
        return self.complete and not self.unexplained and not self.errors


def explain(
    state: State,
    seat: int,
    seen: Mapping[str, Colour | None],
    *,
    draws: Sequence[d.Swap | d.Fetch] | None = None,
    wants_bag: bool = False,
) -> MarksExplanation:
    """Explain how a seat that may colour now got from its marks to those seen.

    Args:
        state: the game before the seat used its pencils.
        seat: the sheet's seat.
        seen: the colour of every coloured region afterwards, by name.
        draws: the draws from the bag meanwhile, in order, or None if they were not reported and may have been any
            pencils that the bag holds.
        wants_bag: whether the seat has stopped where a draw is due, at an exchange or a finished embroidery; the
            decisions then end there, if any order does.

    Raises:
        IllegalDecisionError: E_TURN, if the seat may not colour now.
    """
    Draft(state).require_phase(Phase.COLOURING, seat)
    sheet = state.setup.sheet
    before = state.seat(seat).marks.regions(sheet)
    # The ends of spools that are open from the start are printed, so that colour on them is no mark.
    ready = {f"spool{number}.body" for number in range(1, sheet.spools.open + 1)}
    known = [region for region in sheet.regions() if region not in ready]
    new = {region: colour for region in known if (colour := seen.get(region)) and region not in before}
    # A spool may be opened in any colour. Players tend to use the pencil in their hand, so that its colour shows which
    # of two cells opened which spool; only if that explains nothing are the colours of spools ignored.
    search = _Search(state, seat, new, draws, wants_bag=wants_bag, by_colour=True)
    if not search.complete and any(region.endswith(".body") for region in new):
        search = _Search(state, seat, new, draws, wants_bag=wants_bag, by_colour=False)
    erased = tuple(region for region in before if not seen.get(region))
    faults = _faults(state, seat, seen, search.left, erased)
    early = () if search.complete or search.left else tuple(search.early)
    return MarksExplanation(search.decisions, tuple(search.left), faults, search.complete, early)


class _Search:
    """A search for the decisions that leave the fewest new marks unexplained: `decisions` and `left`.

    `early` are the fewest marks left over at a point where the bag is due, if that is wanted; empty if there is none.
    """

    def __init__(
        self,
        state: State,
        seat: int,
        new: _Left,
        draws: Sequence[d.Swap | d.Fetch] | None,
        *,
        wants_bag: bool,
        by_colour: bool,
    ) -> None:
        self._seat, self._steps, self._by_colour = seat, 0, by_colour
        self._draws, self._wants_bag = draws, wants_bag
        self._met: set[object] = set()
        self.decisions: tuple[Decision, ...] = tuple(self._declines(state))
        self.left: _Left = new
        self.early: _Left = {}
        self.complete = self._go(state, new, (), 0)

    def _go(self, state: State, left: _Left, path: tuple[Decision, ...], drawn: int) -> bool:
        """Return whether everything is explained from here on; `drawn` is the number of known draws already made."""
        self._steps += 1
        may_end = self._is_goal(state, drawn)
        is_end = may_end and not left
        if may_end and self._wants_bag and (not self.early or len(left) < len(self.early)):
            self.early = left
        if is_end or len(left) < len(self.left):
            # A seat that has stopped at the bag keeps its tasks; one that is done has declined what left no mark.
            rest = () if is_end and self._wants_bag else self._declines(state)
            self.decisions, self.left = (*path, *rest), left
        if is_end or self._steps > _MOST_STEPS:
            return is_end
        # The seat's marks determine what is left to explain, so the path to them does not matter.
        key = (state.seat(self._seat), state.bag, state.cushions, drawn)
        if key in self._met:
            return False
        self._met.add(key)
        moves = _moves(state, self._seat, left, self._due(drawn), by_colour=self._by_colour)
        return any(self._step(state, left, path, drawn, *move) for move in moves)

    def _is_goal(self, state: State, drawn: int) -> bool:
        """Return whether a path that leaves no mark unexplained may end here."""
        if self._draws is not None and drawn < len(self._draws):
            return False
        task = state.seat(self._seat).task
        return not self._wants_bag or (task is not None and task.kind in BAG_TASKS)

    def _due(self, drawn: int) -> _Due:
        """Return the draw that comes next."""
        if self._draws is None:
            return "any"
        return self._draws[drawn] if drawn < len(self._draws) else None

    def _step(
        self,
        state: State,
        left: _Left,
        path: tuple[Decision, ...],
        drawn: int,
        decision: Decision,
        made: tuple[str, ...],
    ) -> bool:
        try:
            after = apply(state, decision).state
        except IllegalDecisionError:
            return False
        rest = {region: colour for region, colour in left.items() if region not in made}
        return self._go(after, rest, (*path, decision), drawn + is_draw(decision))

    def _declines(self, state: State) -> Iterator[Decision]:
        """Yield the decisions that decline all bonuses that are due."""
        while state.seat(self._seat).tasks:
            yield d.Decline(self._seat)
            state = apply(state, d.Decline(self._seat)).state


def _moves(state: State, seat: int, left: _Left, due: _Due, *, by_colour: bool) -> Iterator[_Move]:
    """Yield the decisions that may explain some of the marks, each with the regions that it colours.

    Args:
        state: the game.
        seat: the sheet's seat.
        left: the marks not yet explained.
        due: the next draw.
        by_colour: whether a spool must have the colour of the cell that opens it.
    """
    draft, side = Draft(state), state.seat(seat)
    task = side.task
    for colour in pencils_now(draft, seat):
        yield from _uses(state, seat, colour, left, by_colour=by_colour)
    if task is None:
        return
    if task.kind is TaskKind.STITCH:
        yield from _stitches(state, seat, task, left)
    elif task.kind is TaskKind.FETCH:
        yield from _fetches(draft, seat, left, due)
    elif task.kind is TaskKind.BACKGROUNDS:
        cells = tuple(cell for cell in white_cells(side) if f"{cell_name(cell)}.background" in left)
        yield d.ColourBackgrounds(seat, cells), tuple(f"{cell_name(cell)}.background" for cell in cells)
    # Before exchanges: one that was not reported is assumed only if the marks cannot be explained without it.
    yield d.Decline(seat), ()
    if task.kind is TaskKind.SWAP:
        yield from _swaps(draft, seat, left, due)


def _uses(state: State, seat: int, colour: Colour, left: _Left, *, by_colour: bool) -> Iterator[_Move]:
    sheet, marks = state.setup.sheet, state.seat(seat).marks
    for row, marked in enumerate(marks.rows, start=1):
        if left.get(f"{cell_name((row, marked.cells + 1))}.picture") == colour:
            yield from _cells(state, d.ColourCell(seat, colour, row), left, by_colour=by_colour)
    for patch in sheet.patches:
        if left.get(patch.id) == colour:
            yield d.ColourPatch(seat, colour, patch.id), (patch.id,)
    thread = f"spool{len(marks.threads) + 1}.thread"
    if left.get(thread) == colour:
        yield d.ColourThread(seat, colour), (thread,)


def _cells(state: State, plain: d.ColourCell, left: _Left, *, by_colour: bool) -> Iterator[_Move]:
    """Yield a cell with and without its coloured background; its spool mark is used if a spool was opened."""
    side, sheet = state.seat(plain.seat), state.setup.sheet
    marks = side.marks
    cell = (plain.row, marks.rows[plain.row - 1].cells + 1)
    picture, background = (f"{cell_name(cell)}.{part}" for part in ("picture", "background"))
    spools = sum(bonus.kind is BonusKind.SPOOL for bonus in sheet.bonuses_at(cell))
    opened = marks.open_spools(sheet)
    numbers = range(opened + 1, min(opened + spools, len(sheet.spools.points)) + 1)
    bodies = tuple(f"spool{number}.body" for number in numbers)
    used = all(body in left and (left[body] == plain.colour or not by_colour) for body in bodies)
    made = (picture, *bodies) if used else (picture,)
    if left.get(background) == plain.colour:
        yield replace(plain, background=True, spool=used), (*made, background)
    # Only a background that might have been coloured is recorded as left white.
    left_white = False if plain.colour == side.bonus or side.all_backgrounds else None
    yield replace(plain, background=left_white, spool=used), made


def _stitches(state: State, seat: int, task: Task, left: _Left) -> Iterator[_Move]:
    """Yield one part of each figure that can explain a mark; its parts are interchangeable."""
    for figure, colours in zip(state.setup.sheet.embroideries, state.seat(seat).marks.parts, strict=True):
        pairs = zip(figure.regions, colours, strict=True)
        part = next((part for part, done in pairs if done is None and left.get(part) == task.colour), None)
        if part is not None:
            yield d.Stitch(seat, part), (part,)


def _wanted(draft: Draft, left: _Left) -> list[Colour]:
    """Return the colours of the unexplained marks of which the bag holds a pencil."""
    wanted = set(left.values())
    return [colour for colour, held in zip(draft.sheet.colours, draft.bag, strict=True) if held and colour in wanted]


def _fetches(draft: Draft, seat: int, left: _Left, due: _Due) -> Iterator[_Move]:
    if isinstance(due, d.Fetch):
        yield due, ()
    wanted = set(left.values())
    # Pencils of other colours left no mark, and declining explains that as well.
    for colour in dict.fromkeys(draft.neutral_pencils):
        if colour in wanted:
            yield d.Fetch(seat, d.PencilSource.NEUTRAL, colour), ()
    for colour in _wanted(draft, left) if due == "any" else ():
        yield d.Fetch(seat, d.PencilSource.BAG, colour), ()


def _swaps(draft: Draft, seat: int, left: _Left, due: _Due) -> Iterator[_Move]:
    if isinstance(due, d.Swap):
        yield due, ()
    if due != "any":
        return
    pencils = swappable(draft, draft.seat(seat))
    for count in range(1, MOST_SWAPPED + 1):
        for given in dict.fromkeys(combinations(pencils, count)):
            for drawn in combinations_with_replacement(_wanted(draft, left), count):
                yield d.Swap(seat, given, drawn), ()


def _faults(
    state: State, seat: int, seen: Mapping[str, Colour | None], left: Iterable[str], erased: tuple[str, ...]
) -> tuple[Fault, ...]:
    """Return the faults of the unexplained marks: those visible on the sheet alone first, then those of the round."""
    sheet, over = state.setup.sheet, list(left)
    faults = [fault for fault in judge_sheet(sheet, seen).errors if set(fault.regions) & set(over)]
    named = {region for fault in faults for region in fault.regions}
    faults += [_fault_of(state, seat, region) for region in over if region not in named]
    if erased:
        faults.append(Fault(FaultCode.ERASED, erased))
    return tuple(faults)


def _fault_of(state: State, seat: int, region: str) -> Fault:
    sheet, marks = state.setup.sheet, state.seat(seat).marks
    index = sheet.index_of_patch(region)
    code = FaultCode.NO_PENCIL
    if index >= 0 and any(marks.is_coloured(cell) for cell in sheet.columns[sheet.patches[index].column]):
        code = FaultCode.PATCH_LATE
    elif region.endswith(".background"):
        code = FaultCode.BACKGROUND
    elif sheet.find_part(region):
        code = FaultCode.STITCH
    elif region.endswith(".body"):
        code = FaultCode.UNLOCK
    return Fault(code, (region,))
