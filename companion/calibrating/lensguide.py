"""The optional first part of a calibration: the chart is shown to the lens, near and far, straight and tilted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from calibration.chart import CORNERS
from calibration.framing import framing_between
from calibration.lensfit import LEAST_COVERAGE, ChartView, LensFit, coverage, fit_lens, see_chart
from companion.calibrating.remarks import CalibrationRefusedError, Remark, RemarkCode
from companion.calibrating.still import LARGER
from companion.languages import said

if TYPE_CHECKING:
    from hardware.ports import Frame

VIEWS: Final = 12
"""How many different ways of holding the chart are asked for."""
_STILL_PX: Final = 1.5
"""Between two frames; a chart that moves further is smeared."""
_PATIENT_FRAMES: Final = 3
"""A chart that has moved for so long is moved on and on, and not put into its next place."""
_MOVED_PX: Final = 6.0
"""A chart that is held moves a little until the still is taken; one that seems to lie further off does so because the
still shows something else than it says."""
_ALIKE_PX: Final = 45.0
"""Mean distance of the corners between two ways of holding the chart; nearer ones tell the same twice."""


@dataclass(frozen=True, slots=True)
class LensProgress:
    """The instructions and findings to display after a frame.

    Attributes:
        says: what is to be done now.
        remarks: what stands in its way.
        views: how many ways of holding the chart have been taken.
        wanted: how many are wanted.
        done: whether that is enough.
    """

    says: str
    remarks: tuple[Remark, ...]
    views: int
    wanted: int
    done: bool


class LensGuide:
    """Collect views of the chart that differ.

    Args:
        views: how many are wanted.
        stills: whether each frame is a photograph by itself, which need not be held still.
    """

    def __init__(self, views: int = VIEWS, *, stills: bool = False) -> None:
        self._wanted, self._stills = views, stills
        self._views: list[ChartView] = []
        self._before: ChartView | None = None
        self._stirred = 0

    def see(self, frame: Frame) -> LensProgress:
        """Take the next frame."""
        seen = see_chart(frame.image)
        if not isinstance(seen, ChartView):
            self._before = None
            says = said("The chart is not seen well: {reason}.", reason=seen.reason)
            return self._progress(Remark(RemarkCode.CHART, says))
        still = self._stills or (self._before is not None and _apart_px(seen, self._before) < _STILL_PX)
        self._before = seen
        self._stirred = 0 if still else self._stirred + 1
        if not still:
            moving = [Remark(RemarkCode.MOVING, said("Hold the chart still for a moment."))]
            return self._progress(*moving[: self._stirred // _PATIENT_FRAMES])
        if any(_apart_px(seen, view) < _ALIKE_PX for view in self._views):
            says = said("This one is taken: hold the chart elsewhere, and tilt it.")
            return self._progress(Remark(RemarkCode.CHART, says))
        self._views.append(seen)
        return self._progress()

    @property
    def views(self) -> int:
        """Number of ways of holding the chart that have been taken."""
        return len(self._views)

    def refine(self, still: Frame, frame: Frame) -> bool:
        """Take the latest view from a still instead, which was taken right after its frame.

        Returns:
            Whether it counts: not where the chart is seen less well, lies elsewhere, or the still is no larger.
        """
        to_frame, seen = framing_between(still, frame), see_chart(still.image)
        if not self._views or to_frame is None or max(to_frame.scale) * LARGER > 1 or not isinstance(seen, ChartView):
            return False
        watched = self._views[-1]
        view = ChartView(seen.ids, to_frame(seen.corners_px), watched.size_px)
        # A still shows more than a frame, and what the frames do not see is of no use to them.
        inside = ((view.corners_px >= 0) & (view.corners_px <= np.array(view.size_px) - 1)).all(axis=1)
        view = ChartView(view.ids[inside], view.corners_px[inside], view.size_px)
        if len(view.ids) < len(watched.ids) or _apart_px(view, watched) > _MOVED_PX:
            return False
        self._views[-1] = view
        return True

    def result(self) -> LensFit:
        """Return the lens.

        Raises:
            CalibrationRefusedError: it cannot be told from these views; the message says what they lack.
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
            return said("Enough: put the chart away.")
        if coverage(self._views) >= LEAST_COVERAGE:
            return said("Hold the lens chart under the camera, tilted, each time otherwise: {left} more.", left=left)
        return said("Hold the lens chart under the camera, near the picture's corners: {left} more.", left=left)


def _apart_px(one: ChartView, other: ChartView) -> float:
    """Mean distance of the corners that both views have; infinite where they share too few."""
    common, first, second = np.intersect1d(one.ids, other.ids, return_indices=True)
    if len(common) < CORNERS // 8:
        return float("inf")
    return float(np.hypot(*(one.corners_px[first] - other.corners_px[second]).T).mean())
