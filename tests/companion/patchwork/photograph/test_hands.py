"""Test assigning tokens to players, and when that is sure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from calibration.locator import MatLocator
from calibration.mat import load_mats
from companion.patchwork.photograph import hands
from companion.patchwork.photograph.hands import HandDoubt, SeenHeaps, read_hands
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.placing import purse_of
from hardware.simulated.scene.table import SimulatedTable
from tests.vision.timeboard.conftest import true_place
from vision.fiducials import FiducialDetector
from vision.geometry import GRID_CORNERS, Homography
from vision.table.plane import OverheadView
from vision.tokens.discs import Disc, SeenDiscs
from vision.tokens.heaps import Heap, HeapDoubt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from companion.patchwork.photograph.hands import SeenHand

    Pictured = tuple[NDArray[np.uint8], Mapping[int, Homography], Homography]

BOARDS = {seat: np.add(GRID_CORNERS, [x, 10]) for seat, x in ((1, 10), (2, 40))}
"""In table space: from (10, 10) to (19, 19), and from (40, 10) to (49, 19)."""
BLANK = np.zeros((4, 4, 3), np.uint8)
NO_DISCS = SeenDiscs((), OverheadView(BLANK, BLANK[..., 0] > 0, 48, Homography(np.eye(3)), tuple(BOARDS.values())))


def heap(x: float, y: float, count: int = 2, doubts: frozenset[HeapDoubt] = frozenset()) -> Heap:
    discs = tuple(Disc((x + number, y), 0.37, 0.9, 1, 1, (95, -7, -20), 9, 0, 0.9) for number in range(count))
    return Heap(discs, {1: count}, doubts)


def given_to(*heaps: Heap) -> Mapping[int, SeenHand]:
    return hands.hands_of(SeenHeaps(heaps, BOARDS, NO_DISCS))


def test_each_heap_is_the_nearest_players() -> None:
    read = given_to(heap(12, 21, 3), heap(52, 14))
    assert {seat: hand.value for seat, hand in read.items()} == {1: 3, 2: 2}
    assert all(hand.sure for hand in read.values())


def test_by_far_the_largest_heap_is_the_bank() -> None:
    read = given_to(heap(12, 21, 3), heap(52, 14, 4), heap(20, 21, 12))
    assert {seat: hand.value for seat, hand in read.items()} == {1: 3, 2: 4}
    assert all(hand.sure for hand in read.values())


def test_two_heaps_by_one_player_leave_open_which_is_theirs() -> None:
    read = given_to(heap(12, 21, 3), heap(52, 14, 4), heap(20, 24, 5))
    assert read[1].doubts == (HandDoubt.WHICH_HEAP,)
    assert read[2].doubts == (HandDoubt.WHICH_HEAP,)


def test_a_lone_heap_may_be_the_banks() -> None:
    read = given_to(heap(12, 21, 3))
    assert list(read) == [1]
    assert read[1].doubts == (HandDoubt.OTHER_NOT_SEEN,)


def test_tokens_far_from_both_boards_belong_to_no_player() -> None:
    assert given_to(heap(28, 3), heap(31, 26)) == {}


def test_a_heaps_doubts_are_its_players() -> None:
    read = given_to(heap(12, 21, doubts=frozenset({HeapDoubt.STACKED})), heap(52, 14))
    assert read[1].doubts == (HeapDoubt.STACKED,)
    assert not read[1].sure
    assert read[2].sure


@pytest.mark.parametrize(("others", "is_sure"), [([], True), ([heap(14, 24)], False)])
def test_print_that_resembles_tokens_is_not_mentioned_but_counts_as_a_heap(
    monkeypatch: pytest.MonkeyPatch, others: list[Heap], is_sure: bool
) -> None:
    printed = heap(12, 21, 2, frozenset({HeapDoubt.OTHERS, HeapDoubt.UNKNOWN, HeapDoubt.STACKED}))
    heaps = (printed, heap(52, 14), *others)
    monkeypatch.setattr(hands, "see_heaps", lambda *_: SeenHeaps(heaps, BOARDS, NO_DISCS))
    read = read_hands(BLANK, {})
    assert {seat: hand.sure for seat, hand in read.items()} == {2: is_sure}


@pytest.fixture(scope="module")
def pictured() -> Pictured:
    """Return a simulated table with tokens worth 25 and 14 before its players, its markers on the time board."""
    table = SimulatedTable(1, Conditions())
    table.circle.clear()
    table.books = replace(table.books, purses=(purse_of(25), purse_of(14)), times=(53, 53), leather_out=(), first=None)
    image = table.frame(0.0)
    return image, dict(sorted(MatLocator(*load_mats()).locate(image).items())), true_place(table)


@pytest.fixture(scope="module")
def simulated(pictured: Pictured) -> Mapping[int, SeenHand]:
    """Read the tokens."""
    image, places, _ = pictured
    return read_hands(image, places)


def test_tokens_on_a_simulated_table_are_counted(simulated: Mapping[int, SeenHand]) -> None:
    assert {seat: hand.value for seat, hand in simulated.items()} == {1: 25, 2: 14}


def test_a_round_spot_in_a_mats_marker_is_no_token(pictured: Pictured, monkeypatch: pytest.MonkeyPatch) -> None:
    image, places, track = pictured
    seen = hands.see_heaps(image, places, track=track).discs
    marker = next(iter(FiducialDetector(load_mats()[0].dictionary).detect(image).values()))
    (x, y) = seen.view.to_image.inverse(marker.mean(axis=0))
    spotted = SeenDiscs((*seen.discs, replace(seen.discs[0], middle=(float(x), float(y)))), seen.view)
    monkeypatch.setattr(hands, "find_discs", lambda *_: spotted)
    assert hands.see_heaps(image, places, track=track).discs.discs == seen.discs


def test_each_token_has_its_place_in_the_picture(simulated: Mapping[int, SeenHand]) -> None:
    assert [len(hand.discs_px) for hand in simulated.values()] == [2, 5]
    assert all(8 < radius < 20 for hand in simulated.values() for _, _, radius in hand.discs_px)


def test_a_time_board_that_is_followed_is_not_looked_for(
    pictured: Pictured, simulated: Mapping[int, SeenHand], monkeypatch: pytest.MonkeyPatch
) -> None:
    image, places, track = pictured
    monkeypatch.setattr(hands, "time_board_in", lambda *_: pytest.fail("it was looked for"))
    seen = hands.see_heaps(image, places, track=track)
    assert hands.hands_of(seen) == simulated
    corners = np.array([track.inverse(seen.discs.view.to_image(np.array(disc.middle))) for disc in seen.discs.discs])
    assert not ((corners > 0) & (corners < 9)).all(axis=1).any(), "the markers on it are no tokens"
