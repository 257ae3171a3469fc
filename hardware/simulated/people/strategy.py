"""The simulated players' strategy: it values income, cells and a quilt without holes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.patchwork import (
    ALL_CELLS,
    PATCHES,
    SIDE,
    TIME_TRACKS,
    Advance,
    Decision,
    PlaceLeather,
    State,
    TakePatch,
    affordable,
    fits,
)

if TYPE_CHECKING:
    import numpy as np

_LEFT_COLUMN = sum(1 << row * SIDE for row in range(SIDE))
_RIGHT_COLUMN = _LEFT_COLUMN << SIDE - 1

HOLE_COST = 3.2
"""Cost of an isolated empty cell, which only a leather patch fills."""
BORDER_COST = 0.36
"""Cost of each edge between an empty and a covered cell."""


def choose(state: State, rng: np.random.Generator, whim: float) -> Decision:
    """Return a legal decision for the seat whose turn it is.

    Args:
        state: a game that has not ended.
        rng: of the player.
        whim: randomness, 0 for the best move, 1 for any.

    Raises:
        ValueError: the game has ended.
    """
    if state.turn is None:
        raise ValueError("the game has ended")
    seat = state.turn
    quilt = state.seat(seat).quilt
    if state.leather_due:
        free = [1 << bit for bit in range(SIDE * SIDE) if not quilt >> bit & 1]
        return PlaceLeather(seat, min(free, key=lambda cell: raggedness(quilt | cell)))
    bargain = _best_patch(state, seat, quilt, rng, whim)
    if bargain is None or bargain[0] < rng.normal(0, 0.1 + 4 * whim):
        return Advance(seat)
    return TakePatch(seat, bargain[1], bargain[2])


def _best_patch(
    state: State, seat: int, quilt: int, rng: np.random.Generator, whim: float
) -> tuple[float, str, int] | None:
    """Return value, patch and cells of the best purchase, or None."""
    options = []
    for patch_id in affordable(state):
        laid = _best_fit(patch_id, quilt, rng, whim)
        if laid is not None:
            worth = _worth(state, seat, patch_id) - BORDER_COST * laid[0] + rng.normal(0, 0.1 + 5 * whim)
            options.append((worth, patch_id, laid[1]))
    return max(options, default=None)


def _worth(state: State, seat: int, patch_id: str) -> float:
    """Return the points that a patch earns until the end, less its price.

    Time costs the buttons that advancing would earn.
    """
    patch, mine = PATCHES[patch_id], state.seat(seat)
    track = TIME_TRACKS[state.setup.edition]
    paydays = sum(1 for mark in track.income if mark > min(mine.time + patch.time, track.last_space))
    # At the end, each empty cell costs two points.
    return 2 * patch.size + patch.income * paydays - patch.buttons - 0.8 * patch.time


def _best_fit(patch_id: str, quilt: int, rng: np.random.Generator, whim: float) -> tuple[float, int] | None:
    """Return the increase in raggedness of the best placement, and its cells, or None."""
    placements = fits(patch_id, quilt)
    if not placements:
        return None
    before = raggedness(quilt)
    noise = rng.normal(0, 0.05 + 6 * whim, len(placements))
    return min((raggedness(quilt | mask) - before + extra, mask) for mask, extra in zip(placements, noise, strict=True))


def raggedness(quilt: int) -> float:
    """Return the number of edges of empty cells to covered ones and the border, with a surcharge for isolated cells."""
    free = ALL_CELLS & ~quilt
    # The shift would move the last column to the next row.
    right, left = (free & ~_RIGHT_COLUMN) << 1, (free & ~_LEFT_COLUMN) >> 1
    down, up = free << SIDE & ALL_CELLS, free >> SIDE
    edges = sum((free & ~shifted).bit_count() for shifted in (right, left, down, up))
    lone = (free & ~(right | left | down | up)).bit_count()
    return edges + lone * HOLE_COST / BORDER_COST
