from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from calibration import boards
from calibration.boards import FoundLocator, Seating, Side, turned
from vision.geometry import GRID_CORNERS, Homography, through_corners, translation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray


def _board(x: float, y: float) -> Homography:
    """Return the placement of a board of 30 px a cell whose upper left corner is at (x, y)."""
    return translation(x, y).after(Homography(np.diag([30.0, 30.0, 1.0])))


LEFT, RIGHT, FAR = _board(50, 300), _board(500, 310), _board(60, 10)


def _a1_and_i9(place: Homography) -> list[list[float]]:
    corners: list[list[float]] = place(GRID_CORNERS[[0, 2]]).round(3).tolist()
    return corners


def test_side_by_side_the_left_board_is_seat_1_s_and_both_are_seen_from_the_near_edge() -> None:
    for order in ([LEFT, RIGHT], [RIGHT, LEFT]):
        seats = Seating().seats(order)
        assert _a1_and_i9(seats[1]) == [[50, 300], [320, 570]]
        assert _a1_and_i9(seats[2]) == [[500, 310], [770, 580]]


def test_one_above_the_other_the_near_board_is_seat_1_s_and_the_far_one_is_seen_from_the_far_edge() -> None:
    for order in ([LEFT, FAR], [FAR, LEFT]):
        seats = Seating().seats(order)
        assert _a1_and_i9(seats[1]) == [[50, 300], [320, 570]]
        assert _a1_and_i9(seats[2]) == [[330, 280], [60, 10]]


@pytest.mark.parametrize(
    ("sides", "first", "second"),
    [
        ((Side.LEFT, Side.RIGHT), [[320, 300], [50, 570]], [[500, 580], [770, 310]]),
        ((Side.RIGHT, Side.LEFT), [[500, 580], [770, 310]], [[320, 300], [50, 570]]),
        ((Side.FAR, Side.FAR), [[770, 580], [500, 310]], [[320, 570], [50, 300]]),
        ((Side.NEAR, Side.NEAR), [[50, 300], [320, 570]], [[500, 310], [770, 580]]),
    ],
)
def test_a_seating_overrides_the_rule(
    sides: tuple[Side, Side], first: list[list[int]], second: list[list[int]]
) -> None:
    seats = Seating(sides).seats([RIGHT, LEFT])
    assert _a1_and_i9(seats[1]) == first
    assert _a1_and_i9(seats[2]) == second


@pytest.mark.parametrize("sides", [None, *product(Side, Side)])
def test_swapped_each_has_the_other_s_board_as_it_was(sides: tuple[Side, Side] | None) -> None:
    plain, swapped = (Seating(sides, swap).seats([LEFT, RIGHT]) for swap in (False, True))
    for seat in (1, 2):
        assert _a1_and_i9(plain[seat]) == _a1_and_i9(swapped[3 - seat])


@pytest.mark.parametrize("quarters", range(5))
def test_a_turned_board_lies_where_it_lay(quarters: int) -> None:
    there = turned(LEFT, quarters)
    assert np.allclose(there([0.0, 0.0]), LEFT(GRID_CORNERS[quarters % 4]), atol=1e-3)
    assert np.allclose(np.sort(there(GRID_CORNERS), axis=0), np.sort(LEFT(GRID_CORNERS), axis=0), atol=1e-3)


class Eyes:
    """A fake search: holds what it finds, which places do not look empty, and the number of searches."""

    def __init__(self, found: Sequence[Homography]) -> None:
        self.found, self.hidden, self.searches = found, list[Homography](), 0

    def find(self, image: NDArray[np.uint8], board_cells: float) -> Sequence[Homography]:
        assert image.ndim == 3
        assert 9 < board_cells < 10
        self.searches += 1
        return self.found

    def is_there(self, image: NDArray[np.uint8], place: Homography) -> bool:
        assert image.ndim == 3
        return not any(np.allclose(place.matrix, hidden.matrix) for hidden in self.hidden)


@pytest.fixture
def eyes(monkeypatch: pytest.MonkeyPatch) -> Eyes:
    eyes = Eyes([LEFT, RIGHT])
    monkeypatch.setattr(boards, "find_empty_boards", eyes.find)
    monkeypatch.setattr(boards, "is_empty_board", eyes.is_there)
    return eyes


def _still(grey: int = 90) -> NDArray[np.uint8]:
    return np.full((120, 160, 3), grey, np.uint8)


