"""Test that the pictures in docs/lights.md match the light show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.drawings.lights import FOLDER, drawing, strips

PAGE = (Path(__file__).parents[2] / "docs" / "lights.md").read_text(encoding="utf-8")
STRIPS = strips()


@pytest.mark.parametrize("name", STRIPS)
def test_a_picture_is_as_the_strip_is(name: str) -> None:
    drawn = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn == drawing(STRIPS[name]), "draw it anew: python -m bench.drawings.lights"


def test_every_picture_is_explained_and_every_one_that_is_shown_is_there() -> None:
    assert set(re.findall(r"pictures/lights/([a-z-]+)\.svg", PAGE)) == set(STRIPS)


def test_pictures_that_shall_be_told_apart_differ() -> None:
    assert len({drawing(frames) for frames in STRIPS.values()}) == len(STRIPS)
