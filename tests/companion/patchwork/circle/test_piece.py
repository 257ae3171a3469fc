"""Pieces of the circle: the last one without a name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES
from companion.patchwork.circle.seen import CircleSighting, strangers, with_last_named

NAMES = list(PATCHES)


def circle(*nameless: int) -> list[CircleSighting]:
    """Return all pieces, some without a name."""
    return [
        CircleSighting(None if number in nameless else patch, np.zeros((4, 2)), (0.0, 0.0), ((patch, 0.9),), sure=True)
        for number, patch in enumerate(NAMES)
    ]


def test_the_last_piece_is_the_patch_that_is_left_over() -> None:
    pieces = circle(7)
    pieces[7] = replace(pieces[7], chances=((NAMES[3], 0.4), (NAMES[7], 0.1)), sure=False)
    named = with_last_named(pieces)
    assert [piece.patch for piece in named] == NAMES
    assert (named[7].confidence, named[7].sure, named[7].candidates) == (0.1, False, (NAMES[7],))


def test_a_piece_of_which_nothing_is_known_is_no_more_certain() -> None:
    pieces = circle(0)
    pieces[0] = replace(pieces[0], chances=(), sure=False)
    named = with_last_named(pieces)
    assert (named[0].patch, named[0].confidence, named[0].sure) == (NAMES[0], 0.0, False)


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param(circle(2, 5), id="two might be either"),
        pytest.param(circle(2)[1:], id="another is not seen"),
        pytest.param([*circle(2), *circle(2)[2:3]], id="one too many lies there"),
        pytest.param([replace(piece, whole=piece.patch is not None) for piece in circle(2)], id="it goes on outside"),
        pytest.param(circle(), id="all have names"),
    ],
)
def test_else_nothing_is_guessed(pieces: list[CircleSighting]) -> None:
    assert [piece.patch for piece in with_last_named(pieces)] == [piece.patch for piece in pieces]


def test_an_unlikely_piece_is_left_out_of_a_fully_named_circle() -> None:
    tile = CircleSighting(None, np.zeros((4, 2)), (0.0, 0.0), (("square", 0.03),), sure=False)
    assert strangers([*circle(), tile]) == {33}
    assert strangers([*circle(), replace(tile, chances=())]) == {33}
    assert strangers([*circle(), replace(tile, chances=(("square", 0.2),))]) == frozenset()
    assert strangers([*circle(7), tile]) == frozenset()
