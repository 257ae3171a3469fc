"""How the board's own ground looks in this very picture, learned from the cells that are likely bare.

No printing is known beforehand. What is known of every board: its ground repeats from cell to cell, fine lines of one
look run between bare cells, and the border around the grid is printed alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.boardlook import LINES, REACH_PX, STRIPES
from vision.rectify import SIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.boardlook import BoardLook

LINE_PX: Final = 4
"""A printed line with its blur lies within this of its middle."""
_SHIFTS_PX: Final = (0, -1, 1, -2, 2, -3, 3)
_NEAR_CELLS: Final = 3.5
"""Light changes over the board: cells further off than this tell less of how the ground looks here."""
_LEAST_SPREAD: Final = np.array([0.03, 0.012, 0.012])
_NEARLY_ALL: Final = 0.85
"""Of the edges taken to lie between bare cells; the rest may lie inside a patch that looks like the ground."""
_FLANK_PX: Final = REACH_PX - LINE_PX - 1


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The ground as each cell's and each edge's neighbourhood lets it be expected, never by that cell or edge itself.

    Attributes:
        colour: expected colour of each cell if it is bare, shape (SIDE, SIDE, 3).
        spread: how far bare cells are from it, shape (3,).
        texture: expected logarithm of a bare cell's texture, shape (SIDE, SIDE, 3).
        grain: standard deviation of a bare cell's pixels, shape (3,).
        known: how many bare cells each cell's expectation rests on, shape (SIDE, SIDE).
        line: expected look of a printed line at each edge, shape (2, LINES, SIDE, 2 * LINE_PX, 3).
        lines_known: how many lines that rests on, shape (2, LINES, SIDE).
        pairs: how likely both cells at an edge are bare, shape (2, LINES, SIDE).
    """

    colour: NDArray[np.float64]
    spread: NDArray[np.float64]
    texture: NDArray[np.float64]
    grain: NDArray[np.float64]
    known: NDArray[np.float64]
    line: NDArray[np.float64]
    lines_known: NDArray[np.float64]
    pairs: NDArray[np.float64]


def learn_ground(look: BoardLook, bare: NDArray[np.float64]) -> Ground:
    """Learn how the ground looks, given how likely each cell is bare, shape (SIDE, SIDE), 0..1."""
    share = _NEARNESS * bare.reshape(1, -1)
    total = share.sum(axis=1, keepdims=True) + 1e-6
    colour = (share @ look.colour.reshape(-1, 3) + 1e-6 * look.rim.mean(axis=(0, 1))) / total
    logs = np.log(look.texture.reshape(-1, 3) + 0.005)
    texture = (share @ logs + 1e-6 * logs.min(axis=0)) / total
    weight = bare.reshape(-1, 1) / (bare.sum() + 1e-6)
    off = np.sqrt((weight * (look.colour.reshape(-1, 3) - colour) ** 2).sum(axis=0))
    grain = np.sqrt((weight * look.texture.reshape(-1, 3) ** 2).sum(axis=0))
    known = np.broadcast_to(bare.sum() - bare, bare.shape)
    before, behind = sides(bare)
    line, lines_known = _expected_lines(look, before * behind)
    shape = (SIDE, SIDE, 3)
    return Ground(
        colour.reshape(shape), np.maximum(off, _LEAST_SPREAD), texture.reshape(shape),
        np.maximum(grain, _LEAST_SPREAD), known, line, lines_known, before * behind,
    )  # fmt: skip


def _nearness() -> NDArray[np.float64]:
    """[cell, other cell]: how much the other one tells of this one; a cell tells nothing of itself."""
    row, column = np.divmod(np.arange(SIDE * SIDE), SIDE)
    squares = (row[:, None] - row[None]) ** 2 + (column[:, None] - column[None]) ** 2
    near = np.exp(-squares / (2 * _NEAR_CELLS**2)) + 0.02
    np.fill_diagonal(near, 0.0)
    return np.asarray(near, np.float64)


_NEARNESS: Final = _nearness()


