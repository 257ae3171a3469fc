"""All legal decisions of a state."""

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

from companion.games.kvilt import decisions as d
from companion.games.kvilt.colouring import (
    MOST_SWAPPED,
    has_open_thread,
    open_patches,
    open_rows,
    pencils_now,
    swappable,
    white_cells,
)
from companion.games.kvilt.decisions import Decision
from companion.games.kvilt.draft import Draft
from companion.games.kvilt.errors import IllegalDecisionError
from companion.games.kvilt.rules import apply
from companion.games.kvilt.sheet import Colour
from companion.games.kvilt.state import CUSHION_HOLDS, Phase, State, TaskKind

_Decisions: TypeAlias = "Iterator[Decision]"


class LegalDecisions:
    """The legal decisions of one state: `in`, `bool()`, `len()`, `.count()`, iteration, indexing, a random pick.

    Blind draws are listed with every outcome that the bag allows, several pencils drawn at once in the order of the
    sheet's colours. Each decision is listed in one form, which uses a right to a background or a spool. Not using it,
    or drawing in another order, is legal as well, and `in` returns True for it. Empty after the end of the game.
    """

    __slots__ = ("_listed", "_state")

    def __init__(self, state: State) -> None:
        self._state = state
        self._listed = tuple(decision for seat in state.active for decision in _of_seat(state, seat))

    def count(self) -> int:
        """Return the number of listed decisions."""
        return len(self._listed)

    def __len__(self) -> int:
        return len(self._listed)

    def __bool__(self) -> bool:
        return bool(self._listed)

    def __contains__(self, decision: object) -> bool:
        if not isinstance(decision, d.Decision):
            return False
        try:
            apply(self._state, decision)
        except IllegalDecisionError:
            return False
        return True

    def __iter__(self) -> Iterator[Decision]:
        return iter(self._listed)

    def __getitem__(self, index: int) -> Decision:
        """Return the decision at an index, from 0.

        Raises:
            IndexError: if the index is out of range.
        """
        return self._listed[index]

    def pick(self, rng: random.Random) -> Decision:
        """Return one of the listed decisions, with equal probability.

        Raises:
            IndexError: if there are no decisions.
        """
        return rng.choice(self._listed)


def legal_decisions(state: State) -> LegalDecisions:
    """Return every decision that `apply` accepts in this state, each in one form."""
    return LegalDecisions(state)


def _of_seat(state: State, seat: int) -> _Decisions:
    if state.phase is Phase.SCRAPS:
        yield from (d.TakeToken(seat, colour) for colour in state.free_tokens)
    elif state.phase is Phase.PENCILS:
        yield from _sharing(state, seat)
    elif state.phase is Phase.NEUTRAL:
        lacking = CUSHION_HOLDS - len(state.neutral_pencils)
        yield from (d.FillNeutral(seat, drawn) for drawn in _multisets(_in_bag(state), lacking))
    elif state.phase is Phase.COLOURING:
        yield from _colouring(Draft(state), seat)
    elif state.phase is Phase.COUNTING:
        numbers = range(1, len(state.setup.sheet.rows) + 1)
        yield from (d.Negate(seat, rows) for rows in combinations(numbers, 2))


def _in_bag(state: State) -> list[Colour]:
    return [colour for colour, number in state.pencils_in_bag.items() for _ in range(number)]


def _multisets(pencils: Iterable[Colour], count: int) -> list[tuple[Colour, ...]]:
    """Return the distinct multisets of `count` of these pencils."""
    return list(dict.fromkeys(combinations(pencils, count)))


def _sharing(state: State, seat: int) -> _Decisions:
    middle = [(n, cushion) for n, cushion in enumerate(state.cushions, start=1) if cushion.owner is None]
    free = [number for number, cushion in middle if len(cushion.pencils) < CUSHION_HOLDS]
    for drawn in dict.fromkeys(_in_bag(state)):
        yield from (d.PlacePencil(seat, drawn, number) for number in free)
    only = state.placed if state.setup.settings.take_just_filled and state.placed else None
    for number, cushion in middle:
        if cushion.pencils and (only is None or number in only):
            yield d.TakeCushion(seat, number)


def _colouring(draft: Draft, seat: int) -> _Decisions:
    side = draft.seat(seat)
    yield from _uses(draft, seat)
    if side.task is None:
        yield d.Done(seat)
        return
    if side.task.kind is TaskKind.STITCH:
        for figure, colours in zip(draft.sheet.embroideries, side.marks.parts, strict=True):
            pairs = zip(figure.regions, colours, strict=True)
            yield from (d.Stitch(seat, region) for region, colour in pairs if colour is None)
    elif side.task.kind is TaskKind.FETCH:
        yield from _fetches(draft, seat)
    elif side.task.kind is TaskKind.BACKGROUNDS:
        yield from (d.ColourBackgrounds(seat, cells) for cells in _subsets(white_cells(side)))
    elif side.task.kind is TaskKind.SWAP:
        yield from _swaps(draft, seat)
    yield d.Decline(seat)


def _uses(draft: Draft, seat: int) -> _Decisions:
    marks = draft.seat(seat).marks
    for colour in pencils_now(draft, seat):
        yield from (d.ColourCell(seat, colour, row) for row in open_rows(draft.sheet, marks, colour))
        yield from (d.ColourPatch(seat, colour, patch) for patch in open_patches(draft.sheet, marks))
        if has_open_thread(draft.sheet, marks):
            yield d.ColourThread(seat, colour)


def _fetches(draft: Draft, seat: int) -> _Decisions:
    for colour in dict.fromkeys(draft.neutral_pencils):
        yield d.Fetch(seat, d.PencilSource.NEUTRAL, colour)
    for colour in dict.fromkeys(_in_bag(draft.before)):
        yield d.Fetch(seat, d.PencilSource.BAG, colour)


def _subsets(cells: Sequence[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield every non-empty choice of cells, the largest first."""
    for size in range(len(cells), 0, -1):
        yield from combinations(cells, size)


def _swaps(draft: Draft, seat: int) -> _Decisions:
    # Exchanges that are due at the same time are made clockwise from the first player (`docs/kvilt.md`).
    order = draft.setup.seats_from(draft.first)
    nearer = (draft.seat(other).task for other in order[: order.index(seat)])
    if any(task is not None and task.kind is TaskKind.SWAP for task in nearer):
        return
    for count in range(1, MOST_SWAPPED + 1):
        for given in _multisets(swappable(draft, draft.seat(seat)), count):
            yield from (d.Swap(seat, given, drawn) for drawn in _multisets(_in_bag(draft.before), count))
