from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.board.outlines import outlines

if TYPE_CHECKING:
    from numpy.typing import NDArray

Tone = tuple[int, int, int]
ASLANT = np.array([[210.0, 120.0], [520.0, 140.0], [560.0, 400.0], [170.0, 390.0]])


def _picture(quad: NDArray[np.float64], inside: Tone, outside: Tone, factor: int = 1) -> NDArray[np.uint8]:
    image = np.full((540 * factor, 800 * factor, 3), outside, np.uint8)
    cv2.fillConvexPoly(image, np.rint(quad * factor).astype(np.int32), inside)
    noise = np.random.default_rng(3).normal(0, 1.5, (540, 800, 3))
    return np.clip(image + np.tile(noise, (factor, factor, 1)), 0, 255).astype(np.uint8)


def _nearest_px(image: NDArray[np.uint8], quad: NDArray[np.float64]) -> float:
    return min((float(np.abs(found - quad).max()) for found in outlines(image)), default=np.inf)


@pytest.mark.parametrize(
    ("inside", "outside"),
    [((200, 200, 200), (70, 70, 70)), ((60, 60, 60), (110, 110, 110)), ((120, 120, 150), (120, 140, 120))],
    ids=["bright", "dark", "by its colour alone"],
)
def test_what_stands_out_is_found_with_its_corners_clockwise_from_the_upper_left(inside: Tone, outside: Tone) -> None:
    assert _nearest_px(_picture(ASLANT, inside, outside), ASLANT) < 4


def test_a_large_picture_s_outlines_are_in_its_own_pixels() -> None:
    assert _nearest_px(_picture(ASLANT, (200, 200, 200), (70, 70, 70), factor=3), 3 * ASLANT) < 12


@pytest.mark.parametrize(
    "quad",
    [
        [[210, 120], [250, 120], [250, 160], [210, 160]],
        [[100, 120], [700, 120], [700, 270], [100, 270]],
        [[210, 120], [520, 120], [750, 400], [440, 400]],
    ],
    ids=["small", "long", "slanted"],
)
def test_what_can_be_no_board_is_left_out(quad: list[list[int]]) -> None:
    corners = np.array(quad, np.float64)
    assert _nearest_px(_picture(corners, (200, 200, 200), (70, 70, 70)), corners) > 20


def test_an_outline_is_found_once() -> None:
    found = list(outlines(_picture(ASLANT, (200, 200, 200), (70, 70, 70))))
    for index, one in enumerate(found):
        assert all(np.abs(one - other).max() > 5 for other in found[:index])


def test_nothing_stands_out_of_nothing() -> None:
    assert list(outlines(np.full((300, 400, 3), 90, np.uint8))) == []
