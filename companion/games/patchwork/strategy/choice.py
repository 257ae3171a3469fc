"""A player's strategy without a search: it values income, covered cells, and a quilt without holes."""

from collections.abc import Callable
from typing import Final, TypeAlias

from companion.games.patchwork.cells import ALL_CELLS, indices_of
from companion.games.patchwork.components import PATCHES, fits
from companion.games.patchwork.decisions import Advance, MoveDecision, PlaceLeather, TakePatch
from companion.games.patchwork.rules import affordable
from companion.games.patchwork.state import State
from companion.games.patchwork.strategy.evaluation import fragmentation
from companion.games.strategy import ScoredDecision

HOLE_COST: Final = 3.2
"""The cost in points of an isolated empty cell, which only a leather patch fills."""
BORDER_COST: Final = 0.36
"""The cost in points of each edge between an empty and a covered cell."""
# In points: the buttons that advancing by one space would earn, less the worth of being further behind.
_TIME_COST: Final = 0.8


Gauss: TypeAlias = Callable[[float, float], float]
"""A function that returns the next normally distributed number, by mean and standard deviation."""


def choose(state: State, gauss: Gauss, randomness: float = 0.0) -> ScoredDecision[MoveDecision]:
    """Return the decision of the seat to move that seems best.

    Args:
        state: a game that has not ended.
        gauss: the source of all randomness, such as `random.Random.gauss`.
        randomness: how far estimates are off: 0 for hardly at all, 1 for about any decision.

    Raises:
        GameOverError: if the game has ended.
    """
    seat = state.mover
    if state.leather_due:
        return _best_leather(seat, state.seat(seat).quilt)
    best = _best_purchase(state, gauss, randomness)
    if best is not None and best.score >= (least := gauss(0, 0.1 + 4 * randomness)):
        return best
    return ScoredDecision(Advance(seat), 0.0 if best is None else least)


def _best_leather(seat: int, quilt: int) -> ScoredDecision[MoveDecision]:
    """Return the empty cell that leaves the least ragged quilt, for a leather patch."""
    cells = (1 << bit for bit in indices_of(ALL_CELLS & ~quilt))
    least, cell = min((raggedness(quilt | cell), cell) for cell in cells)
    return ScoredDecision(PlaceLeather(seat, cell), BORDER_COST * (raggedness(quilt) - least))


def _best_purchase(state: State, gauss: Gauss, randomness: float) -> ScoredDecision[MoveDecision] | None:
    """Return the best purchase, or None if there is none."""
    options = []
    quilt = state.seat(state.mover).quilt
    for patch in affordable(state):
        laid = _best_fit(patch, quilt, gauss, randomness)
        if laid is not None:
            worth = _worth(state, patch) - BORDER_COST * laid[0] + gauss(0, 0.1 + 5 * randomness)
            options.append((worth, patch, laid[1]))
    if not options:
        return None
    score, patch, cells = max(options)
    return ScoredDecision(TakePatch(state.mover, patch, cells), score)


def _worth(state: State, patch_id: str) -> float:
    """Return the points that a patch earns its buyer until the end, less its price in buttons and time."""
    patch, track = PATCHES[patch_id], state.setup.track
    arrival = min(state.seat(state.mover).time + patch.time, track.last_space)
    paydays = sum(mark > arrival for mark in track.income)
    # At the end, each empty cell costs two points.
    return 2 * patch.size + patch.income * paydays - patch.buttons - _TIME_COST * patch.time


def _best_fit(patch: str, quilt: int, gauss: Gauss, randomness: float) -> tuple[float, int] | None:
    """Return the increase in raggedness of the best placement, and its cells, or None if the patch fits nowhere."""
    before = raggedness(quilt)
    placed = (
        (raggedness(quilt | mask) - before + gauss(0, 0.05 + 6 * randomness), mask) for mask in fits(patch, quilt)
    )
    return min(placed, default=None)


def raggedness(quilt: int) -> float:
    """Return the number of edges of empty cells to covered ones and the border, with a surcharge for isolated cells."""
    edges, lone, _ = fragmentation(quilt)
    return edges + lone * HOLE_COST / BORDER_COST
