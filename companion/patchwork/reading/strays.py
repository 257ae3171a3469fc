"""Changes on a quilt beside the piece that was laid: tokens and other objects, and pieces that were moved."""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Final

from companion.games.patchwork.cells import SIDE, indices_of, mask_of
from companion.games.patchwork.decisions import PlaceLeather, TakePatch
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import State
from companion.patchwork.reading import complaints
from companion.patchwork.reading.explain import LEATHER, Explanation, unexplained
from companion.patchwork.reading.observer import Observation
from companion.patchwork.reading.verdict import Complaint
from companion.patchwork.watching.watch import mask_of_lattice
from vision.quilt.changes import corner_light
from vision.quilt.look import is_recognised_nearby
from vision.table.plane import PlacedPicture
from vision.tokens.discs import Disc, token_in_cell

CHANGED: Final = 4.0
"""Log-likelihood ratio beyond which a cell has certainly changed."""
# The same for a one-cell piece: in a desk lamp's moving shadow, an unmoved one was seen to reach 5.
_LONE: Final = 8.0
# Ratio in the middle of a single bare cell beyond which an object lies there: tokens have 3.1 to 4, a cell between
# patches that extend over its sides was seen to reach 2.5.
_TOKEN_CORE: Final = 3.0
# Number of stray cells above which the quilt is covered: stray tokens and nudged patches make fewer.
_COVERED_UP: Final = 8
# Log-ratio below which a corner of a cell is free: beside 83 drawn tokens the least changed one had up to 0.096, beside
# 80 of them 0.064 at most; around 62 buttons printed on patches, in recordings, it had 0.079 and more.
_FREE_CORNER: Final = 0.075
# The least radius of a token, in cells: in recordings they had 0.33 and more, false rings in a print 0.27.
_TOKEN_CELLS: Final = 0.3
# Distance, in view pixels, within which a print lies where it was: two of a piece a sixteenth of a cell beside their
# places turn it by less than the nudge that counts as none.
_IN_PLACE_PX: Final = 2


def complaint_of_strays(history: History, observation: Observation, explained: Explanation) -> Complaint | None:
    """Return the complaint about changed cells that the explanation does not cover, or None if they are negligible.

    A cell explained by leather counts as unexplained if a round token lies there.
    """
    state = history.state
    seat = state.mover
    if explained.patches == (LEATHER,) and is_token(explained.mask, observation.picture, seat):
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


def _has_moved(piece: int, stray: int, certain: int) -> bool:
    """Return whether two of a piece's cells changed, or certainly its only one: leather's shadow looks changed, too."""
    if piece.bit_count() == 1:
        return bool(piece & certain)
    return (piece & stray).bit_count() >= 2


def are_in_place(history: History, observation: Observation, complaint: Complaint) -> bool:
    """Return whether none of the pieces of a complaint has moved: of each, the prints of two cells lie where they were.

    Haze, or the shadow in which it was laid, may have changed its plain cells.
    """
    cells, look, expected = mask_of(complaint.cells), observation.look, observation.expected
    return all(
        sum(is_recognised_nearby(look, expected, *divmod(index, SIDE), _IN_PLACE_PX) for index in indices_of(mask)) > 1
        for _, mask in pieces(history, complaint.seat)
        if mask & cells
    )


def pieces(history: History, seat: int) -> list[tuple[str, int]]:
    """Return the names and cells of the pieces on a quilt."""
    return [
        (decision.patch if isinstance(decision, TakePatch) else "leather patch", decision.cells)
        for decision in history.decisions
        if isinstance(decision, TakePatch | PlaceLeather) and decision.seat == seat
    ]


def either_leather(state: State, observation: Observation, best: Explanation) -> list[PlaceLeather]:
    """Return the leather patch as explained and as the other changed cell would have it; none if there is not just one.

    Old patches that reach over a cell from two sides look like leather, sometimes more so than the leather itself.
    """
    picture, seat = observation.picture, state.mover
    if best.patches != (LEATHER,) or is_token(best.mask, picture, seat):
        return []
    changed = unexplained(observation.ratios, observation.core, best, CHANGED) & ~state.seat(seat).quilt
    cells = [best.mask, *(1 << index for index in indices_of(changed))]
    if len(cells) != 2 or is_token(cells[1], picture, seat):
        return []
    return [PlaceLeather(seat, cell) for cell in cells]


def cells_with_token(observation: Observation, best: Explanation, seat: int) -> int:
    """Return the cells of a patch in which a button token may lie beside a smaller one, as a bit mask.

    A token looks as much like a part of a patch as what is printed on patches, but leaves corners of its cell free.
    """
    corners = corner_light(observation.expected, observation.look)
    free = [index for index in indices_of(best.mask) if corners[divmod(index, SIDE)] < _FREE_CORNER]
    discs = ((1 << index, _disc_in(1 << index, observation.picture, seat)) for index in free)
    return sum(cell for cell, disc in discs if disc is not None and disc.radius_cells > _TOKEN_CELLS)


def is_token(cell: int, picture: PlacedPicture, seat: int) -> bool:
    """Return whether a button token, rather than leather, which is square, lies in the only cell of a mask."""
    board = picture.boards.get(seat)
    return board is not None and token_in_cell(picture.image, board, divmod(cell.bit_length() - 1, SIDE)) is not None


def _disc_in(cell: int, picture: PlacedPicture, seat: int) -> Disc | None:
    board = picture.boards.get(seat)
    return None if board is None else token_in_cell(picture.image, board, divmod(cell.bit_length() - 1, SIDE))
