"""Test reading a circle from a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from bench.stresses import STRESSES
from companion.patchwork.circle import seeing
from companion.patchwork.circle.seeing import MarketError, see_market, see_market_in_photo
from hardware.simulated.evening import SimulatedEvening
from vision.geometry import GRID_CORNERS, through_corners
from vision.pieces.maps import commonness

if TYPE_CHECKING:
    from companion.patchwork.circle.seen import SeenMarket


@pytest.fixture(scope="module")
def evening() -> SimulatedEvening:
    """An evening under an uncalibrated wide lens."""
    return SimulatedEvening(27003, STRESSES["wide-lens"][-1])


@pytest.fixture(scope="module")
def shares() -> list[float]:
    """The shares of progress that the reading of `market` reported."""
    return []


@pytest.fixture(scope="module")
def market(evening: SimulatedEvening, shares: list[float]) -> SeenMarket:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seeing, "see_market", lambda image, boards: see_market(image, boards, shares.append))
        return see_market_in_photo(evening.camera.capture().image)


def test_it_is_told_step_by_step_how_far_the_reading_has_come(market: SeenMarket, shares: list[float]) -> None:
    del market
    steps = np.diff([0.0, *shares])
    assert (steps >= 0).all()
    # The eight passes of the network, with the bent picture and the straightened one, both looks, every piece's name.
    assert len(shares) > 8 + 8 + 5 + 20
    assert steps.max() < 0.2
    assert shares[-1] == pytest.approx(1.0)


def test_sure_names_are_right(evening: SimulatedEvening, market: SeenMarket) -> None:
    true = {piece.name: piece.outline_px.mean(axis=0) for piece in evening.table.circle_pieces()}
    sure = [piece for piece in market.pieces if piece.sure]
    assert len(sure) >= 10
    for piece in sure:
        assert np.hypot(*(piece.outline_px.mean(axis=0) - true[piece.patch or ""])) < 15
    # In their true order: each true place follows the previous one, once around.
    order = evening.setup.market or ()
    places = [order.index(piece.patch or "") for piece in sure]
    assert sum(later < earlier for earlier, later in zip(places, places[1:] + places[:1], strict=True)) == 1


def test_a_circle_is_read_through_a_wide_lens(evening: SimulatedEvening, market: SeenMarket) -> None:
    """Far from the picture's middle a patch looks a tenth smaller, so that long ones looked like shorter ones."""
    named = {piece.patch: piece for piece in market.pieces}
    for piece in evening.table.circle_pieces():
        if piece.whole:
            near = np.hypot(*(named[piece.name].outline_px.mean(axis=0) - piece.outline_px.mean(axis=0)))
            assert near < 8, f"{piece.name} is drawn where the bent picture shows it"


def test_outlines_are_told_in_pixels_of_the_picture(evening: SimulatedEvening, market: SeenMarket) -> None:
    del evening
    for piece in market.pieces:
        assert piece.outline_px.shape[1] == 2
        assert (np.array(piece.centre_px) > piece.outline_px.min(axis=0)).all()
        assert (np.array(piece.centre_px) < piece.outline_px.max(axis=0)).all()


def test_a_picture_of_nothing() -> None:
    with pytest.raises(MarketError, match="no quilt boards"):
        see_market_in_photo(np.full((240, 320, 3), 128, np.uint8))


def test_an_empty_table() -> None:
    """Two boards without a circle: no piece is found."""
    image = np.random.default_rng(1).normal(128, 6, (400, 700, 3)).clip(0, 255).astype(np.uint8)
    squares = [[[x, 100], [x + 180, 100], [x + 180, 280], [x, 280]] for x in (60, 440)]
    shares: list[float] = []
    market = see_market(image, [through_corners(GRID_CORNERS, square) for square in squares], shares.append)
    assert (np.diff([0.0, *shares]) >= 0).all()
    assert shares[-1] > 0.95, "no piece is left to be named"
    assert market.pieces == ()
    assert not market.complete
    assert market.notes


def test_a_machine_that_works_out_no_numbers_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some builds of OpenCV yield NaN on some processors; the message must not be that no patches are there."""
    monkeypatch.setattr("vision.pieces.maps.commonness", lambda *shown: np.float32(np.nan) * commonness(*shown))
    corners = [np.array([[40, 40], [130, 40], [130, 130], [40, 130]])]
    with pytest.raises(MarketError, match="cannot do the calculations for recognising the patches"):
        see_market_in_photo(np.full((180, 240, 3), 128, np.uint8), corners)
