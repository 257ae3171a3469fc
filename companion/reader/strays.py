"""Cells that changed though nothing that was laid explains it: an earlier patch moved, an object, a covered view."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final

from companion.games.patchwork import PlaceLeather, TakePatch
from companion.reader import complaints
from companion.reader.explain import Explanation, unexplained
from companion.reader.lattice import mask_of_lattice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.patchwork import History, State
    from companion.reader.watch import Sight
    from companion.verdict import Complaint

CHANGED: Final = 4.0
"""Log-likelihood ratio beyond which a cell has certainly changed."""
_LONE: Final = 8.0
"""The same of a piece of one cell: in a desk lamp's moving shadow, one that lay still was seen to reach 5."""
_TOKEN_CORE: Final = 3.0
"""Ratio in the middle of a single bare cell beyond which something lies there: tokens have 3.1 to 4, a cell between
patches that hang over its sides was seen to reach 2.5."""
_COVERED_UP: Final = 8
"""More stray cells than any stray token or nudged patch makes: something covers the quilt."""


def complaint_of_strays(history: History, sight: Sight, explained: Explanation) -> Complaint | None:
    """What to say of changed cells that the explanation leaves over; None where there are none worth a word."""
    state = history.state
    seat = state.turn or 0
    stray = unexplained(sight.ratios, sight.core, explained, CHANGED)
    if stray.bit_count() > _COVERED_UP:
        return complaints.unclear(state, seat, stray, sight.frame)
    certain = unexplained(sight.ratios, sight.core, explained, _LONE)
    moved = [(name, mask) for name, mask in pieces(history, seat) if _has_moved(mask, stray, certain)]
    if moved:
        return complaint_of_moved(state, seat, moved, sight.frame)
    objects = stray & ~state.seat(seat).quilt
    if objects.bit_count() == 1:
        objects &= mask_of_lattice(sight.core > _TOKEN_CORE)
    return complaints.stray_object(state, seat, objects, sight.frame) if objects else None


def complaint_of_moved(state: State, seat: int, moved: Sequence[tuple[str, int]], frame: str) -> Complaint:
    """What to say of earlier pieces, given as names and cells, that do not lie where they lay."""
    cells = reduce(or_, (mask for _, mask in moved))
    return complaints.moved(state, seat, [name for name, _ in moved], cells, frame)


def pieces(history: History, seat: int) -> list[tuple[str, int]]:
    """What lies on a quilt: names and cells."""
    return [
        (decision.patch if isinstance(decision, TakePatch) else "leather patch", decision.cells)
        for decision in history.decisions
        if isinstance(decision, TakePatch | PlaceLeather) and decision.seat == seat
    ]


def _has_moved(piece: int, stray: int, certain: int) -> bool:
    """Two changed cells, or the only one for certain: a plain leather patch that left a shadow looks changed, too."""
    if piece.bit_count() == 1:
        return bool(piece & certain)
    return (piece & stray).bit_count() >= 2
