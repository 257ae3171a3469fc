from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from bench.stresses import STRESSES
from companion.calibrating.guide import CalibrationStep, Progress
from companion.calibrating.remarks import CalibrationRefusedError
from companion.calibrating.running import CalibrationSource, LensProgress, calibrate_lens, calibrate_table
from companion.compose.workbench import live_source, photographs, simulated_source
from companion.config import Config
from companion.configuration import parse_config
from companion.errors import CompanionError
from companion.lights import NEUTRAL, all_scaled
from hardware.ports import Camera, CameraError, Frame, HardwareError
from hardware.simulated.calibrating import SettingUp
from hardware.simulated.conditions import normal
from hardware.simulated.devices import SimulatedLightStrip

if TYPE_CHECKING:
    from pathlib import Path

    from calibration.lensfit import LensFit
    from hardware.simulated.scene.table import SimulatedTable

SEED = 1


def _ignore_progress(progress: object) -> None:
    del progress


WIDE = STRESSES["wide-lens"][-1]


@dataclass
class _WideLens:
    """A wide lens fitted to stills of the chart.

    Attributes:
        lens: the lens.
        told: the progress.
        stills: the number of stills taken.
    """

    lens: LensFit
    told: list[LensProgress]
    stills: int


@pytest.fixture(scope="module")
def wide() -> _WideLens:
    source, told = simulated_source(Config(), SEED, WIDE), list[LensProgress]()
    camera = _LargeStills(source.chart_camera)
    lens = calibrate_lens(replace(source, chart_camera=camera), told.append)
    source.close()
    return _WideLens(lens, told, camera.taken)


def test_a_wide_lens_is_calibrated_and_the_grid_lies_truer_for_it(tmp_path: Path, wide: _WideLens) -> None:
    table = SettingUp(SEED, WIDE).table
    truth, photograph = np.stack(table.grid_corners_px()), tmp_path / "table.png"
    cv2.imwrite(str(photograph), table.frame(0.0))
    residuals, errors = [], []
    for known in (None, wide.lens):
        found = calibrate_table(Config(), photographs([photograph], ()), _ignore_progress, known)
        corners = np.stack([found.table.boards[seat].corners_px for seat in (1, 2)])
        errors.append(float(np.abs(corners - truth).max()))
        residuals.append(max(board.residual_mm for board in found.table.boards.values()))
    assert errors[0] > 2.5
    assert errors[1] < 0.8
    assert residuals[1] < 0.75 * residuals[0]


@pytest.mark.parametrize(
    ("conditions", "says"),
    [
        (normal().but(defocus_px=2.4), "blurred"),
        (normal().but(exposure=0.05, noise=3.0), "too dark"),
        (normal().but(camera_height_mm=1500.0), "px wide, but 18 are needed"),
    ],
    ids=["blurred", "dark", "far"],
)
def test_a_picture_that_is_too_poor_is_refused_with_the_reason(conditions: object, says: str) -> None:
    source = simulated_source(Config(), SEED, conditions)  # type: ignore[arg-type]
    with pytest.raises(CalibrationRefusedError, match=says):
        calibrate_table(Config(), source, _ignore_progress, patience_s=0.6)


class _TableThatIsSet:
    """A camera over a table that no longer changes: each frame is the same."""

    def __init__(self, table: SimulatedTable) -> None:
        self._image, self._taken = table.frame(0.0), 0

    def capture(self) -> Frame:
        self._taken += 1
        return Frame(self._image, self._taken / 10, f"{self._taken}.jpg")

    def close(self) -> None:
        """Do nothing; there is nothing to close."""


class _LargeStills:
    """A camera whose stills are half as large again as its frames."""

    def __init__(self, camera: Camera, fails: bool = False) -> None:
        self.camera, self.fails, self.taken = camera, fails, 0

    def capture(self) -> Frame:
        return self.camera.capture()

    def still(self) -> Frame:
        self.taken += 1
        if self.fails:
            raise CameraError("the cable is loose")
        frame = self.camera.capture()
        large = cv2.resize(frame.image, None, fx=1.5, fy=1.5, interpolation=cv2.INTER_CUBIC)
        return replace(frame, image=np.asarray(large, np.uint8))

    def close(self) -> None:
        self.camera.close()


