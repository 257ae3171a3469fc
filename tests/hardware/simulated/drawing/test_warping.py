from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing.painter import Painter
from hardware.simulated.drawing.pinhole import Pinhole
from hardware.simulated.drawing.pose import Pose
from hardware.simulated.drawing.sprites import CELL_MM, leather_sprite
from hardware.simulated.drawing.warping import FLAT, HALF_MM, Warp, turned, warp_for
from hardware.simulated.scene.table import SimulatedTable

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
def test_what_lies_on_a_warped_board_is_seen_where_the_truth_says(strengths: dict[str, float]) -> None:
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
