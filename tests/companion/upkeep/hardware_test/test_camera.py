from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.upkeep.hardware_test.camera import PATIENCE_S, PictureStep
from companion.upkeep.hardware_test.course import HardwareStep, Moment
from hardware.ports import Frame
from hardware.simulated.conditions import Conditions
from hardware.simulated.devices import SimulatedLightStrip
from hardware.simulated.scene.table import SimulatedTable
from tests.companion.upkeep.hardware_test.conftest import faults, lead, told

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIZE = (1536, 864)


@cache
def _picture(conditions: Conditions | None, mats: bool) -> NDArray[np.uint8]:
    return SimulatedTable(3, conditions, mats=mats).frame(0.0)


def looked_at(
    conditions: Conditions | None = None, *, mats: bool = True, fps: float = 10.0, says: bool = True
) -> PictureStep:
    image = _picture(conditions, mats)
    step = PictureStep(SIZE, fps, SimulatedLightStrip(60), mats=says)
    lead(step, lambda _, now_s: Moment(now_s, frame=Frame(image, now_s, "x", {"ExposureTime": 20000})))
    return step


def test_a_good_picture() -> None:
    step = looked_at()
    assert told(step) == [("ok", "camera"), ("ok", "exposure"), ("ok", "mats")]
    assert step.outcomes[0].figures["fps"] == pytest.approx(10.0)
    assert step.outcomes[0].figures["exposure_us"] == 20000
    assert step.outcomes[2].figures["markers"] == 8


def test_a_blurred_picture_is_told_as_that() -> None:
    (title,) = faults(looked_at(Conditions(defocus_px=3.0)).outcomes)
    assert title.startswith("The picture is blurred")


def test_mats_that_are_not_there() -> None:
    step = looked_at(mats=False)
    assert faults(step.outcomes) == ["The camera sees no mat."]
    assert step.outcomes[-1].do == "Print the mats with companion print mats and put them under the camera."
    assert faults(looked_at(mats=False, says=False).outcomes) == []


def test_a_dark_and_a_dazzled_picture() -> None:
    for level, says in ((255, "255 of 255; 100% of it"), (12, "12 of 255; 0% of it")):
        plain = Frame(np.full((864, 1536, 3), level, np.uint8), 0.0, "x")
        step = PictureStep(SIZE, 10.0, None, mats=False)
        moment = Moment(0.0, frame=plain)
        lead(step, lambda _, __, shown=moment: shown)  # type: ignore[misc]
        assert faults(step.outcomes) == [f"The picture’s median is {says} is overexposed."]


def test_another_size_and_a_slower_pace_than_configured() -> None:
    step = looked_at(Conditions(width_px=1280, height_px=720), fps=30.0)
    assert told(step)[:3] == [("ok", "camera"), ("poor", "camera"), ("poor", "camera")]
    assert "size = [1280, 720]" in step.outcomes[1].do


def test_a_camera_that_gives_nothing_is_told_with_its_reason() -> None:
    step = PictureStep(SIZE, 10.0, None)
    took_s = lead(step, lambda _, now_s: Moment(now_s, trouble="the cable is loose"))
    assert faults(step.outcomes) == ["It sends no pictures: the cable is loose"]
    assert took_s == pytest.approx(PATIENCE_S, abs=0.2)


def test_the_table_is_lit_neutrally_and_the_step_may_be_skipped() -> None:
    strip = SimulatedLightStrip(60)
    step = PictureStep(SIZE, 10.0, strip)

    def skip(_: HardwareStep, now_s: float) -> Moment:
        assert len(set(strip.pixels)) == 1
        assert any(strip.pixels[0])
        return Moment(now_s, answer="skip")

    lead(step, skip)
    assert told(step) == [("skipped", "camera")]
