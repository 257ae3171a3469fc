"""The marks that a player made since the last look: the reading of the picture checked against the rules.

Only new marks are decided. If the picture is doubtful, every way to read it is explained by the rules; one that no
order of play explains is probably a misreading, but people make mistakes, too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import exp, log
from typing import Final, TypeAlias

from companion.games.kvilt.explaining import MarksExplanation
from companion.games.kvilt.sheet import Colour
from companion.games.kvilt.state import State
from companion.kvilt.reading.reader import SheetReading, is_covered

Seen: TypeAlias = "dict[str, Colour | None]"
"""The colour of each region, None for white."""

SURE: Final = 0.99
"""Probability below which players are asked."""
# Probability that people colour a region that no order of play explains.
_MISTAKES: Final = 0.02
# Probability below which a state of a region is left out.
_UNLIKELY: Final = 0.003
_MOST_STATES: Final = 3
# Number of doubtful regions above which they are asked about one after the other.
_MOST_AT_ONCE: Final = 5
# Each is explained by a search of its own, which a look must wait for.
_MOST_WAYS: Final = 16
# The greatest share of the marks in its history that may be missing from a seat's sheet.
_MISREAD: Final = 0.1
# The number of marks that identifies the owner of a sheet.
_TELLING: Final = 3
# Factor below which less likely readings of a sheet are left out.
_FAR_LESS: Final = 1e-3


@dataclass(frozen=True, slots=True)
class ColouringReading:
    """The new marks are known, and legal decisions explain them."""

    explanation: MarksExplanation
    seen: Seen


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A region that a player must decide: `states` are its possible states, the most likely first; None is white."""

    region: str
    states: tuple[Colour | None, ...]


@dataclass(frozen=True, slots=True)
class Faulty:
    """Marks that no order of play explains, that have gone, or that do not end where the seat stopped.

    Attributes:
        explanation: the explanation of all other marks, and the faults.
        seen: the sheet.
        owner: another seat whose sheet this seems to be, or None.
    """

    explanation: MarksExplanation
    seen: Seen
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class Covered:
    """A sheet that an object seems to cover: these regions, not coloured before, are hidden."""

    regions: tuple[str, ...]


