"""A search over the colouring of one seat, to its end, for the marks that promise most."""

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from typing import Final

from companion.games.kvilt import decisions as d
from companion.games.kvilt.decisions import Decision
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.rules import apply
from companion.games.kvilt.sheet import Colour
from companion.games.kvilt.state import Cushion, OwnPencil, Phase, State
from companion.games.kvilt.strategy.choice import use_worth
from companion.games.kvilt.strategy.projection import lead

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
