"""All legal decisions of a state, enumerated with a few shifts a patch instead of one test a placement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.patchwork.anchors import anchor_groups, lowest_cells
from companion.games.patchwork.cells import ALL_CELLS
from companion.games.patchwork.decisions import Advance, Decision, PlaceLeather, TakePatch
from companion.games.patchwork.errors import IllegalDecisionError
from companion.games.patchwork.legality import affordable, check

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from companion.games.patchwork.state import State

_ONE_CELL: Final = 1


class LegalDecisions:
    """The legal decisions of one state: `in`, `bool()`, `len()`, `.count()`, iteration, an index, a random pick.

    Order: purchases by position of the offer, then by orientation, then row by row; the advance last. While a leather
    patch is due: its cells row by row. Empty after the end of the game.
    """

    __slots__ = ("_count", "_groups", "_seat", "_state")

    def __init__(self, state: State) -> None:
        self._state = state
        self._seat = state.turn or 0
        self._groups, self._count = _enumerate(state)

    def count(self) -> int:
        """How many there are."""
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

    def __iter__(self) -> Iterator[Decision]:
        for _, patch, shape, anchors in self._groups:
            for anchor in lowest_cells(anchors):
                yield self._placing(patch, shape * anchor)
        if self._count and not self._state.leather_due:
            yield Advance(self._seat)

    def __getitem__(self, index: int) -> Decision:
        """The decision at an index of the order above, from 0.

        Raises:
            IndexError: if there is none.
        """
        if not 0 <= index < self._count:
            raise IndexError(f"{self._count} decisions are legal, there is none at {index}")
        for size, patch, shape, anchors in self._groups:
            if index < size:
                for _ in range(index):
                    anchors &= anchors - 1  # noqa: PLW2901 - the group is the loop's own copy
                return self._placing(patch, shape * (anchors & -anchors))
            index -= size
        return Advance(self._seat)

    def pick(self, rng: random.Random) -> Decision:
        """One of them, each equally likely.

        Raises:
            IndexError: if there is none.
        """
        return self[int(rng.random() * self._count)]

    def _placing(self, patch: str | None, cells: int) -> Decision:
        return PlaceLeather(self._seat, cells) if patch is None else TakePatch(self._seat, patch, cells)


def legal_decisions(state: State) -> LegalDecisions:
    """Every decision that `apply` accepts in this state."""
    return LegalDecisions(state)


def _enumerate(state: State) -> tuple[list[tuple[int, str | None, int, int]], int]:
    """(placements, patch or None for leather, shape in the corner, anchors) a group, and the count of all decisions."""
    if state.turn is None:
        return [], 0
    free = ALL_CELLS & ~state.seats[state.turn - 1].quilt
    if state.leather_due:
        return [(free.bit_count(), None, _ONE_CELL, free)], free.bit_count()
    groups = anchor_groups(affordable(state), free)
    return groups, 1 + sum(group[0] for group in groups)