Finding: TypeAlias = ColouringReading | Covered | Doubtful | Faulty


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to read the doubtful regions."""

    states: tuple[Colour | None, ...]
    weight: float
    explanation: MarksExplanation


@dataclass(frozen=True, slots=True)
class Colouring:
    """One seat's colouring, with the players' answers about it.

    Attributes:
        state: the present state of the game, whose marks were read before.
        seat: the sheet's seat.
        explain: explains marks by legal decisions.
        answers: the players' answers about doubtful regions.
        is_uncovered: whether a player has stated that no object lies on the sheet.
    """

    state: State
    seat: int
    explain: Callable[[Mapping[str, Colour | None]], MarksExplanation]
    answers: Mapping[str, Colour | None]
    is_uncovered: bool = False

    def find(self, reading: SheetReading) -> Finding:
        """Return the finding about the new marks."""
        before = self._before(self.seat)
        doubtful = [name for name in reading.doubtful if name not in before and name not in self.answers]
        # A region that was coloured before and is doubtful now is unchanged: it cannot have become white.
        unchanged = {name: before[name] for name in reading.doubtful if name in before}
        sure: Seen = {**reading.seen, **unchanged, **self.answers}
        owner = self._owner(reading)
        if owner is not None:
            # Marks on the wrong sheet lead to no question, and need no explanation.
            return Faulty(MarksExplanation((), (), ()), sure, owner)
        hidden = tuple(name for name in doubtful if name in reading.hidden)
        if is_covered(hidden) and not self.is_uncovered:
            return Covered(hidden)
        found = self._weighed(sure, doubtful, reading)
        return replace(found, owner=self._twin(found.seen)) if isinstance(found, Faulty) else found

    def _before(self, seat: int) -> dict[str, Colour]:
        return self.state.seat(seat).marks.regions(self.state.setup.sheet)

    def _others(self) -> list[int]:
        """Return the other seats that have coloured something."""
        return [seat for seat in range(1, self.state.setup.seats + 1) if seat != self.seat and self._before(seat)]

    def _owner(self, reading: SheetReading) -> int | None:
        """Return another seat all of whose marks are on the sheet although this seat's are not, or None."""
        if self._matches(reading, self.seat):
            return None
        return next((seat for seat in self._others() if self._matches(reading, seat)), None)

    def _matches(self, reading: SheetReading, seat: int) -> bool:
        """Return whether a seat's marks are on the sheet, in their colours, where the reading is certain."""
        marks = self._before(seat)
        missing = [name for name in marks if name not in reading.doubtful and not _same(name, marks, reading.seen)]
        return len(missing) <= _MISREAD * len(marks)

    def _twin(self, seen: Seen) -> int | None:
        """Return another seat with exactly these marks (or nearly, if this seat has none to compare), or None."""
        marks = {name: colour for name, colour in seen.items() if colour}
        blank = not self._before(self.seat)
        for seat in self._others():
            others = self._before(seat)
            alike = all(_same(name, others, marks) for name in others)
            if alike and (len(others) == len(marks) or (blank and len(others) >= _TELLING)):
                return seat
        return None

    def _weighed(self, sure: Seen, doubtful: Sequence[str], reading: SheetReading) -> Finding:
        if len(doubtful) > _MOST_AT_ONCE:
            region = min(doubtful, key=reading.likely.__getitem__)
            return Doubtful(region, _possible(dict(reading.ways(region))))
        ways = self._ways(sure, doubtful, reading)
        best, total = ways[0], sum(way.weight for way in ways)
        if doubtful and best.weight < SURE * total:
            rival = next((way for way in ways[1:] if way.states != best.states), best)
            region = next((name for name, *pair in zip(doubtful, best.states, rival.states, strict=True)
                           if pair[0] != pair[1]), doubtful[0])  # fmt: skip
            return Doubtful(region, _states(ways, doubtful.index(region)))
        for name, state in zip(doubtful, best.states, strict=True):
            # The rules may decide which pencil made a mark, but not that there is none: people make mistakes.
            if state is None:
                return Doubtful(name, _possible(dict(reading.ways(name))))
        seen = {**sure, **dict(zip(doubtful, best.states, strict=True))}
        return ColouringReading(best.explanation, seen) if best.explanation else Faulty(best.explanation, seen)

    def _ways(self, sure: Seen, doubtful: Sequence[str], reading: SheetReading) -> list[_Way]:
        """Return all ways to read the doubtful regions, the most likely first; at least one."""
        choices = [reading.ways(name)[:_MOST_STATES] for name in doubtful]
        # By the picture alone at first: only likely ways are worth a search of the rules.
        likely = sorted(product(*choices), key=lambda way: -sum(_log(chance) for _, chance in way))
        chances = [sum(_log(chance) for _, chance in way) for way in likely[:_MOST_WAYS]]
        best = [way for way, chance in zip(likely, chances, strict=False) if chance > chances[0] + log(_FAR_LESS)]
        ways = [self._way(sure, doubtful, way) for way in best]
        return sorted(ways, key=lambda way: -way.weight)

    def _way(self, sure: Seen, doubtful: Sequence[str], way: Sequence[tuple[Colour | None, float]]) -> _Way:
        states = tuple(state for state, _ in way)
        explanation = self.explain({**sure, **dict(zip(doubtful, states, strict=True))})
        chance = exp(sum(_log(chance) for _, chance in way))
        return _Way(states, chance * (1.0 if explanation else _MISTAKES), explanation)


def _same(name: str, marks: Mapping[str, Colour], seen: Mapping[str, Colour | None]) -> bool:
    """Return whether a mark is seen as in the history, which does not record the colour of an opened spool."""
    colour = seen.get(name)
    return colour is not None and (colour == marks[name] or name.endswith(".body"))


def _log(chance: float) -> float:
    return log(max(chance, 1e-12))


def _states(ways: Sequence[_Way], place: int) -> tuple[Colour | None, ...]:
    """Return the possible states of one region, by the ways."""
    weights: dict[Colour | None, float] = {None: 0.0}
    for way in ways:
        weights[way.states[place]] = weights.get(way.states[place], 0.0) + way.weight
    return _possible(weights)


def _possible(weights: Mapping[Colour | None, float]) -> tuple[Colour | None, ...]:
    """Return the possible states, white always among them, the most likely first."""
    total = sum(weights.values())
    possible = [state for state, weight in weights.items() if state is None or weight > _UNLIKELY * total]
    return tuple(sorted(possible, key=lambda state: -weights[state]))
