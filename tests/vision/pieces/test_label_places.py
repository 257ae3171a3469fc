"""Test finding labels in a map of their log-odds."""

from __future__ import annotations

import numpy as np
import pytest

from vision.pieces.label_places import LabelPlace, label_places
from vision.pieces.maps import MAP_PX, PieceMaps

SIDE = 8


def seen(*spots: tuple[float, float, float, float, float]) -> tuple[LabelPlace, ...]:
    """Return the labels found for boxes of the map: left, top, length and width in cells, and log-odds."""
    label = np.full((SIDE * MAP_PX, SIDE * MAP_PX), -4, np.float32)
    for left, top, length, width, odds in spots:
        rows, columns = (slice(round(a * MAP_PX), round((a + b) * MAP_PX)) for a, b in ((top, width), (left, length)))
        label[rows, columns] = odds
    nothing = np.full(label.shape, -4, np.float32)
    return label_places(PieceMaps(nothing, nothing, label, nothing, nothing))


def test_a_label_lies_where_it_is_printed_and_runs_along_its_longer_side() -> None:
    (across,) = seen((2.0, 3.0, 1.5, 0.5, 3.0))
    assert across.at == pytest.approx([2.75, 3.25], abs=0.1)
    assert (across.length, across.width) == pytest.approx((1.5, 0.5), abs=0.01)
    (down,) = seen((2.0, 3.0, 0.5, 1.5, 3.0))
    assert (across.angle_deg - down.angle_deg) % 180 == pytest.approx(90.0)
    assert across.plainness == down.plainness == 1.0


def test_both_halves_of_one_label_are_one() -> None:
    (whole,) = seen((2.0, 3.0, 0.5, 0.5, 3.0), (2.67, 3.0, 0.5, 0.5, 2.0))
    assert 2.0 < whole.x < 2.67 + 0.5
    assert whole.length > 1.0


def test_labels_of_two_pieces_that_touch_are_two() -> None:
    assert len(seen((2.0, 3.0, 1.3, 0.5, 3.0), (2.0, 4.0, 1.3, 0.5, 3.0))) == 2


def test_the_plainest_comes_first_and_a_faint_one_is_hardly_one() -> None:
    plain, faint = seen((1.0, 1.0, 0.5, 0.33, 0.0), (1.0, 5.0, 1.3, 0.5, 2.0))
    assert (round(plain.y), round(faint.y)) == (5, 1)
    assert plain.plainness == 1.0
    assert faint.plainness < 0.2


def test_a_speck_is_no_label() -> None:
    assert seen((2.0, 3.0, 0.33, 0.33, 4.0)) == ()


def test_a_box_around_a_label_has_room_on_all_sides() -> None:
    place = LabelPlace(3.0, 4.0, 90.0, 1.4, 0.6)
    corners = place.box(0.2)
    assert corners.min(axis=0) == pytest.approx([2.5, 3.1])
    assert corners.max(axis=0) == pytest.approx([3.5, 4.9])
