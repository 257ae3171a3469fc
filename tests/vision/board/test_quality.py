"""Test the measures of how well boards and their table can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.board.quality import (
    board_light,
    board_view,
    edge_contrast,
    line_blur_px,
    overexposed_share,
    table_light,
)
from vision.geometry import CELL_PX, CELLS_TO_VIEW, SIDE, VIEW_PX, Homography

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes

HEIGHT, WIDTH = 432, 768


def _table(fall: float = 0.0, level: float = 0.25) -> np.ndarray:
    """A plain table with a little grain; the light falls from left to right."""
    light = level * (1 - fall) ** np.linspace(0, 1, WIDTH)
    grain = 1 + 0.05 * np.random.default_rng(1).standard_normal((HEIGHT, WIDTH))
    grey = (np.clip(light * grain, 0, 1)) ** (1 / 2.2) * 255
    return np.repeat(grey[..., None], 3, axis=2).astype(np.uint8)


def _board(x_px: float, y_px: float, cell_px: float = 20.0) -> Homography:
    return Homography(np.array([[cell_px, 0, x_px], [0, cell_px, y_px], [0, 0, 1]]))


@pytest.mark.parametrize("fall", [0.0, 0.4, 0.7])
def test_the_fall_of_light_is_measured_on_the_table_beside_the_boards(fall: float) -> None:
    image = _table(fall)
    boards = [_board(60, 100), _board(480, 100)]
    # The boards, one white and one black, are no part of the table.
    image[100:280, 60:240], image[100:280, 480:660] = 250, 10
    assert table_light(image, boards).fall == pytest.approx(fall, abs=0.05)


def test_things_on_the_table_do_not_look_like_light() -> None:
    image = _table()
    for index in range(10):
        image[20:60, 20 + 30 * index : 40 + 30 * index] = 240
    assert table_light(image, []).fall < 0.06


def test_the_brightest_things_and_the_burnt_out_ones_are_measured() -> None:
    image = _table()
    assert table_light(image, []).full == 0
    image[:100, :100] = 255
    light = table_light(image, [])
    assert light.full == pytest.approx(100 * 100 / (HEIGHT * WIDTH))
    assert light.white == pytest.approx(255, abs=1)
    dim = table_light(_table(level=0.05), [])
    assert dim.white < 90


def _blurred(view: NDArray[np.uint8], sigma_px: float) -> NDArray[np.uint8]:
    return np.asarray(cv2.GaussianBlur(view, (0, 0), sigma_px), np.uint8)


@pytest.mark.parametrize("sigma_px", [1.0, 1.5, 2.0, 3.0])
def test_the_blur_of_printed_lines_is_measured(scenes: type[Scenes], sigma_px: float) -> None:
    seen = line_blur_px(_blurred(scenes.board(seed=1, line=0.5, speckle=0.03), sigma_px), CELLS_TO_VIEW)
    # The lines are two pixels wide themselves.
    assert seen == pytest.approx(np.hypot(sigma_px, 2 / 12**0.5), rel=0.2)


def test_light_lines_on_dark_cloth_are_lines_too(scenes: type[Scenes]) -> None:
    seen = line_blur_px(_blurred(scenes.board(seed=2, line=1.5, speckle=0.03), 1.5), CELLS_TO_VIEW)
    assert seen == pytest.approx(1.6, rel=0.2)


def test_lines_that_cannot_be_seen_tell_nothing() -> None:
    assert line_blur_px(np.full((400, 400, 3), 120, np.uint8), CELLS_TO_VIEW) == float("inf")


SIZE = (1000, 800)


def _seen(angle_deg: float, turn_deg: float, cell_px: float, middle: tuple[float, float]) -> Homography:
    """Return a board so distant that it has no perspective, tilted about an axis."""
    turn, squeeze = np.radians(turn_deg), np.cos(np.radians(angle_deg))
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    linear = np.diag([1.0, squeeze]) @ spin * cell_px
    matrix = np.eye(3)
    matrix[:2, :2] = linear
    matrix[:2, 2] = np.asarray(middle) - linear @ (4.5, 4.5)
    return Homography(matrix)


@given(st.floats(5, 70), st.floats(0, 360), st.floats(10, 40))
def test_the_angle_and_the_size_are_measured_whichever_way_the_board_lies(
    angle_deg: float, turn_deg: float, cell_px: float
) -> None:
    view = board_view(_seen(angle_deg, turn_deg, cell_px, (500, 400)), SIZE)
    assert view.oblique_deg == pytest.approx(angle_deg, abs=0.1)
    assert view.cell_px == pytest.approx(cell_px * np.cos(np.radians(angle_deg)) ** 0.5, rel=1e-3)
    assert view.outside == ()


def test_corners_outside_the_frame_are_named() -> None:
    assert board_view(_seen(0, 0, 40, (100, 400)), SIZE).outside == (0, 3)
    assert board_view(_seen(0, 0, 40, (950, 700)), SIZE).outside == (1, 2, 3)
    assert board_view(_seen(0, 0, 40, (5000, 700)), SIZE).outside == (0, 1, 2, 3)


PER_CELL = np.mgrid[0:VIEW_PX, 0:VIEW_PX] / CELL_PX - 1.5


def _lit(view: NDArray[np.uint8], factor: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return the view with its light multiplied by a factor, per pixel, or per pixel and channel."""
    light = (view / 255.0) ** 2.2 * (factor if factor.ndim == 3 else factor[..., None])
    return np.asarray(np.clip(light, 0, 1) ** (1 / 2.2) * 255 + 0.5, np.uint8)


