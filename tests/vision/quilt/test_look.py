from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.geometry.rectify import VIEW_PX
from vision.quilt.look import look_at

if TYPE_CHECKING:
    from tests.vision.conftest import Scenes


def test_a_look_holds_what_its_docstring_says(scenes: type[Scenes]) -> None:
    look = look_at(scenes.board())
    assert look.log.shape == (VIEW_PX, VIEW_PX, 3)
    assert look.luminance.shape == look.structure.shape == (VIEW_PX, VIEW_PX)
    assert {each.dtype for each in (look.log, look.luminance, look.structure)} == {np.dtype(np.float32)}
    np.testing.assert_allclose(look.luminance, look.log.mean(axis=2), atol=1e-5)


def test_black_and_white_views_have_a_finite_look() -> None:
    for grey in (0, 255):
        look = look_at(np.full((VIEW_PX, VIEW_PX, 3), grey, np.uint8))
        assert np.isfinite(look.log).all()
        assert np.abs(look.structure).max() < 1e-4


@pytest.mark.parametrize("gain", [0.6, 1.3])
def test_exposure_leaves_the_structure_alone(scenes: type[Scenes], gain: float) -> None:
    board = scenes.board()
    change = np.abs(look_at(scenes.lit(board, gain)).structure - look_at(board).structure)
    assert change.mean() < 0.004
