"""Test what is known about the quilts, now and earlier."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.patchwork.watching.watch import Memories
from vision.geometry import VIEW_PX
from vision.quilt.look import RING, QuiltMemory

if TYPE_CHECKING:
    from numpy.typing import NDArray

NOWHERE = np.zeros((RING, RING), np.bool_)


def view(seed: int) -> NDArray[np.uint8]:
    """Return the view of a quilt with a random pattern."""
    return np.random.default_rng(seed).integers(40, 200, (VIEW_PX, VIEW_PX, 3), dtype=np.uint8)


def shown(memories: Memories) -> int:
    """Return the seed of the pattern expected around the quilt."""
    corner = memories.now[1].expected(NOWHERE).view[20:40, 20:40]
    return next(seed for seed in range(4) if np.array_equal(corner, view(seed)[20:40, 20:40]))


@pytest.fixture
def memories() -> Memories:
    """Memories of seat 1's quilt, whose look has changed with each of three decisions."""
    memories = Memories()
    memories.begin(1, QuiltMemory(view(0)))
    for decision in (1, 2, 3):
        memories.keep()
        memories.now[1].surround(view(decision))
    return memories


def test_the_effects_of_decisions_are_undone_one_by_one(memories: Memories) -> None:
    seen = [shown(memories)]
    for _ in range(2):
        memories.take_back()
        seen.append(shown(memories))
    assert seen == [3, 2, 1]


def test_the_effects_of_old_decisions_stay(memories: Memories) -> None:
    for _ in range(5):
        memories.take_back()
    assert shown(memories) == 1


def test_a_quilt_that_is_begun_anew_was_never_otherwise(memories: Memories) -> None:
    memories.begin(1, QuiltMemory(view(0)))
    memories.take_back()
    assert shown(memories) == 0
    assert list(memories.now) == [1]


def test_the_memories_are_complete_once_both_quilts_have_begun(memories: Memories) -> None:
    assert not memories.complete
    memories.begin(2, QuiltMemory(view(0)))
    assert memories.complete
