"""Test what is known about the quilts, now and earlier."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.patchwork.watching.watch import Memories
from vision.geometry import VIEW_PX
from vision.quilt.look import RING, QuiltMemory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

NOWHERE = np.zeros((RING, RING), np.bool_)
BARE = {1: NOWHERE, 2: NOWHERE}


def view(shade: int) -> NDArray[np.uint8]:
    """Return the view of a quilt that is of one shade."""
    return np.full((VIEW_PX, VIEW_PX, 3), shade, np.uint8)


def lattice(cells: Sequence[int]) -> NDArray[np.bool_]:
    """Return cells of the grid, numbered by row, on the lattice."""
    marked = NOWHERE.copy()
    for cell in cells:
        marked[cell // 9 + 1, cell % 9 + 1] = True
    return marked


def begun() -> Memories:
    """Return the memories of two empty boards."""
    memories = Memories()
    for seat in (1, 2):
        memories.begin(seat, QuiltMemory(view(0)))
    return memories


def expected(memories: Memories, seat: int, covered: NDArray[np.bool_]) -> list[int]:
    """Return the shade expected of each cell of the grid."""
    look = memories.now[seat].expected(covered).view
    return [int(look[64 + 32 * (cell // 9), 64 + 32 * (cell % 9), 0]) for cell in range(81)]


class Game:
    """Patches taken and taken back, each seen when it is taken or later; every look has a shade of its own."""

    def __init__(self) -> None:
        self.memories = begun()
        self.patches: list[tuple[int, list[int]]] = []
        self.shades: dict[tuple[int, int], int] = {}
        self.looks = 0

    def covered(self, seat: int) -> NDArray[np.bool_]:
        return lattice([cell for owner, cells in self.patches if owner == seat for cell in cells])

    def take(self, seat: int, cells: Sequence[int], *, seen: bool) -> None:
        free = [cell for cell in cells if not any(owner == seat and cell in laid for owner, laid in self.patches)]
        self.memories.keep()
        self.patches.append((seat, free))
        if seen:
            self.look(seat)

    def look(self, seat: int) -> None:
        """See a quilt, with the patches on it that were entered by hand."""
        self.looks += 1
        self.memories.now[seat] = self.memories.now[seat].lay(view(self.looks), self.covered(seat))
        for owner, cells in self.patches:
            for cell in cells if owner == seat else ():
                self.shades.setdefault((seat, cell), self.looks)

    def undo(self) -> None:
        if self.patches:
            seat, cells = self.patches.pop()
            for cell in cells:
                self.shades.pop((seat, cell), None)
            self.memories.take_back({each: self.covered(each) for each in (1, 2)})


SEATS = st.sampled_from([1, 2])
TAKES = st.tuples(
    st.just("take"), SEATS, st.lists(st.integers(0, 80), min_size=1, max_size=6, unique=True), st.booleans()
)
MOVES = st.lists(TAKES | st.tuples(st.just("look"), SEATS) | st.just(("undo",)) | st.just(("undo",)), max_size=40)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(moves=MOVES)
def test_after_any_undos_the_memory_is_that_of_the_standing_decisions(moves: list[tuple[object, ...]]) -> None:
    game = Game()
    for move in moves:
        match move:
            case ("take", int(seat), list(cells), bool(seen)):
                game.take(seat, cells, seen=seen)
            case ("look", int(seat)):
                game.look(seat)
            case _:
                game.undo()
    for seat in (1, 2):
        shades = [game.shades.get((seat, cell), 0) for cell in range(81)]
        assert expected(game.memories, seat, game.covered(seat)) == shades
        assert expected(game.memories, seat, NOWHERE) == [0] * 81


def test_patches_of_a_resumed_game_that_are_taken_back_are_forgotten() -> None:
    memories, both = Memories(), lattice([0, 1])
    for seat in (1, 2):
        memories.begin(seat, QuiltMemory(view(0)).lay(view(5), both))
    memories.take_back({1: lattice([0]), 2: both})
    memories.keep()
    memories.now[1] = memories.now[1].lay(view(7), both)
    assert expected(memories, 1, both)[:3] == [5, 7, 0]
    assert expected(memories, 2, both)[:3] == [5, 5, 0]


@pytest.mark.parametrize(("learns", "again"), [(True, [1]), (False, [])])
def test_surroundings_learnt_with_an_undone_decision_are_learnt_again(*, learns: bool, again: list[int]) -> None:
    memories = begun()
    memories.keep()
    if learns:
        memories.now[1] = memories.now[1].surround(view(3))
    assert memories.take_back(BARE) == again


def test_a_quilt_that_is_begun_anew_was_never_otherwise() -> None:
    memories = begun()
    memories.keep()
    memories.begin(1, QuiltMemory(view(4)))
    memories.take_back(BARE)
    assert expected(memories, 1, NOWHERE) == [4] * 81


def test_the_memories_are_complete_once_both_quilts_have_begun() -> None:
    memories = Memories()
    memories.begin(1, QuiltMemory(view(0)))
    assert not memories.complete
    memories.begin(2, QuiltMemory(view(0)))
    assert memories.complete