def test_an_evenly_lit_board_is_told_to_be_so(scenes: type[Scenes]) -> None:
    view = scenes.board(seed=1)
    light = board_light(view, CELLS_TO_VIEW)
    assert light.fall < 0.08
    assert light.tint < 0.05
    assert light.veil < 7
    assert light.full == 0
    assert light.level == pytest.approx(float(np.median(view @ np.array([0.114, 0.587, 0.299]))), abs=6)


@pytest.mark.parametrize("fall", [0.3, 0.6])
def test_a_slope_of_light_is_measured_whatever_its_direction(scenes: type[Scenes], fall: float) -> None:
    for along in (PER_CELL[0], PER_CELL[1], SIDE - PER_CELL[0]):
        factor = (1 - fall) ** (np.clip(along, 0, SIDE) / SIDE)
        measured = board_light(_lit(scenes.board(seed=2), factor), CELLS_TO_VIEW).fall
        # From the middle of the first cell to that of the last the slope is a ninth shorter.
        assert measured == pytest.approx(1 - (1 - fall) ** (8 / 9), abs=0.06)


def test_a_lamps_reflection_is_told_from_a_brighter_light(scenes: type[Scenes]) -> None:
    view = scenes.board(seed=3)
    blob = np.exp(-((PER_CELL[0] - 3) ** 2 + (PER_CELL[1] - 6) ** 2) / 3.0)
    mirrored = np.clip(view + 40 * blob[..., None], 0, 255).astype(np.uint8)
    assert board_light(mirrored, CELLS_TO_VIEW).veil > 15
    lamp = _lit(view, 1 + 0.45 * blob)
    assert board_light(lamp, CELLS_TO_VIEW).veil < 12


def test_lights_of_two_colours_are_seen_as_a_change_of_tint(scenes: type[Scenes]) -> None:
    side = np.clip(PER_CELL[1] / SIDE, 0, 1)
    factor = np.stack((1 - 0.3 * side, np.ones_like(side), 1 - 0.3 * (1 - side)), axis=2)
    light = board_light(_lit(scenes.board(seed=4), factor), CELLS_TO_VIEW)
    assert light.tint == pytest.approx(1 - 0.7**2, abs=0.12)
    warm = _lit(scenes.board(seed=4), np.broadcast_to(np.array([0.6, 1.0, 1.0]), (VIEW_PX, VIEW_PX, 3)))
    assert board_light(warm, CELLS_TO_VIEW).tint < 0.06, "one warm lamp is no mixture"


def test_overexposed_pixels_are_counted(scenes: type[Scenes]) -> None:
    view = scenes.board(seed=5)
    view[: VIEW_PX // 2] = 255
    assert board_light(view, CELLS_TO_VIEW).full == pytest.approx(0.5, abs=0.02)


def test_blur_and_haze_take_the_contrast_of_edges_and_other_light_does_not() -> None:
    view = np.full((VIEW_PX, VIEW_PX, 3), 90, np.uint8)
    view[:, :: CELL_PX // 2] = 140
    contrast = edge_contrast(view)
    assert edge_contrast(np.asarray(cv2.GaussianBlur(view, (0, 0), CELL_PX / 5), np.uint8)) < 0.2 * contrast
    assert edge_contrast((0.1 * view + 180).astype(np.uint8)) < 0.2 * contrast
    assert edge_contrast((0.5 * view).astype(np.uint8)) == pytest.approx(contrast, rel=0.1)


def test_a_quilt_is_overexposed_by_its_share_in_a_channel_and_what_lies_around_does_not_count() -> None:
    view = np.full((VIEW_PX, VIEW_PX, 3), 255, np.uint8)
    first = (VIEW_PX - SIDE * CELL_PX) // 2
    view[first:-first, first:-first] = (90, 120, 140)
    assert overexposed_share(view) == 0
    view[first : VIEW_PX // 2, first:-first, 2] = 255
    assert overexposed_share(view) == pytest.approx(0.5, abs=0.01)
