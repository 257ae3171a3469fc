"""The orientations of patches, and every placement on a quilt."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.components import PATCHES

Cells: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Orientation:
    """A patch turned and possibly flipped, moved to the top left corner.

    Attributes:
        cells: (row, column) pairs in reading order; the smallest row and the smallest column are 0.
        height: the number of rows it spans.
        width: the number of columns it spans.
    """

    cells: Cells
    height: int
    width: int

    @property
    def mask(self) -> int:
        """Its cells as a bit mask, lying in the top left corner of the board."""
        return sum(1 << row * SIDE + column for row, column in self.cells)


@cache
def orientations(patch_id: str) -> tuple[Orientation, ...]:
    """Return the distinct orientations among the eight rotations and flips of a patch, the drawn one first.

    Raises:
        KeyError: if there is no such patch.
    """
    shapes: list[Cells] = []
    turned: Cells = PATCHES[patch_id].cells
    for _ in range(4):
        turned = tuple((column, -row) for row, column in turned)
        shapes += [_in_corner(turned), _in_corner((row, -column) for row, column in turned)]
    drawn = _in_corner(PATCHES[patch_id].cells)
    return tuple(_orientation(cells) for cells in dict.fromkeys([drawn, *shapes]))


def _in_corner(cells: Iterable[tuple[int, int]]) -> Cells:
    pairs = tuple(cells)
    top = min(row for row, _ in pairs)
    left = min(column for _, column in pairs)
    return tuple(sorted((row - top, column - left) for row, column in pairs))


def _orientation(cells: Cells) -> Orientation:
    return Orientation(cells, 1 + max(row for row, _ in cells), 1 + max(column for _, column in cells))


@cache
def twins_of(patch_id: str) -> tuple[str, ...]:
    """Return the other patches of the same shape, in file order; only labels or prints distinguish them.

    Raises:
        KeyError: if there is no such patch.
    """
    shape = set(orientations(patch_id))
    return tuple(other for other in PATCHES if other != patch_id and set(orientations(other)) == shape)


@cache
def placements(patch_id: str) -> tuple[int, ...]:
    """Return every placement on the empty board, as masks: orientation by orientation, each row by row.

    Raises:
        KeyError: if there is no such patch.
    """
    return tuple(
        turned.mask << row * SIDE + column
        for turned in orientations(patch_id)
        for row in range(SIDE - turned.height + 1)
        for column in range(SIDE - turned.width + 1)
    )


@cache
def placement_set(patch_id: str) -> frozenset[int]:
    """Return the placements on the empty board as a set, for membership tests.

    Raises:
        KeyError: if there is no such patch.
    """
    return frozenset(placements(patch_id))


def fits(patch_id: str, quilt: int) -> tuple[int, ...]:
    """Return the placements of a patch that cover no cell of the quilt, in the order of `placements`.

    Raises:
        KeyError: if there is no such patch.
    """
    return tuple(mask for mask in placements(patch_id) if not mask & quilt)
