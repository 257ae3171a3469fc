from __future__ import annotations

import re
from itertools import combinations

import pytest

from companion.config.palette import COLOURS, USUAL, page_colours, strip_colours
from companion.lights import SEAT_COLOURS

OUTLINED = ("black", "white")
"""Colours close to one of the two backgrounds: their shapes have a light rim and a dark shadow."""


def _lightness(colour: str) -> float:
    """Return the relative luminance (WCAG 2.1)."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_colours_are_written_as_pages_do_and_no_two_are_near_each_other() -> None:
    assert all(re.fullmatch(r"#[0-9a-f]{6}", colour) for colour in COLOURS.values())
    for one, other in combinations(COLOURS.values(), 2):
        apart = sum((int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) ** 2 for at in (1, 3, 5)) ** 0.5
        assert apart > 50, (one, other)


def test_colours_stand_out_from_the_pages_by_day_and_by_night() -> None:
    # The seats' marks have an outline in ink; this contrast keeps the shapes themselves visible.
    for ground in ("#fcf7ec", "#2c252c"):
        for name, colour in COLOURS.items():
            if name in OUTLINED:
                continue
            lighter, darker = sorted((_lightness(colour), _lightness(ground)), reverse=True)
            assert (lighter + 0.05) / (darker + 0.05) > 1.7, (name, ground)


def test_the_usual_ones_are_those_of_the_mats() -> None:
    assert page_colours(USUAL) == (COLOURS["blue"], COLOURS["orange"])
    assert strip_colours(USUAL) == SEAT_COLOURS[:2]
    with pytest.raises(KeyError):
        page_colours(("yellow", "mauve"))
