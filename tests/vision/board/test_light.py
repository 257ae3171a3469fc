from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.board.light import board_light
from vision.geometry.rectify import CELL_PX, CELLS_TO_VIEW, SIDE, VIEW_PX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes

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


def test_what_is_burnt_out_is_counted(scenes: type[Scenes]) -> None:
    view = scenes.board(seed=5)
    view[: VIEW_PX // 2] = 255
    assert board_light(view, CELLS_TO_VIEW).full == pytest.approx(0.5, abs=0.02)
