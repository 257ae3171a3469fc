"""The square that wins the 7x7 tile, and the tile that is awarded when the game has ended."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from companion.games.patchwork.cells import indices_of, mask_of
from companion.games.patchwork.components import has_square
from companion.games.patchwork.decisions import AwardTile
from companion.games.patchwork.errors import IllegalDecisionError, IllegalReason
from companion.games.patchwork.facts import GameEnded, TileAwarded
from companion.games.patchwork.rules import apply, new_game
from companion.games.patchwork.state import Setup, State, score

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


@pytest.mark.parametrize(("column", "row"), list(product(range(3), range(1, 4))))
def test_a_square_that_lacks_any_one_of_its_cells_is_none(column: int, row: int) -> None:
    square = mask_of([f"{name}{number}" for name in "ABCDEFGHI"[column : column + 7] for number in range(row, row + 7)])
    assert has_square(square)
    # As many cells as a square has, but one of them lies outside.
    outside = next(1 << cell for cell in range(81) if not square >> cell & 1)
    assert [cell for cell in indices_of(square) if has_square(square & ~(1 << cell) | outside)] == []


def test_the_tile_counts_for_whom_it_is_awarded_to(ended: State) -> None:
    outcome = apply(ended, AwardTile(1))
    one, two = outcome.state.seats
    assert (one.bonus, two.bonus) == (True, False)
    assert score(one) == score(ended.seats[0]) + 7
    assert score(two) == score(ended.seats[1]) - 7
    assert outcome.facts == (TileAwarded(1, 2), GameEnded(1))


@pytest.mark.parametrize(("booked", "awarded"), list(product((1, 2), (1, 2))))
def test_an_award_names_the_seat_that_had_the_tile_and_is_one_decision(ended: State, booked: int, awarded: int) -> None:
    seats = (replace(ended.seats[0], bonus=booked == 1), replace(ended.seats[1], bonus=booked == 2))
    outcome = apply(replace(ended, seats=seats), AwardTile(awarded))
    assert outcome.facts == (TileAwarded(awarded, booked), GameEnded(awarded))
    assert outcome.state.decisions_made == ended.decisions_made + 1


def test_the_books_may_be_confirmed(ended: State) -> None:
    assert apply(ended, AwardTile(2)).state.seats == ended.seats


@pytest.mark.parametrize(
    ("change", "reason"),
    [({"turn": 1}, IllegalReason.AWARDED_EARLY), ({}, IllegalReason.NO_SQUARE)],
)
def test_it_is_awarded_to_a_square_in_a_game_that_has_ended(
    ended: State, change: dict[str, int], reason: IllegalReason
) -> None:
    one, two = ended.seats
    state = replace(ended, seats=(replace(one, quilt=SQUARE & ~mask_of(["E5"])), two), turn=change.get("turn"))
    with pytest.raises(IllegalDecisionError) as error:
        apply(state, AwardTile(1))
    assert error.value.reason is reason
