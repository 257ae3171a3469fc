"""The robot's levels: the weaker ones use rules of thumb and make mistakes, the others search their own colouring."""

import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from companion.games.kvilt import decisions as d
from companion.games.kvilt.decisions import Decision
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.state import CUSHION_HOLDS, Bag, Phase, State
from companion.games.kvilt.strategy.choice import choose, cushion_for, use_worth
from companion.games.kvilt.strategy.search import ColouringSearch, SearchEndedError, lead, with_pencils
from companion.games.strategy import Advice, Considered, Level


@dataclass(frozen=True, slots=True)
class _Skill:
    """The strength of a level.

    Attributes:
        carelessness: the probability of taking a scrap at random, or the first pincushion that may be taken.
        visits: the positions of a search at most; 0 for rules of thumb.
        misjudges: the standard deviation of the error in judging the use of a pencil, in points.
    """

    carelessness: float = 0.0
    visits: int = 0
    misjudges: float = 0.0


_SKILLS: Final[Mapping[Level, _Skill]] = MappingProxyType(
    {
        Level.CHILD: _Skill(carelessness=0.5, misjudges=9.0),
        Level.BEGINNER: _Skill(carelessness=0.3, misjudges=3.5),
        Level.CASUAL: _Skill(carelessness=0.1, misjudges=2.0),
        Level.SKILLED: _Skill(visits=60, misjudges=1.5),
        Level.EXPERT: _Skill(visits=250, misjudges=0.5),
        Level.CHAMPION: _Skill(visits=1500),
    }
)
# The points of lead that make a win about twice as likely as a loss.
_POINTS: Final = 45.0
# What is left of the time for the answer itself.
_SPARED: Final = 0.1


def advise(
    state: State,
    level: Level,
    rng: random.Random,
    seconds: float | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Advice[Decision]:
    """Return the decision of a player of a level, and all decisions that it considered.

    A random draw yields pencils that the bag may hold; the caller replaces them with those that were actually drawn.

    Args:
        state: a game that has not ended.
        level: the level.
        rng: the source of all randomness; without a time, the answer depends on it and the state only.
        seconds: the time for the answer at most; None for as many positions as the level visits.
        clock: tells the time, in seconds.

    Raises:
        GameOverError: if the game has ended.
    """
    skill, seat = _SKILLS[level], state.mover
    ends = math.inf if seconds is None else clock() + seconds * (1 - _SPARED)
    search = ColouringSearch(seat, rng, lambda visits: visits > skill.visits or clock() >= ends)
    if skill.visits and state.phase is Phase.COLOURING:
        found = search.weighed(state)
    elif skill.visits and state.phase is Phase.PENCILS:
        found = {_shared(state, search, rng): lead(state, seat)}
    else:
        found = _by_thumb(state, skill, rng)
    considered = [Considered(each, _chance(points), max(1, search.visits)) for each, points in found.items()]
    considered.sort(key=lambda each: -each.value)
    judged = {each: points + rng.gauss(0, skill.misjudges) for each, points in found.items()}
    chosen = max(judged, key=judged.__getitem__)
    return Advice(next(each for each in considered if each.decision == chosen), tuple(considered))


def _by_thumb(state: State, skill: _Skill, rng: random.Random) -> dict[Decision, float]:
    """Return each use of a pencil with the lead that it brings, or the decision that is due without a pencil."""
    now, seat = lead(state, state.mover), state.mover
    uses: dict[Decision, float] = {
        each: now + use_worth(state, each) for each in legal_decisions(state) if isinstance(each, d.Use)
    }
    carelessness = 0.0 if state.phase is Phase.COLOURING else skill.carelessness
    return uses or {choose(state, seat, Bag(rng.getrandbits(63)), rng, carelessness=carelessness).decision: now}


def _chance(points: float) -> float:
    return 1 / (1 + 2 ** (-points / _POINTS))


def _shared(state: State, search: ColouringSearch, rng: random.Random) -> Decision:
    """Return the decision to draw a pencil, or to take a pincushion.

    The last player also finds three pencils; therefore a turn begins with a draw, and only a full pincushion is taken.
    """
    seat = state.mover
    listed = legal_decisions(state)
    takes = [each for each in listed if isinstance(each, d.TakeCushion)]
    places = [each for each in listed if isinstance(each, d.PlacePencil)]
    full = [each for each in takes if len(state.cushions[each.cushion - 1].pencils) == CUSHION_HOLDS]
    if places and not (full and state.placed):
        drawn = rng.choice([colour for colour, count in state.pencils_in_bag.items() for _ in range(count)])
        return d.PlacePencil(seat, drawn, cushion_for(state, seat, drawn, rng))
    values: dict[Decision, float] = {}
    for each in full or takes:
        try:
            values[each] = search.value(with_pencils(state, seat, each.cushion))
        except SearchEndedError:
            values.setdefault(each, lead(state, seat))
    return max(values, key=values.__getitem__)
