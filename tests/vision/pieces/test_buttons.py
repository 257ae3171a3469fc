"""Test finding buttons on a table, and the evidence they give about the pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.pieces.test_fit import laid
from vision.geometry import Homography
from vision.pieces.buttons import Buttons, button_correlations, buttons_by_area, find_buttons, paper_blueness
from vision.table.plane import OverheadView

if TYPE_CHECKING:
    from numpy.typing import NDArray

CLOSE_PX = 64
CENTRE = (96.0, 96.0)
DARK_BLUE = (190, 130, 40)
GROUNDS = [(92, 122, 150), (205, 228, 236), (60, 160, 90), (40, 60, 190), (150, 120, 110)]


def _cloth(ground: tuple[int, int, int], seed: int = 0, deviation: float = 4.0) -> NDArray[np.uint8]:
    """Return cloth of three by three cells of one colour with some noise."""
    noise = np.random.default_rng(seed).normal(0, deviation, (3 * CLOSE_PX, 3 * CLOSE_PX, 3))
    return np.asarray(np.clip(np.rint(np.array(ground) + noise), 0, 255), np.uint8)


def _with_disc(
    cloth: NDArray[np.uint8], colour: tuple[int, int, int], middle: tuple[float, float] = CENTRE, radius: float = 0.32
) -> NDArray[np.uint8]:
    place = (round(middle[0]), round(middle[1]))
    return np.asarray(cv2.circle(cloth.copy(), place, round(radius * CLOSE_PX), colour, -1, cv2.LINE_AA), np.uint8)


def _correlation(closeup: NDArray[np.uint8], middle: tuple[float, float], cell_px: int) -> float:
    return button_correlations(closeup, [middle], cell_px)[0]


@pytest.mark.parametrize("ground", GROUNDS)
def test_a_printed_button_stands_out_on_every_cloth(ground: tuple[int, int, int]) -> None:
    cloth = _cloth(ground)
    printed, bare = (_correlation(each, CENTRE, CLOSE_PX) for each in (_with_disc(cloth, DARK_BLUE), cloth))
    assert printed > 0.75
    assert bare < 0.4


@settings(max_examples=15, deadline=None, derandomize=True)
@given(x=st.floats(-11, 11), y=st.floats(-11, 11), gain=st.floats(0.5, 1.2))
def test_a_button_may_be_printed_beside_its_cells_middle_and_in_any_light(x: float, y: float, gain: float) -> None:
    nudged = _with_disc(_cloth(GROUNDS[0]), DARK_BLUE, (CENTRE[0] + x, CENTRE[1] + y))
    lit = np.asarray(np.clip(nudged * gain, 0, 255), np.uint8)
    assert _correlation(lit, CENTRE, CLOSE_PX) > 0.75


def test_a_button_of_the_next_cell_does_not_count() -> None:
    beside = _with_disc(_cloth(GROUNDS[0]), DARK_BLUE, (CENTRE[0] + CLOSE_PX, CENTRE[1]))
    assert _correlation(beside, CENTRE, CLOSE_PX) < 0.5
    assert _correlation(beside, (CENTRE[0] + CLOSE_PX, CENTRE[1]), CLOSE_PX) > 0.75


@pytest.mark.parametrize("colour", [(40, 200, 235), (30, 30, 200)])
def test_a_disc_of_a_warmer_colour_is_no_button(colour: tuple[int, int, int]) -> None:
    assert _correlation(_with_disc(_cloth(GROUNDS[4]), colour), CENTRE, CLOSE_PX) < 0.4


def test_a_lighter_disc_of_no_colour_is_no_button() -> None:
    assert _correlation(_with_disc(_cloth((120, 120, 120)), (200, 200, 200)), CENTRE, CLOSE_PX) < 0.4


@pytest.mark.parametrize("step", [3, 8])
def test_blue_stripes_are_less_of_a_button_than_a_button(step: int) -> None:
    striped = _cloth(GROUNDS[1])
    for first in range(0, 3 * CLOSE_PX, 2 * step):
        striped[:, first : first + step] = DARK_BLUE
    printed = _correlation(_with_disc(_cloth(GROUNDS[1]), DARK_BLUE), CENTRE, CLOSE_PX)
    assert _correlation(striped, CENTRE, CLOSE_PX) < printed - 0.25


def test_cloth_without_any_pattern_is_no_button() -> None:
    assert _correlation(np.full((192, 192, 3), 130, np.uint8), CENTRE, CLOSE_PX) == pytest.approx(0.0, abs=0.05)


@pytest.mark.parametrize("x", [-300.0, -100.0, -20.0, 12.0, 20.0, 172.0, 185.0, 400.0])
def test_a_cell_that_is_not_wholly_in_the_picture_tells_nothing(x: float) -> None:
    blue = _with_disc(_cloth(GROUNDS[0]), DARK_BLUE, (x, CENTRE[1]))
    assert _correlation(blue, (x, CENTRE[1]), CLOSE_PX) == 0.0
    assert _correlation(np.ascontiguousarray(blue.swapaxes(0, 1)), (CENTRE[1], x), CLOSE_PX) == 0.0


def test_a_cell_at_the_pictures_very_edge_is_read() -> None:
    corner = _with_disc(_cloth(GROUNDS[0]), DARK_BLUE, (32, 32))
    assert _correlation(corner, (32, 32), CLOSE_PX) > 0.75
    assert _correlation(np.ascontiguousarray(corner[::-1, ::-1]), (160, 160), CLOSE_PX) > 0.75


def test_the_closeups_scale_does_not_matter() -> None:
    small = cv2.resize(_with_disc(_cloth(GROUNDS[0]), DARK_BLUE), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    assert _correlation(np.asarray(small, np.uint8), (48, 48), 32) > 0.75


def test_pale_paper_on_warm_cloth_is_no_button() -> None:
    """It is bluer than its surroundings, but not blue."""
    warm, paper = (60, 150, 235), (205, 228, 236)
    labelled = _with_disc(_with_disc(_cloth(warm), paper, radius=0.5), DARK_BLUE, (CENTRE[0] + CLOSE_PX, CENTRE[1]))
    assert _correlation(labelled, CENTRE, CLOSE_PX) < 0.5
    assert _correlation(labelled, (CENTRE[0] + CLOSE_PX, CENTRE[1]), CLOSE_PX) > 0.75


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_buttons_are_counted_by_what_is_blue_even_where_they_touch(count: int) -> None:
    cloth = _with_disc(_cloth((60, 150, 235)), (205, 228, 236), (48, 144), 0.6)
    for number in range(count):
        cloth = _with_disc(cloth, DARK_BLUE, (32 + 36 * number, 40), 0.29)
    middles = [(32.0 + CLOSE_PX * column, 32.0 + CLOSE_PX * row) for row in range(3) for column in range(3)]
    assert buttons_by_area(cloth, middles, CLOSE_PX, paper_blueness(cloth)) == pytest.approx(count, abs=0.35)


def test_all_buttons_of_a_patch_are_printed_in_one_blue() -> None:
    """A blurred plum check looks like a disc, too."""
    beside = (CENTRE[0] + CLOSE_PX, CENTRE[1])
    plum = _with_disc(_cloth((92, 122, 150)), (120, 90, 110), beside)
    assert _correlation(plum, beside, CLOSE_PX) > 0.75
    printed, other = button_correlations(_with_disc(plum, DARK_BLUE), [CENTRE, beside], CLOSE_PX)
    assert printed > 0.75
    assert other < 0.5
    both = _with_disc(_with_disc(_cloth(GROUNDS[0]), DARK_BLUE), (172, 122, 44), beside)
    assert min(button_correlations(both, [CENTRE, beside], CLOSE_PX)) > 0.75


CELL_PX = 24
BLUE, WOOD = (180, 120, 30), (110, 140, 170)


def table(cells: int = 10) -> NDArray[np.uint8]:
    return np.full((cells * CELL_PX, cells * CELL_PX, 3), WOOD, np.uint8)


def found(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    seen = np.ones(picture.shape[:2], np.bool_)
    return find_buttons(OverheadView(picture, seen, CELL_PX, Homography(np.eye(3)), ())).places


def draw(picture: NDArray[np.uint8], x: float, y: float, radius: float = 0.3) -> None:
    cv2.circle(picture, (round(x * CELL_PX), round(y * CELL_PX)), round(radius * CELL_PX), BLUE, -1, cv2.LINE_AA)


def test_buttons_are_found_in_their_places() -> None:
    picture = table()
    true = np.array([[2.5, 3.5], [3.5, 3.5], [7.2, 6.1]])
    for x, y in true.tolist():
        draw(picture, x, y)
    places = found(np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5), np.uint8))
    assert len(places) == len(true)
    assert np.hypot(*np.moveaxis(places[:, None] - true[None], -1, 0)).min(axis=0).max() < 0.1


def test_a_blue_piece_and_a_labels_small_button_are_none() -> None:
    picture = table()
    picture[2 * CELL_PX : 5 * CELL_PX, 2 * CELL_PX : 4 * CELL_PX] = BLUE
    draw(picture, 7.5, 7.5, radius=0.1)
    assert len(found(picture)) == 0


def test_a_cloth_with_blue_checks_has_none() -> None:
    picture = table(30)
    for row in range(0, 30, 2):
        for column in range(0, 30, 2):
            draw(picture, column + 0.5, row + 0.5, 0.32)
    assert len(found(picture)) == 0


def test_a_table_smaller_than_a_button_has_none() -> None:
    assert len(found(table()[:10, :10])) == 0


@pytest.mark.parametrize("angle_deg", [0.0, 30.0, -80.0])
def test_a_piece_has_its_buttons_in_the_middles_of_its_cells(angle_deg: float) -> None:
    bar = laid("bar4", 4.0, 5.0, angle_deg)
    first, second = bar.middles[:2]
    assert Buttons(bar.middles[[0, 3]]).worth(bar) == pytest.approx(2 * Buttons(first[None]).worth(bar))
    assert Buttons(first[None]).worth(bar) > 0 > Buttons((first + second)[None] / 2).worth(bar)
    assert Buttons(first[None] + 5.0).worth(bar) == Buttons(np.zeros((0, 2))).worth(bar) == 0.0
