from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bench.stresses import STRESSES
from calibration.lens import Lens
from calibration.lensfit import (
    CORNERS,
    LEAST_VIEWS,
    ChartView,
    LensFit,
    coverage,
    fit_lens,
    inner_corners_mm,
    see_chart,
)
from hardware.simulated.calibrating import SimulatedChart
from hardware.simulated.conditions import Conditions, normal
from hardware.simulated.drawing.pinhole import pinhole_for
from vision.geometry import FailedFit

TRUE = Lens((1280, 720), (900.0, 900.0), (640.0, 362.0), (-0.09, 0.01, 0.0, 0.0, 0.0))


def _view(tilt: tuple[float, float], aim: tuple[float, float], noise_px: float = 0.1, seed: int = 0) -> ChartView:
    """The chart as the true lens shows it, 330 mm away, turned about x and y."""
    rng = np.random.default_rng(seed)
    on_chart = inner_corners_mm() - inner_corners_mm().mean(axis=0)
    (sin_x, sin_y), (cos_x, cos_y) = np.sin(tilt), np.cos(tilt)
    points = np.column_stack([on_chart, np.zeros(CORNERS)])
    points = points @ np.array([[1, 0, 0], [0, cos_x, sin_x], [0, -sin_x, cos_x]])
    points = points @ np.array([[cos_y, 0, -sin_y], [0, 1, 0], [sin_y, 0, cos_y]]) + [*aim, 330.0]
    flat = points[:, :2] / points[:, 2:]
    square = (flat**2).sum(axis=1, keepdims=True)
    bent = flat * (1 + TRUE.distortion[0] * square + TRUE.distortion[1] * square**2)
    corners = bent * TRUE.focal_px + TRUE.centre_px + rng.normal(0, noise_px, (CORNERS, 2))
    inside = ((corners > 0) & (corners < TRUE.size_px)).all(axis=1)
    return ChartView(np.flatnonzero(inside), corners[inside], TRUE.size_px)


def _views(noise_px: float = 0.1) -> list[ChartView]:
    aims = [(0, 0), (-120, -50), (120, -50), (120, 50), (-120, 50), (0, 60), (-60, 0), (60, -20)]
    tilts = [(0.0, 0.4), (0.4, 0.0), (-0.4, 0.1), (0.1, -0.45), (0.3, 0.3), (-0.3, 0.3), (0.35, -0.3), (-0.2, -0.4)]
    return [_view(tilt, aim, noise_px, seed) for seed, (tilt, aim) in enumerate(zip(tilts, aims, strict=True))]


def test_the_lens_is_found() -> None:
    fitted = fit_lens(_views())
    assert isinstance(fitted, LensFit)
    assert fitted.lens.focal_px[0] == pytest.approx(900, rel=0.005)
    assert fitted.lens.centre_px == pytest.approx(TRUE.centre_px, abs=4.0)
    assert fitted.lens.distortion[:2] == pytest.approx(TRUE.distortion[:2], abs=0.01)
    assert fitted.residual_px == pytest.approx(0.14, abs=0.05)
    assert fitted.views == 8
    assert fitted.coverage > 0.8


def test_a_picture_taken_while_the_chart_moved_is_left_out() -> None:
    views = _views()
    shaken = replace(
        views[3], corners_px=views[3].corners_px + np.random.default_rng(5).normal(0, 6, views[3].corners_px.shape)
    )
    fitted = fit_lens([*views[:3], shaken, *views[4:]])
    assert isinstance(fitted, LensFit)
    assert fitted.views == 7
    assert fitted.residual_px < 0.3


@pytest.mark.parametrize(
    ("views", "says"),
    [
        (_views()[: LEAST_VIEWS - 1], "in 5 pictures, but at least 6"),
        (_views(noise_px=2.5), "glue the chart to something flat"),
        ([_view((0.1 * turn, 0.0), (0, 0), seed=turn) for turn in range(7)], "near the picture’s corners"),
        ([*_views(), ChartView(np.arange(20), np.ones((20, 2)), (640, 480))], "have different sizes"),
    ],
)
def test_a_poor_set_of_views_is_refused_with_its_reason(views: list[ChartView], says: str) -> None:
    fitted = fit_lens(views)
    assert isinstance(fitted, FailedFit)
    assert says in fitted.reason


def test_a_chart_that_was_never_tilted_is_told() -> None:
    aims = [(-150, -60), (150, -60), (150, 60), (-150, 60), (0, 0), (60, 30), (-60, 30)]
    fitted = fit_lens([_view((0.0, 0.0), aim, 0.4, seed) for seed, aim in enumerate(aims)])
    assert isinstance(fitted, FailedFit)
    assert "tilt it in different directions" in fitted.reason


@pytest.mark.parametrize("conditions", [normal(), STRESSES["wide-lens"][-1]], ids=["normal", "wide"])
def test_the_lens_of_a_camera_is_found_from_its_pictures(conditions: Conditions) -> None:
    camera = pinhole_for(conditions, np.random.default_rng(3))
    stage = SimulatedChart(camera, conditions, np.random.default_rng(3))
    seen = [see_chart(stage.picture(0.0)) for _ in range(9)]
    fitted = fit_lens([view for view in seen if isinstance(view, ChartView)])
    assert isinstance(fitted, LensFit)
    assert fitted.lens.focal_px[0] == pytest.approx(camera.focal_px, rel=0.01)
    assert fitted.lens.distortion[0] == pytest.approx(conditions.distortion, abs=0.006)
    assert fitted.residual_px < 0.3


def test_a_table_without_a_chart_shows_none() -> None:
    seen = see_chart(np.full((360, 640, 3), 120, np.uint8))
    assert isinstance(seen, FailedFit)
    assert "only 0 of the chart’s 48 corners" in seen.reason


def test_coverage_counts_the_parts_of_the_picture() -> None:
    quarter = ChartView(np.arange(4), np.array([[10, 10], [300, 10], [10, 300], [12, 12]], float), (1200, 800))
    assert coverage([quarter]) == pytest.approx(3 / 24)
    assert coverage([quarter, quarter]) == pytest.approx(3 / 24)
    assert coverage([]) == 0.0
