"""All legal decisions of a state, enumerated with a few shifts per patch instead of one test per placement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.patchwork.anchors import Group, anchor_groups
from companion.games.patchwork.cells import ALL_CELLS, SIDE, indices_of
from companion.games.patchwork.decisions import Advance, MoveDecision, PlaceLeather, TakePatch
from companion.games.patchwork.errors import IllegalDecisionError
from companion.games.patchwork.legality import affordable, check

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from companion.games.patchwork.state import State

_LEATHER_SHAPE: Final = 1
"""One cell, in the top left corner of the board."""
_UPPER_ROWS: Final = (1 << 4 * SIDE) - 1
"""About half of the board: `_cell_at` need not step through the half that lies before its cell."""


class LegalDecisions:
    """The legal decisions of one state: `in`, `bool()`, `len()`, `.count()`, iteration, indexing, a random pick.

    Order: purchases by position of the offer, then by orientation, then row by row; the advance last. While a leather
    patch is due: its cells row by row. Empty after the end of the game.
    """

    __slots__ = ("_count", "_groups", "_state")

    def __init__(self, state: State) -> None:
        self._state = state
        self._groups, self._count = _enumerate(state)

    def count(self) -> int:
        """Return the number of decisions."""
        return self._count

    def __len__(self) -> int:
        return self._count

    def __bool__(self) -> bool:
        return self._count > 0

    def __contains__(self, decision: object) -> bool:
        if not isinstance(decision, TakePatch | Advance | PlaceLeather):
            return False
        try:
            check(self._state, decision)
        except IllegalDecisionError:
            return False
        return True

    def __iter__(self) -> Iterator[MoveDecision]:
        for _, patch, shape, anchors in self._groups:
            for anchor in indices_of(anchors):
                yield self._placing(patch, shape << anchor)
        if self._count and not self._state.leather_due:
            yield Advance(self._state.mover)

    def __getitem__(self, index: int) -> MoveDecision:
        """Return the decision at an index of that order, from 0.

        Raises:
            IndexError: if the index is out of range.
        """
        if not 0 <= index < self._count:
            raise IndexError(f"{self._count} decisions are legal, there is none at {index}")
        for size, patch, shape, anchors in self._groups:
            if index < size:
                # A mask of one cell is a power of two, and as a factor shifts the shape to that cell.
                return self._placing(patch, shape * _cell_at(anchors, index))
            index -= size
        return Advance(self._state.mover)

    def pick(self, rng: random.Random) -> MoveDecision:
        """Return one of the decisions, with equal probability.

        Raises:
            IndexError: if there are no decisions.
        """
        return self[int(rng.random() * self._count)]

    def _placing(self, patch: str | None, cells: int) -> MoveDecision:
        return PlaceLeather(self._state.mover, cells) if patch is None else TakePatch(self._state.mover, patch, cells)


def legal_decisions(state: State) -> LegalDecisions:
    """Return every decision that `apply` accepts in this state."""
    return LegalDecisions(state)


def _cell_at(mask: int, index: int) -> int:
    """Return the cell at an index (from 0) of a mask, row by row, as a mask of one cell."""
    upper = mask & _UPPER_ROWS
    above = upper.bit_count()
    if index >= above:
        mask, index = mask ^ upper, index - above
    for _ in range(index):
        mask &= mask - 1
    return mask & -mask


def _enumerate(state: State) -> tuple[list[Group], int]:
    """Return the groups of placements, and the number of all decisions."""
    if state.turn is None:
        return [], 0
    free = ALL_CELLS & ~state.seats[state.turn - 1].quilt
    if state.leather_due:
        return [(free.bit_count(), None, _LEATHER_SHAPE, free)], free.bit_count()
    # Besides the purchases there is the advance, which is always allowed (`docs/rules.md`).
    groups, purchases = anchor_groups(affordable(state), free)
    return groups, purchases + 1