def _restless() -> Iterator[NDArray[np.uint8]]:
    for number in range(10_000):
        image = _still()
        image[:, (number % 4) * 40 : (number % 4) * 40 + 40] = 220
        yield image


def test_both_boards_are_found_in_the_first_frame_and_not_looked_for_again(eyes: Eyes) -> None:
    locator = FoundLocator()
    for _ in range(10):
        assert sorted(locator.locate(_still())) == [1, 2]
    assert eyes.searches == 1
    assert locator.found_count == 2


def test_one_board_alone_has_no_seat(eyes: Eyes) -> None:
    eyes.found = [LEFT]
    locator = FoundLocator()
    assert locator.locate(_still()) == {}
    assert locator.found_count == 1


def test_the_same_picture_is_searched_seldom_and_another_one_once_it_is_at_rest(eyes: Eyes) -> None:
    eyes.found = []
    locator = FoundLocator()
    for _ in range(10):
        locator.locate(_still())
    assert eyes.searches == 1
    eyes.found = [RIGHT, LEFT]
    assert dict(locator.locate(_still(200))) == {}, "something moves"
    assert sorted(locator.locate(_still(200))) == [1, 2]


def test_a_restless_picture_is_searched_now_and_then(eyes: Eyes) -> None:
    eyes.found = []
    locator = FoundLocator()
    for _, image in zip(range(100), _restless(), strict=False):
        locator.locate(image)
    assert 3 <= eyes.searches <= 7


def test_a_board_under_a_hand_is_not_placed_and_one_that_was_taken_away_is_found_elsewhere(eyes: Eyes) -> None:
    locator = FoundLocator()
    locator.locate(_still())
    eyes.hidden = [LEFT]
    assert sorted(locator.locate(_still())) == [2]
    eyes.hidden = []
    assert sorted(locator.locate(_still())) == [1, 2]
    elsewhere = LEFT.after(translation(1, 0))
    eyes.hidden, eyes.found = [LEFT], [elsewhere, RIGHT]
    for grey in (90, 90, 90, 200, 200):
        placed = locator.locate(_still(grey))
    assert np.allclose(placed[1].matrix, elsewhere.matrix)


def test_boards_that_are_relied_upon_stay_whatever_is_seen(eyes: Eyes) -> None:
    locator = FoundLocator()
    relied_upon = [locator.relied_upon]
    locator.locate(_still())
    for seat in (1, 2):
        locator.keep(seat)
        relied_upon.append(locator.relied_upon)
    assert relied_upon == [False, False, True]
    eyes.hidden, eyes.found = [LEFT, RIGHT], []
    for _, image in zip(range(50), _restless(), strict=False):
        assert sorted(locator.locate(image)) == [1, 2]
    assert eyes.searches == 1


def test_one_that_is_relied_upon_stays_while_the_other_is_found_anew(eyes: Eyes) -> None:
    locator = FoundLocator()
    locator.locate(_still())
    locator.keep(1)
    moved = [LEFT.after(translation(0.5, 0)), RIGHT.after(translation(0, 2))]
    eyes.hidden, eyes.found = [LEFT, RIGHT], moved
    for grey in (90, 90, 90, 200, 200):
        placed = locator.locate(_still(grey))
    assert np.allclose(placed[1].matrix, LEFT.matrix)
    assert np.allclose(placed[2].matrix, moved[1].matrix)


def test_boards_of_an_earlier_occasion_are_not_looked_for(eyes: Eyes) -> None:
    locator = FoundLocator()
    locator.put(1, RIGHT)
    locator.put(2, LEFT)
    placed = locator.locate(_still())
    assert placed[1] is RIGHT
    assert locator.place(2) is LEFT
    assert not eyes.searches


def test_a_lost_board_is_sought_wherever_something_looks_like_one() -> None:
    image = np.full((400, 500, 3), 70, np.uint8)
    corners = through_corners(GRID_CORNERS, [[100, 80], [370, 80], [370, 350], [100, 350]])
    image[75:356, 95:376] = (120, 150, 170)
    for line in range(10):
        image[80:351, 99 + 30 * line : 101 + 30 * line] = 60
        image[79 + 30 * line : 81 + 30 * line, 100:371] = 60
    places = FoundLocator().search(image)
    assert min(float(place.residuals(GRID_CORNERS, corners(GRID_CORNERS)).max()) for place in places) < 4
