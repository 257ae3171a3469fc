"""The analysis of decisions that were taken: what each lost against the best, and what the best would have done."""

import random
from dataclasses import dataclass
from typing import Final

from companion.games.patchwork.cells import ALL_CELLS
from companion.games.patchwork.components import has_square
from companion.games.patchwork.decisions import Decision, MoveDecision, cells_covered
from companion.games.patchwork.rules import apply
from companion.games.patchwork.state import State
from companion.games.patchwork.strategy.evaluation import fragmentation, holes
from companion.games.patchwork.strategy.search import search
from companion.games.strategy import Considered, Judged

# The placements of a patch that are looked at: more than in play, as late in a game a further one often decides.
_BREADTH: Final = 5
# A game of about 45 decisions then takes about 15 s on a core of a server.
_VISITS: Final = 2500
_VISITS_AFTER: Final = 1500
# Less is within the error of a search of this length, in winning chances.
_NOISE: Final = 0.015


def judge(state: State, decision: Decision) -> Judged[Decision] | None:
    """Return a decision beside the best that a search finds, or None if the rules left no choice.

    Args:
        state: the state in which it was taken.
        decision: legal in it.
    """
    if state.turn is None or not isinstance(decision, MoveDecision):
        return None
    rng = random.Random(state.decisions_made)
    considered = search(state, lambda visits: visits >= _VISITS, rng, _BREADTH)
    best = considered[0]
    if len(considered) == 1 or best.decision == decision:
        return Judged(decision, decision, best.value, best.value)
    after = apply(state, decision).state
    chance = _chance(after, state.mover, rng)
    # The best must be seen as deep as what was taken, or the two cannot be compared.
    best_chance = _chance(apply(state, best.decision).state, state.mover, rng)
    if best_chance - chance < _NOISE:
        return Judged(decision, decision, chance, chance)
    return Judged(decision, best.decision, chance, best_chance)


def _chance(state: State, seat: int, rng: random.Random) -> float:
    """Return the chance that a seat wins, by a search from a state on."""
    if state.turn is None:
        return 1.0 if state.winner == seat else 0.0
    best = max(search(state, lambda visits: visits >= _VISITS_AFTER, rng, _BREADTH), key=_promise)
    return best.value if state.turn == seat else 1 - best.value


def _promise(considered: Considered[MoveDecision]) -> int:
    return considered.visits


@dataclass(frozen=True, slots=True)
class Consequences:
    """The consequences of a decision for the seat that takes it.

    Attributes:
        closed: the holes (cells without an empty neighbour) that it fills, as a bit mask.
        opened: the holes that it makes.
        income: the button icons that it adds.
        buttons: the buttons in hand after it, with the income that it crosses.
        covered: how many cells it covers.
        edges: the raggedness of the quilt after it: the edges between empty and covered cells, and at the border.
        leather: whether it wins a leather patch.
        square: whether it completes the square of 7 by 7 that takes the tile.
        again: whether the seat moves again.
    """

    closed: int
    opened: int
    income: int
    buttons: int
    covered: int
    edges: int
    leather: bool
    square: bool
    again: bool


def consequences(state: State, decision: Decision) -> Consequences:
    """Return the consequences of a legal decision."""
    before, outcome = state.seat(decision.seat), apply(state, decision)
    after = outcome.state.seat(decision.seat)
    covered = cells_covered(decision)
    holes_before, holes_after = holes(before.quilt), holes(after.quilt)
    return Consequences(
        closed=holes_before & covered,
        opened=holes_after & ~holes_before & ALL_CELLS,
        income=after.income - before.income,
        buttons=after.buttons,
        covered=covered.bit_count(),
        edges=fragmentation(after.quilt).edges,
        leather=len(outcome.state.leather_left) < len(state.leather_left),
        square=after.bonus and not before.bonus and has_square(after.quilt),
        again=outcome.state.turn == decision.seat,
    )
