from __future__ import annotations

from companion.lights import SEAT_COLOURS, scaled


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
