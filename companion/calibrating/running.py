"""A calibration from beginning to end: pictures in, step after step, under the strip's neutral light."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from calibration.straightened import StraightenedCamera
from companion.calibrating.guide import REST_FRAMES, CalibrationStep, Guide
from companion.calibrating.lensguide import LensGuide
from companion.lights.colours import NEUTRAL, limited
from hardware.ports import CameraError, EndOfFramesError, StillCamera

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from calibration.lensfit import LensFit
    from companion.calibrating.guide import Progress
    from companion.calibrating.lensguide import LensProgress
    from companion.calibrating.result import Calibrated
    from companion.config import Config, StripConfig
    from hardware.ports import Camera, Frame, LightStrip


@dataclass(frozen=True, slots=True)
class CalibrationSource:
    """The source of a calibration's pictures.

    Attributes:
        camera: takes pictures of the table.
        chart_camera: takes those of the lens chart; often the same one.
        strip: holds its neutral light meanwhile; None if there is none.
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
        if guide.step is CalibrationStep.DONE:
            still = _Stills(source, camera).beside(frame)
            if still is not None:
                guide.refine(still)
            break
    return guide.result(datetime.now(UTC))


class _Stills:
    """Take pictures as large as a camera can, beside its frames.

    Args:
        source: says whether its frames are photographs already.
        camera: takes them.
    """

    def __init__(self, source: CalibrationSource, camera: Camera) -> None:
        self._camera = camera if isinstance(camera, StillCamera) and not source.stills else None

    def beside(self, frame: Frame) -> Frame | None:
        """Return a still; None from a camera that takes none, none larger than its frames, or none just now."""
        if self._camera is None:
            return None
        with suppress(CameraError):
            still = self._camera.still()
            if still.image.size > frame.image.size:
                return still
            self._camera = None
        return None


def _neutral(count: int, config: StripConfig) -> list[tuple[int, int, int]]:
    """Return what the strip shows in a game while the camera looks."""
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
