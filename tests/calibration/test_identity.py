"""Seats look the same on the page as on paper."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from calibration.identity import SIGNS, TONES, USUAL, star

ICONS = Path(__file__).parents[2] / "companion/web/static/js/icons.js"


def test_the_page_draws_the_star_that_is_printed() -> None:
    form = re.search(r'  2: "M([^Z]+)Z', ICONS.read_text(encoding="utf-8"))
    assert form is not None
    drawn = [tuple(map(float, corner.split())) for corner in form[1].split("L")]
    assert drawn == [pytest.approx(corner, abs=0.01) for corner in star((0.0, 0.0), 5.0)]


def test_every_seat_has_an_emblem_a_sign_and_a_colour_of_its_own() -> None:
    assert len(set(SIGNS)) == len(set(USUAL)) == 4
    assert TONES.keys() >= {*USUAL, "black", "white"}


def test_no_seat_has_the_colour_of_a_terminal_s_ground() -> None:
    tones = [tone.terminal for tone in TONES.values()]
    assert len(set(tones)) == len(tones)
    assert not {"#ffffff", "#000000", "white", "black"} & set(tones)


def test_no_two_colours_are_near_each_other_on_a_strip() -> None:
    for one, other in combinations(TONES.values(), 2):
        apart = sum((a - b) ** 2 for a, b in zip(one.strip, other.strip, strict=True)) ** 0.5
        assert apart > 60, (one, other)


def test_black_shines_and_is_darker_than_every_other_colour() -> None:
    levels = {name: sum(tone.strip) for name, tone in TONES.items()}
    assert 0 < levels["black"] < min(level for name, level in levels.items() if name != "black") / 1.4
    assert levels["white"] == max(levels.values())
