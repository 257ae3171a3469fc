"""The square that wins the 7x7 tile."""

from typing import Final

from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.components import BONUS_SIDE


def has_square(quilt: int) -> bool:
    """Return whether the covered cells (bit mask) include a whole square of 7 by 7 cells."""
    if quilt.bit_count() < BONUS_SIDE * BONUS_SIDE:
        return False
    return any(quilt & window == window for window in _WINDOWS)


def _windows() -> tuple[int, ...]:
    row = (1 << BONUS_SIDE) - 1
    corner = sum(row << SIDE * step for step in range(BONUS_SIDE))
    reach = range(SIDE - BONUS_SIDE + 1)
    return tuple(corner << SIDE * down + across for down in reach for across in reach)


_WINDOWS: Final = _windows()
