"""Test which changes become part of the empty board's reference, and which do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from companion.patchwork.watching.watch import REFERENCE_FRAMES, EmptyReference
from vision.geometry import VIEW_PX

if TYPE_CHECKING:
    from numpy.typing import NDArray

BOARD = np.random.default_rng(1).integers(90, 140, (VIEW_PX, VIEW_PX, 3)).astype(np.uint8)


def _noisy(view: NDArray[np.uint8], seed: int) -> NDArray[np.uint8]:
    return np.clip(view + np.random.default_rng(seed).normal(0, 3, view.shape), 0, 255).astype(np.uint8)


def _with_patch() -> NDArray[np.uint8]:
    """Return the board with a leather patch of its own brightness, laid between two pictures."""
    laid = BOARD.copy()
    laid[176:208, 176:208] = np.roll(BOARD, 40, axis=0)[176:208, 176:208]
    return laid


def test_the_first_frames_at_rest_are_averaged() -> None:
    reference = EmptyReference()
    for number in range(REFERENCE_FRAMES + 3):
        reference.offer(_noisy(BOARD, number), settled=number > 0)
    assert reference.complete
    assert np.abs(reference.mean.astype(float) - BOARD).mean() < 1.5


def test_a_patch_that_did_not_end_the_rest_is_no_part_of_it() -> None:
    reference = EmptyReference()
    views = [_noisy(BOARD, 1), _noisy(BOARD, 2), _noisy(_with_patch(), 3), _noisy(_with_patch(), 4)]
    for number, view in enumerate(views):
        reference.offer(view, settled=number > 0)
    assert reference.complete
    assert np.abs(reference.mean[176:208, 176:208].astype(float) - BOARD[176:208, 176:208]).mean() < 3


def test_frames_before_the_board_is_at_rest_do_not_count() -> None:
    reference = EmptyReference()
    taken = []
    for number, view in enumerate([_with_patch(), BOARD, BOARD, BOARD]):
        reference.offer(_noisy(view, number), settled=number > 1)
        taken.append(reference.taken)
    assert taken == [False, False, True, True]
    assert np.abs(reference.mean.astype(float) - BOARD).mean() < 2
