"""Test which decisions remain for players who say that all is right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Advance, Decision, PlaceLeather, TakePatch
from companion.games.patchwork.rules import History, check
from companion.games.patchwork.state import Setup
from companion.patchwork.reading.explain import MOST_RANKED, most_supported
from companion.patchwork.watching.watch import lattice_of
from vision.quilt.changes import SHIFTS
from vision.quilt.look import RING

if TYPE_CHECKING:
    from numpy.typing import NDArray

SETUP = Setup(players=("Anna", "Boris"))


def _ratios(changed: int, strength: float = 5.0) -> NDArray[np.float64]:
    """Return evidence that only these cells have changed."""
    return np.repeat(np.where(lattice_of(changed), strength, -4.0)[None], len(SHIFTS), axis=0)


def test_the_patch_that_lies_there_comes_first() -> None:
    cells = mask_of(["D4", "E4", "F4", "E5"])
    found = most_supported(_ratios(cells), History(SETUP).state)
    assert found[0] == TakePatch(1, "tee", cells)
    assert len(found) == MOST_RANKED == 16, "four answers to each of four questions in a row"


def test_decisions_known_to_be_likely_rank_first() -> None:
    first = TakePatch(1, "bar3", mask_of(["A1", "B1", "C1"]))
    found = most_supported(_ratios(mask_of(["D4", "E4", "F4", "E5"])), History(SETUP).state, (first,))
    assert found[0] == first
    assert found[1] == TakePatch(1, "tee", mask_of(["D4", "E4", "F4", "E5"]))


def test_a_shadow_over_old_patches_and_beside_the_board_drowns_nothing() -> None:
    history = History(SETUP)
    history.apply(TakePatch(1, "tee", mask_of(["D4", "E4", "F4", "E5"])))
    history.apply(Advance(2))
    cells = mask_of(["A8", "B8", "C8"])
    ratios = _ratios(cells | history.state.seat(1).quilt, 40.0)
    ratios[:, 0, :] = 40.0
    assert most_supported(ratios, history.state)[0] == TakePatch(1, "bar3", cells)


def test_a_leather_patch_that_is_due_can_be_meant_alone(leather_game: tuple[Decision, ...]) -> None:
    history = History(SETUP)
    for decision in leather_game:
        history.apply(decision)
    free = ~history.state.seat(history.state.mover).quilt
    cell = free & -free
    found = most_supported(_ratios(cell), history.state)
    assert found == (PlaceLeather(history.state.mover, cell),)


def test_nothing_is_offered_where_nothing_stands_out() -> None:
    assert most_supported(_ratios(0), History(SETUP).state) == ()
    noise = np.random.default_rng(1).normal(-4.0, 0.5, (len(SHIFTS), RING, RING))
    assert most_supported(noise, History(SETUP).state) == ()


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.integers(min_value=0, max_value=2**32 - 1))
def test_whatever_is_seen_the_answers_are_legal_and_different(seed: int) -> None:
    rng, state = np.random.default_rng(seed), History(SETUP).state
    found = most_supported(rng.normal(0.0, 20.0, (len(SHIFTS), RING, RING)), state)
    assert len(set(found)) == len(found) == MOST_RANKED
    for each in found:
        check(state, each)


def test_answers_that_the_rules_allow_are_found_however_many_likelier_ones_they_forbid(
    leather_game: tuple[Decision, ...],
) -> None:
    history = History(SETUP)
    for decision in leather_game:
        history.apply(decision)
    middle = mask_of(f"{column}{row}" for column in "CDEFG" for row in range(3, 8))
    found = most_supported(_ratios(middle & ~history.state.seat(history.state.mover).quilt), history.state)
    assert len(found) == MOST_RANKED
    assert all(isinstance(each, PlaceLeather) for each in found)


def test_faint_evidence_is_enough() -> None:
    cells = mask_of(["D4", "E4", "F4", "E5"])
    assert cells in [each.cells for each in most_supported(_ratios(cells, -1.0), History(SETUP).state)]
