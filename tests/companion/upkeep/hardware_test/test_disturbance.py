from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.upkeep.hardware_test.camera import DisturbanceStep
from companion.upkeep.hardware_test.course import HardwareStep, Moment
from hardware.ports import Frame
from hardware.simulated.devices import SimulatedLightStrip
from tests.companion.upkeep.hardware_test.conftest import lead, told

if TYPE_CHECKING:
    from collections.abc import Callable


def room(
    strip: SimulatedLightStrip, spill: float, daylight: Callable[[float], float]
) -> Callable[[HardwareStep, float], Moment]:
    """A grey table in daylight and in the strip's light."""

    def moment(_: HardwareStep, now_s: float) -> Moment:
        light = np.array(strip.pixels, np.float64).mean(axis=0)[::-1]
        level = np.clip(daylight(now_s) + spill * light, 0, 255)
        return Moment(now_s, frame=Frame(np.broadcast_to(np.rint(level), (40, 60, 3)).astype(np.uint8), now_s, "x"))

    return moment


@pytest.mark.parametrize(("spill", "verdict"), [(0.0, "ok"), (0.02, "ok"), (0.3, "poor")])
def test_the_strip_s_influence_on_the_picture_is_measured(spill: float, verdict: str) -> None:
    strip = SimulatedLightStrip(60)
    step = DisturbanceStep(strip, 1.0)
    lead(step, room(strip, spill, lambda _: 100.0))
    assert told(step) == [(verdict, "strip and camera")]
    assert step.outcomes[0].figures["neutral_light"] == pytest.approx(120 * spill, abs=1.0)
    assert set(strip.pixels) == {(0, 0, 0)}


def test_light_that_changes_by_itself_is_told_as_that() -> None:
    strip = SimulatedLightStrip(60)
    step = DisturbanceStep(strip, 1.0)
    lead(step, room(strip, 0.0, lambda now_s: 100 + 5 * now_s))
    assert "under the same light" in step.outcomes[0].says


def test_without_pictures_it_is_given_up() -> None:
    step = DisturbanceStep(SimulatedLightStrip(60), 0.6)
    lead(step, lambda _, now_s: Moment(now_s))
    assert told(step) == [("skipped", "strip and camera")]
