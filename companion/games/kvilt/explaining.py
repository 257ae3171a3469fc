"""The explanation of new marks on a sheet, from one look to the next during a player's colouring, by legal decisions.

The paper does not show the order of play inside a round. The marks are accepted if at least one legal order explains
them; the search is depth-first over the pencils and the new marks that each can have made. The pencils drawn from the
bag are either known, or may be any that the bag holds. If no order explains all marks, the smallest set of unexplained
marks is reported.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from companion.games.kvilt import decisions as d
from companion.games.kvilt.colouring import MOST_SWAPPED, pencils_now, swappable, white_cells
from companion.games.kvilt.decisions import Decision
from companion.games.kvilt.draft import Draft
from companion.games.kvilt.errors import FaultCode, IllegalDecisionError
from companion.games.kvilt.judging import Fault
from companion.games.kvilt.rules import apply
from companion.games.kvilt.sheet import BonusKind, Colour, cell_name
from companion.games.kvilt.state import Phase, State, Task, TaskKind
from companion.games.kvilt.uncounted import why_uncounted

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
        unexplained: the regions of the new marks that are not explained, as few as can be, in the order of the sheet.
        errors: the faults of the unexplained marks, and marks that were erased.
        complete: whether the decisions make every reported draw, and end at the bag if `wants_bag` was given.
        early: if everything is explained, but no order ends at the bag as `wants_bag` requires: the regions of the
            fewest marks without which one would; empty if no order reaches the bag.
        alternatives: other new marks to leave unexplained, so that all the rest is explained, the fewest first.
    """

    decisions: tuple[Decision, ...]
    unexplained: tuple[str, ...]
    errors: tuple[Fault, ...]
    complete: bool = True
    early: tuple[str, ...] = ()
    alternatives: tuple[tuple[str, ...], ...] = ()

    def __bool__(self) -> bool:
        """Return True if the decisions are complete and explain every new mark."""
        return self.complete and not self.unexplained and not self.errors


