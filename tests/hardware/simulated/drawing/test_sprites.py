"""Test the sprites of pieces and boards that do not lie flat."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES
from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing import Pose
from hardware.simulated.drawing.fabrics import PX_PER_MM, print_of
from hardware.simulated.drawing.painter import Painter
from hardware.simulated.drawing.pinhole import Pinhole
from hardware.simulated.drawing.sprites import (
    CELL_MM,
    FLAT,
    HALF_MM,
    TOKEN_SETS,
    Warp,
    disc_sprite,
    leather_sprite,
    patch_sprite,
    pawn_sprite,
    shape_of,
    turned,
    warp_for,
)
from hardware.simulated.scene.placing import BOX
from hardware.simulated.scene.table import SimulatedTable

if TYPE_CHECKING:
    from hardware.simulated.drawing import Mask

SHARP = {"noise": 0.0, "jitter_px": 0.0, "ground_seed": 1, "tilt_deg": 25.0}
CAMERA = Pinhole((640, 480), 600.0, 0.0, (0.0, 200.0, 600.0), 18.0, 0.0)


def test_a_flat_board_lies_on_the_table() -> None:
    assert FLAT.height_mm(30, -40) == 0
    assert FLAT.slope_at(30, -40) == (0, 0)
    assert warp_for(Conditions(), np.random.default_rng(1)) == FLAT


def test_a_tilted_board_s_lowest_corner_touches_the_table() -> None:
    warp = Warp((0.03, -0.02))
    corners = [warp.height_mm(x, y) for x in (-HALF_MM, HALF_MM) for y in (-HALF_MM, HALF_MM)]
    assert min(corners) == pytest.approx(0)
    assert max(corners) == pytest.approx(2 * HALF_MM * 0.05)


def test_a_bowed_board_is_highest_in_its_middle_and_level_there() -> None:
    warp = Warp(bow_mm=4.0)
    assert warp.height_mm(0, 0) == pytest.approx(4)
    assert warp.height_mm(HALF_MM, HALF_MM) == pytest.approx(0)
    assert warp.slope_at(0, 0) == (0, 0)
    assert warp.slope_at(50, 0)[0] < 0


def test_a_slope_turns_with_what_it_belongs_to() -> None:
    assert turned((0.1, 0.0), Pose(5, 5, 90)) == pytest.approx((0.0, 0.1))


def test_a_plane_that_rises_is_seen_as_high_as_it_is() -> None:
    slope, z_mm = (0.05, -0.03), 4.0
    points = np.array([[120.0, -60.0], [-80.0, 40.0]])
    lifted = np.column_stack((points, np.ones(2))) @ CAMERA.plane(z_mm, slope).T
    for point, seen in zip(points, lifted[:, :2] / lifted[:, 2:], strict=True):
        height = z_mm + slope[0] * point[0] + slope[1] * point[1]
        assert seen == pytest.approx(CAMERA.project(point[None], height)[0])


def test_a_piece_is_painted_in_its_place_on_a_slope() -> None:
    canvas = np.zeros((CAMERA.canvas_px[1], CAMERA.canvas_px[0], 3), np.uint8)
    pose = Pose(100, -50)
    Painter(CAMERA, (0.0, 0.0)).paint(canvas, leather_sprite(), pose, 9.0, (0, 0, *CAMERA.canvas_px), (0.06, 0.0))
    y, x = np.argwhere(canvas.max(axis=2) > 20).mean(axis=0)
    seen = CAMERA.project(np.array([[100.0, -50.0]]), 9.0 + 2.5)[0]
    assert (x, y) == pytest.approx(seen, abs=2)


@pytest.mark.parametrize("strengths", [{"board_tilt_mm": 12.0}, {"board_bow_mm": 8.0}])
def test_a_piece_on_a_warped_board_is_seen_at_its_true_place(strengths: dict[str, float]) -> None:
    flat, warped = (_patch_px(Conditions(**SHARP, **each)) for each in ({}, strengths))  # type: ignore[arg-type]
    assert np.linalg.norm(warped[1] - flat[1]) > 2
    assert warped[0] - flat[0] == pytest.approx(warped[1] - flat[1], abs=1.5)


def _patch_px(conditions: Conditions) -> tuple[np.ndarray, np.ndarray]:
    """Return the seen and the true place of a patch in the middle of the first board."""
    table = SimulatedTable(2, conditions)
    bare = table.frame(0.0).astype(int)
    table.lay(1, "plus", [(3, 4), (4, 3), (4, 4), (4, 5), (5, 4)])
    changed = np.abs(table.frame(0.0).astype(int) - bare).max(axis=2) > 25
    board = np.zeros(changed.shape, np.uint8)
    cv2.fillConvexPoly(board, table.grid_corners_px()[0].astype(np.int32), 1)
    seen = np.argwhere(changed & (board > 0)).mean(axis=0)[::-1]
    pose, warp = table.pieces(1)[0].pose, table.warps[0]
    at = table.board_pose(1).place(np.array([[pose.x_mm, pose.y_mm]]))
    return seen, table.camera.frame_points(at, 5.0 + warp.height_mm(pose.x_mm, pose.y_mm))[0]


def test_the_corners_of_a_raised_board_are_seen_elsewhere() -> None:
    flat, raised = (SimulatedTable(2, Conditions(board_tilt_mm=tilt, tilt_deg=25.0)) for tilt in (0.0, 12.0))
    off = np.linalg.norm(flat.grid_corners_px()[0] - raised.grid_corners_px()[0], axis=1)
    assert off.max() > 4
    cell_px = np.linalg.norm(np.diff(flat.grid_corners_px()[0][:2], axis=0)) / 9
    assert cell_px == pytest.approx(CELL_MM * 1.6, rel=0.4)
    assert cv2.isContourConvex(raised.grid_corners_px()[0].astype(np.float32))


CELL_PX = CELL_MM * PX_PER_MM


def _cells_of_mask(mask: Mask) -> set[tuple[int, int]]:
    rows, columns = round(mask.shape[0] / CELL_PX), round(mask.shape[1] / CELL_PX)
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    return {(r, c) for r, c in cells if mask[int((r + 0.5) * CELL_PX), int((c + 0.5) * CELL_PX)] > 127}


@pytest.mark.parametrize("flipped", [False, True])
def test_a_patchs_sprite_has_its_shape_and_an_empty_rim(flipped: bool) -> None:
    for patch in PATCHES:
        sprite = patch_sprite(patch, flipped)
        assert _cells_of_mask(sprite.mask) == set(shape_of(patch, flipped)), patch
        assert sprite.picture.shape == (*sprite.mask.shape, 3)
        for edge in (sprite.mask[0], sprite.mask[-1], sprite.mask[:, 0], sprite.mask[:, -1]):
            assert (edge == 0).all(), patch


def test_flipping_twice_gives_the_shape_back() -> None:
    for patch in PATCHES.values():
        flipped = shape_of(patch.id, True)
        wide = max(column for _, column in flipped)
        assert sorted((row, wide - column) for row, column in flipped) == sorted(patch.cells)


def test_no_two_prints_look_alike() -> None:
    prints = {patch: cv2.resize(print_of(patch, 200), (40, 40)).astype(int) for patch in PATCHES}
    for one, other in combinations(prints, 2):
        assert np.abs(prints[one] - prints[other]).mean() > 6, (one, other)


def test_the_prints_are_the_same_in_every_box() -> None:
    first = print_of("boot", 120).copy()
    print_of.cache_clear()
    np.testing.assert_array_equal(print_of("boot", 120), first)


@pytest.mark.parametrize("patch", ["aitch", "corner-b1", "corner-b3", "dagger"])
def test_a_patch_carries_as_many_blue_buttons_as_it_earns(patch: str) -> None:
    sprite = patch_sprite(patch, False)
    blue, green, red = (sprite.picture[..., channel].astype(int) for channel in range(3))
    buttons = ((blue - red > 90) & (blue > 130) & (green > 60)).astype(np.uint8)
    buttons = cv2.morphologyEx(buttons, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(buttons)
    large = [stats[index, cv2.CC_STAT_AREA] for index in range(1, count)]
    # An icon on the label is smaller than the buttons that count.
    assert sum(area > 300 for area in large) == PATCHES[patch].income


def test_a_flipped_patch_leaves_nothing_on_the_other_ones_print() -> None:
    fresh = print_of("plus", patch_sprite("plus", True).mask.shape[0]).copy()
    patch_sprite.cache_clear()
    patch_sprite("plus", False)
    np.testing.assert_array_equal(print_of("plus", fresh.shape[0]), fresh)
    cream = np.abs(fresh.astype(int) - [196, 222, 234]).max(axis=2) < 14
    assert cream.sum() < 100


def test_labels_are_cream_and_on_every_patch() -> None:
    for patch in PATCHES:
        cream = np.abs(patch_sprite(patch, False).picture.astype(int) - [196, 222, 234]).max(axis=2) < 14
        assert cream.sum() > 300, patch


def test_leather_is_brown_and_one_cell() -> None:
    sprite = leather_sprite()
    assert _cells_of_mask(sprite.mask) == {(0, 0)}
    blue, green, red = sprite.picture[sprite.mask > 127].mean(axis=0)
    assert blue < green < red


def test_round_pieces_are_round() -> None:
    for sprite in (disc_sprite("button1"), disc_sprite("token2"), pawn_sprite()):
        inside = sprite.mask > 127
        width = inside.any(axis=0).sum()
        assert inside.sum() == pytest.approx(np.pi / 4 * width**2, rel=0.06)


@pytest.mark.parametrize("name", TOKEN_SETS)
def test_each_set_has_a_token_for_each_value_that_shows_its_number(name: str) -> None:
    assert set(TOKEN_SETS[name]) == set(BOX)
    for value, look in TOKEN_SETS[name].items():
        sprite = disc_sprite(f"{name}/{value}")
        inside = sprite.mask > 127
        assert inside.any(axis=0).sum() / sprite.px_per_mm == pytest.approx(look.diameter_mm, abs=0.5)
        colours = sprite.picture[inside].astype(int)
        assert (np.abs(colours - look.colour_bgr).max(axis=1) < 8).mean() > 0.4
        assert (np.abs(colours - look.ink_bgr).max(axis=1) < 60).mean() > 0.03


@pytest.mark.parametrize("name", ["button7", "chips/2", "shells/1"])
def test_an_unknown_token_is_refused(name: str) -> None:
    with pytest.raises(KeyError):
        disc_sprite(name)
