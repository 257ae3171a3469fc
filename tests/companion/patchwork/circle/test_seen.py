"""Test the sentences about a circle that was seen."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES
from companion.patchwork.circle.seen import CircleSighting, UnclearStretch
from tests.companion.patchwork.circle.conftest import ORDER

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.companion.patchwork.circle.conftest import MarketOf


def test_a_whole_circle(market_of: MarketOf) -> None:
    market = market_of()
    assert market.complete
    assert market.market() == ORDER
    assert market.missing == ()
    assert market.doubtful == ()


def test_a_circle_without_a_piece_is_not_complete(market_of: MarketOf) -> None:
    market = market_of([patch for patch in ORDER if patch != "plus"])
    assert not market.complete
    assert market.market() is None
    assert market.missing == ("plus",)


def test_a_circle_that_begins_nowhere_is_not_complete(market_of: MarketOf) -> None:
    assert not market_of(begins="nowhere").complete


def test_one_thing_too_many_is_not_complete(market_of: MarketOf) -> None:
    market = market_of([*ORDER, None])
    assert market.missing == ()
    assert not market.complete


def test_doubts_name_places_from_one_on(market_of: MarketOf, piece_of: Callable[..., CircleSighting]) -> None:
    market = market_of(bar3=piece_of("bar3", 500.0, 200.0, sure=0.6))
    (doubt,) = market.doubtful
    assert ORDER[doubt.place - 1] == "bar3"
    assert doubt.candidates == ("bar3",)
    assert market.complete  # a doubt may be right all the same


def test_a_piece_cut_off_may_be_any_missing_patch(market_of: MarketOf) -> None:
    rest = [patch for patch in ORDER if patch not in ("plus", "mast")]
    market = market_of([*rest, None])
    assert market.doubtful[-1].candidates == market.missing == ("plus", "mast")
    assert not market.complete


def test_json(market_of: MarketOf) -> None:
    market = market_of([*ORDER[:4], None])
    data = json.loads(json.dumps(market.to_json()))
    assert data["complete"] is False
    assert data["market"] == [*ORDER[:4], None]
    assert data["doubtful"] == [{"place": 5, "candidates": list(market.missing)}]
    assert set(data["missing"]) == set(PATCHES) - set(ORDER[:4])
    assert data["token_px"] == [505.0, 190.0]
    piece = data["pieces"][0]
    assert set(piece) == {"id", "outline_px", "confidence", "doubtful", "whole", "touching"}
    assert piece["confidence"] == 0.99
    assert np.shape(piece["outline_px"]) == (4, 2)


def test_confidence_is_that_of_the_name(piece_of: Callable[..., CircleSighting]) -> None:
    piece = piece_of("plus")
    other = CircleSighting("mast", piece.outline_px, piece.centre_px, (("plus", 0.7), ("mast", 0.2)), sure=False)
    assert other.confidence == 0.2
    assert other.candidates == ("plus", "mast")


def test_a_circle_in_another_picture(market_of: MarketOf) -> None:
    """Everything drawn moves; the reading stays the same."""
    market = market_of()
    moved = market.moved(lambda points: 2 * points + np.array([3.0, 5.0]))
    assert moved.market() == market.market()
    for piece, before in zip(moved.pieces, market.pieces, strict=True):
        assert piece.outline_px == pytest.approx(2 * before.outline_px + np.array([3.0, 5.0]))
        assert piece.centre_px == pytest.approx(2 * np.array(before.centre_px) + np.array([3.0, 5.0]))
    seen = replace(market, token_px=(10.0, 20.0)).moved(lambda points: points + 1)
    assert seen.token_px == (11.0, 21.0)
    assert replace(market, token_px=None).moved(lambda points: points + 1).token_px is None


def test_places_whose_order_is_unclear_are_in_doubt(market_of: MarketOf) -> None:
    market = replace(market_of(), unclear=(UnclearStretch(((33, 1), (1, 33))),))
    assert [(doubt.place, doubt.candidates) for doubt in market.doubtful] == [
        (1, (ORDER[0], ORDER[32])),
        (33, (ORDER[32], ORDER[0])),
    ]
