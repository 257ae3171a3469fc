from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.lights.colours import SEAT_COLOURS, estimated_ma, limited, scaled

channels = st.integers(0, 255)
strips = st.lists(st.tuples(channels, channels, channels), min_size=1, max_size=80)


def test_a_white_pixel_draws_60_ma() -> None:
    assert estimated_ma([(255, 255, 255)]) == pytest.approx(60)
    assert estimated_ma([(255, 0, 0), (0, 0, 51)]) == pytest.approx(24)


@given(strips, st.floats(0, 1), st.floats(0.1, 5000))
def test_the_cap_is_never_exceeded_and_nothing_gets_brighter(
    pixels: list[tuple[int, int, int]], brightness: float, max_ma: float
) -> None:
    shown = limited(pixels, brightness, max_ma)
    assert estimated_ma(shown) <= max_ma
    assert all(
        new <= old for after, before in zip(shown, pixels, strict=True) for new, old in zip(after, before, strict=True)
    )


def test_below_the_cap_brightness_alone_counts() -> None:
    assert limited([(200, 100, 50)], 0.5, 1000) == [(100, 50, 25)]
    assert limited([(200, 100, 50)], 1.0, None) == [(200, 100, 50)]


def test_above_the_cap_all_pixels_are_darkened_alike() -> None:
    assert limited([(255, 255, 255), (0, 0, 255)], 1.0, 40) == [(127, 127, 127), (0, 0, 127)]


def test_a_level_of_one_changes_nothing() -> None:
    assert scaled((1, 128, 255), 1.0) == (1, 128, 255)


def _without_red_green(colour: tuple[int, int, int]) -> float:
    """Blue against yellow, the difference that red-green blindness leaves."""
    red, green, blue = colour
    return blue - (red + green) / 2


def test_the_seats_differ_for_the_colour_blind() -> None:
    one, two = map(_without_red_green, SEAT_COLOURS[:2])
    assert one > 150
    assert two < -150
