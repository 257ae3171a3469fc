"""The search for good colourings, and the worth of marks during a game: the points so far, and what they promise."""

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from typing import Final

from companion.games.kvilt import decisions as d
from companion.games.kvilt.decisions import Decision
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.rules import apply
from companion.games.kvilt.sheet import BonusKind, Colour, Marks, Sheet, score
from companion.games.kvilt.state import Cushion, OwnPencil, Phase, SeatState, State
from companion.games.kvilt.strategy.choice import use_worth

# What players who choose by rules of thumb colour in a round of the three rows that end a game.
_CELLS_A_ROUND: Final = 1.9
_ROWS_THAT_END: Final = 3
# Promises of marks in points: the rules of thumb of `choice` for what a cell brings, where a search does not see it.
_BUTTON: Final = 4.0
_OPEN_SPOOL: Final = 2.5
_THREAD_COLOUR: Final = 1.5
_PART: Final = 3.0
# A patch of a column that lacks cells has cost its points, and most columns are completed.
_PATCH: Final = 6.0
# Rows that lag behind cost as the square of their lag: the smallest row counts once more for every button.
_LAG: Final = 1.0
# In the last rounds promises count less and less.
_FADING_ROUNDS: Final = 3.0


def lead(state: State, seat: int) -> float:
    """Return by how many points a seat is ahead of the best of the others, promises included."""
    left = min(_lacking(state.setup.sheet, side.marks) for side in state.seats) / _CELLS_A_ROUND
    points = [_worth(state, side, left) for side in state.seats]
    own = points.pop(seat - 1)
    return own - max(points)


def _lacking(sheet: Sheet, marks: Marks) -> int:
    """Return the cells that the rows lack which would end the game."""
    lacking = sorted(len(row) - marked.cells for row, marked in zip(sheet.rows, marks.rows, strict=True))
    return sum(lacking[:_ROWS_THAT_END])


def _worth(state: State, side: SeatState, rounds: float) -> float:
    """Return what a seat's marks are worth with so many rounds to come."""
    sheet, counts = state.setup.sheet, state.setup.settings.empty_row_counts
    points = score(sheet, side.marks, empty_row_counts=counts, negative=side.negative).total
    return points + min(1.0, rounds / _FADING_ROUNDS) * _promise(sheet, side.marks)


def _promise(sheet: Sheet, marks: Marks) -> float:
    cells = [row.cells for row in marks.rows]
    mean = sum(cells) / len(cells)
    pending = [
        patch
        for patch, colour in zip(sheet.patches, marks.patches, strict=True)
        if colour and not all(map(marks.is_coloured, sheet.columns[patch.column]))
    ]
    return (
        _BUTTON * marks.count_bonuses(sheet, BonusKind.BUTTON)
        + _OPEN_SPOOL * (marks.open_spools(sheet) - len(marks.threads))
        + _THREAD_COLOUR * len(set(marks.threads))
        + _PART * sum(colour is not None for colours in marks.parts for colour in colours)
        + _PATCH * len(pending)
        - _LAG * sum((count - mean) ** 2 for count in cells)
    )


# How many uses of each pencil are tried, the most promising first; wider while there is time.
_WIDTHS: Final = (2, 3, 5, 9)


class SearchEndedError(Exception):
    """Raised within a search whose time is over."""


