from __future__ import annotations

import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES
from hardware.simulated.drawing.sprites import shape_of
from hardware.simulated.prints.patches import Printing, printed_patch


def test_a_patch_has_its_shape_and_a_print_all_over() -> None:
    for patch_id in PATCHES:
        cells = shape_of(patch_id, flipped=False)
        picture, mask = printed_patch(patch_id, cells, Printing(), 1.5, np.random.default_rng(3))
        assert picture.shape == (*mask.shape, 3)
        area = (mask > 127).sum() / (1.5 * 181 / 9) ** 2
        assert area == pytest.approx(len(cells), rel=0.08), patch_id


def test_large_buttons_take_more_of_a_patch_than_small_ones() -> None:
    rich = max(PATCHES.values(), key=lambda patch: patch.income).id
    blue = []
    for button_mm in (8.0, 14.0):
        printing = Printing(button_mm=button_mm, button_bgr=(255.0, 0.0, 0.0), tags=False)
        colours = tuple(np.array([40.0, 160.0, 200.0], np.float32) for _ in range(3))
        picture, _ = printed_patch(
            rich, shape_of(rich, flipped=False), printing, 2.0, np.random.default_rng(1), (colours[0],) * 3
        )
        blue.append(((picture[..., 0] > 90) & (picture[..., 2] < 60)).sum())
    assert blue[1] > 2 * blue[0]


def test_a_tag_slants() -> None:
    patch_id = next(name for name, patch in PATCHES.items() if patch.income == 0)
    cells = shape_of(patch_id, flipped=False)
    pictures = [
        printed_patch(patch_id, cells, Printing(tag_tilt_deg=tilt), 2.0, np.random.default_rng(5))[0]
        for tilt in (0.0, 9.0)
    ]
    assert (pictures[0] != pictures[1]).any()
