"""The 81 cells of a quilt board, and sets of cells as one integer.

The bit number is row * 9 + column: A1 is bit 0, I1 bit 8, A2 bit 9, I9 bit 80.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from companion.games.patchwork.errors import MalformedDecisionError, MalformedReason

SIDE: Final = 9
ALL_CELLS: Final = (1 << SIDE * SIDE) - 1

_NAMES: Final = tuple(f"{column}{row}" for row in range(1, SIDE + 1) for column in "ABCDEFGHI")
_INDEX: Final = {name: index for index, name in enumerate(_NAMES)}


def cell_index(name: str) -> int:
    """Return the bit number (0 to 80) of a cell such as `C4`.

    Raises:
        MalformedDecisionError: if there is no such cell.
    """
    try:
        return _INDEX[name]
    # A decoded line may have anything in a cell's place: a list, for example, has no hash.
    except (KeyError, TypeError):
        raise MalformedDecisionError(MalformedReason.UNKNOWN_CELL, str(name)) from None


def cell_name(index: int) -> str:
    """Return the name of a bit number (0 to 80).

    Raises:
        IndexError: if the number lies outside the board.
    """
    if index < 0:
        raise IndexError(f"cell number {index} lies outside the board")
    return _NAMES[index]


def mask_of(names: Iterable[str]) -> int:
    """Return the bit mask of named cells.

    Raises:
        MalformedDecisionError: if a name is not a cell or is given twice.
    """
    mask = 0
    for name in names:
        bit = 1 << cell_index(name)
        if mask & bit:
            raise MalformedDecisionError(MalformedReason.REPEATED_CELL, name)
        mask |= bit
    return mask


def indices_of(mask: int) -> Iterator[int]:
    """Yield the bit numbers set in a mask, ascending: row by row, left to right."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def names_of(mask: int) -> tuple[str, ...]:
    """Return the names of the cells in a mask, row by row."""
    return tuple(_NAMES[index] for index in indices_of(mask))


def rows_of(mask: int) -> tuple[str, ...]:
    """Return nine strings of nine characters, top row first: X where the mask has a cell, a full stop elsewhere."""
    marks = "".join("X" if mask >> index & 1 else "." for index in range(SIDE * SIDE))
    return tuple(marks[start : start + SIDE] for start in range(0, SIDE * SIDE, SIDE))
