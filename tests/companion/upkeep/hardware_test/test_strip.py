from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.upkeep.hardware_test.course import HardwareStep, Moment
from companion.upkeep.hardware_test.strip import ColoursStep, PixelsStep
from hardware.simulated.devices import SimulatedLightStrip
from tests.companion.upkeep.hardware_test.conftest import faults, lead, told

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.ports import RGB

NAMES = {(1, 0, 0): "red", (0, 1, 0): "green", (0, 0, 1): "blue", (1, 1, 1): "white"}


def counting(strip: SimulatedLightStrip) -> Callable[[HardwareStep, float], Moment]:
    """Return a function that answers with the number of pixels that really shine."""
    return lambda _, now_s: Moment(now_s, answer=str(sum(any(pixel) for pixel in strip.pixels)))


def naming(strip: SimulatedLightStrip, order: str = "RGB") -> Callable[[HardwareStep, float], Moment]:
    """Return a function that answers with the colour seen on a strip with another order of channels."""

    def seen(pixel: RGB) -> str:
        channels = dict(zip("RGB", pixel, strict=True))
        flags = tuple(int(channels[letter] > 0) for letter in order)
        return NAMES[flags[0], flags[1], flags[2]] if any(pixel) else "nothing"

    return lambda _, now_s: Moment(now_s, answer=seen(strip.pixels[0]))


def test_a_sound_strip() -> None:
    strip = SimulatedLightStrip(57)
    step = PixelsStep(strip, first=3)
    lead(step, counting(strip))
    assert told(step) == [("ok", "strip")]
    assert step.outcomes[0].figures == {"pixels": 54}
    assert set(strip.pixels) == {(0, 0, 0)}


@given(count=st.integers(8, 90), dead=st.sets(st.integers(0, 89), min_size=1, max_size=4))
def test_whichever_pixels_are_dead_are_named(count: int, dead: set[int]) -> None:
    there = {place for place in dead if place < count - 1}
    strip = SimulatedLightStrip(count, there)
    step = PixelsStep(strip)
    lead(step, counting(strip))
    named = [f"Pixel {place + 1} stays dark, counted from the cable, where pixel 1 is." for place in sorted(there)]
    assert faults(step.outcomes) == named


def test_a_strip_that_ends_early_is_told_with_the_place_to_solder() -> None:
    strip = SimulatedLightStrip(60, range(24, 60))
    step = PixelsStep(strip)
    lead(step, counting(strip))
    assert faults(step.outcomes) == ["From pixel 25 on the strip is dark (36 pixels)."]
    assert "at pixel 24 or 25" in step.outcomes[0].do
    assert "pixels = 24" in step.outcomes[0].do


def test_a_dark_strip() -> None:
    strip = SimulatedLightStrip(60, range(60))
    pixels, colours = PixelsStep(strip), ColoursStep(strip, "GRB")
    lead(pixels, counting(strip))
    lead(colours, naming(strip))
    assert faults([*pixels.outcomes, *colours.outcomes]) == ["No pixel lights up.", "It stays dark."]


def test_colours_as_they_should_be() -> None:
    strip = SimulatedLightStrip(60)
    step = ColoursStep(strip, "GRB")
    lead(step, naming(strip))
    assert told(step) == [("ok", "strip")]
    assert set(strip.pixels) == {(0, 0, 0)}


@pytest.mark.parametrize("configured", ["GRB", "RGB", "BGR", "GRBW"])
@pytest.mark.parametrize("true", ["RGB", "RBG", "GRB", "GBR", "BRG", "BGR"])
def test_the_strips_own_order_is_worked_out(configured: str, true: str) -> None:
    # The driver puts channel configured[i] into byte i; the strip lights true[i] with it.
    shown_as = {sent: true[place] for place, sent in enumerate(configured[:3])}
    names = {"R": "red", "G": "green", "B": "blue"}
    sent_as = {names[sent]: names[seen] for sent, seen in shown_as.items()} | {"white": "white"}
    step = ColoursStep(SimulatedLightStrip(8), configured)
    order = iter(["red", "green", "blue", "white"])
    lead(step, lambda _, now_s: Moment(now_s, answer=sent_as[next(order)]))
    if true == configured[:3]:
        assert told(step) == [("ok", "strip")]
    else:
        assert step.outcomes[0].do == f'Set order = "{true}{configured[3:]}" under [strip].'


def test_colours_that_are_not_merely_exchanged() -> None:
    answers = iter(["red", "red", "something else", "white"])
    step = ColoursStep(SimulatedLightStrip(8), "GRB")
    lead(step, lambda _, now_s: Moment(now_s, answer=next(answers)))
    assert faults(step.outcomes) == ["Its colours are wrong: green looks like red, blue looks like something else."]
    assert "level shifter" in step.outcomes[0].do


def test_either_may_be_skipped_and_leaves_the_strip_dark() -> None:
    strip = SimulatedLightStrip(20)
    for step in (ColoursStep(strip, ""), PixelsStep(strip)):
        lead(step, lambda _, now_s: Moment(now_s, answer="skip"))
        assert told(step) == [("skipped", "strip")]
        assert set(strip.pixels) == {(0, 0, 0)}
