"""Test comparing a dealt circle with the one seen on the table."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.patchwork.circle import first_picture
from companion.patchwork.circle.first_picture import FirstPicture, SetupFindings, as_dealt
from companion.patchwork.circle.seen import CircleSighting, SeenMarket
from companion.play.session import AtOnce
from vision.geometry import Homography

if TYPE_CHECKING:
    from vision.table.plane import PlacedPicture

MARKET = (*(patch for patch in PATCHES if patch != "domino"), "domino")
IMAGE = np.zeros((30, 40, 3), np.uint8)
BOARDS = {1: Homography(np.diag([2.0, 2.0, 1.0]))}


def lying(*market: str, sure: int = 33) -> SeenMarket:
    """A function that returns the circle with its pieces in order, the first `sure` of them surely named."""
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    pieces = [
        CircleSighting(patch, square + number, (number + 0.5, 0.5), ((patch, 0.7),), sure=number < sure)
        for number, patch in enumerate(market)
    ]
    return SeenMarket(tuple(pieces), None, "nowhere")


@pytest.mark.parametrize("first", [0, 5, 32])
def test_each_piece_is_what_was_dealt_there_wherever_the_line_begins(first: int) -> None:
    seen = lying(*MARKET[first:], *MARKET[:first], sure=14)
    dealt = as_dealt(seen, MARKET)
    assert dealt is not None
    assert tuple(piece.patch for piece in dealt.pieces) == MARKET
    assert all(piece.sure for piece in dealt.pieces)
    assert dealt.pieces[first].centre_px != dealt.pieces[first - 1].centre_px
    assert dealt.pieces[0].centre_px == seen.pieces[-first % 33].centre_px


def test_one_name_that_was_read_wrongly_does_not_matter() -> None:
    seen = lying(*MARKET)
    wrong = (replace(seen.pieces[0], patch=MARKET[7]), *seen.pieces[1:])
    dealt = as_dealt(replace(seen, pieces=wrong), MARKET)
    assert dealt is not None
    assert dealt.pieces[0].patch == MARKET[0]


def test_the_tile_that_lies_beside_the_circle_is_none_of_it() -> None:
    seen = lying(*MARKET)
    tile = replace(seen.pieces[4], patch=None, chances=(), sure=False)
    dealt = as_dealt(replace(seen, pieces=(*seen.pieces[:9], tile, *seen.pieces[9:])), MARKET)
    assert dealt is not None
    assert tuple(piece.patch for piece in dealt.pieces) == MARKET


def test_a_circle_that_lies_otherwise_or_is_hardly_known_is_not_taken_for_the_deal() -> None:
    assert as_dealt(lying(*MARKET[::-1]), MARKET) is None
    assert as_dealt(lying(*MARKET, sure=8), MARKET) is None
    assert as_dealt(lying(*MARKET[:32]), MARKET) is None


@pytest.mark.parametrize(("market", "is_watched"), [(MARKET, True), (MARKET[::-1], False)])
def test_a_circle_that_lies_as_dealt_is_watched(
    monkeypatch: pytest.MonkeyPatch, market: tuple[str, ...], *, is_watched: bool
) -> None:
    watched: list[tuple[SeenMarket, PlacedPicture]] = []
    play = SimpleNamespace(watch=lambda seen, scene: watched.append((seen, scene)))
    watch = SimpleNamespace(ready=True, frame=SimpleNamespace(image=IMAGE), places=BOARDS)
    monkeypatch.setattr(first_picture, "_look", lambda *_: SetupFindings((), lying(*market)))
    FirstPicture(watch, History(Setup(market=MARKET)), print, None, AtOnce(), dealt=play).tick(0.0)  # type: ignore[arg-type]
    assert [(seen.pieces[0].patch, scene.image is IMAGE) for seen, scene in watched] == [(MARKET[0], True)] * is_watched