class ColouringSearch:
    """The search of one seat's colouring.

    Args:
        seat: the seat, which has to decide.
        rng: draws the pencils that come from the bag.
        is_over: returns whether the search must end after so many positions.
    """

    def __init__(self, seat: int, rng: random.Random, is_over: Callable[[int], bool]) -> None:
        self._seat, self._rng, self._is_over = seat, rng, is_over
        self._known: dict[Hashable, float] = {}
        self._width = 0
        self.visits = 0

    def weighed(self, state: State) -> dict[Decision, float]:
        """Return the decisions of a state with the lead that each promises, by the widest search that was completed."""
        found: dict[Decision, float] = {}
        for self._width in _WIDTHS:
            self._known.clear()
            wider: dict[Decision, float] = {}
            try:
                for each in self._candidates(state):
                    wider[each] = self._after(state, each)
            except SearchEndedError:
                return found or wider or {each: lead(state, self._seat)}
            found = wider
            if len(found) < 2:
                break
        return found

    def value(self, state: State) -> float:
        """Return the lead that the best way to colour promises."""
        self._width = _WIDTHS[0]
        return self._best(state)

    def _best(self, state: State) -> float:
        key = _key(state, self._seat)
        if key not in self._known:
            self.visits += 1
            if self._is_over(self.visits):
                raise SearchEndedError
            self._known[key] = max(self._after(state, each) for each in self._candidates(state))
        return self._known[key]

    def _after(self, state: State, decision: Decision) -> float:
        if isinstance(decision, d.Done):
            return lead(state, self._seat)
        return self._best(apply(state, decision).state)

    def _candidates(self, state: State) -> Iterator[Decision]:
        """Yield the decisions to try: the best uses of each pencil, a part of each figure, a draw of each kind."""
        legal = legal_decisions(state)
        uses = sorted((it for it in legal if isinstance(it, d.Use)), key=lambda use: -use_worth(state, use))
        tried: Counter[Colour] = Counter()
        for use in uses:
            tried[use.colour] += 1
            if tried[use.colour] <= self._width:
                yield use
        others = {_kind(state, each): each for each in reversed(legal) if not isinstance(each, d.Use)}
        yield from (self._drawn(state, each) for each in reversed(others.values()))

    def _drawn(self, state: State, decision: Decision) -> Decision:
        """Return a decision with pencils drawn at random in place of those listed first."""
        bag = [colour for colour, count in state.pencils_in_bag.items() for _ in range(count)]
        if isinstance(decision, d.Swap):
            return replace(decision, drawn=tuple(self._rng.sample(bag, len(decision.given))))
        if isinstance(decision, d.Fetch) and decision.source is d.PencilSource.BAG:
            return replace(decision, colour=self._rng.choice(bag))
        return decision


def _kind(state: State, decision: Decision) -> Hashable:
    """Return what decisions have in common of which one is as good as the others."""
    match decision:
        case d.Stitch(part=part):
            return d.Stitch, (state.setup.sheet.find_part(part) or (0,))[0]
        case d.Swap(given=given):
            return d.Swap, given
        case d.Fetch(source=d.PencilSource.BAG):
            return d.Fetch
        case d.ColourBackgrounds():
            # The first one colours all.
            return d.ColourBackgrounds
        case _:
            return decision


def _key(state: State, seat: int) -> Hashable:
    """Return what decides how a colouring goes on, whatever the order in which it came there."""
    side = state.seat(seat)
    hand = tuple(sorted(side.hand, key=lambda pencil: (pencil.colour, pencil.swapped)))
    return side.marks, hand, side.tasks, frozenset(side.round_cells), side.all_backgrounds, state.bag, state.cushions


def with_pencils(state: State, seat: int, cushion: int) -> State:
    """Return a state in which a seat colours with a pincushion that is still in the middle.

    The fullest of the others is the neutral one.
    """
    middle = [number for number, each in enumerate(state.cushions, start=1) if each.owner is None and number != cushion]
    neutral = max(middle, key=lambda number: len(state.cushions[number - 1].pencils), default=0)
    cushions = tuple(
        each if number == neutral else Cushion((), each.owner or seat)
        for number, each in enumerate(state.cushions, start=1)
    )
    hand = tuple(map(OwnPencil, state.cushions[cushion - 1].pencils))
    sides = [replace(side, hand=hand) if number == seat else side for number, side in enumerate(state.seats, start=1)]
    return replace(state, phase=Phase.COLOURING, turn=seat, cushions=cushions, seats=tuple(sides))
