"""Test a still with a wider view and more pixels than the frames: its findings are given in the frames' pixels."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from calibration.lens import Lens, StraightenedCamera
from calibration.lensfit import LensFit
from companion.calibrating.desk import CalibrationDesk
from companion.calibrating.guide import CalibrationStep, Guide
from hardware.ports import Frame
from hardware.simulated.conditions import normal
from hardware.simulated.scene.table import SimulatedTable
from vision.geometry import GRID_CORNERS

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

TAKEN = datetime(2026, 5, 4, 19, 30, tzinfo=UTC)
STILL_PX, FRAME_PX = (2304, 1728), (1536, 864)
TOP_PX = (1728 - 1296) // 2
"""Frames show 1296 rows in the middle of the still's 1728, at two thirds of its scale."""
SHOWN = (0.0, float(TOP_PX), 2304.0, 1296.0)
LENS = Lens(FRAME_PX, (1182.6, 1182.6), (767.5, 431.5), (-0.035, 0.0, 0.0, 0.0, 0.0))


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    return SimulatedTable(5, normal().but(width_px=STILL_PX[0], height_px=STILL_PX[1]))


@pytest.fixture(scope="module")
def still(table: SimulatedTable) -> Frame:
    return Frame(table.frame(2.0), 2.0, "000009.jpg", crop=(0.0, 0.0, 2304.0, 1728.0))


@pytest.fixture(scope="module")
def frame(still: Frame) -> Frame:
    """The same scene as a video frame of the camera, softer and noisier than the still."""
    rows = still.image[TOP_PX : TOP_PX + 1296]
    small = cv2.resize(rows, FRAME_PX, interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(1).normal(0, 3.0, small.shape)
    return Frame(np.clip(small + noise, 0, 255).astype(np.uint8), 1.9, "000008.jpg", crop=SHOWN)


@pytest.fixture(scope="module")
def truth(table: SimulatedTable) -> NDArray[np.float64]:
    """By seat the true corners of its grid in pixels of the frames, shape (2, 4, 2)."""
    corners = np.stack(table.grid_corners_px())
    return np.asarray((corners + 0.5 - (0.0, TOP_PX)) * (2 / 3) - 0.5)


def _at_rest(frame: Frame, lens: LensFit | None = None) -> Guide:
    guide = Guide(lens, rest_frames=1)
    assert guide.see(frame).step is CalibrationStep.DONE
    return guide


@pytest.fixture(scope="module")
def rested(frame: Frame) -> Guide:
    return _at_rest(frame)


@pytest.fixture
def guide(rested: Guide) -> Guide:
    """A guide that has seen the frame at rest and no still: a copy, so that the shared one stays as it is."""
    return copy(rested)


def test_a_still_is_used_in_the_frames_pixels(guide: Guide, still: Frame, truth: NDArray[np.float64]) -> None:
    before = guide.result(TAKEN)
    assert guide.refine(still)
    after = guide.result(TAKEN)
    assert after.table.size_px == FRAME_PX
    for seat in (1, 2):
        board, other = after.table.boards[seat], before.table.boards[seat]
        assert np.abs(board.corners_px - truth[seat - 1]).max() < 1.0
        assert np.hypot(*(board.corners_px - other.corners_px).T).max() < 0.5
        assert not np.array_equal(board.corners_px, other.corners_px), "it is the still's"
        assert np.hypot(*(board.place(GRID_CORNERS) - other.place(GRID_CORNERS)).T).max() < 0.3, "millimetres"
        assert (board.cell_px, board.blur_px) == (other.cell_px, other.blur_px), "these are the frames'"
        assert board.residual_px == pytest.approx(board.residual_mm / 20.0 * board.cell_px, rel=0.2)


def test_the_empty_looks_stay_those_of_the_frames(guide: Guide, still: Frame) -> None:
    before = guide.result(TAKEN).empty.empty
    guide.refine(replace(still, image=np.asarray(cv2.convertScaleAbs(still.image, alpha=0.8), np.uint8)))
    after = guide.result(TAKEN).empty.empty
    for seat in (1, 2):
        looks = [empty[seat].astype(float) for empty in (before, after)]
        assert looks[1].mean() == pytest.approx(looks[0].mean(), rel=0.01), "a darker still changes nothing"
        assert np.abs(looks[1] - looks[0]).mean() < 4


def test_the_picture_is_the_still_with_the_grids_on_it(guide: Guide, still: Frame) -> None:
    guide.refine(still)
    picture = guide.result(TAKEN).picture
    assert picture.shape == still.image.shape
    assert 0.005 < (picture != still.image).any(axis=2).mean() < 0.1


def test_a_table_that_was_moved_meanwhile_and_a_camera_that_errs_do_not_count(
    guide: Guide, frame: Frame, still: Frame
) -> None:
    moved = np.roll(still.image, 6, axis=1)
    assert not guide.refine(replace(still, image=moved))
    assert not guide.refine(replace(still, crop=(0.0, 12.0, 2304.0, 1728.0)))
    assert not guide.refine(replace(still, crop=None)), "of another shape"
    assert not guide.refine(replace(still, image=np.zeros_like(still.image)))
    assert not guide.refine(frame), "no larger"
    np.testing.assert_array_equal(guide.result(TAKEN).picture.shape, frame.image.shape)


def test_before_the_end_there_is_nothing_to_refine(still: Frame) -> None:
    assert not Guide().refine(still)


def test_a_calibration_on_the_page_takes_one_still(frame: Frame, still: Frame, tmp_path: Path) -> None:
    desk = CalibrationDesk(tmp_path / "table.toml")
    wanted = []
    for number in range(6):
        desk.see(replace(frame, name=f"{number:06d}.jpg"))
        wanted.append(desk.wants_still)
    assert (wanted[0], wanted[-1]) == (False, True)
    desk.refine(still)
    again = desk.wants_still
    desk.save()
    kept = cv2.imread(str(tmp_path / "table.png"))
    assert kept is not None
    assert kept.shape == still.image.shape

    desk.begin()
    assert (again, desk.wants_still) == (False, False)


class _Camera:
    def __init__(self, frame: Frame, still: Frame) -> None:
        self._frame, self._still = frame, still

    def capture(self) -> Frame:
        return self._frame

    def still(self) -> Frame:
        return self._still

    def close(self) -> None:
        """Nothing is open."""


def test_with_a_lens_corners_are_in_the_cameras_own_pixels(
    frame: Frame, still: Frame, truth: NDArray[np.float64]
) -> None:
    camera = StraightenedCamera(_Camera(frame, still), LENS)
    guide = _at_rest(camera.capture(), LensFit(LENS, 0.1, 12, 1.0))
    assert guide.refine(camera.still())
    table = guide.result(TAKEN).table
    assert (table.size_px, table.lens) == (FRAME_PX, LENS)
    for seat in (1, 2):
        assert np.abs(table.boards[seat].corners_px - truth[seat - 1]).max() < 0.6
