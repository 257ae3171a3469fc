from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from calibration.lensfit import CORNERS, ChartView, inner_corners_mm
from companion.calibrating.remarks import CalibrationRefusedError, RemarkCode
from companion.calibrating.running import LensGuide
from hardware.ports import Frame
from vision.geometry import FailedFit

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIZE = (1280, 720)
FOCAL = 900.0
POSES = [
    ((0.0, 0.4), (0, 0)),
    ((0.4, 0.0), (-120, -50)),
    ((-0.4, 0.1), (120, -50)),
    ((0.1, -0.45), (120, 50)),
    ((0.3, 0.3), (-120, 50)),
    ((-0.3, 0.3), (0, 60)),
    ((0.35, -0.3), (-60, 0)),
]


def _view(index: int, shift_px: float = 0.0) -> ChartView:
    """The chart held in one of `POSES` before a camera without distortion."""
    (tilt_x, tilt_y), aim = POSES[index]
    on_chart = inner_corners_mm() - inner_corners_mm().mean(axis=0)
    turn, _ = cv2.Rodrigues(np.array([tilt_x, tilt_y, 0.0]))
    points = np.column_stack([on_chart, np.zeros(CORNERS)]) @ turn.T + [*aim, 340.0]
    corners = points[:, :2] / points[:, 2:] * FOCAL + np.array(SIZE) / 2 + shift_px
    inside = ((corners > 0) & (corners < SIZE)).all(axis=1)
    return ChartView(np.flatnonzero(inside), corners[inside], SIZE)


class _Shown:
    """A fake `see_chart` that returns the view set by the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.view: ChartView | FailedFit = FailedFit("only 3 of the chart’s 48 corners can be seen")
        monkeypatch.setattr("companion.calibrating.running.see_chart", self)

    def __call__(self, image: NDArray[np.uint8]) -> ChartView | FailedFit:
        assert image.size
        return self.view


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> _Shown:
    return _Shown(monkeypatch)


FRAME = Frame(np.zeros((2, 2, 3), np.uint8), 0.0, "0")


def test_a_chart_must_be_held_still_and_each_time_otherwise(shown: _Shown) -> None:
    guide = LensGuide(views=3)
    assert [remark.code for remark in guide.see(FRAME).remarks] == [RemarkCode.CHART]
    shown.view = _view(0)
    assert guide.see(FRAME).views == 0
    shown.view = _view(0, shift_px=0.4)
    taken = guide.see(FRAME)
    assert (taken.views, taken.wanted, taken.done) == (1, 3, False)
    again = guide.see(FRAME)
    assert again.views == 1
    assert "hold the chart somewhere else" in again.remarks[0].says


def test_a_chart_that_keeps_moving_is_to_be_held_still(shown: _Shown) -> None:
    guide = LensGuide()
    said = []
    for step in range(4):
        shown.view = _view(0, shift_px=8.0 * step)
        said.append([remark.code for remark in guide.see(FRAME).remarks])
    assert said == [[], [], [RemarkCode.MOVING], [RemarkCode.MOVING]]


def test_enough_views_give_the_lens(shown: _Shown) -> None:
    guide = LensGuide(views=len(POSES), stills=True)
    for index in range(len(POSES)):
        shown.view = _view(index)
        progress = guide.see(FRAME)
        assert progress.done is (index == len(POSES) - 1)
    assert "put the chart away" in progress.says
    fitted = guide.result()
    assert fitted.lens.focal_px[0] == pytest.approx(FOCAL, rel=0.02)
    assert fitted.views == len(POSES)


def test_it_asks_for_the_corners_first_and_for_tilts_then(shown: _Shown) -> None:
    guide = LensGuide(stills=True)
    assert "near the picture’s corners: 12 more" in guide.see(FRAME).says
    for index in range(len(POSES)):
        shown.view = _view(index)
        progress = guide.see(FRAME)
    assert f"tilted differently each time: {12 - len(POSES)} more" in progress.says


def test_too_few_views_are_refused_with_the_reason(shown: _Shown) -> None:
    guide = LensGuide(stills=True)
    shown.view = _view(0)
    guide.see(FRAME)
    with pytest.raises(CalibrationRefusedError, match="--lens: the chart is visible in 1 picture, but at least 6"):
        guide.result()


def test_views_that_share_no_corners_are_different(shown: _Shown) -> None:
    guide = LensGuide(stills=True)
    whole = _view(0)
    for part in (slice(0, CORNERS // 2), slice(CORNERS // 2, None)):
        shown.view = ChartView(whole.ids[part], whole.corners_px[part], SIZE)
        progress = guide.see(FRAME)
    assert progress.views == 2


def _sized(size: tuple[int, int]) -> Frame:
    return Frame(np.broadcast_to(np.uint8(0), (size[1], size[0], 3)), 0.0, "0")


def _twice(view: ChartView, off_px: float = 0.0) -> ChartView:
    """Return a view as in a still of twice the size."""
    return ChartView(view.ids, 2 * view.corners_px + 0.5 + off_px, (2 * SIZE[0], 2 * SIZE[1]))


def test_a_still_says_more_exactly_where_the_chart_is(shown: _Shown) -> None:
    frame, still = _sized(SIZE), _sized((2 * SIZE[0], 2 * SIZE[1]))
    guide = LensGuide(views=len(POSES))
    assert not guide.refine(still, frame), "nothing was taken yet"
    noise = np.random.default_rng(3)
    residuals = []
    for refined in (False, True):
        guide = LensGuide(views=len(POSES))
        for index in range(len(POSES)):
            true = _view(index)
            shown.view = ChartView(true.ids, true.corners_px + noise.normal(0, 0.3, true.corners_px.shape), SIZE)
            guide.see(frame)
            guide.see(frame)
            assert guide.views == index + 1
            shown.view = _twice(true)
            assert not refined or guide.refine(still, frame)
        residuals.append(guide.result().residual_px)
    assert residuals[0] > 0.2
    assert residuals[1] < 0.01
    assert guide.result().lens.size_px == SIZE
    assert guide.result().lens.focal_px == pytest.approx((FOCAL, FOCAL), rel=1e-3)


@pytest.mark.parametrize("why", ["no larger", "another shape", "elsewhere", "fewer corners", "not seen"])
def test_a_still_that_says_less_or_something_else_does_not_count(shown: _Shown, why: str) -> None:
    frame, view = _sized(SIZE), _view(0)
    guide = LensGuide(views=1)
    shown.view = view
    guide.see(frame)
    guide.see(frame)
    still = _sized({"no larger": SIZE, "another shape": (2560, 1920)}.get(why, (2 * SIZE[0], 2 * SIZE[1])))
    twice = _twice(view, 30.0 if why == "elsewhere" else 0.0)
    shown.view = ChartView(twice.ids[:-9], twice.corners_px[:-9], twice.size_px) if why == "fewer corners" else twice
    if why == "not seen":
        shown.view = FailedFit("only 3 of the chart’s 48 corners can be seen")
    assert not guide.refine(still, frame)