def explain(
    state: State,
    seat: int,
    seen: Mapping[str, Colour | None],
    *,
    draws: Sequence[d.Swap | d.Fetch] | None = None,
    wants_bag: bool = False,
    declined: Mapping[str, int] = MappingProxyType({}),
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
        declined: marks of which the players have agreed that they need not count, and the round in which they did so,
            0 if it is not known. They stay on the paper, and pencils that no new mark needs may claim them.

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
    search = _Search(state, seat, new, draws, wants_bag=wants_bag, by_colour=True, declined=declined)
    if not (search.complete and not search.over) and any(region.endswith(".body") for region in new):
        search = _Search(state, seat, new, draws, wants_bag=wants_bag, by_colour=False, declined=declined)
    over = search.over
    paper = {region: colour for region, colour in seen.items() if colour}
    faults = why_uncounted(sheet, search.marks, paper, over, declined)
    erased = tuple(region for region in before if not seen.get(region))
    if erased:
        faults = (*faults, Fault(FaultCode.ERASED, erased))
    early = () if search.complete or over else tuple(search.early)
    return MarksExplanation(search.decisions, over, faults, search.complete, early, search.alternatives())


class _Search:
    """A search for the decisions that leave the fewest new marks unexplained, and then the fewest declined ones.

    `decisions` and `marks` are the best ones found, `over` the new marks that they leave unexplained. `early` are the
    fewest marks left over at a point where the bag is due, if that is wanted; empty if there is none.
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
        declined: Container[str],
    ) -> None:
        self._seat, self._steps, self._by_colour = seat, 0, by_colour
        self._draws, self._wants_bag, self._declined = draws, wants_bag, declined
        self._met: set[object] = set()
        self._best: tuple[int, bool, int] | None = None
        self._lefts: dict[frozenset[str], tuple[str, ...]] = {}
        self.decisions: tuple[Decision, ...] = ()
        self.marks = state.seat(seat).marks
        self.over: tuple[str, ...] = ()
        self.early: _Left = {}
        self.complete = False
        self._go(state, new, (), 0)

    def alternatives(self) -> tuple[tuple[str, ...], ...]:
        """Return the other smallest sets of new marks to leave unexplained: none contains another one."""
        if not self.over:
            return ()
        smallest: list[frozenset[str]] = [frozenset(self.over)]
        for left in sorted(self._lefts, key=len):
            if not any(other <= left for other in smallest):
                smallest.append(left)
        return tuple(self._lefts[left] for left in smallest[1:])

    def _go(self, state: State, left: _Left, path: tuple[Decision, ...], drawn: int) -> bool:
        """Return whether everything is explained from here on; `drawn` is the number of known draws already made."""
        self._steps += 1
        may_end = self._is_goal(state, drawn)
        self._keep_best(state, left, path, may_end=may_end)
        is_end = may_end and not left
        if is_end or self._steps > _MOST_STEPS:
            return is_end
        # The seat's marks determine what is left to explain, so the path to them does not matter.
        key = (state.seat(self._seat), state.bag, state.cushions, drawn)
        if key in self._met:
            return False
        self._met.add(key)
        # Nothing is drawn for the sake of a mark that need not count.
        drawable = {colour for region, colour in left.items() if region not in self._declined}
        moves = _moves(state, self._seat, left, self._due(drawn), drawable, by_colour=self._by_colour)
        return any(self._step(state, left, path, drawn, *move) for move in moves)

    def _keep_best(self, state: State, left: _Left, path: tuple[Decision, ...], *, may_end: bool) -> None:
        over = tuple(region for region in left if region not in self._declined)
        if may_end:
            self._lefts.setdefault(frozenset(over), over)
            if self._wants_bag and (not self.early or len(left) < len(self.early)):
                self.early = left
        rank = (len(over), not may_end, len(left))
        if self._best is not None and rank >= self._best:
            return
        # A seat that has stopped at the bag keeps its tasks; one that is done has declined what left no mark.
        rest = () if may_end and not over and self._wants_bag else self._declines(state)
        self._best, self.decisions, self.over, self.complete = rank, (*path, *rest), over, may_end
        self.marks = state.seat(self._seat).marks

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


def _moves(
    state: State, seat: int, left: _Left, due: _Due, drawable: Container[Colour], *, by_colour: bool
) -> Iterator[_Move]:
    """Yield the decisions that may explain some of the marks, each with the regions that it colours.

    Args:
        state: the game.
        seat: the sheet's seat.
        left: the marks not yet explained.
        due: the next draw.
        drawable: the colours that a draw which was not reported may have had.
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
        yield from _fetches(draft, seat, left, due, drawable)
    elif task.kind is TaskKind.BACKGROUNDS:
        cells = tuple(cell for cell in white_cells(side) if f"{cell_name(cell)}.background" in left)
        yield d.ColourBackgrounds(seat, cells), tuple(f"{cell_name(cell)}.background" for cell in cells)
    # Before exchanges: one that was not reported is assumed only if the marks cannot be explained without it.
    yield d.Decline(seat), ()
    if task.kind is TaskKind.SWAP:
        yield from _swaps(draft, seat, due, drawable)


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


def _in_bag(draft: Draft, drawable: Container[Colour]) -> list[Colour]:
    return [colour for colour, held in zip(draft.sheet.colours, draft.bag, strict=True) if held and colour in drawable]


def _fetches(draft: Draft, seat: int, left: _Left, due: _Due, drawable: Container[Colour]) -> Iterator[_Move]:
    if isinstance(due, d.Fetch):
        yield due, ()
    wanted = set(left.values())
    # Pencils of other colours left no mark, and declining explains that as well.
    for colour in dict.fromkeys(draft.neutral_pencils):
        if colour in wanted:
            yield d.Fetch(seat, d.PencilSource.NEUTRAL, colour), ()
    for colour in _in_bag(draft, drawable) if due == "any" else ():
        yield d.Fetch(seat, d.PencilSource.BAG, colour), ()


def _swaps(draft: Draft, seat: int, due: _Due, drawable: Container[Colour]) -> Iterator[_Move]:
    if isinstance(due, d.Swap):
        yield due, ()
    if due != "any":
        return
    pencils = swappable(draft, draft.seat(seat))
    for count in range(1, MOST_SWAPPED + 1):
        for given in dict.fromkeys(combinations(pencils, count)):
            for drawn in combinations_with_replacement(_in_bag(draft, drawable), count):
                yield d.Swap(seat, given, drawn), ()
