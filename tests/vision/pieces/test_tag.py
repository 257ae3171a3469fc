"""Test reading the print of a patch's tag, in any printing and orientation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.geometry import Homography
from vision.pieces.tag import COSTS, TIMES, TagPlace, ask, posed, read_tag

if TYPE_CHECKING:
    from numpy.typing import NDArray

FINE_PX = 96
PAPER, BLUE, BROWN = (216, 240, 248), (190, 125, 40), (30, 45, 70)
MIDDLE = TagPlace(2.0, 1.5, 0.0)
PAIRS = [(2, 2), (7, 6), (4, 3), (1, 5), (5, 4), (3, 1), (10, 3), (8, 6), (6, 5)]


def tag(cost: int, time: int, bend: float = 0.05) -> NDArray[np.uint8]:
    """Return three by four cells with a tag in the middle: cost, ring, time and hourglass on bent paper."""
    picture = np.full((3 * FINE_PX, 4 * FINE_PX, 3), (96, 120, 150), np.uint8)
    picture[::12] = (70, 90, 120)
    left, right, top, low = 1.32, 2.68, 1.26, 1.74
    outline = [(left + 0.1, top), (2.0, top), (right, top - bend), (right, low - bend), (2.0, low), (left + 0.1, low),
               (left, low - 0.1), (left, top + 0.1)]  # fmt: skip
    cv2.fillPoly(picture, [np.rint(np.array(outline) * FINE_PX).astype(np.int32)], PAPER, cv2.LINE_AA)
    number(picture, str(cost), 1.52, 1.5, BLUE)
    cv2.circle(picture, px(1.79, 1.5), round(0.13 * FINE_PX), BLUE, 4, cv2.LINE_AA)
    number(picture, str(time), 2.26, 1.5 - bend / 2, BROWN)
    glass = np.array([[2.4, 1.36], [2.62, 1.36], [2.4, 1.66], [2.62, 1.66]]) - (0.0, bend / 2)
    cv2.fillPoly(picture, [np.rint(glass * FINE_PX).astype(np.int32)], BROWN, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.2), np.uint8)


def px(x: float, y: float) -> tuple[int, int]:
    return round(x * FINE_PX), round(y * FINE_PX)


def number(picture: NDArray[np.uint8], text: str, x: float, y: float, ink: tuple[int, int, int]) -> None:
    font, size = cv2.FONT_HERSHEY_SIMPLEX, 0.95 if len(text) == 1 else 0.7
    (wide, high), _ = cv2.getTextSize(text, font, size, 4)
    at = px(x, y)
    cv2.putText(picture, text, (at[0] - wide // 2, at[1] + high // 2), font, size, ink, 4, cv2.LINE_AA)


def at_scale(picture: NDArray[np.uint8], cell_px: float) -> tuple[NDArray[np.uint8], Homography]:
    scale = cell_px / FINE_PX
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), Homography(np.diag([cell_px, cell_px, 1.0]))


def best(read: NDArray[np.float64]) -> tuple[int, int]:
    cost, time = np.unravel_index(read.argmax(), read.shape)
    return int(cost), int(time) + 1


@pytest.mark.parametrize("pair", PAIRS)
def test_a_tag_is_read(pair: tuple[int, int]) -> None:
    read = read_tag(*at_scale(tag(*pair), 40.0), [MIDDLE])
    assert read.shape == (COSTS, TIMES)
    assert best(read) == pair


@pytest.mark.parametrize("cell_px", [28.0, 40.0, 96.0])
def test_it_is_read_near_and_far(cell_px: float) -> None:
    assert best(read_tag(*at_scale(tag(4, 3), cell_px), [MIDDLE])) == (4, 3)


@pytest.mark.parametrize("pose", [0, 1, 2, 3])
def test_it_is_read_upside_down_and_in_mirror_writing(pose: int) -> None:
    assert best(read_tag(*at_scale(posed(tag(4, 3), pose), 40.0), [MIDDLE])) == (4, 3)


def test_it_is_read_where_it_lies_upright_in_the_picture() -> None:
    upright = np.ascontiguousarray(np.rot90(tag(4, 3)))
    places = [TagPlace(1.5, 2.0, 90.0), TagPlace(1.5, 2.0, 0.0), TagPlace(2.4, 1.2, 0.0)]
    assert best(read_tag(*at_scale(upright, 40.0), places)) == (4, 3)


def test_it_is_found_beside_its_place() -> None:
    off = TagPlace(MIDDLE.x + 0.2, MIDDLE.y - 0.1, 8.0)
    assert best(read_tag(*at_scale(tag(4, 3), 40.0), [off])) == (4, 3)


def test_a_blurred_tag_has_nearly_equal_likelihoods() -> None:
    sharp, matrix = at_scale(tag(4, 3), 40.0)
    blurred = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 9.0), np.uint8)
    told = [float(np.ptp(read_tag(picture, matrix, [MIDDLE]))) for picture in (sharp, blurred)]
    assert told[1] < 2.5 < told[0]


def test_nothing_is_told_where_nothing_is_printed() -> None:
    plain, matrix = at_scale(np.full((3 * FINE_PX, 4 * FINE_PX, 3), 128, np.uint8), 40.0)
    assert np.abs(read_tag(plain, matrix, [MIDDLE])).max() < 0.3
    assert not read_tag(plain, matrix, []).any()


def test_close_ups_in_one_batch_are_read_as_if_alone() -> None:
    closeups = [np.ascontiguousarray(at_scale(tag(*pair), 40.0)[0][40:80, 40:120]) for pair in PAIRS[:3]]
    together = ask(closeups)
    for number_, closeup in enumerate(closeups):
        alone = ask([closeup])
        assert alone.cost[0] == pytest.approx(together.cost[number_], abs=1e-3)
        assert alone.off[0] == pytest.approx(together.off[number_], abs=1e-3)
