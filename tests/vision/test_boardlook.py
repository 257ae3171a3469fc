"""Measurements of a board before anything is known about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.boardlook import LINES, REACH_PX, STRIPES, look_at_board
from vision.rectify import SIDE, VIEW_PX, cell_window

if TYPE_CHECKING:
    from tests.vision.conftest import Scenes


def test_shapes_are_as_said(scenes: type[Scenes]) -> None:
    look = look_at_board(scenes.board())
    assert look.planes.shape == (VIEW_PX, VIEW_PX, 3)
    assert look.colour.shape == look.texture.shape == (SIDE, SIDE, 3)
    assert look.blocks.shape == (SIDE, SIDE, 9, 3)
    assert look.profiles.shape == (2, LINES, SIDE, STRIPES, 2 * REACH_PX, 3)
    assert look.rim.shape == (4, SIDE, 3)


def test_light_adds_the_same_to_every_cell_and_leaves_colours_alone(scenes: type[Scenes]) -> None:
    view = scenes.board()
    before, after = look_at_board(view), look_at_board(scenes.lit(view, gain=0.6))
    added = (after.colour - before.colour)[..., 0]
    assert added.mean() == pytest.approx(np.log(0.6), abs=0.05)
    assert added.std() < 0.02
    assert np.abs((after.colour - before.colour)[..., 1:]).max() < 0.05


@pytest.mark.parametrize(("row", "column"), [(0, 0), (3, 7), (8, 4)])
def test_a_cell_s_colour_is_its_own(scenes: type[Scenes], row: int, column: int) -> None:
    view = scenes.board()
    view[cell_window(row, column, 0)] = (200, 60, 60)
    changed = np.abs(look_at_board(view).colour - look_at_board(scenes.board()).colour).max(axis=2) > 0.2
    assert changed[row, column]
    assert changed.sum() == 1


def test_lines_stand_where_profiles_say(scenes: type[Scenes]) -> None:
    """A dark printed line lies in the middle of every profile, along columns and along rows."""
    profiles = look_at_board(scenes.board(speckle=0.01)).profiles[..., 0].mean(axis=3)
    assert (np.abs(profiles.argmin(axis=-1) - (REACH_PX - 0.5)) <= 1.5).all()


def test_a_line_rubbed_out_is_missing_in_one_profile_alone(scenes: type[Scenes]) -> None:
    view = scenes.board(speckle=0.01)
    rows, columns = cell_window(4, 2, 0)
    middle = view[rows.start + 16, columns.start + 16]
    view[rows.start + 3 : rows.stop - 3, columns.stop - 4 : columns.stop + 4] = middle
    depth = -look_at_board(view).profiles[..., 0].mean(axis=3)
    depth = depth.max(axis=-1) - np.median(depth, axis=-1)
    weakest = np.unravel_index(depth.argmin(), depth.shape)
    assert tuple(int(index) for index in weakest) == (0, 3, 4), "between columns 2 and 3, in row 4"


def test_the_rim_is_seen_beside_its_cells(scenes: type[Scenes]) -> None:
    view = scenes.board()
    view[: cell_window(0, 0, 0)[0].start - 1] = (30, 30, 220)
    rim = look_at_board(view).rim
    assert (rim[0, :, 1] > 1.0).all(), "above it is red"
    assert (np.abs(rim[1:, 1:-1, 1]) < 0.5).all()
