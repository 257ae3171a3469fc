"""Test how evidence, made up cell by cell without pictures, is explained."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.components import PATCHES, fits
from companion.games.patchwork.decisions import Decision, TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History, affordable, offers
from companion.games.patchwork.state import Setup, State
from companion.patchwork.reading.explain import LEATHER, Explanation, ExplanationKind, explain, rather, unexplained
from vision.quilt.changes import SHIFTS
from vision.quilt.look import RING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

CIRCLE = (*(patch for patch in PATCHES if patch != "domino"), "domino")
SURE = 9.0


def evidence(changed: Iterable[tuple[int, int]], strength: float = SURE) -> NDArray[np.float64]:
    """Return ratios by which these cells (row, column), -1 and 9 being off the quilt, changed, and no others."""
    ratios = np.full((len(SHIFTS), RING, RING), -strength)
    for row, column in changed:
        ratios[:, row + 1, column + 1] = strength
    return ratios


def cells_of(mask: int) -> list[tuple[int, int]]:
    return [divmod(index, 9) for index in range(81) if mask >> index & 1]


def state_after(*decisions: Decision) -> State:
    history = History(Setup(market=CIRCLE))
    for decision in decisions:
        history.apply(decision)
    return history.state


@settings(max_examples=25)
@given(st.data())
def test_every_legal_placement_that_is_seen_clearly_is_found(data: st.DataObject) -> None:
    history = History(Setup())
    for _ in range(data.draw(st.integers(0, 6))):
        history.apply(data.draw(st.sampled_from(list(legal_decisions(history.state)))))
    state = history.state
    placed = [decision for decision in legal_decisions(state) if isinstance(decision, TakePatch)]
    if not placed or state.turn is None:
        return
    decision = data.draw(st.sampled_from(placed))
    best = explain(evidence(cells_of(decision.cells)), state, state.turn)[0]
    assert (best.kind, best.mask) == (ExplanationKind.LEGAL, decision.cells)
    assert decision.patch in best.patches
    assert best.probability > 0.99


def test_nothing_changed_is_nothing_laid() -> None:
    best = explain(evidence([]), state_after(), 1)[0]
    assert (best.kind, best.mask, best.patches) == (ExplanationKind.NOTHING, 0, ())
    assert best.probability > 0.99


def test_the_probabilities_are_ordered_and_at_most_one_in_all() -> None:
    found = explain(evidence([(4, 4), (4, 5)], 1.0), state_after(), 1, most=50)
    shares = [each.probability for each in found]
    assert shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) <= 1 + 1e-9


@pytest.mark.parametrize("strength", [0.3, 0.8])
def test_weak_evidence_makes_nobody_sure(strength: float) -> None:
    mask = next(iter(fits(CIRCLE[0], 0)))
    assert explain(evidence(cells_of(mask), strength), state_after(), 1)[0].probability < 0.95


def test_a_patch_beyond_the_three_is_not_offered() -> None:
    state = state_after()
    other = next(
        patch for patch in CIRCLE if patch not in offers(state) and not {*offers(state)} & {*_same_shape(patch)}
    )
    best = explain(evidence(cells_of(fits(other, 0)[0])), state, 1)[0]
    assert best.kind is ExplanationKind.NOT_OFFERED
    assert other in best.patches


def test_a_patch_that_costs_more_than_there_is_cannot_be_afforded() -> None:
    dear = next(patch for patch in CIRCLE if PATCHES[patch].buttons > 5 and len(_same_shape(patch)) == 1)
    start = CIRCLE.index(dear)
    state = History(Setup(market=_turned(start))).state
    assert dear in offers(state)
    assert dear not in affordable(state)
    best = explain(evidence(cells_of(fits(dear, 0)[0])), state, 1)[0]
    assert (best.kind, best.patches) == (ExplanationKind.NOT_AFFORDABLE, (dear,))


def test_a_patch_on_another_overlaps() -> None:
    first = next(patch for patch in offers(state_after()) if patch in affordable(state_after()))
    laid = fits(first, 0)[0]
    state = state_after(TakePatch(1, first, laid))
    row, column = cells_of(laid)[-1]
    best = explain(evidence([(row, column), (row + 1, column)]), state, 1)[0]
    assert best.kind is ExplanationKind.OVERLAP
    assert best.mask == 1 << row * 9 + column | 1 << (row + 1) * 9 + column


@pytest.mark.parametrize(
    ("cells", "inside"),
    [
        ([(4, 8), (4, 9)], ["I5"]),
        ([(-1, 2), (0, 2)], ["C1"]),
        ([(3, -1), (3, 0)], ["A4"]),
        ([(8, 6), (9, 6)], ["G9"]),
        ([(4, 7), (4, 8), (4, 9)], ["H5", "I5"]),
        ([(8, 3), (8, 4), (9, 3), (9, 4)], ["D9", "E9"]),
    ],
)
def test_a_patch_over_the_edge_is_told_from_a_shorter_one_inside(
    cells: list[tuple[int, int]], inside: list[str]
) -> None:
    best = explain(evidence(cells), History(Setup()).state, 1)[0]
    assert best.kind is ExplanationKind.OVER_THE_EDGE
    assert best.mask == mask_of(inside)


def test_a_shifted_piece_is_found_with_its_shift() -> None:
    mask = fits("square", 0)[30]
    ratios = evidence([])
    aside = SHIFTS.index((1, 0))
    for row, column in cells_of(mask):
        ratios[aside, row + 1, column + 1] = SURE
    best = explain(ratios, History(Setup()).state, 1)[0]
    assert (best.mask, best.shift) == (mask, aside)


def test_on_the_quilt_of_the_other_seat_any_patch_that_fits_is_taken_to_be_meant() -> None:
    mask = fits("bar3", 0)[5]
    best = explain(evidence(cells_of(mask)), state_after(), 2)[0]
    assert (best.kind, best.mask) == (ExplanationKind.LEGAL, mask)


def test_a_changed_cell_beside_what_was_laid_is_left_over() -> None:
    mask = fits("square", 0)[0]
    seen = evidence([*cells_of(mask), (7, 7)])
    best = explain(seen, History(Setup()).state, 1)[0]
    assert best.mask == mask
    core = np.where(seen[0] > 0, 1.0, -1.0)
    assert unexplained(seen, core, best, 4.0) == mask_of(["H8"])
    assert unexplained(seen, -np.ones_like(core), best, 4.0) == 0


def test_far_from_what_was_laid_a_changed_cell_is_left_over_at_any_shift() -> None:
    mask = mask_of(["B1"])
    seen = evidence([*cells_of(mask), (0, 2), (7, 7)])
    best = Explanation(ExplanationKind.LEGAL, (LEATHER,), mask, 1.0, SHIFTS.index((-1, 0)))
    seen[best.shift] = -SURE
    core = np.where(seen[0] > 0, 1.0, -1.0)
    # The cell beside it may be what it lies over.
    assert unexplained(seen, core, best, 4.0) == mask_of(["H8"])


def _same_shape(patch: str) -> tuple[str, ...]:
    return tuple(other for other in PATCHES if fits(other, 0) == fits(patch, 0))


def _turned(start: int) -> tuple[str, ...]:
    """Return the circle when the neutral token is just before `start`, the domino being last."""
    rest = [patch for patch in CIRCLE if patch != "domino"]
    return (*rest[start:], *rest[:start], "domino")


def _explained(kind: ExplanationKind, cells: list[tuple[int, int]], probability: float) -> Explanation:
    return Explanation(kind, ("bar3",), sum(1 << row * 9 + column for row, column in cells), probability, 0)


LEGAL = _explained(ExplanationKind.LEGAL, [(2, 3), (2, 4), (2, 5)], 0.96)


def _with(cell: tuple[int, int], ratio: float, core: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ratios and cores of a quilt on which only one cell changed, as (row, column)."""
    ratios, cores = np.full((len(SHIFTS), RING, RING), -12.0), np.full((RING, RING), -4.0)
    ratios[:, cell[0] + 1, cell[1] + 1], cores[cell[0] + 1, cell[1] + 1] = ratio, core
    return ratios, cores


