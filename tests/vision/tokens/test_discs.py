"""Test finding round tokens with their place, size and colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tests.vision.tokens.conftest import BOARD, RADII
from vision.tokens.discs import token_in_cell

if TYPE_CHECKING:
    from tests.vision.tokens.conftest import Drawn
    from vision.tokens.discs import SeenDiscs


def places_of(seen: SeenDiscs) -> list[list[float]]:
    """Return the middles of the discs in the board's cells, from left to right."""
    middles = np.array([disc.middle for disc in seen.discs]).reshape(-1, 2)
    in_board = BOARD.inverse(seen.view.to_image(middles))
    return sorted(in_board.round(2).tolist())


def test_tokens_are_found_with_their_sizes(drawn: Drawn) -> None:
    values = {1: (12.0, 3.0), 5: (13.6, 3.2), 10: (15.3, 2.9), 20: (17.2, 3.1)}
    for value, place in values.items():
        drawn.lay(value, *place)
    seen = drawn.discs()
    np.testing.assert_allclose(places_of(seen), list(values.values()), atol=0.04)
    by_place = sorted(seen.discs, key=lambda disc: disc.middle[0])
    np.testing.assert_allclose([disc.radius_cells for disc in by_place], list(RADII.values()), atol=0.03)
    assert all(disc.round == 1 for disc in seen.discs)


def test_tokens_on_a_board_are_left_out(drawn: Drawn) -> None:
    np.testing.assert_allclose(places_of(drawn.lay(1, 4.5, 4.5).lay(1, 14, 4).discs()), [[14, 4]], atol=0.04)


def test_plain_round_things_and_squares_are_no_tokens(drawn: Drawn) -> None:
    for middle in BOARD([[12, 3], [14, 3]]).astype(int).tolist():
        cv2.circle(drawn.picture, middle, 12, (200, 60, 40), -1, cv2.LINE_AA)
    low, high = BOARD([[12.0, 6.0], [12.7, 6.7]]).astype(int).tolist()
    cv2.rectangle(drawn.picture, low, high, (200, 60, 40), -1)
    assert drawn.discs().discs == ()


def test_a_neighbour_is_nothing_beside_a_rim(drawn: Drawn) -> None:
    seen = drawn.lay(1, 13, 4).lay(20, 14.0, 4.2).discs()
    assert [disc.beside for disc in seen.discs] == pytest.approx([0.0, 0.0], abs=0.05)


def test_a_token_below_is_seen_beside_the_rim(drawn: Drawn) -> None:
    seen = drawn.lay(20, 13, 4).lay(1, 13.1, 3.95).discs()
    assert max(disc.beside for disc in seen.discs) > 0.5


def test_a_deep_shadow_is_seen_beside_the_rim(drawn: Drawn) -> None:
    seen = drawn.shade(13.2, 4.2, 0.5).lay(1, 13, 4).discs()
    (disc,) = seen.discs
    assert disc.shade < 0.75


@pytest.mark.parametrize("value", [1, 5, 10])
def test_a_token_in_a_cell_of_a_board_is_found_there_and_nowhere_else(drawn: Drawn, value: int) -> None:
    drawn.lay(value, 3.4, 5.6)
    cells = [(row, column) for row in (4, 5) for column in (2, 3, 4)]
    found = {cell: token_in_cell(drawn.picture, BOARD, cell) for cell in cells}
    assert {cell for cell, disc in found.items() if disc is not None} == {(5, 3)}
    token = found[5, 3]
    assert token is not None
    assert token.radius_cells == pytest.approx(RADII[value], abs=0.03)


def test_nothing_and_a_square_of_leather_are_no_token(drawn: Drawn) -> None:
    assert token_in_cell(drawn.picture, BOARD, (5, 3)) is None
    low, high = BOARD([[3.03, 5.03], [3.97, 5.97]]).astype(int).tolist()
    cv2.rectangle(drawn.picture, low, high, (34, 52, 88), -1)
    assert token_in_cell(drawn.picture, BOARD, (5, 3)) is None
