from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.geometry.sharpness import look_at_marker

if TYPE_CHECKING:
    from numpy.typing import NDArray

CORNERS = np.array([[60.0, 58.0], [112.0, 60.0], [110.0, 113.0], [58.0, 110.0]])


def _marker(blur_px: float, ink: float = 25.0, paper: float = 220.0, noise: float = 0.0) -> NDArray[np.uint8]:
    """Return a dark square on paper, drawn at eight times the resolution and reduced."""
    fine = np.full((170 * 8, 170 * 8), paper, np.float32)
    corners = np.round((CORNERS + 0.5) * 8 * 16 - 8).astype(np.int32)
    cv2.fillConvexPoly(fine, corners, ink, cv2.LINE_8, 4)
    if blur_px:
        fine = np.asarray(cv2.GaussianBlur(fine, (0, 0), blur_px * 8), np.float32)
    seen = cv2.resize(fine, (170, 170), interpolation=cv2.INTER_AREA)
    seen = seen + np.random.default_rng(1).normal(0, noise, seen.shape)
    return np.asarray(np.clip(np.rint(seen), 0, 255), np.uint8)


@pytest.mark.parametrize("blur_px", [0.9, 1.3, 1.8, 2.4])
@pytest.mark.parametrize("noise", [0.0, 6.0])
def test_the_blur_is_measured(blur_px: float, noise: float) -> None:
    look = look_at_marker(_marker(blur_px, noise=noise), CORNERS)
    # The pixels' own size blurs by 0.3 px, reading between them by a little more.
    assert look.blur_px == pytest.approx(np.hypot(blur_px, 0.45), abs=0.2)
    assert look.ink == pytest.approx(25, abs=6)
    assert look.paper == pytest.approx(220, abs=6)


def test_light_and_colour_change_nothing_about_the_blur() -> None:
    grey = _marker(1.2)
    dim = np.repeat((grey * 0.3).astype(np.uint8)[..., None], 3, axis=2)
    assert look_at_marker(dim, CORNERS).blur_px == pytest.approx(look_at_marker(grey, CORNERS).blur_px, abs=0.08)


def test_corners_that_are_a_little_off_change_little() -> None:
    moved = look_at_marker(_marker(1.2), CORNERS + np.array([1.0, -0.8]))
    assert moved.blur_px == pytest.approx(look_at_marker(_marker(1.2), CORNERS).blur_px, abs=0.1)


def test_where_ink_and_paper_look_alike_nothing_is_sharp() -> None:
    assert look_at_marker(_marker(1.0, ink=25, paper=33), CORNERS).blur_px == float("inf")


def test_a_marker_at_the_pictures_edge_can_be_looked_at() -> None:
    cut = _marker(1.0)[56:, 56:]
    assert 0.5 < look_at_marker(cut, CORNERS - 56).blur_px < 2.0
