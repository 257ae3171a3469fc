from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.boards import FoundLocator
from calibration.locator import SEATS, CornerLocator, MatLocator, QuiltLocator
from calibration.mat import load_mat
from vision.fiducials import FiducialDetector
from vision.geometry import GRID_CORNERS, Homography, through_corners, translation

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray

MAT = load_mat()
PAGE_PX_A_MM = 3
SEAT_1 = np.array([[60.0, 70.0], [480.0, 62.0], [500.0, 655.0], [48.0, 662.0]])
SEAT_2 = np.array([[580.0, 640.0], [560.0, 60.0], [985.0, 50.0], [1010.0, 660.0]])
"""The pages' corners in pixels of the frame; the second mat is turned by a quarter."""
STILL = {1: SEAT_1, 2: SEAT_2[[1, 2, 3, 0]]}


def _page(seat: int) -> NDArray[np.uint8]:
    """A printed mat, PAGE_PX_A_MM pixels a millimetre, shape (891, 630)."""
    width, height = (round(side * PAGE_PX_A_MM) for side in MAT.page_mm)
    page = np.full((height, width), 235, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(int(getattr(cv2.aruco, MAT.dictionary)))
    for index, number in enumerate(MAT.seats[seat]):
        left, top = (round(value * PAGE_PX_A_MM) for value in MAT.marker_corners_mm(index)[0])
        size = round(MAT.marker_size_mm * PAGE_PX_A_MM)
        marker = cv2.aruco.generateImageMarker(dictionary, number, size)
        page[top : top + size, left : left + size] = np.maximum(marker, 25)
    return page


PAGES = {seat: _page(seat) for seat in SEATS}


def _mat_to_image(corners_px: NDArray[np.float64]) -> Homography:
    return through_corners(MAT.page_corners_mm, corners_px)


def _frame(
    corners_px: dict[int, NDArray[np.float64]], hidden: Collection[tuple[int, int]] = (), seed: int = 0
) -> NDArray[np.uint8]:
    """Return a camera's frame of both mats; `hidden` holds the (seat, marker) pairs that hands cover."""
    frame = np.full((720, 1060), 80.0)
    for seat, corners in corners_px.items():
        # A pixel's middle lies on a whole number, a millimetre's edge does.
        to_mm = translation(0.5, 0.5)
        from_page = _mat_to_image(corners).matrix @ np.diag([1 / PAGE_PX_A_MM, 1 / PAGE_PX_A_MM, 1.0]) @ to_mm.matrix
        page = cv2.warpPerspective(PAGES[seat], from_page, (1060, 720), flags=cv2.INTER_AREA, borderValue=0)
        frame[page > 0] = page[page > 0]
        for index in range(4):
            if (seat, index) in hidden:
                middle = _mat_to_image(corners)(MAT.marker_centres_mm[index])
                cv2.circle(frame, (round(middle[0]), round(middle[1])), 62, 120.0, -1)
    grey = np.clip(np.rint(cv2.GaussianBlur(frame, (0, 0), 0.8) + _noise(seed)), 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


@lru_cache(maxsize=4)  # 6 MB each
def _noise(seed: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed).normal(0, 2, (720, 1060))


@cache
def _still() -> NDArray[np.uint8]:
    """Return the first frame of both mats where they lie."""
    return _frame(STILL)


def _error_px(found: Homography, corners_px: NDArray[np.float64]) -> float:
    """Return the greatest distance at the grid's corners from a board that lies on the mat's outline."""
    return float(found.residuals(GRID_CORNERS, _mat_to_image(corners_px)(MAT.grid_corners_mm)).max())


@pytest.fixture
def locator() -> MatLocator:
    return MatLocator(MAT)


def test_both_mats_are_found_whichever_way_round_they_lie(locator: MatLocator) -> None:
    found = locator.locate(_still())
    assert sorted(found) == [1, 2]
    for seat in SEATS:
        assert _error_px(found[seat], STILL[seat]) < 0.7


PAIRS = list(combinations(range(4), 2))


@pytest.mark.parametrize("hidden", [(0,), *PAIRS], ids=str)
def test_a_hand_over_one_or_two_markers_moves_nothing(locator: MatLocator, hidden: tuple[int, ...]) -> None:
    before = locator.locate(_still())
    for seed in range(1, 4):
        after = locator.locate(_frame(STILL, {(seat, index) for seat in SEATS for index in hidden}, seed))
        for seat in SEATS:
            assert before[seat].residuals(GRID_CORNERS, after[seat](GRID_CORNERS)).max() < 0.5


def test_a_mat_that_is_covered_altogether_lies_where_it_lay(locator: MatLocator) -> None:
    before = locator.locate(_still())
    for count in (3, 4):
        after = locator.locate(_frame(STILL, {(1, index) for index in range(count)}, 5))
        assert before[1].residuals(GRID_CORNERS, after[1](GRID_CORNERS)).max() < 0.5


@settings(max_examples=12, deadline=None, derandomize=True)
@given(x=st.floats(-40, 40), y=st.floats(-40, 40), bends=st.lists(st.floats(-8, 8), min_size=8, max_size=8))
def test_a_mat_that_was_moved_is_followed(x: float, y: float, bends: list[float]) -> None:
    locator = MatLocator(MAT)
    locator.locate(_still())
    moved = {**STILL, 1: SEAT_1 + np.array([x, y]) + np.array(bends).reshape(4, 2)}
    found = locator.locate(_frame(moved, seed=1))
    assert _error_px(found[1], moved[1]) < 0.7
    assert _error_px(found[2], STILL[2]) < 0.7


@pytest.mark.parametrize("hidden", range(4))
def test_a_mat_that_was_moved_under_a_hand_is_followed_by_the_markers_seen(locator: MatLocator, hidden: int) -> None:
    locator.locate(_still())
    moved = {**STILL, 1: SEAT_1 + 25}
    found = locator.locate(_frame(moved, {(1, hidden)}))
    assert _error_px(found[1], moved[1]) < 2.0


@pytest.mark.parametrize("hidden", PAIRS, ids=str)
def test_a_camera_that_sways_and_breathes_carries_the_markers_that_it_does_not_show(
    locator: MatLocator, hidden: tuple[int, ...]
) -> None:
    locator.locate(_still())
    rng = np.random.default_rng(1)
    for seed in range(1, 5):
        turn = cv2.getRotationMatrix2D((530, 360), float(rng.normal(0, 0.1)), 1 + float(rng.uniform(-0.004, 0.004)))
        motion = translation(*rng.normal(0, 3.0, 2)).after(Homography(np.vstack([turn, [0.0, 0.0, 1.0]])))
        moved = {seat: motion(corners) for seat, corners in STILL.items()}
        # Now and then they are seen again, which is of no consequence.
        covered = {(seat, index) for seat in SEATS for index in hidden} if seed != 3 else set()
        found = locator.locate(_frame(moved, covered, seed))
        for seat in SEATS:
            assert _error_px(found[seat], moved[seat]) < 1.2


def test_a_mat_that_creeps_does_not_leave_its_covered_markers_behind(locator: MatLocator) -> None:
    locator.locate(_still())
    for step in range(1, 13):  # half a pixel in every frame: at rest, judged by any two consecutive frames
        creeping = {**STILL, 1: SEAT_1 + np.array([0.5 * step, 0.0])}
        found = locator.locate(_frame(creeping, {(1, 0), (1, 3)}, step))
    assert _error_px(found[1], creeping[1]) < 2.5


def test_a_marker_first_seen_later_helps_from_then_on(locator: MatLocator) -> None:
    locator.locate(_frame(STILL, {(1, 0)}))
    locator.locate(_frame(STILL, {(1, 3)}, 1))
    found = locator.locate(_frame(STILL, {(1, 2), (1, 3)}, 2))
    assert _error_px(found[1], STILL[1]) < 0.7


def test_one_marker_alone_places_no_mat(locator: MatLocator) -> None:
    assert list(locator.locate(_frame(STILL, {(1, 0), (1, 1), (1, 2)}))) == [2]


def test_no_mat_is_found_on_a_bare_table(locator: MatLocator) -> None:
    assert locator.locate(np.full((720, 1060, 3), 80, np.uint8)) == {}


def test_an_id_seen_twice_is_nobodys_and_the_others_place_the_mat(locator: MatLocator) -> None:
    frame = _still().copy()
    around = _mat_to_image(SEAT_1)(MAT.marker_centres_mm[0]).round().astype(int)
    copied = frame[around[1] - 62 : around[1] + 62, around[0] - 62 : around[0] + 62].copy()
    frame[300:424, 200:324] = copied
    found = locator.locate(frame)
    assert _error_px(found[1], STILL[1]) < 1.5
    later = MatLocator(MAT)
    before = later.locate(_still())
    after = later.locate(frame)
    assert before[1].residuals(GRID_CORNERS, after[1](GRID_CORNERS)).max() < 0.5


def test_mats_that_lie_still_are_not_searched_for(locator: MatLocator, monkeypatch: pytest.MonkeyPatch) -> None:
    locator.locate(_still())
    searched: list[int] = []
    detect = FiducialDetector.detect

    def counting(self: FiducialDetector, image: NDArray[np.uint8]) -> Mapping[int, NDArray[np.float64]]:
        searched.append(1)
        return detect(self, image)

    monkeypatch.setattr(FiducialDetector, "detect", counting)
    placed = locator.locate(_frame(STILL, seed=1))
    assert not searched
    assert max(_error_px(placed[seat], STILL[seat]) for seat in SEATS) < 1.0
    moved = {1: STILL[1] + np.array([-40.0, 50.0]), 2: STILL[2]}
    placed = locator.locate(_frame(moved, seed=2))
    assert searched
    assert max(_error_px(placed[seat], moved[seat]) for seat in SEATS) < 1.0


def test_an_adopted_board_goes_with_its_mat(locator: MatLocator) -> None:
    by_outline = locator.locate(_still())[1]
    lies = by_outline.after(translation(0.2, -0.1))
    locator.adopt(1, lies)
    moved = {**STILL, 1: SEAT_1 + np.array([18.0, -9.0])}
    found = locator.locate(_frame(moved))
    expected = lies(GRID_CORNERS) + np.array([18.0, -9.0])
    assert found[1].residuals(GRID_CORNERS, expected).max() < 1.0
    assert _error_px(found[2], STILL[2]) < 0.7


def test_a_place_holds_for_another_evening_with_the_mat_elsewhere(locator: MatLocator) -> None:
    locator.adopt(2, locator.locate(_still())[2].after(translation(-0.15, 0.1)))
    elsewhere = {**STILL, 2: STILL[2] - 15}
    tomorrow = MatLocator(MAT)
    tomorrow.put(2, locator.place(2))
    found, same_day = tomorrow.locate(_frame(elsewhere)), locator.locate(_frame(elsewhere))
    assert found[2].residuals(GRID_CORNERS, same_day[2](GRID_CORNERS)).max() < 1e-3
    assert _error_px(found[2], elsewhere[2]) > 2.0


def test_a_board_lies_on_its_outline_until_told_better(locator: MatLocator) -> None:
    for seat in SEATS:
        np.testing.assert_allclose(locator.place(seat)(GRID_CORNERS), MAT.grid_corners_mm, atol=1e-4)


GIVEN = [[[10, 20], [110, 22], [108, 121], [9, 118]], [[200, 20], [300, 20], [300, 120], [200, 120]]]


def test_given_corners_are_held_whatever_is_seen() -> None:
    locator = CornerLocator(GIVEN)
    for grey in (0, 200):
        found = locator.locate(np.full((150, 320, 3), grey, np.uint8))
        for seat in SEATS:
            np.testing.assert_allclose(found[seat](GRID_CORNERS), GIVEN[seat - 1], atol=1e-4)


def test_given_corners_give_way_to_a_better_placement_of_that_seat() -> None:
    locator = CornerLocator(GIVEN)
    better = locator.place(1).after(translation(0.1, 0))
    locator.adopt(1, better)
    found = locator.locate(np.zeros((9, 9, 3), np.uint8))
    assert found[1] is better
    assert locator.place(1) is better
    np.testing.assert_allclose(found[2](GRID_CORNERS), GIVEN[1], atol=1e-4)
    tomorrow = CornerLocator(GIVEN)
    tomorrow.put(1, locator.place(1))
    assert tomorrow.locate(np.zeros((9, 9, 3), np.uint8))[1] is better


def test_located_places_belong_to_the_caller() -> None:
    locator = CornerLocator(GIVEN)
    dict(locator.locate(np.zeros((9, 9, 3), np.uint8))).clear()
    assert sorted(locator.locate(np.zeros((9, 9, 3), np.uint8))) == [1, 2]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_both_seats_need_corners(count: int) -> None:
    with pytest.raises(ValueError, match="zip"):
        CornerLocator([GIVEN[0]] * count)


def test_all_locators_keep_the_same_contract() -> None:
    locators: list[QuiltLocator] = [MatLocator(MAT), CornerLocator(GIVEN), FoundLocator()]
    for locator in locators:
        place = translation(3, 4)
        locator.put(2, place)
        locator.keep(2)
        assert locator.place(2) is place


def test_a_board_on_a_mat_is_sought_by_its_mat_alone() -> None:
    assert not MatLocator(MAT).search(_still())
    assert [locator.is_held for locator in (MatLocator, CornerLocator, FoundLocator)] == [False, True, True]
