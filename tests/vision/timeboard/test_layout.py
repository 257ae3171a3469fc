from __future__ import annotations

import numpy as np
import pytest

from tests.vision.timeboard.conftest import TRACK
from vision.geometry import SIDE
from vision.timeboard.board import LAYOUTS, SPACES, load_layout


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_spaces_fill_the_printed_area_without_overlapping(name: str) -> None:
    rectangles = load_layout(name).rectangles
    areas = np.prod(rectangles[:, 2:] - rectangles[:, :2], axis=1)

    assert areas.sum() / SIDE**2 == pytest.approx(1, abs=0.015)
    assert (areas > 0).all()
    assert rectangles.min() >= 0
    assert rectangles.max() <= SIDE


@pytest.mark.parametrize("name", LAYOUTS)
def test_each_space_touches_the_next_one_along_a_side(name: str) -> None:
    layout = load_layout(name)

    for space in range(SPACES - 2):
        one, other = (layout.rectangles[layout.owners == each][0] for each in (space, space + 1))
        width, height = np.minimum(one[2:], other[2:]) - np.maximum(one[:2], other[:2])
        assert min(width, height) == pytest.approx(0, abs=0.02)
        assert max(width, height) > 0.5


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_middle_of_a_space_lies_on_it_alone(name: str) -> None:
    layout = load_layout(name)

    for space, (x, y) in enumerate(layout.middles()):
        assert np.flatnonzero(layout.distances(x, y) == 0).tolist() == [space]


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_mark_lies_on_the_border_of_its_two_spaces(name: str) -> None:
    layout = load_layout(name)
    marks = [mark for mark in TRACK.income if mark < SPACES - 1]

    for mark, (x, y) in zip(marks, layout.marks(marks), strict=True):
        assert layout.distances(x, y)[[mark - 1, mark]] == pytest.approx([0, 0], abs=0.02)
