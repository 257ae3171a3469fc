"""The levels of a partner: how far each looks ahead, and how it errs.

People play worse than a search because they see fewer placements, look less far, and misjudge what a patch is worth;
they do not throw a game away. So a level misjudges each patch and each placement by some points, and takes the best by
its own judgement among those that do not lose too much.
"""

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from companion.games.patchwork.decisions import MoveDecision, TakePatch
from companion.games.patchwork.state import State
from companion.games.patchwork.strategy.evaluation import lead_of
from companion.games.patchwork.strategy.position import position_of
from companion.games.patchwork.strategy.search import search
from companion.games.strategy import Advice, Considered, Level

_Weighed: TypeAlias = Considered[MoveDecision]


@dataclass(frozen=True, slots=True)
class _Skill:
    """The strength of a level.

    Attributes:
        visits: of the search at most; the champion uses all the time that it is given.
        misjudges: the standard deviation of what is thought of a patch, and of advancing, in points.
        fumbles: the same for a placement of a patch.
        loses: the most that a decision may lose, as the search sees it, in points.
    """

    visits: int
    misjudges: float = 0.0
    fumbles: float = 0.0
    loses: float = 0.0


# Chosen so that each clearly wins against the one before; `bench/robot` measures it.
_SKILLS: Final[Mapping[Level, _Skill]] = MappingProxyType(
    {
        Level.CHILD: _Skill(1, misjudges=13.0, fumbles=10.0, loses=24.0),
        Level.BEGINNER: _Skill(1, misjudges=4.5, fumbles=2.5, loses=8.0),
        Level.CASUAL: _Skill(12, misjudges=3.6, fumbles=1.8, loses=6.0),
        Level.SKILLED: _Skill(40, misjudges=1.6, fumbles=0.8, loses=4.0),
        Level.EXPERT: _Skill(200, misjudges=0.5, fumbles=0.25, loses=2.0),
        Level.CHAMPION: _Skill(8000),
    }
)
# What is left of the time for the answer itself.
_SPARED: Final = 0.05


def advise(
    state: State,
    level: Level,
    rng: random.Random,
    seconds: float | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Advice[MoveDecision]:
    """Return what a player of a level would decide, and all that it has weighed.

    Args:
        state: a game that has not ended.
        level: the level.
        rng: the source of all randomness; without a time, the answer depends on it and the state only.
        seconds: the time for the answer, which the champion uses in full; None for as many visits as the level makes.
        clock: tells the time, in seconds.

    Raises:
        GameOverError: if the game has ended.
    """
    skill, visits = _SKILLS[level], _SKILLS[level].visits
    if seconds is None:
        considered = search(state, lambda done: done >= visits, rng)
    else:
        ends = clock() + seconds * (1 - _SPARED)
        most = math.inf if level is Level.CHAMPION else visits
        considered = search(state, lambda done: done >= most or clock() >= ends, rng)
    return Advice(_chosen(state, skill, considered, rng), tuple(considered))


def _chosen(state: State, skill: _Skill, considered: Sequence[_Weighed], rng: random.Random) -> _Weighed:
    """Return the decision that seems best to a player of this skill."""
    if not skill.loses:
        return considered[0]
    position = position_of(state)
    points = {each.decision: lead_of(position, each.value) for each in considered}
    least = max(points.values()) - skill.loses
    # One judgement a patch, as a player who overrates it does so wherever it lies.
    kinds = dict.fromkeys(_kind(each.decision) for each in considered)
    judged = {kind: rng.gauss(0, skill.misjudges) for kind in kinds}
    return max(
        (each for each in considered if points[each.decision] >= least),
        key=lambda each: points[each.decision] + judged[_kind(each.decision)] + rng.gauss(0, skill.fumbles),
    )


def _kind(decision: MoveDecision) -> str:
    return decision.patch if isinstance(decision, TakePatch) else type(decision).__name__
