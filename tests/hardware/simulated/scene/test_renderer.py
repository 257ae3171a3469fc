"""Test the camera's shake: its picture is shifted by parts of a pixel."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.simulated.scene.renderer import _shifting

SHIFTS = st.floats(-2.5, 2.5)


@given(SHIFTS, SHIFTS)
def test_a_slope_is_shifted_by_what_was_asked(dx_px: float, dy_px: float) -> None:
    rows, columns = np.mgrid[0:24, 0:32].astype(np.float32)
    shifted = cv2.filter2D(3 * columns + 5 * rows, -1, _shifting(dx_px, dy_px))
    wanted = 3 * (columns - dx_px) + 5 * (rows - dy_px)
    assert shifted[4:-4, 4:-4] == pytest.approx(wanted[4:-4, 4:-4], abs=1e-3)


@given(SHIFTS, SHIFTS)
def test_no_light_is_lost_or_won(dx_px: float, dy_px: float) -> None:
    kernel = _shifting(dx_px, dy_px)
    assert kernel.min() >= 0
    assert float(kernel.sum()) == pytest.approx(1.0, abs=1e-5)
