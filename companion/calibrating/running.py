"""A complete calibration: pictures in, step by step, under the strip's neutral light."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from calibration.lens import StraightenedCamera
from calibration.lensfit import LensFit
from companion.calibrating.guide import REST_FRAMES, CalibrationStep, Guide, Progress
from companion.calibrating.lensguide import LensGuide, LensProgress
from companion.calibrating.result import Calibrated
from companion.config import Config
from companion.lights.staged import NEUTRAL, all_scaled
from hardware.driver import StripDriver
from hardware.ports import Camera, CameraError, EndOfFramesError, Frame, LightStrip, StillCamera


@dataclass(frozen=True, slots=True)
class CalibrationSource:
    """The source of a calibration's pictures.

    Attributes:
        camera: takes pictures of the table.
        chart_camera: takes pictures of the lens chart; often the same camera.
        strip: shows its neutral light meanwhile; None if there is none.
        stills: whether each picture is a separate photograph.
    """

    camera: Camera
    chart_camera: Camera
    strip: LightStrip | None = None
    stills: bool = False

    def close(self) -> None:
        """Close all devices; may be called more than once."""
        self.camera.close()
        self.chart_camera.close()
        if self.strip is not None:
            self.strip.close()


def calibrate_lens(
    source: CalibrationSource, tell: Callable[[LensProgress], None], patience_s: float | None = None
) -> LensFit:
    """Capture views of the lens chart, and fit the lens.

    Args:
        source: the source of the pictures.
        tell: called with the progress after each picture.
        patience_s: how long to wait, on the camera's clock; None to wait indefinitely.

    Raises:
        CalibrationRefusedError: the lens cannot be determined; the message gives the reason.
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
        # All photographs are used, as they are there already; more views make a better fit.
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
    """Guide the set-up of the table, and measure it under the strip's neutral light.

    Args:
        config: the configuration, for the brightness of the strip.
        source: the source of the pictures.
        tell: called with the progress after each picture.
        lens: the lens fitted by `calibrate_lens`; None to use the pictures as they are.
        patience_s: how long to wait, on the camera's clock; None to wait indefinitely.

    Raises:
        CalibrationRefusedError: the pictures are too poor; the message gives the reason and the remedy.
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
    # After the end of the frames, too: the guide's error names what was still missing.
    return guide.result(datetime.now(UTC))


class _Stills:
    """The full-resolution pictures that a camera can take beside its frames.

    Args:
        source: the source of the frames, which may already be photographs.
        camera: the camera.
    """

    def __init__(self, source: CalibrationSource, camera: Camera) -> None:
        self._camera = camera if isinstance(camera, StillCamera) and not source.stills else None

    def beside(self, frame: Frame) -> Frame | None:
        """Return a still; None if the camera cannot take one, or none larger than its frames, or not now."""
        if self._camera is None:
            return None
        with suppress(CameraError):
            still = self._camera.still()
            if still.image.size > frame.image.size:
                return still
            # Its stills will not be larger next time either, and each one holds up the frames.
            self._camera = None
        return None


def _neutral(count: int, config: StripDriver) -> list[tuple[int, int, int]]:
    """Return the pixels that the strip shows in a game while the camera looks."""
    lit = [NEUTRAL if index >= config.first_pixel else (0, 0, 0) for index in range(count)]
    return all_scaled(lit, config.brightness)


def _frames(camera: Camera, patience_s: float | None) -> Iterator[Frame]:
    first_s = None
    with suppress(EndOfFramesError):
        while True:
            frame = camera.capture()
            first_s = frame.t_s if first_s is None else first_s
            if patience_s is not None and frame.t_s - first_s > patience_s:
                return
            yield frame
