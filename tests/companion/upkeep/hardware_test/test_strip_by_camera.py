from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.upkeep.hardware_test.course import HardwareStep, Moment
from companion.upkeep.hardware_test.strip import PixelsStep, WatchedPixelsStep
from hardware.ports import Frame
from hardware.simulated.devices import SimulatedLightStrip
from tests.companion.upkeep.hardware_test.conftest import faults, lead, told

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


@dataclass
class Room:
    """A grey table with the strip along its edge, seen by a camera whose pictures are some frames late."""

    strip: SimulatedLightStrip
    late: int = 0
    in_view: range = range(1000)
    shine: float = 1.0
    daylight: Callable[[float], float] = lambda _: 100.0
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def __post_init__(self) -> None:
        self._queue: deque[NDArray[np.uint8]] = deque(maxlen=self.late + 1)

    def moment(self, _: HardwareStep, now_s: float) -> Moment:
        self._queue.append(self._picture(now_s))
        return Moment(now_s, frame=Frame(self._queue[0], now_s, "frame"))

    def _picture(self, now_s: float) -> NDArray[np.uint8]:
        picture = self.daylight(now_s) + self.rng.normal(0, 1.5, (20, 8 * self.strip.pixel_count, 3))
        for place, pixel in enumerate(self.strip.pixels):
            if place in self.in_view:
                picture[2:8, 8 * place : 8 * place + 6] += self.shine * np.array(pixel, np.float64)[::-1]
        return np.clip(np.rint(picture), 0, 255).astype(np.uint8)


@settings(max_examples=15)
@given(late=st.integers(0, 5), dead=st.sets(st.integers(0, 19), max_size=4), first=st.integers(0, 3))
def test_lit_pixels_are_seen_and_dead_ones_are_not_however_late_pictures_come(
    late: int, dead: set[int], first: int
) -> None:
    strip = SimulatedLightStrip(20, dead)
    step = WatchedPixelsStep(strip, first)
    lead(step, Room(strip, late).moment)
    assert step.seen == set(range(first, 20)) - dead
    assert told(step) == [("ok", "strip and camera")]
    assert set(strip.pixels) == {(0, 0, 0)}


def test_a_strip_out_of_view_is_left_to_people_soon() -> None:
    strip = SimulatedLightStrip(60)
    step = WatchedPixelsStep(strip)
    took_s = lead(step, Room(strip, in_view=range(0)).moment)
    assert took_s < 3.0
    assert step.seen == frozenset()
    assert told(step) == [("skipped", "strip and camera")]
    assert "does not see the strip’s light" in step.outcomes[0].says
    assert set(strip.pixels) == {(0, 0, 0)}


def test_a_picture_that_changes_by_itself_tells_nothing() -> None:
    strip = SimulatedLightStrip(20, {4})
    step = WatchedPixelsStep(strip)
    lead(step, Room(strip, daylight=lambda now_s: 60.0 if now_s > 3.5 else 100.0).moment)
    assert step.seen == frozenset()
    assert "changed by itself" in step.outcomes[0].says


def test_without_pictures_it_is_given_up() -> None:
    strip = SimulatedLightStrip(20)
    step = WatchedPixelsStep(strip)
    assert lead(step, lambda _, now_s: Moment(now_s)) == pytest.approx(10.0, abs=0.2)
    assert told(step) == [("skipped", "strip and camera")]


def asked(strip: SimulatedLightStrip, seen: frozenset[int]) -> tuple[PixelsStep, list[str]]:
    """Run a step whose questions are answered with all pixels counted; return the prompts."""
    step, prompts = PixelsStep(strip, 0, lambda: seen), []

    def count(leading: HardwareStep, now_s: float) -> Moment:
        assert leading.prompt is not None
        prompts.append(leading.prompt.says)
        return Moment(now_s, answer=str(sum(any(pixel) for pixel in strip.pixels)))

    lead(step, count)
    return step, prompts


def test_people_are_asked_about_the_others_alone() -> None:
    strip = SimulatedLightStrip(40, {23})
    step, prompts = asked(strip, frozenset(range(30)) - {4, 23})
    assert [says.split(",")[0] for says in prompts] == [
        "Look at pixel 5", "Look at pixel 24", "Look at the pixels 31 to 40",
    ]  # fmt: skip
    assert faults(step.outcomes) == ["Pixel 24 stays dark, counted from the cable, where pixel 1 is."]


def test_no_question_is_asked_if_the_camera_sees_all_pixels() -> None:
    strip = SimulatedLightStrip(40)
    step = PixelsStep(strip, 0, lambda: frozenset(range(40)))
    step.begin(0.0)
    assert step.done
    assert told(step) == [("ok", "strip")]
    assert step.outcomes[0].figures == {"pixels": 40}
