from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.geometry import CELL_PX, SIDE, VIEW_PX
from vision.quilt.look import SQUARES, changed_squares, covered_around, is_alike, is_untouched, thumbnail

if TYPE_CHECKING:
    from numpy.typing import NDArray


@pytest.fixture
def view() -> NDArray[np.uint8]:
    rng = np.random.default_rng(1)
    return np.asarray(rng.normal(130, 6, (VIEW_PX, VIEW_PX, 3)).clip(0, 255), np.uint8)


def _noisy(view: NDArray[np.uint8], factor: float, seed: int = 2) -> NDArray[np.uint8]:
    noise = np.random.default_rng(seed).normal(0, 5, view.shape)
    return np.asarray((view * factor + noise).clip(0, 255), np.uint8)


@pytest.mark.parametrize("factor", [0.5, 0.9, 1.0, 1.4])
def test_noise_and_another_lamp_are_no_change(view: NDArray[np.uint8], factor: float) -> None:
    before, after = thumbnail(view), thumbnail(_noisy(view, factor))
    assert before.shape == (SQUARES, SQUARES, 3)
    assert is_alike(before, after)
    assert covered_around(before, after) == 0


@pytest.mark.parametrize("cell", [(0, 0), (4, 7), (8, 8)])
@pytest.mark.parametrize("factor", [0.85, 1.15])
def test_a_single_patch_hardly_brighter_than_the_board_is_a_change(
    view: NDArray[np.uint8], cell: tuple[int, int], factor: float
) -> None:
    laid = view.copy()
    top, left = (round((place + 1.5) * CELL_PX) for place in cell)
    patch = laid[top : top + CELL_PX, left : left + CELL_PX]
    patch[:] = (patch * factor).astype(np.uint8)
    assert not is_alike(thumbnail(view), thumbnail(_noisy(laid, 0.8)))
    assert covered_around(thumbnail(view), thumbnail(_noisy(laid, 0.8))) == 0, "it lies on the quilt"


def test_a_patch_that_hangs_over_by_a_third_is_no_arm(view: NDArray[np.uint8]) -> None:
    laid = view.copy()
    laid[round((SIDE - 0.5) * CELL_PX) : round((SIDE + 1.5 + 0.33) * CELL_PX), 100:164] //= 3
    assert covered_around(thumbnail(view), thumbnail(laid)) == 0


@pytest.mark.parametrize("side", range(4))
def test_an_object_beside_the_board_is_no_arm(view: NDArray[np.uint8], side: int) -> None:
    beside = np.rot90(view, side).copy()
    beside[:30, 100:260] //= 2
    assert covered_around(thumbnail(view), thumbnail(np.asarray(np.rot90(beside, -side)))) == 0


@pytest.mark.parametrize("factor", [0.5, 0.9, 1.0, 1.4])
def test_a_quilt_that_nobody_touched_is_untouched_whatever_stands_around_it(
    view: NDArray[np.uint8], factor: float
) -> None:
    after = _noisy(view, factor)
    after[:40, :200] //= 2
    assert is_untouched(thumbnail(view), thumbnail(after))
    assert not changed_squares(thumbnail(view), thumbnail(_noisy(view, factor))).any()


def test_a_patch_that_was_pushed_or_laid_touched_it(view: NDArray[np.uint8]) -> None:
    laid, pushed = view.copy(), view.copy()
    laid[112:144, 176:208] //= 2
    pushed[120:152, 176:208] //= 2
    changed = changed_squares(thumbnail(view), thumbnail(laid))
    assert changed.shape == (2 * SIDE, 2 * SIDE)
    assert np.argwhere(changed).tolist() == [[4, 8], [4, 9], [5, 8], [5, 9]], "E3"
    assert not is_untouched(thumbnail(view), thumbnail(laid))
    assert not is_untouched(thumbnail(laid), thumbnail(pushed))


@pytest.mark.parametrize("side", range(4))
def test_an_arm_from_any_side_covers_what_is_around(view: NDArray[np.uint8], side: int) -> None:
    reached = np.rot90(view, side).copy()
    reached[:90, 120:180] //= 2
    assert covered_around(thumbnail(view), thumbnail(np.asarray(np.rot90(reached, -side)))) >= 6
