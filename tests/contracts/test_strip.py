from __future__ import annotations

from collections.abc import Callable

import pytest

from hardware.ports import LightStrip

StripFactory = Callable[[int], LightStrip]


def test_a_strip_knows_its_length(make_strip: StripFactory) -> None:
    assert make_strip(17).pixel_count == 17


@pytest.mark.parametrize("count", [0, 2, 4])
def test_another_number_of_pixels_is_refused(make_strip: StripFactory, count: int) -> None:
    strip = make_strip(3)
    with pytest.raises(ValueError, match="3"):
        strip.show([(0, 0, 0)] * count)


def test_it_shows_and_is_closed_twice(make_strip: StripFactory) -> None:
    strip = make_strip(2)
    strip.show([(255, 0, 0), (0, 0, 255)])
    strip.close()
    strip.close()


def test_a_strip_without_pixels_cannot_be(make_strip: StripFactory) -> None:
    with pytest.raises(ValueError, match="at least one pixel, not 0"):
        make_strip(0)
