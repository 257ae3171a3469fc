from __future__ import annotations

import numpy as np
import pytest

from vision.stillness import Stillness

TABLE = np.random.default_rng(1).integers(60, 200, (216, 384, 3)).astype(np.uint8)


def _noisy(image: np.ndarray, seed: int) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(0, 4, image.shape)
    return np.clip(np.rint(image + noise), 0, 255).astype(np.uint8)


def test_noise_does_not_stir_and_one_frame_in_ten_is_looked_at_all_the_same() -> None:
    stillness = Stillness()
    held = [stillness.holds(_noisy(TABLE, seed)) for seed in range(21)]
    assert held == [False, *[True] * 9, False, *[True] * 9, False]


@pytest.mark.parametrize("at", [(0, 0), (100, 200), (199, 360)])
def test_the_smallest_patch_stirs_wherever_it_lies(at: tuple[int, int]) -> None:
    stillness, laid = Stillness(), TABLE.copy()
    laid[at[0] : at[0] + 17, at[1] : at[1] + 17] -= 15
    stillness.holds(TABLE)
    assert not stillness.holds(_noisy(laid, 1))


def test_light_that_creeps_adds_up() -> None:
    stillness = Stillness()
    held = [stillness.holds(np.clip(TABLE.astype(int) - level, 0, 255).astype(np.uint8)) for level in range(8)]
    assert held == [False, True, True, True, False, True, True, True]


def test_after_an_end_or_in_another_size_nothing_is_taken_for_known() -> None:
    stillness = Stillness()
    stillness.holds(TABLE)
    stillness.end()
    assert not stillness.holds(TABLE)
    assert not stillness.holds(TABLE[:200])
