from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.board.obliquity import board_view
from vision.geometry.homography import Homography

SIZE = (1000, 800)


def _seen(angle_deg: float, turn_deg: float, cell_px: float, middle: tuple[float, float]) -> Homography:
    """Return a board so distant that it has no perspective, tilted about an axis."""
    turn, squeeze = np.radians(turn_deg), np.cos(np.radians(angle_deg))
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    linear = np.diag([1.0, squeeze]) @ spin * cell_px
    matrix = np.eye(3)
    matrix[:2, :2] = linear
    matrix[:2, 2] = np.asarray(middle) - linear @ (4.5, 4.5)
    return Homography(matrix)


@given(st.floats(5, 70), st.floats(0, 360), st.floats(10, 40))
def test_the_angle_and_the_size_are_measured_whichever_way_the_board_lies(
    angle_deg: float, turn_deg: float, cell_px: float
) -> None:
    view = board_view(_seen(angle_deg, turn_deg, cell_px, (500, 400)), SIZE)
    assert view.oblique_deg == pytest.approx(angle_deg, abs=0.1)
    assert view.cell_px == pytest.approx(cell_px * np.cos(np.radians(angle_deg)) ** 0.5, rel=1e-3)
    assert view.outside == ()


def test_corners_outside_the_frame_are_named() -> None:
    assert board_view(_seen(0, 0, 40, (100, 400)), SIZE).outside == (0, 3)
    assert board_view(_seen(0, 0, 40, (950, 700)), SIZE).outside == (1, 2, 3)
    assert board_view(_seen(0, 0, 40, (5000, 700)), SIZE).outside == (0, 1, 2, 3)
