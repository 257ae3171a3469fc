"""The square that wins the 7x7 tile, and the tile that is awarded when the game has ended."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.patchwork import (
    AwardTile,
    GameEnded,
    IllegalDecisionError,
    IllegalReason,
    Setup,
    State,
    TileAwarded,
    apply,
    has_square,
    mask_of,
    new_game,
    score,
)

SQUARE = mask_of([f"{column}{row}" for column in "CDEFGHI" for row in range(2, 9)])


@pytest.fixture
def ended() -> State:
    """A finished game in which both have a square; by the books seat 2 has the tile."""
    state = new_game(Setup(players=("Anna", "Boris")))
    one, two = (replace(seat, time=53, quilt=SQUARE) for seat in state.seats)
    return replace(state, seats=(one, replace(two, bonus=True)), turn=None, first_home=1)


def test_a_square_is_whole() -> None:
    assert has_square(SQUARE)
    assert has_square(SQUARE | mask_of(["A1"]))
    assert not has_square(SQUARE & ~mask_of(["E5"]) | mask_of(["A1", "B1"]))


def test_the_tile_counts_for_whom_it_is_awarded_to(ended: State) -> None:
    outcome = apply(ended, AwardTile(1))
    one, two = outcome.state.seats
    assert (one.bonus, two.bonus) == (True, False)
    assert score(one) == score(ended.seats[0]) + 7
    assert score(two) == score(ended.seats[1]) - 7
    assert outcome.facts == (TileAwarded(1, 2), GameEnded(1))


def test_the_books_may_be_confirmed(ended: State) -> None:
    assert apply(ended, AwardTile(2)).state.seats == ended.seats


@pytest.mark.parametrize(
    ("change", "reason"),
    [({"turn": 1}, IllegalReason.NOT_FINISHED), ({}, IllegalReason.NO_SQUARE)],
)
def test_it_is_awarded_to_a_square_in_a_game_that_has_ended(
    ended: State, change: dict[str, int], reason: IllegalReason
) -> None:
    one, two = ended.seats
    state = replace(ended, seats=(replace(one, quilt=SQUARE & ~mask_of(["E5"])), two), turn=change.get("turn"))
    with pytest.raises(IllegalDecisionError) as error:
        apply(state, AwardTile(1))
    assert error.value.reason is reason
