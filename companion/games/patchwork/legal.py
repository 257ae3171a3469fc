"""All legal decisions of a state, enumerated with a few shifts per patch instead of one test per placement.

An anchor is the cell where the top left corner of an orientation's bounding box lies. For one cell of a shape at bit
offset s, `free >> s` holds the anchors that put it on a free cell. The conjunction over the shape's cells, within the
anchors that keep the box on the board, holds every placement: a few shifts instead of a test per placement, which
is about five times as fast (`bench/costs/rules.py`).
"""

import random
from collections.abc import Iterator
from functools import cache
from typing import Final, TypeAlias

from companion.games.patchwork.cells import ALL_CELLS, SIDE, indices_of
from companion.games.patchwork.components import PATCHES, Orientation, orientations, placement_set
from companion.games.patchwork.decisions import Advance, Decision, MoveDecision, PlaceLeather, TakePatch
from companion.games.patchwork.errors import IllegalDecisionError, IllegalReason, PatchworkError
from companion.games.patchwork.rules import affordable, check, check_for_sale, offers
from companion.games.patchwork.state import State

# (number of placements, patch or None for leather, shape in the top left corner, anchors)
Group: TypeAlias = tuple[int, str | None, int, int]


def anchor_groups(patches: tuple[str, ...], free: int) -> tuple[list[Group], int]:
    """Return the placements of patches on free cells, one group for each orientation that fits, and their number."""
    groups: list[Group] = []
    total = 0
    for patch in patches:
        for shape, on_board, offsets in _plan(patch):
            anchors = on_board
            for offset in offsets:
                anchors &= free >> offset
                if not anchors:
                    break
            else:
                count = anchors.bit_count()
                total += count
                groups.append((count, patch, shape, anchors))
    return groups, total


@cache
def _plan(patch: str) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
    """Return a patch's orientations: shape in the corner, anchors that keep it on the board, its cells' bit offsets."""
    return tuple(
        (turned.mask, _on_board(turned), tuple(row * SIDE + column for row, column in turned.cells))
        for turned in orientations(patch)
    )


def _on_board(turned: Orientation) -> int:
    rows, columns = SIDE - turned.height + 1, SIDE - turned.width + 1
    return sum(1 << row * SIDE + column for row in range(rows) for column in range(columns))


# One cell, in the top left corner of the board.
_LEATHER_SHAPE: Final = 1
# About half of the board: `_cell_at` need not step through the half that lies before its cell.
_UPPER_ROWS: Final = (1 << 4 * SIDE) - 1


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


class AmbiguousDecisionError(PatchworkError):
    """Covered cells that more than one decision explains.

    Attributes:
        candidates: the decisions, in the order of the offers; at least two.
    """

    def __init__(self, candidates: tuple[TakePatch, ...]) -> None:
        super().__init__(" ".join(candidate.patch for candidate in candidates))
        self.candidates = candidates


def resolve(state: State, seat: int, cells: int, patch: str | None = None) -> Decision:
    """Return the decision of a seat that newly covers exactly `cells` (bit mask), of `patch` if given.

    Legality is left to `apply`.

    Raises:
        AmbiguousDecisionError: if two patches on offer that the seat can pay have this shape, and may lie there.
        IllegalDecisionError: if no decision covers these cells; the error says why.
    """
    if patch is not None:
        return TakePatch(seat, patch, cells)
    if state.leather_due or state.turn is None or seat != state.turn:
        # Also out of turn and after the end: the rules then say why nothing may be placed.
        return PlaceLeather(seat, cells)
    candidates = tuple(TakePatch(seat, name, cells) for name in _explaining(state, cells))
    if not candidates:
        raise _unexplained(cells)
    payable = tuple(candidate for candidate in candidates if _for_sale(state, candidate.patch))
    if len(payable) < 2:
        # Also one that the seat cannot pay: the rules then say what it costs.
        return (payable or candidates)[0]
    # Cells that are covered already are an error, not a question which of the patches lies there.
    for candidate in payable:
        check(state, candidate)
    raise AmbiguousDecisionError(payable)


def _explaining(state: State, cells: int) -> tuple[str, ...]:
    """Return the patches of this shape: those on offer, else any."""
    offered = tuple(name for name in offers(state) if cells in placement_set(name))
    return offered or tuple(name for name in PATCHES if cells in placement_set(name))


def _for_sale(state: State, patch: str) -> bool:
    try:
        check_for_sale(state, patch)
    except IllegalDecisionError:
        return False
    return True


def _unexplained(cells: int) -> IllegalDecisionError:
    if cells < 0 or cells > ALL_CELLS:
        return IllegalDecisionError(IllegalReason.OVER_THE_EDGE, cells & ALL_CELLS)
    return IllegalDecisionError(IllegalReason.NO_SUCH_SHAPE, cells)
