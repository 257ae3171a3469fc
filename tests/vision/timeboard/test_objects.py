"""Objects of known colours, drawn into the colours of a board."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.geometry import CELLS_TO_VIEW, VIEW_PX
from vision.quilt.look import WINDOWS
from vision.timeboard.board import BoardLook
from vision.timeboard.markers import (
    MarkerAppearance,
    are_distinct,
    changed_pixels,
    is_whole,
    marker_of,
    objects_in,
    objects_of,
)

GREEN, YELLOW = np.array([-0.5, 0.4, -0.5]), np.array([-0.6, 0.3, 0.3])
RADIUS_PX = 18
SIZE_PX = 3.14 * RADIUS_PX**2
MARKERS = {1: MarkerAppearance(GREEN, SIZE_PX), 2: MarkerAppearance(YELLOW, SIZE_PX)}


class Drawing:
    """Colours of a grey board, and the pixels that have changed."""

    def __init__(self) -> None:
        self.colours = np.zeros((VIEW_PX, VIEW_PX, 3), np.float32)
        self.changed = np.zeros((VIEW_PX, VIEW_PX), np.bool_)

    def disc(self, x: int, y: int, colour: np.ndarray, radius_px: int = RADIUS_PX) -> Drawing:
        inside = cv2.circle(np.zeros((VIEW_PX, VIEW_PX), np.uint8), (x, y), radius_px, (1,), -1) > 0
        self.colours[inside] = colour
        self.changed |= inside
        return self

    def seats(self, markers: dict[int, MarkerAppearance] = MARKERS) -> dict[int, tuple[int, int]]:
        """The middle of each marker found, in view pixels."""
        found = objects_of(markers, self.colours, self.changed)
        return {seat: tuple(np.rint(CELLS_TO_VIEW([each.middle])[0]).astype(int)) for seat, each in found.items()}


def test_each_marker_is_found_by_its_colour() -> None:
    assert Drawing().disc(100, 120, GREEN).disc(200, 220, YELLOW).seats() == {1: (100, 120), 2: (200, 220)}


def test_a_marker_of_no_known_colour_is_not_found() -> None:
    assert Drawing().disc(100, 120, np.array([0.8, -0.4, -0.4])).seats() == {}
    assert Drawing().disc(100, 120, GREEN).seats({}) == {}


def test_unchanged_pixels_are_no_marker() -> None:
    drawing = Drawing().disc(100, 120, GREEN)
    drawing.changed[:] = False

    assert drawing.seats() == {}


def test_two_objects_of_one_colour_are_rivals_unless_one_is_much_smaller() -> None:
    assert Drawing().disc(100, 120, GREEN).disc(200, 220, GREEN).seats() == {}
    assert Drawing().disc(100, 120, GREEN).disc(200, 220, GREEN, RADIUS_PX // 2).seats() == {1: (100, 120)}


def test_a_speck_of_a_markers_colour_is_no_marker() -> None:
    assert Drawing().disc(100, 120, GREEN, RADIUS_PX // 3).seats() == {}


def test_the_holes_of_a_button_are_part_of_it() -> None:
    drawing = Drawing().disc(100, 120, GREEN)
    drawing.colours[119:121, 95:97] = drawing.colours[119:121, 104:106] = 0.0
    (thing,) = objects_of(MARKERS, drawing.colours, drawing.changed).values()

    assert thing.pixels[120, 96]
    assert thing.pixels[120, 105]


@pytest.mark.parametrize(("radius_px", "whole"), [(18, True), (13, True), (11, False), (26, True), (28, False)])
def test_a_marker_is_whole_at_about_its_own_size(radius_px: int, whole: bool) -> None:
    drawing = Drawing().disc(100, 120, GREEN, radius_px)
    (thing,) = objects_in(drawing.colours, drawing.changed)

    assert is_whole(MARKERS[1], thing) is whole


def test_a_markers_size_leaves_its_shadow_out() -> None:
    drawing = Drawing().disc(108, 120, np.full(3, -0.6)).disc(100, 120, GREEN)
    (thing,) = objects_in(drawing.colours, drawing.changed)
    marker = marker_of(BoardLook(np.zeros((WINDOWS, WINDOWS)), drawing.colours), thing)

    assert thing.size_px > 1.2 * SIZE_PX
    assert marker.size_px == pytest.approx(SIZE_PX, rel=0.05)
    assert marker.colour == pytest.approx(GREEN)


def test_markers_are_told_apart_by_colour_more_than_by_brightness() -> None:
    assert are_distinct(*MARKERS.values())
    assert not are_distinct(MARKERS[1], MarkerAppearance(GREEN + 0.25, SIZE_PX))
    assert are_distinct(MARKERS[1], MarkerAppearance(GREEN + np.array([0.25, -0.25, 0.0]), SIZE_PX))


def test_a_change_beyond_the_printed_area_is_left_out() -> None:
    changed = changed_pixels(BoardLook(np.full((WINDOWS, WINDOWS), 2.0), np.zeros((VIEW_PX, VIEW_PX, 3), np.float32)))
    first, last = CELLS_TO_VIEW([[0.0, 0.0], [9.0, 9.0]])

    assert changed[round(first[1]) : round(last[1]), round(first[0]) : round(last[0])].all()
    assert not changed[0].any()
    assert not changed[:, -1].any()
