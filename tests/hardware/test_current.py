from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from companion.lights import estimated_ma
from hardware.current import CappedStrip, drawn_ma
from hardware.simulated.devices.strip import SimulatedLightStrip

if TYPE_CHECKING:
    from hardware.ports import RGB

pixels_of = st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=6, max_size=6)


@given(pixels_of, st.floats(1, 500))
def test_no_frame_draws_more_than_the_supply_can_spare(pixels: list[RGB], max_ma: float) -> None:
    strip = SimulatedLightStrip(6)
    CappedStrip(strip, max_ma).show(pixels)
    assert drawn_ma(strip.pixels) <= max_ma + 1e-9
    if drawn_ma(pixels) <= max_ma:
        assert list(strip.pixels) == pixels


def test_full_white_keeps_its_colour() -> None:
    strip = SimulatedLightStrip(10)
    CappedStrip(strip, 300).show([(255, 255, 255)] * 10)
    assert set(strip.pixels) == {(127, 127, 127)}


@given(pixels_of)
def test_the_light_show_reckons_alike_so_that_its_frames_pass_unchanged(pixels: list[RGB]) -> None:
    assert drawn_ma(pixels) == estimated_ma(pixels)


def test_closing_closes_the_other_strip() -> None:
    strip = SimulatedLightStrip(2)
    capped = CappedStrip(strip, 100)
    assert capped.pixel_count == 2
    capped.show([(9, 9, 9)] * 2)
    capped.close()
    assert set(strip.pixels) == {(0, 0, 0)}
