"""A complete calibration: pictures in, step by step, under the strip's neutral light."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import numpy as np

from calibration.lens import StraightenedCamera, framing_between
from calibration.lensfit import CORNERS, LEAST_COVERAGE, ChartView, LensFit, coverage, fit_lens, see_chart
from companion.calibrating.guide import REST_FRAMES, CalibrationStep, Guide, Progress
from companion.calibrating.remarks import CalibrationRefusedError, Remark, RemarkCode
from companion.calibrating.result import LARGER, Calibrated
from companion.config import Config
from companion.languages import said
from companion.lights import neutral_picture
from hardware.ports import Camera, CameraError, EndOfFramesError, Frame, LightStrip, StillCamera

VIEWS: Final = 12
"""The number of different poses of the chart that are requested."""
# The movement between two frames above which the chart is blurred.
_STILL_PX: Final = 1.5
# The number of frames after which a moving chart is reported; one being put into its next pose stops sooner.
_PATIENT_FRAMES: Final = 3
# The distance that a held chart may move until the still is taken; if it seems to move further, the still shows another
# part of the view than it reports.
_MOVED_PX: Final = 6.0
# The mean distance of the corners between two poses; closer poses add no information.
_ALIKE_PX: Final = 45.0


@dataclass(frozen=True, slots=True)
class LensProgress:
    """The instructions and findings to display after a frame.

    Attributes:
        says: the current instruction.
        remarks: the obstacles.
        views: the number of poses taken.
        wanted: the number of poses required.
        done: whether they are enough.
    """

    says: str
    remarks: tuple[Remark, ...]
    views: int
    wanted: int
    done: bool


class LensGuide:
    """A collector of differing views of the chart, which must be held still unless each frame is a photograph."""

    def __init__(self, views: int = VIEWS, *, stills: bool = False) -> None:
        self._wanted, self._stills = views, stills
        self._views: list[ChartView] = []
        self._before: ChartView | None = None
        self._moved = 0

    def see(self, frame: Frame) -> LensProgress:
        """Process the next frame."""
        seen = see_chart(frame.image)
        if not isinstance(seen, ChartView):
            # The next view is compared with one directly before it, or the chart may have been moved in between.
            self._before = None
            says = said("The camera cannot see the chart well: {reason}.", reason=seen.reason)
            return self._progress(Remark(RemarkCode.CHART, says))
        still = self._stills or (self._before is not None and _distance_px(seen, self._before) < _STILL_PX)
        self._before = seen
        self._moved = 0 if still else self._moved + 1
        if not still:
            moving = [Remark(RemarkCode.MOVING, said("Hold the chart still for a moment."))]
            return self._progress(*moving[: self._moved // _PATIENT_FRAMES])
        if any(_distance_px(seen, view) < _ALIKE_PX for view in self._views):
            says = said("Picture taken: hold the chart somewhere else and tilt it.")
            return self._progress(Remark(RemarkCode.CHART, says))
        self._views.append(seen)
        return self._progress()

    @property
    def views(self) -> int:
        """The number of views taken."""
        return len(self._views)

    def refine(self, still: Frame, frame: Frame) -> bool:
        """Replace the latest view by that of a still taken right after its frame.

        Returns:
            Whether the still is used: not if the chart is less visible in it, or has moved, or the still is no larger.
        """
        to_frame, seen = framing_between(still, frame), see_chart(still.image)
        if not self._views or to_frame is None or max(to_frame.scale) * LARGER > 1 or not isinstance(seen, ChartView):
            return False
        watched = self._views[-1]
        view = ChartView(seen.ids, to_frame(seen.corners_px), watched.size_px)
        # A still may cover more than a frame, and the frames gain nothing from what they do not see.
        inside = ((view.corners_px >= 0) & (view.corners_px <= np.array(view.size_px) - 1)).all(axis=1)
        view = ChartView(view.ids[inside], view.corners_px[inside], view.size_px)
        if len(view.ids) < len(watched.ids) or _distance_px(view, watched) > _MOVED_PX:
            return False
        self._views[-1] = view
        return True

    def result(self) -> LensFit:
        """Return the fitted lens.

        Raises:
            CalibrationRefusedError: it cannot be determined from these views; the message says what they lack.
        """
        fitted = fit_lens(self._views)
        if not isinstance(fitted, LensFit):
            raise CalibrationRefusedError(fitted.reason, "calibrate --lens")
        return fitted

    def _progress(self, *remarks: Remark) -> LensProgress:
        taken = len(self._views)
        return LensProgress(self._asks(), remarks, taken, self._wanted, done=taken >= self._wanted)

    def _asks(self) -> str:
        left = self._wanted - len(self._views)
        if left <= 0:
            return said("Done: put the chart away.")
        if coverage(self._views) >= LEAST_COVERAGE:
            return said("Hold the lens chart under the camera, tilted differently each time: {left} more.", left=left)
        return said("Hold the lens chart under the camera, near the picture’s corners: {left} more.", left=left)


def _distance_px(one: ChartView, other: ChartView) -> float:
    """Return the mean distance of the corners that both views have; infinite if they share too few."""
    common, first, second = np.intersect1d(one.ids, other.ids, return_indices=True)
    # Distances of a few corners at the edge of the chart say little about its pose.
    if len(common) < CORNERS // 8:
        return float("inf")
    return float(np.hypot(*(one.corners_px[first] - other.corners_px[second]).T).mean())


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

    Gives up after `patience_s` on the camera's clock, if it is given.

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

    Gives up after `patience_s` on the camera's clock, if it is given; without a lens the pictures are used as they are.

    Raises:
        CalibrationRefusedError: the pictures are too poor; the message gives the reason and the remedy.
        HardwareError: a device fails.
    """
    guide = Guide(lens, rest_frames=1 if source.stills else REST_FRAMES)
    camera = source.camera if lens is None else StraightenedCamera(source.camera, lens.lens)
    if source.strip is not None:
        source.strip.show(neutral_picture(source.strip.pixel_count, config.strip))
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
    """The full-resolution pictures that a camera can take beside its frames, unless these are photographs already."""

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


def _frames(camera: Camera, patience_s: float | None) -> Iterator[Frame]:
    first_s = None
    with suppress(EndOfFramesError):
        while True:
            frame = camera.capture()
            first_s = frame.t_s if first_s is None else first_s
            if patience_s is not None and frame.t_s - first_s > patience_s:
                return
            yield frame
