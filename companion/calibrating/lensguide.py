"""The optional first part of a calibration: the lens chart is shown to the camera near and far, straight and tilted."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.lens import framing_between
from calibration.lensfit import CORNERS, LEAST_COVERAGE, ChartView, LensFit, coverage, fit_lens, see_chart
from companion.calibrating.remarks import CalibrationRefusedError, Remark, RemarkCode
from companion.calibrating.still import LARGER
from companion.languages import said
from hardware.ports import Frame

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
    """A collector of differing views of the chart.

    Args:
        views: the number of views required.
        stills: whether each frame is a separate photograph, for which the chart need not be held still.
    """

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
