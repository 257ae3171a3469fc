"""Puts together what a calibration needs: something that takes pictures, and the strip's neutral light."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import numpy as np

from calibration.straightened import StraightenedCamera
from companion.bootstrap.devices import open_camera, open_strip
from companion.calibrating import Guide, LensGuide, Step
from companion.calibrating.guide import REST_FRAMES
from companion.errors import CompanionError
from companion.languages import any_of, said
from companion.lightshow.colours import NEUTRAL, limited
from companion.scoring.photo import load_photo
from hardware.clock import SystemClock
from hardware.ports import CameraError, EndOfFramesError, Frame, HardwareError, StillCamera
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.chart import SimulatedChart
from hardware.simulated.clock import SimulatedClock
from hardware.simulated.setting import SettingUp
from hardware.simulated.strip import SimulatedLightStrip
from hardware.simulated.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from calibration.lensfit import LensFit
    from companion.calibrating import Calibrated, LensProgress, Progress
    from companion.config import Config, StripConfig
    from hardware.ports import Camera, LightStrip
    from hardware.simulated.conditions import Conditions

_CHART_FRAMES: Final = 2
"""A simulated hand holds the lens chart still for so many frames."""


@dataclass(frozen=True, slots=True)
class CalibrationSource:
    """Where a calibration's pictures come from.

    Attributes:
        camera: takes pictures of the table.
        chart_camera: takes those of the lens chart; often the same one.
        strip: holds its neutral light meanwhile; None where there is none.
        stills: whether each picture is a photograph by itself.
    """

    camera: Camera
    chart_camera: Camera
    strip: LightStrip | None = None
    stills: bool = False

    def close(self) -> None:
        """Release everything; may be called more than once."""
        self.camera.close()
        self.chart_camera.close()
        if self.strip is not None:
            self.strip.close()


def simulated_source(config: Config, seed: int, conditions: Conditions | None = None) -> CalibrationSource:
    """A simulated table that somebody sets up, and a lens chart held under its camera.

    Args:
        config: says which table it is.
        seed: of all that is left to chance.
        conditions: in place of that table's.
    """
    clock, stage = SimulatedClock(), SettingUp(seed, conditions or TABLES[config.simulation.table])
    table = stage.table
    chart = SimulatedChart(table.camera, table.conditions, np.random.default_rng(seed), _CHART_FRAMES)
    return CalibrationSource(
        SimulatedCamera(stage, clock, config.simulation.fps),
        SimulatedCamera(chart, clock, config.simulation.fps),
        SimulatedLightStrip(config.strip.pixels),
    )


def live_source(config: Config) -> CalibrationSource:
    """The camera and the strip that the configuration names.

    Raises:
        CompanionError: it names the simulated camera.
        HardwareError: a device cannot be opened.
    """
    if config.camera.driver == "simulated":
        raise CompanionError(
            said(
                "{command}: {key} is {value}, so there is no table to look at: set it to {names} in the configuration "
                "({config}), or add {options}",
                command="calibrate",
                key="[camera] driver",
                value='"simulated"',
                names=any_of(['"pi"', '"webcam"', '"folder"']),
                config="companion config",
                options=any_of(["--simulate", "--image"]),
            )
        )
    strip = open_strip(config.strip)
    try:
        camera = open_camera(config, SystemClock())
    except HardwareError:
        strip.close()
        raise
    return CalibrationSource(camera, camera, strip, stills=config.camera.driver == "folder")


def photographs(table: Sequence[Path], chart: Sequence[Path]) -> CalibrationSource:
    """Photographs of the table, and of the lens chart."""
    return CalibrationSource(_Photographs(table), _Photographs(chart), stills=True)


class _Photographs:
    """A camera whose pictures were taken earlier."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths, self._taken = list(paths), 0

    def capture(self) -> Frame:
        """The next photograph.

        Raises:
            EndOfFramesError: there are no more.
            PhotoError: it cannot be read.
        """
        if self._taken >= len(self._paths):
            raise EndOfFramesError(said("there are no more photographs"))
        path = self._paths[self._taken]
        self._taken += 1
        return Frame(load_photo(path), float(self._taken), path.name)

    def close(self) -> None:
        """No more photographs."""
        self._paths.clear()


def calibrate_lens(
    source: CalibrationSource, tell: Callable[[LensProgress], None], patience_s: float | None = None
) -> LensFit:
    """Have the lens chart shown to the camera, and fit the lens.

    Args:
        source: takes the pictures.
        tell: told of each.
        patience_s: how long to wait, on the camera's clock; None for as long as it takes.

    Raises:
        CalibrationRefusedError: the lens cannot be told; the message says why.
        HardwareError: the camera fails.
    """
    guide, stills = LensGuide(stills=source.stills), _Stills(source, source.chart_camera)
    for frame in _frames(source.chart_camera, patience_s):
        taken = guide.views
        progress = guide.see(frame)
        tell(progress)
        if guide.views > taken:
            still = stills.beside(frame)
            if still is not None:
                guide.refine(still, frame)
        if progress.done and not source.stills:
            break
    return guide.result()


def calibrate_table(
    config: Config,
    source: CalibrationSource,
    tell: Callable[[Progress], None],
    lens: LensFit | None = None,
    patience_s: float | None = None,
) -> Calibrated:
    """Have the table set up, and measure it under the strip's neutral light.

    Args:
        config: says how bright the strip may be.
        source: takes the pictures.
        tell: told of each.
        lens: what the lens bends, as `calibrate_lens` found it; None for a lens taken as it is.
        patience_s: how long to wait, on the camera's clock; None for as long as it takes.

    Raises:
        CalibrationRefusedError: what the camera shows is too poor; the message says why and what to do.
        HardwareError: a device fails.
    """
    guide = Guide(lens, rest_frames=1 if source.stills else REST_FRAMES)
    camera = source.camera if lens is None else StraightenedCamera(source.camera, lens.lens)
    if source.strip is not None:
        source.strip.show(_neutral(source.strip.pixel_count, config.strip))
    for frame in _frames(camera, patience_s):
        tell(guide.see(frame))
        if guide.step is Step.DONE:
            still = _Stills(source, camera).beside(frame)
            if still is not None:
                guide.refine(still)
            break
    return guide.result(datetime.now(UTC))


class _Stills:
    """Takes pictures as large as a camera can, beside its frames.

    Args:
        source: says whether its frames are photographs already.
        camera: takes them.
    """

    def __init__(self, source: CalibrationSource, camera: Camera) -> None:
        self._camera = camera if isinstance(camera, StillCamera) and not source.stills else None

    def beside(self, frame: Frame) -> Frame | None:
        """A still; None from a camera that takes none, none larger than its frames, or none just now."""
        if self._camera is None:
            return None
        with suppress(CameraError):
            still = self._camera.still()
            if still.image.size > frame.image.size:
                return still
            self._camera = None
        return None


def _neutral(count: int, config: StripConfig) -> list[tuple[int, int, int]]:
    """What the strip shows in a game while the camera looks."""
    lit = [NEUTRAL if index >= config.first_pixel else (0, 0, 0) for index in range(count)]
    return limited(lit, config.brightness, config.max_ma)


def _frames(camera: Camera, patience_s: float | None) -> Iterator[Frame]:
    first_s = None
    with suppress(EndOfFramesError):
        while True:
            frame = camera.capture()
            first_s = frame.t_s if first_s is None else first_s
            if patience_s is not None and frame.t_s - first_s > patience_s:
                return
            yield frame
