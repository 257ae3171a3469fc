"""Test the estimate of a position, and the placements worth a look."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.patchwork.cells import ALL_CELLS, mask_of
from companion.games.patchwork.components import PATCHES, fits
from companion.games.patchwork.rules import new_game
from companion.games.patchwork.state import Setup
from companion.games.patchwork.strategy.evaluation import (
    Fragmentation,
    best_placements,
    candidates,
    estimate,
    fragmentation,
    winning_chance,
)
from companion.games.patchwork.strategy.position import IDS, LEATHER, Position, decision_of, play, position_of

quilts = st.integers(0, ALL_CELLS)


@given(quilts)
def test_the_fragmentation_counts_each_empty_cell_by_its_neighbours(quilt: int) -> None:
    empty = {(row, column) for row in range(9) for column in range(9) if not quilt >> row * 9 + column & 1}
    near = {
        (row, column): len(empty & {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)})
        for row, column in empty
    }
    counts = list(near.values())
    assert fragmentation(quilt) == Fragmentation(sum(4 - each for each in counts), counts.count(0), counts.count(1))


@given(quilts, st.sampled_from(range(len(IDS))))
def test_the_best_placements_are_placements_and_at_most_as_many_as_asked(quilt: int, patch: int) -> None:
    found = best_placements(patch, quilt, 3)
    assert set(found) <= set(fits(IDS[patch], quilt))
    assert len(found) == min(3, len(fits(IDS[patch], quilt)))


def test_a_leather_patch_fills_the_hole() -> None:
    hole = mask_of(["E5"])
    assert best_placements(LEATHER, ALL_CELLS & ~(hole | mask_of(["A1", "B1", "A2", "B2"])), 1) == (hole,)


def seeded(seed: int, moves: int) -> Position:
    rng = random.Random(seed)
    circle = [patch for patch in PATCHES if patch != "domino"]
    rng.shuffle(circle)
    position = position_of(new_game(Setup(market=(*circle, "domino"))))
    while moves and position.turn >= 0:
        position, moves = play(position, rng.choice(candidates(position, 2))), moves - 1
    return position


def mirrored(position: Position) -> Position:
    """Return the position with the seats exchanged."""
    turn, home = position.turn, position.first_home
    return position._replace(
        sides=(position.sides[1], position.sides[0]),
        turn=turn if turn < 0 else 1 - turn,
        first_home=home if home < 0 else 1 - home,
    )


@given(st.integers(0, 99), st.integers(0, 60))
def test_neither_seat_is_favoured(seed: int, moves: int) -> None:
    position = seeded(seed, moves)
    assert winning_chance(position) + winning_chance(mirrored(position)) == pytest.approx(1)
    if position.turn >= 0:
        assert estimate(position)[0] == pytest.approx(-estimate(mirrored(position))[0])


def test_at_the_end_the_chance_is_the_result() -> None:
    position = seeded(1, 200)
    assert position.turn == -1
    assert winning_chance(position) == 1 - position.winner


def test_a_candidate_is_a_decision_of_the_seat_to_move() -> None:
    position = seeded(3, 5)
    seats = {decision_of(position, move).seat for move in candidates(position, 2)}
    assert seats == {position.turn + 1}
