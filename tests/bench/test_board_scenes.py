"""Test the training scenes: the label of a place must match what the picture shows there."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from bench.board_scenes import OBJECT, BoardEvening, board_evening
from bench.board_scenes.camera import Eye, Lens, random_film
from companion.games.patchwork.components import PATCHES
from hardware.simulated.conditions import LEATHER
from hardware.simulated.drawing import Pose
from hardware.simulated.drawing.pinhole import Pinhole
from vision.geometry import CELL_PX, VIEW_PX, cell_window


@cache
def evening(seed: int) -> BoardEvening:
    return board_evening(np.random.default_rng(seed), looks=5)


@pytest.mark.parametrize("seed", [1, 2])
def test_views_and_truths_are_as_large_as_the_reader_s_views(seed: int) -> None:
    drawn = evening(seed)
    assert len(drawn.looks) == 5
    assert drawn.empty
    for look in drawn.looks:
        assert look.view.shape == (VIEW_PX, VIEW_PX, 3)
        assert look.covered.shape == (VIEW_PX, VIEW_PX)
        assert look.view.dtype == look.covered.dtype == np.uint8


@pytest.mark.parametrize("seed", [1, 2])
def test_the_quilt_s_cells_are_covered_where_the_truth_says_so(seed: int) -> None:
    drawn = evening(seed)
    agree, cells = 0, 0
    for look in drawn.looks:
        for bit in range(81):
            window = look.covered[cell_window(bit // 9, bit % 9, 8)]
            if (window == OBJECT).any():
                continue
            cells += 1
            agree += bool(look.quilt >> bit & 1) == (float((window > 0).mean()) > 0.5)
    assert agree >= 0.97 * cells


def test_every_number_is_a_piece_that_was_laid() -> None:
    drawn = evening(1)
    assert set(drawn.pieces) <= {*PATCHES, LEATHER}
    numbers = {int(number) for look in drawn.looks for number in np.unique(look.covered)} - {0, OBJECT}
    assert numbers
    assert max(numbers) <= len(drawn.pieces)


def test_the_same_seed_draws_the_same_evening() -> None:
    again = board_evening(np.random.default_rng(1), looks=5)
    assert all(
        np.array_equal(one.view, other.view) and np.array_equal(one.covered, other.covered)
        for one, other in zip(evening(1).looks, again.looks, strict=True)
    )


def test_the_light_changes_while_nothing_else_does() -> None:
    views = [cv2.GaussianBlur(view, (0, 0), 9).astype(np.float64) for view in evening(2).empty]
    assert np.abs(views[0] - views[1]).mean() > 0.2


def test_the_view_shows_the_board_where_the_reader_expects_it() -> None:
    camera = Pinhole((1536, 864), 1180.0, -0.05, (30.0, 150.0, 640.0), 14.0, 1.0)
    lens = Lens(Eye(camera, Pose(60, -20, 94), (0.0, 0.0)))
    canvas = np.zeros((560, 560, 3), np.float32)
    cv2.rectangle(canvas, (100, 100), (459, 459), (1.0, 1.0, 1.0), -1)  # the grid: nine cells of 40 pixels
    seen = lens.picture(canvas)
    level = (np.clip(seen, 0, 1) * 255).astype(np.uint8)
    view = lens.view(level, lens._map)
    inside = np.argwhere(view[..., 0] > 127)
    edge = 1.5 * CELL_PX
    assert inside.min(axis=0) == pytest.approx([edge, edge], abs=1)
    assert inside.max(axis=0) == pytest.approx([VIEW_PX - 1 - edge, VIEW_PX - 1 - edge], abs=1)


def test_some_training_scenes_are_seen_by_worse_cameras_which_change_only_the_picture() -> None:
    rng = np.random.default_rng(4)
    films = [random_film(rng, np.ones(3, np.float32), 0.3) for _ in range(40)]
    faulty = [film for film in films if film.faults is not None]
    assert 8 <= len(faulty) <= 24
    light = np.full((64, 64, 3), 0.3, np.float32)
    light[16:48, 16:48] = 0.05
    for film in faulty:
        spoiled, good = (each.developed(light, np.random.default_rng(1)) for each in (film, replace(film, faults=None)))
        assert spoiled.shape == good.shape
        assert not np.array_equal(spoiled, good)
