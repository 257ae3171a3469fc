from __future__ import annotations

import numpy as np
import pytest

from vision.geometry.homography import Homography
from vision.table.light import table_light

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