@pytest.mark.parametrize(("fails", "width"), [(False, 2304), (True, 1536)])
def test_at_the_end_one_still_is_measured_and_without_it_the_frames_will_do(fails: bool, width: int) -> None:
    table, strip, shown = SettingUp(SEED).table, SimulatedLightStrip(Config().strip.pixels), set[object]()
    camera = _LargeStills(_TableThatIsSet(table), fails)
    source = CalibrationSource(camera, camera, strip)

    def report(progress: Progress) -> None:
        shown.add(strip.pixels if progress.says else None)

    found = calibrate_table(Config(), source, report)
    neutral = all_scaled([NEUTRAL] * strip.pixel_count, Config().strip.brightness)
    assert shown == {tuple(neutral)}, "the light is steady while pictures are taken"
    source.close()
    assert set(strip.pixels) == {(0, 0, 0)}
    assert camera.taken == 1
    assert found.picture.shape[1] == width
    truth = table.grid_corners_px()
    for seat in (1, 2):
        assert np.abs(found.table.boards[seat].corners_px - truth[seat - 1]).max() < 1.0


def test_each_way_of_holding_the_chart_is_measured_in_a_still(wide: _WideLens) -> None:
    assert wide.stills == wide.told[-1].views
    truth = SettingUp(SEED, WIDE).table.camera
    assert wide.lens.lens.size_px == truth.size_px
    assert wide.lens.lens.focal_px == pytest.approx((truth.focal_px, truth.focal_px), rel=0.02)


def test_patience_ends_on_the_cameras_clock() -> None:
    source = simulated_source(Config(), SEED)
    told: list[Progress] = []
    with pytest.raises(CalibrationRefusedError, match="The camera sees no mat"):
        calibrate_table(Config(), source, told.append, patience_s=0.15)
    assert len(told) == 2


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Photographs of a table that is bare, then with its mats, then with its boards, too."""
    folder, table = tmp_path_factory.mktemp("photographs"), SettingUp(SEED).table
    for number, (table.mats, table.boards_out) in enumerate(((False, False), (True, False), (True, True))):
        cv2.imwrite(str(folder / f"{number}.png"), table.frame(0.0))
    return folder


def test_the_first_good_photograph_is_taken(folder: Path) -> None:
    told: list[Progress] = []
    source = photographs(sorted(folder.iterdir()), ())
    found = calibrate_table(Config(), source, told.append)
    assert [progress.step for progress in told] == [CalibrationStep.MATS, CalibrationStep.BOARDS, CalibrationStep.DONE]
    truth = SettingUp(SEED).table.grid_corners_px()[0]
    assert np.abs(found.table.boards[1].corners_px - truth).max() < 1.0


def test_a_photograph_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "no.png"
    with pytest.raises(CompanionError, match=r"no\.png: cannot be read"):
        calibrate_table(Config(), photographs([path], ()), _ignore_progress)


def test_photographs_without_a_chart_give_no_lens(folder: Path) -> None:
    source: CalibrationSource = photographs([], [folder / "0.png", folder / "1.png"])
    with pytest.raises(CalibrationRefusedError, match="the chart is visible in 0 pictures"):
        calibrate_lens(source, _ignore_progress)


def test_a_folder_of_pictures_serves_as_the_camera(folder: Path) -> None:
    config = parse_config(f"[camera]\ndriver = 'folder'\npath = '{folder}'\n[strip]\ndriver = 'none'\n", "test")
    source = live_source(config)
    try:
        found = calibrate_table(config, source, _ignore_progress)
    finally:
        source.close()
    truth = SettingUp(SEED).table.grid_corners_px()[1]
    assert np.abs(found.table.boards[2].corners_px - truth).max() < 1.0


def test_a_camera_that_is_missing_leaves_no_strip_lit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strip = SimulatedLightStrip(8)
    strip.show([(1, 2, 3)] * 8)
    monkeypatch.setattr("companion.compose.workbench.open_strip", lambda *_: strip)
    config = parse_config(f"[camera]\ndriver = 'folder'\npath = '{tmp_path / 'none'}'\n", "test")
    with pytest.raises(HardwareError):
        live_source(config)
    assert set(strip.pixels) == {(0, 0, 0)}


def test_without_a_camera_in_the_configuration_there_is_no_table() -> None:
    with pytest.raises(CompanionError, match=r'\[camera\] driver is "simulated"'):
        live_source(Config())
