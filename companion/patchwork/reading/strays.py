"""Cells whose change no placement explains: an earlier patch moved, an object, a covered view."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final

from companion.games.patchwork import SIDE, PlaceLeather, TakePatch
from companion.patchwork.reading import complaints
from companion.patchwork.reading.explain import Explanation, unexplained
from companion.patchwork.reading.lattice_placements import LEATHER
from companion.patchwork.watching.lattice import mask_of_lattice
from vision.tokens.discs import token_in_cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.patchwork import History, State
    from companion.patchwork.reading.observation import Observation
    from companion.patchwork.reading.verdict import Complaint
    from vision.table.placed import PlacedPicture

CHANGED: Final = 4.0
"""Log-likelihood ratio beyond which a cell has certainly changed."""
_LONE: Final = 8.0
"""The same for a one-cell piece: in a desk lamp's moving shadow, an unmoved one was seen to reach 5."""
_TOKEN_CORE: Final = 3.0
"""Ratio in the middle of a single bare cell beyond which an object lies there: tokens have 3.1 to 4, a cell between
patches that extend over its sides was seen to reach 2.5."""
_COVERED_UP: Final = 8
"""Number of stray cells above which the quilt is covered: stray tokens and nudged patches make fewer."""


def complaint_of_strays(history: History, observation: Observation, explained: Explanation) -> Complaint | None:
    """Return the complaint about changed cells that the explanation does not cover, or None if they are negligible.

    A cell explained by leather counts as unexplained if a round token lies there.
    """
    state = history.state
    seat = state.mover
    if explained.patches == (LEATHER,) and _is_token(explained.mask, observation.picture, seat):
        return complaints.stray_object(state, seat, explained.mask, observation.frame)
    stray = unexplained(observation.ratios, observation.core, explained, CHANGED)
    if stray.bit_count() > _COVERED_UP:
        return complaints.unclear(state, seat, stray, observation.frame)
    certain = unexplained(observation.ratios, observation.core, explained, _LONE)
    moved = [(name, mask) for name, mask in pieces(history, seat) if _has_moved(mask, stray, certain)]
    if moved:
        return complaint_of_moved(state, seat, moved, observation.frame)
    objects = stray & ~state.seat(seat).quilt
    if objects.bit_count() == 1:
        objects &= mask_of_lattice(observation.core > _TOKEN_CORE)
    return complaints.stray_object(state, seat, objects, observation.frame) if objects else None


def complaint_of_moved(state: State, seat: int, moved: Sequence[tuple[str, int]], frame: str) -> Complaint:
    """Return the complaint about earlier pieces, given as names and cells, that have moved."""
    cells = reduce(or_, (mask for _, mask in moved))
    return complaints.moved(state, seat, [name for name, _ in moved], cells, frame)


def pieces(history: History, seat: int) -> list[tuple[str, int]]:
    """Return the names and cells of the pieces on a quilt."""
    return [
        (decision.patch if isinstance(decision, TakePatch) else "leather patch", decision.cells)
        for decision in history.decisions
        if isinstance(decision, TakePatch | PlaceLeather) and decision.seat == seat
    ]


def _is_token(cell: int, picture: PlacedPicture, seat: int) -> bool:
    """Return whether a button token, rather than leather, which is square, lies in the only cell of a mask."""
    board = picture.boards.get(seat)
    return board is not None and token_in_cell(picture.image, board, divmod(cell.bit_length() - 1, SIDE)) is not None


def _has_moved(piece: int, stray: int, certain: int) -> bool:
    """Return whether two of a piece's cells changed, or certainly its only one: leather's shadow looks changed, too."""
    if piece.bit_count() == 1:
        return bool(piece & certain)
    return (piece & stray).bit_count() >= 2
