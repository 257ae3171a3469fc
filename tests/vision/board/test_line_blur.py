from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.board.line_blur import line_blur_px
from vision.geometry.rectify import CELLS_TO_VIEW

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes


def _blurred(view: NDArray[np.uint8], sigma_px: float) -> NDArray[np.uint8]:
    return np.asarray(cv2.GaussianBlur(view, (0, 0), sigma_px), np.uint8)


@pytest.mark.parametrize("sigma_px", [1.0, 1.5, 2.0, 3.0])
def test_the_blur_of_printed_lines_is_measured(scenes: type[Scenes], sigma_px: float) -> None:
    seen = line_blur_px(_blurred(scenes.board(seed=1, line=0.5, speckle=0.03), sigma_px), CELLS_TO_VIEW)
    # The lines are two pixels wide themselves.
    assert seen == pytest.approx(np.hypot(sigma_px, 2 / 12**0.5), rel=0.2)


def test_light_lines_on_dark_cloth_are_lines_too(scenes: type[Scenes]) -> None:
    seen = line_blur_px(_blurred(scenes.board(seed=2, line=1.5, speckle=0.03), 1.5), CELLS_TO_VIEW)
    assert seen == pytest.approx(1.6, rel=0.2)


def test_lines_that_cannot_be_seen_tell_nothing() -> None:
    assert line_blur_px(np.full((400, 400, 3), 120, np.uint8), CELLS_TO_VIEW) == float("inf")
