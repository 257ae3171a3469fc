"""Advice on games of Patchwork, and what is to be said about decisions that were taken."""

import random
from collections.abc import Iterator
from typing import Final

from companion.errors import CompanionError
from companion.games.patchwork.decisions import Decision, PlaceLeather, TakePatch
from companion.games.patchwork.state import State
from companion.games.patchwork.strategy import levels
from companion.games.patchwork.strategy.analysis import Consequences, consequences, judge
from companion.games.strategy import Advice, Judged, Level
from companion.languages import Sentence, all_of, counted, said
from companion.patchwork.naming import cells_named, patch_name
from companion.patchwork.words import described
from companion.play.game import Adviser, Coach

# Fewer edges are no reason by themselves.
_LESS_RAGGED: Final = 4


def _advise(state: State, level: Level, rng: random.Random, seconds: float | None) -> Advice[Decision]:
    if state.market is None:
        raise CompanionError.said(
            "no advice without the circle of patches: the header of the record needs {key}", key='"market"'
        )
    return levels.advise(state, level, rng, seconds)


def _explain(judged: Judged[Decision], state: State) -> Sentence:
    """Return what would have been better than a decision that was taken in a state, and why."""
    taken, best = described(judged.decision, state), described(judged.best, state)
    before, after = round(100 * judged.best_chance), round(100 * judged.chance)
    reasons = [*_reasons(consequences(state, judged.best), consequences(state, judged.decision))]
    if not reasons:
        return said(
            "{taken}; better: {best}. The winning chance fell from {before} % to {after} %.",
            taken=taken,
            best=best,
            before=before,
            after=after,
        )
    return said(
        "{taken}; better: {best}, which {reasons}. The winning chance fell from {before} % to {after} %.",
        taken=taken,
        best=best,
        reasons=all_of(reasons),
        before=before,
        after=after,
    )


def _reasons(best: Consequences, taken: Consequences) -> Iterator[Sentence]:
    """Yield in what the best decision is better than the one taken, for the seat that decides."""
    if best.square and not taken.square:
        yield said("takes the 7x7 tile")
    if best.leather and not taken.leather:
        yield said("wins the leather patch")
    if best.again and not taken.again:
        yield said("gives another turn")
    if best.income > taken.income:
        more = best.income - taken.income
        yield counted("brings {count} more button of income", "brings {count} more buttons of income", more)
    yield from _of_quilt(best, taken)
    if best.buttons > taken.buttons:
        more = best.buttons - taken.buttons
        yield counted("leaves {count} more button in hand", "leaves {count} more buttons in hand", more)


def _of_quilt(best: Consequences, taken: Consequences) -> Iterator[Sentence]:
    if closed := best.closed & ~taken.closed:
        yield said("closes the hole at {cells}", cells=cells_named(closed))
    if opened := taken.opened & ~best.opened:
        yield said("leaves no hole at {cells}", cells=cells_named(opened))
    elif not closed and best.covered and taken.edges - best.edges >= _LESS_RAGGED:
        yield said("leaves the quilt less ragged")


DEPTHS: Final = 3
"""How much a hint tells: a nudge, the patch, or the patch with its place."""


def hint(state: State, best: Decision, depth: int) -> Sentence | str:
    """Return a hint at the best decision in a state.

    Args:
        state: a game that goes on.
        best: the best decision in it.
        depth: how much it tells, from 1 to `DEPTHS`.
    """
    if depth >= DEPTHS:
        return described(best, state)
    if isinstance(best, TakePatch):
        return said("The {patch}.", patch=patch_name(best.patch)) if depth > 1 else _nudge(consequences(state, best))
    if isinstance(best, PlaceLeather):
        return said("Which empty square will no patch fill?")
    return said("Advance.") if depth > 1 else said("Compare what is on offer with the buttons for waiting.")


def _nudge(best: Consequences) -> Sentence:
    """Return what speaks for the best purchase, without naming it."""
    if best.square:
        return said("The 7x7 tile is within reach.")
    if best.leather:
        return said("A leather patch is within reach.")
    if best.closed:
        return said("There is a hole that a patch on offer closes.")
    if best.income > 1:
        return said("Look at the income.")
    if best.again:
        return said("A quick patch keeps the turn.")
    return said("Buy what fits your quilt best.")


COACH: Final[Coach[State, Decision]] = Coach(judge, _explain)
ADVISER: Final[Adviser[State, Decision]] = Adviser(_advise, described, COACH)
