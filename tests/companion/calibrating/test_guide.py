from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from calibration.lens import Lens
from calibration.lensfit import LensFit
from calibration.locator import MatLocator
from calibration.mat import load_mats
from companion.calibrating.guide import CalibrationStep, Guide, Progress
from companion.calibrating.remarks import CalibrationRefusedError, RemarkCode
from companion.calibrating.result import Calibrated
from hardware.ports import Frame
from vision.geometry import GRID_CORNERS, VIEW_PX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

TAKEN = datetime(2026, 5, 4, 19, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def walk(frames: Sequence[Frame]) -> tuple[Guide, list[Progress]]:
    guide = Guide()
    return guide, [guide.see(frame) for frame in frames]


@pytest.fixture(scope="module")
def found(walk: tuple[Guide, list[Progress]]) -> Calibrated:
    return walk[0].result(TAKEN)


def _codes(progress: Progress) -> set[RemarkCode]:
    return {remark.code for remark in progress.remarks}


def test_the_steps_follow_what_the_camera_sees(walk: tuple[Guide, list[Progress]]) -> None:
    steps = [progress.step for progress in walk[1]]
    assert steps[:3] == [CalibrationStep.MATS] * 3
    assert steps[3:6] == [CalibrationStep.BOARDS] * 3
    assert steps[-1] is CalibrationStep.DONE
    order = list(CalibrationStep)
    assert all(order.index(before) <= order.index(after) for before, after in pairwise(steps))


def test_each_step_says_what_is_missing(walk: tuple[Guide, list[Progress]]) -> None:
    said = walk[1]
    assert _codes(said[1]) == {RemarkCode.NO_MATS}
    assert _codes(said[4]) == {RemarkCode.NO_BOARD}
    assert {remark.seat for remark in said[4].remarks} == {1, 2}
    assert any(_codes(progress) & {RemarkCode.NO_MARKER, RemarkCode.MOVING} for progress in said[6:9])
    assert _codes(said[-1]) == set()


def test_only_the_seat_with_the_hand_is_named(walk: tuple[Guide, list[Progress]]) -> None:
    told = {remark.seat for progress in walk[1][6:9] for remark in progress.remarks}
    assert told <= {2, None} | {remark.seat for remark in walk[1][5].remarks if remark.code is RemarkCode.NO_BOARD}


def test_the_boards_are_found_where_they_are(found: Calibrated, truth: tuple[NDArray[np.float64], ...]) -> None:
    for seat, corners in enumerate(truth, start=1):
        board = found.table.boards[seat]
        assert np.abs(board.corners_px - corners).max() < 1.0
        assert board.mat == "a4"
        assert board.residual_mm < 0.15
        assert 30 < board.cell_px < 36
    assert found.table.size_px == (1536, 864)
    assert found.table.taken == TAKEN


def test_the_places_put_the_boards_right_in_a_locator(
    found: Calibrated, frames: Sequence[Frame], truth: tuple[NDArray[np.float64], ...]
) -> None:
    locator = MatLocator(*load_mats())
    for seat, board in found.table.boards.items():
        locator.put(seat, board.place)
    placed = locator.locate(frames[-1].image)
    for seat, corners in enumerate(truth, start=1):
        assert placed[seat].residuals(GRID_CORNERS, corners).max() < 1.2


def test_the_empty_looks_are_kept_and_a_picture_is_drawn(found: Calibrated, frames: Sequence[Frame]) -> None:
    assert {view.shape for view in found.empty.empty.values()} == {(VIEW_PX, VIEW_PX, 3)}
    changed = (found.picture != frames[-1].image).any(axis=2)
    assert 0.005 < changed.mean() < 0.1


def test_nothing_is_given_out_before_it_is_done(frames: Sequence[Frame]) -> None:
    guide = Guide()
    with pytest.raises(CalibrationRefusedError, match="Calibration failed: Put the two printed mats"):
        guide.result(TAKEN)
    guide.see(frames[0])
    with pytest.raises(CalibrationRefusedError, match=r"The camera sees no mat\. Print the mats"):
        guide.result(TAKEN)
    guide.see(frames[4])
    with pytest.raises(
        CalibrationRefusedError, match=r"The camera does not see seat 1’s board on its mat.* \(1 more\)"
    ):
        guide.result(TAKEN)


def test_a_mat_that_is_taken_away_leads_back(frames: Sequence[Frame]) -> None:
    guide = Guide()
    assert guide.see(frames[9]).step is CalibrationStep.REST
    away = guide.see(frames[0])
    assert (away.step, away.share) == (CalibrationStep.MATS, 0.0)


def test_a_hand_over_a_marker_starts_the_rest_anew_but_leads_nowhere(frames: Sequence[Frame]) -> None:
    guide = Guide(rest_frames=3)
    for frame in frames[9:11]:
        rested = guide.see(frame)
    assert rested.share > 0
    image = frames[11].image.copy()
    image[600:720, 60:150] = (120, 150, 200)
    covered = guide.see(replace(frames[11], image=image))
    assert (covered.step, covered.share) == (CalibrationStep.REST, 0.0)
    assert RemarkCode.NO_MARKER in _codes(covered)


def test_a_picture_that_never_rests_is_not_blamed_on_hands(
    frames: Sequence[Frame], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.calibrating.guide._STIRRED", 2)
    guide = Guide()
    steady, dimmer = frames[12].image, np.asarray(cv2.convertScaleAbs(frames[12].image, alpha=0.7), np.uint8)
    codes = []
    for index in range(4):
        image = steady if index % 2 else dimmer
        codes.append(_codes(guide.see(Frame(image, 0.2 * index, f"{index}"))))
    assert RemarkCode.MOVING in codes[1]
    assert codes[-1] == {RemarkCode.RESTLESS}
    assert guide.step is CalibrationStep.REST


def test_one_photograph_will_do(frames: Sequence[Frame], truth: tuple[NDArray[np.float64], ...]) -> None:
    guide = Guide(rest_frames=1)
    assert guide.see(frames[13]).step is CalibrationStep.DONE
    corners = guide.result(TAKEN).table.boards[2].corners_px
    assert np.abs(corners - truth[1]).max() < 1.0


def test_with_a_lens_corners_are_in_the_cameras_own_pixels(
    frames: Sequence[Frame], truth: tuple[NDArray[np.float64], ...]
) -> None:
    lens = Lens((1536, 864), (1182.6, 1182.6), (767.5, 431.5), (-0.035, 0.0, 0.0, 0.0, 0.0))
    fitted = LensFit(lens, 0.1, 12, 1.0)
    guide = Guide(fitted, rest_frames=1)
    straight = lens.straighten(frames[13].image)
    assert guide.see(replace(frames[13], image=straight)).step is CalibrationStep.DONE
    table = guide.result(TAKEN).table
    assert table.size_px == (1536, 864)
    assert (table.lens, table.lens_residual_px) == (lens, 0.1)
    for seat, corners in enumerate(truth, start=1):
        assert np.abs(table.boards[seat].corners_px - corners).max() < 0.6
