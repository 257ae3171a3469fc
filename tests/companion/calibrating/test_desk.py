"""Test remote calibration: what the picture shows, corners that a user moves, and what is saved."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from calibration.boards import Seating
from calibration.lens import Lens
from calibration.stored import CalibratedLocator, TableCalibration, load_calibration, load_profile
from companion.calibrating.desk import CalibrationDesk
from companion.calibrating.guide import CalibrationStep
from companion.calibrating.remarks import CalibrationRefusedError, RemarkCode
from vision.geometry import GRID_CORNERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.ports import Frame


@pytest.fixture
def desk(tmp_path: Path) -> CalibrationDesk:
    return CalibrationDesk(tmp_path / "kept" / "table.toml")


@pytest.fixture(scope="module")
def after_all(frames: Sequence[Frame]) -> CalibrationDesk:
    desk = CalibrationDesk(Path("table.toml"))
    for frame in frames[9:]:
        desk.see(frame)
    return desk


@pytest.fixture
def measured(after_all: CalibrationDesk, desk: CalibrationDesk) -> CalibrationDesk:
    """A desk that has seen all frames: a copy, so that the shared one stays as it is."""
    copied = copy(after_all)
    copied.path, copied._laid = desk.path, {}
    return copied


def test_before_the_first_picture_nothing_can_be_done(desk: CalibrationDesk) -> None:
    view = desk.see(None)
    assert (view.size_px, dict(view.corners)) == ((0, 0), {})
    with pytest.raises(CalibrationRefusedError, match="has not sent a picture"):
        desk.move(1, np.zeros((4, 2)))
    with pytest.raises(CalibrationRefusedError, match="has not sent a picture"):
        desk.save()


def test_the_same_picture_is_looked_at_once(desk: CalibrationDesk, frames: Sequence[Frame]) -> None:
    views = [desk.see(frames[-1]) for _ in range(9)]
    assert {view.step for view in views} == {CalibrationStep.REST}
    assert all(view.share == views[0].share for view in views)


def test_a_measured_calibration_is_saved_and_loaded_again(measured: CalibrationDesk, frames: Sequence[Frame]) -> None:
    view = measured.see(frames[-1])
    assert (view.step, view.remarks, view.by_hand) == (CalibrationStep.DONE, (), frozenset())
    assert measured.save() is None
    found = CalibratedLocator(load_calibration(measured.path)).locate(frames[-1].image)
    for seat, corners in view.corners.items():
        assert np.abs(found[seat](GRID_CORNERS) - corners).max() < 1.5
    assert set(load_profile(measured.path.with_suffix(".npz")).empty) == {1, 2}
    assert measured.path.with_suffix(".png").exists()
    assert measured.save() is not None


def test_a_corner_that_is_moved_a_little_goes_back_to_the_printed_lines(measured: CalibrationDesk) -> None:
    before = measured.see(None).corners[2]
    view = measured.move(2, before + np.array([[6.0, -4.0], [-5.0, 3.0], [4.0, 6.0], [0.0, -6.0]]))

    assert view.by_hand == {2}
    assert np.abs(view.corners[2] - before).max() < 0.5
    assert view.remarks == ()
    measured.save()
    stored = load_calibration(measured.path)
    assert stored.boards[2].residual_mm < 0.3
    assert np.abs(stored.boards[2].corners_px - before).max() < 0.5


def test_corners_where_no_lines_are_count_only_if_somebody_insists(measured: CalibrationDesk) -> None:
    moved = np.array([[620.0, 30.0], [880.0, 30.0], [880.0, 290.0], [620.0, 290.0]])
    view = measured.move(1, moved)
    assert [remark.code for remark in view.remarks] == [RemarkCode.NO_LINES]
    assert np.array_equal(view.corners[1], moved)
    with pytest.raises(CalibrationRefusedError, match="There is no printed grid at seat 1’s corners"):
        measured.save()
    measured.save(anyway=True)
    assert np.abs(load_calibration(measured.path).boards[1].corners_px - moved).max() < 0.01

    measured.begin()
    assert measured.see(None).by_hand == frozenset()


def test_a_grid_that_is_taken_a_square_off_is_not_empty_beyond_its_edge(measured: CalibrationDesk) -> None:
    corners = measured.see(None).corners[1]
    square = (corners[1] - corners[0]) / 9
    view = measured.move(1, corners + square)
    assert [remark.code for remark in view.remarks] == [RemarkCode.NOT_EMPTY]
    with pytest.raises(CalibrationRefusedError, match="Something is lying on seat 1’s board"):
        measured.save()


def test_corners_that_go_across_the_board_are_refused(measured: CalibrationDesk) -> None:
    corners = measured.see(None).corners[1]
    with pytest.raises(CalibrationRefusedError, match="go around the board"):
        measured.move(1, corners[[0, 2, 1, 3]])


def test_both_seats_at_one_board_are_refused_even_if_somebody_insists(measured: CalibrationDesk) -> None:
    measured.move(2, measured.see(None).corners[1])
    with pytest.raises(CalibrationRefusedError, match="in one place"):
        measured.save(anyway=True)


def test_an_eye_finds_a_board_whose_mat_the_camera_does_not(measured: CalibrationDesk, frames: Sequence[Frame]) -> None:
    desk, corners = measured, measured.see(None).corners
    masked = frames[-1].image.copy()
    masked[:, : int(corners[1][:, 0].max()) + 40] = 90
    masked[
        int(corners[1][:, 1].min()) : int(corners[1][:, 1].max()) + 1,
        int(corners[1][:, 0].min()) : int(corners[1][:, 0].max()) + 1,
    ] = frames[-1].image[
        int(corners[1][:, 1].min()) : int(corners[1][:, 1].max()) + 1,
        int(corners[1][:, 0].min()) : int(corners[1][:, 0].max()) + 1,
    ]
    desk.begin()
    view = desk.see(replace(frames[-1], image=masked, name="masked"))
    assert view.step is CalibrationStep.MATS
    with pytest.raises(CalibrationRefusedError):
        desk.save()
    for seat in (1, 2):
        view = desk.move(seat, corners[seat])
    assert not [remark.code for remark in view.remarks if remark.blocks]
    desk.save()
    stored = load_calibration(desk.path)
    assert all(np.abs(stored.boards[seat].corners_px - corners[seat]).max() < 0.7 for seat in (1, 2))


def test_without_mats_boards_find_themselves(tmp_path: Path, frames: Sequence[Frame]) -> None:
    desk = CalibrationDesk(tmp_path / "table.toml", Seating())
    assert [remark.code for remark in desk.see(frames[0]).remarks] == [RemarkCode.NO_BOARD] * 2
    for number in range(6):
        view = desk.see(replace(frames[-1], name=f"again-{number}"))
    assert (view.step, sorted(view.corners)) == (CalibrationStep.DONE, [1, 2])
    desk.save()
    assert np.abs(load_calibration(desk.path).boards[1].corners_px - view.corners[1]).max() < 3.0


def test_a_known_lens_stays_known(tmp_path: Path, frames: Sequence[Frame], measured: CalibrationDesk) -> None:
    measured.save()
    plain = load_calibration(measured.path)
    height, width = frames[0].image.shape[:2]
    lens = Lens((width, height), (1400.0, 1400.0), (width / 2, height / 2), (0.05, 0.0, 0.0, 0.0, 0.0))
    known = TableCalibration(plain.taken, plain.size_px, plain.boards, lens, 0.2)
    desk = CalibrationDesk(tmp_path / "lens.toml", known=known)
    for frame in frames[9:]:
        view = desk.see(frame)
    desk.move(1, view.corners[1])
    desk.save()
    stored = load_calibration(desk.path)
    assert stored.lens is not None
    assert stored.lens.distortion == lens.distortion
    assert stored.lens_residual_px == pytest.approx(0.2)
    assert np.abs(lens.to_straight(stored.boards[1].corners_px) - view.corners[1]).max() < 0.7
