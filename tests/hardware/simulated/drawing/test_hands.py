from __future__ import annotations

import numpy as np
import pytest

from hardware.simulated.drawing.hands import PX_PER_MM, REACH_MM, SKINS, hand_sprite


@pytest.mark.parametrize("person", range(len(SKINS)))
def test_a_hand_reaches_from_the_middle_to_the_lower_edge(person: int) -> None:
    mask = hand_sprite(person, left=False).mask > 127
    middle = mask.shape[0] // 2
    fingertips = np.nonzero(mask.any(axis=1))[0].min()
    assert 10 <= (middle - fingertips) / PX_PER_MM <= 35
    assert mask[-3].any()
    assert mask.shape[0] == pytest.approx(2 * REACH_MM * PX_PER_MM, abs=2)


def test_skin_tones_vary() -> None:
    levels = []
    for person in range(len(SKINS)):
        sprite = hand_sprite(person, left=False)
        middle = sprite.mask.shape[0] // 2
        palm = slice(middle + round(80 * PX_PER_MM), middle + round(110 * PX_PER_MM))
        levels.append(sprite.picture[palm][sprite.mask[palm] > 127].mean())
    assert max(levels) - min(levels) > 70


def test_a_left_hand_is_a_right_hand_in_the_mirror() -> None:
    right, left = hand_sprite(0, left=False), hand_sprite(0, left=True)
    np.testing.assert_array_equal(left.mask, right.mask[:, ::-1])


def test_fingers_are_apart() -> None:
    mask = hand_sprite(1, left=False).mask > 127
    row = mask[mask.shape[0] // 2 + round(12 * PX_PER_MM)]
    assert (np.diff(row.astype(int)) == 1).sum() >= 3
