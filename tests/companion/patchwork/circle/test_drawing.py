"""Test the picture of a reading that a person checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from companion.patchwork.circle.seen import draw_market

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from companion.patchwork.circle.seen import CircleSighting
    from tests.companion.patchwork.circle.conftest import MarketOf

TABLE = np.full((400, 600, 3), 128, np.uint8)


def has(picture: NDArray[np.uint8], colour: tuple[int, int, int]) -> bool:
    return bool((picture == np.array(colour, np.uint8)).all(axis=2).any())


def test_small_pictures_are_enlarged_and_large_ones_kept(market_of: MarketOf) -> None:
    assert draw_market(TABLE, market_of()).shape == (1067, 1600, 3)
    assert draw_market(np.zeros((1000, 2000, 3), np.uint8), market_of()).shape == (1000, 2000, 3)


def test_colours_tell_sure_from_doubtful_and_unknown(
    market_of: MarketOf, piece_of: Callable[..., CircleSighting]
) -> None:
    sure, doubt, unknown = (96, 190, 60), (0, 150, 255), (70, 60, 230)
    plain = draw_market(TABLE, market_of(["plus"]))
    assert has(plain, sure)
    assert not has(plain, doubt)
    assert not has(plain, unknown)
    mixed = draw_market(TABLE, market_of(["plus", None], plus=piece_of("plus", 400, 300, sure=0.4)))
    assert not has(mixed, sure)
    assert has(mixed, doubt)
    assert has(mixed, unknown)


def test_outlines_are_where_the_pieces_are(market_of: MarketOf) -> None:
    market = market_of(["plus"])
    picture = draw_market(TABLE, market)
    changed = np.argwhere((picture != 128).any(axis=2)) * TABLE.shape[1] / picture.shape[1]
    for x, y in market.pieces[0].outline_px:
        assert np.hypot(changed[:, 1] - x, changed[:, 0] - y).min() < 2


def test_names_at_the_edge_stay_in_the_picture(market_of: MarketOf, piece_of: Callable[..., CircleSighting]) -> None:
    draw_market(TABLE, market_of(["plus"], plus=piece_of("plus", 599, 399)))