def sides(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Values of the cells before and behind each edge, from cells' values (SIDE, SIDE); 0 outside the grid.

    Returns:
        Two of shape (2, LINES, SIDE), as the profiles of a `BoardLook`.
    """
    both = np.stack([values.T, values])  # [0]: line between columns, then row; [1]: line between rows, then column
    before, behind = np.zeros((2, LINES, SIDE)), np.zeros((2, LINES, SIDE))
    before[:, 1:], behind[:, :-1] = both, both
    return before, behind


def relief(profiles: NDArray[np.float64], shift_px: int = 0) -> NDArray[np.float64]:
    """What stands out from what lies to both sides of an edge: (..., 2 * LINE_PX, 3) from (..., 2 * REACH_PX, 3)."""
    middle = profiles[..., REACH_PX - LINE_PX + shift_px : REACH_PX + LINE_PX + shift_px, :]
    left, right = flanks(profiles)
    along = np.linspace(0.0, 1.0, 2 * LINE_PX)[:, None]
    return np.asarray(middle - (left[..., None, :] * (1 - along) + right[..., None, :] * along))


def flanks(profiles: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean colours to the left and to the right of an edge, each (..., 3)."""
    return profiles[..., :_FLANK_PX, :].mean(axis=-2), profiles[..., -_FLANK_PX:, :].mean(axis=-2)


def _expected_lines(look: BoardLook, weight: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    reliefs = relief(look.profiles.mean(axis=3))
    own = weight[..., None, None] * reliefs
    known = weight.sum() - weight
    line = (own.sum(axis=(0, 1, 2)) - own) / (known + 1e-6)[..., None, None]
    return line, known


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """How well each edge shows the line that is expected there, each of shape (2, LINES, SIDE).

    Attributes:
        strength: of the line, where 1 is as expected and 0 none.
        leftover: what the expected line does not explain, as a share of its own strength.
        evenness: how many of the stripes along the edge show it, 0..1.
        surprise: leftover against that of the edges between bare cells, by their median.
        oddity: likewise, by what nearly all of them stay below.
        gain: how much better the expected line explains the edge than no line does, in the same measure.
        clarity: leftover of the median edge between bare cells; where it is small, each line can be seen.
    """

    strength: NDArray[np.float64]
    leftover: NDArray[np.float64]
    evenness: NDArray[np.float64]
    surprise: NDArray[np.float64]
    oddity: NDArray[np.float64]
    gain: NDArray[np.float64]
    clarity: float


def match_lines(look: BoardLook, ground: Ground) -> Match:
    """Look for the expected line at each edge, at the best of a few shifts."""
    norm = (ground.line**2).sum(axis=(-1, -2)) + 1e-4
    best = np.full(norm.shape, np.inf)
    strength, evenness = np.zeros(norm.shape), np.zeros(norm.shape)
    for shift in _SHIFTS_PX:
        stripes = relief(look.profiles, shift)
        off = ((stripes.mean(axis=3) - ground.line) ** 2).sum(axis=(-1, -2)) / norm + 0.02 * abs(shift)
        each = (stripes * ground.line[:, :, :, None]).sum(axis=(-1, -2)) / norm[..., None]
        better = off < best
        best = np.where(better, off, best)
        strength = np.where(better, each.mean(axis=3), strength)
        evenness = np.where(better, ((each > 0.4) & (each < 1.8)).sum(axis=3) / STRIPES, evenness)
    usual, rare = (_weighted_quantile(best, ground.pairs, share) + 0.02 for share in (0.5, _NEARLY_ALL))
    nothing = (relief(look.profiles.mean(axis=3)) ** 2).sum(axis=(-1, -2)) / norm
    return Match(strength, best, evenness, best / usual, best / rare, (nothing - best) / usual, usual)


def _weighted_quantile(values: NDArray[np.float64], weights: NDArray[np.float64], share: float) -> float:
    """The value with this share of the weight below it: a few edges taken for bare by mistake do not move it far."""
    order = np.argsort(values, axis=None)
    passed = np.cumsum(weights.reshape(-1)[order])
    return float(values.reshape(-1)[order][np.searchsorted(passed, passed[-1] * share)])