@pytest.mark.parametrize("kind", [ExplanationKind.OVERLAP, ExplanationKind.OVER_THE_EDGE])
def test_a_mistake_that_alone_covers_what_has_surely_changed_is_rather_what_happened(kind: ExplanationKind) -> None:
    mistake = _explained(kind, [(2, 2), (2, 3), (2, 4)], 0.011)
    beside = _explained(ExplanationKind.LEGAL, [(1, 3), (2, 3), (3, 3)], 0.015)
    assert rather(*_with((2, 2), 6.0, 4.0), [LEGAL, beside, mistake], 4.0) is mistake


@pytest.mark.parametrize(
    ("cell", "ratio", "core", "share"),
    [((2, 2), 6.0, 2.0, 0.01), ((2, 2), 3.0, 4.0, 0.01), ((2, 2), 6.0, 4.0, 0.001), ((2, 3), 6.0, 4.0, 0.01),
     ((5, 5), 6.0, 4.0, 0.01)],
    ids=["a rim", "a shadow", "hardly likely", "covered anyhow", "elsewhere"],
)  # fmt: skip
def test_else_the_best_explanation_stands(cell: tuple[int, int], ratio: float, core: float, share: float) -> None:
    mistake = _explained(ExplanationKind.OVERLAP, [(2, 2), (2, 3), (2, 4)], share)
    assert rather(*_with(cell, ratio, core), [LEGAL, mistake], 4.0) is LEGAL


def test_a_mistake_with_another_patch_is_none() -> None:
    other = replace(_explained(ExplanationKind.OVERLAP, [(2, 2), (2, 3), (2, 4)], 0.02), patches=("tee",))
    assert rather(*_with((2, 2), 6.0, 4.0), [LEGAL, other], 4.0) is LEGAL
