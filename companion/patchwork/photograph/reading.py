"""Reading of quilts from rectified views: the covered cells, and the pieces of the one box on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.games.patchwork import SIDE
from companion.patchwork.photograph.evidence import looks_of
from companion.patchwork.photograph.shapes import all_kinds, all_placements
from companion.patchwork.photograph.tiling import best_tilings
from vision.quilt.network import BARE, LEATHER, look_at_quilt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from companion.patchwork.photograph.tiling import Tilings
    from vision.quilt.network import QuiltLook

_PAIRED: Final = 150
"""The number of tilings of each quilt whose pairs are compared."""
_TILING_SHARE: Final = 0.5
"""Weight of the tilings in the probability of a cell; the rest is the cell's own evidence. Of 0.5 to 0.9, the value
that left the fewest wrong cells without a doubt, on 44 quilts."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadPiece:
    """One piece on a quilt.

    Attributes:
        patches: ids of the patches that it may be, twins of equal income; empty for leather.
        cells: (row, column) of each cell, row by row.
        confidence: probability of this piece in this place, 0..1.
    """

    patches: tuple[str, ...]
    cells: tuple[tuple[int, int], ...]
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class QuiltReading:
    """The reading of one quilt.

    Attributes:
        likely: the probability that each cell is covered, shape (9, 9), float64, 0..1.
        pieces: the pieces of the likeliest tiling.
        income: the number of buttons printed on these.
    """

    likely: NDArray[np.float64]
    pieces: tuple[ReadPiece, ...]
    income: int


@dataclass(frozen=True, slots=True, eq=False)
class QuiltEvidence:
    """The evidence on one quilt by itself.

    Attributes:
        look: the evidence on cells, edges, buttons and labels.
        tilings: the likeliest tilings.
    """

    look: QuiltLook
    tilings: Tilings


def see_quilt(view: NDArray[np.uint8]) -> QuiltEvidence:
    """Return the evidence in a rectified view, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR."""
    look = look_at_quilt(view)
    return QuiltEvidence(look, best_tilings(looks_of(look)))


def read_together(all_evidence: Sequence[QuiltEvidence]) -> list[QuiltReading]:
    """Read one quilt, or the two of one box, on only one of which each patch can lie."""
    shares, best = _together([evidence.tilings for evidence in all_evidence])
    return [_reading(*each) for each in zip(all_evidence, shares, best, strict=True)]


def _together(tilings: Sequence[Tilings]) -> tuple[list[NDArray[np.float64]], Sequence[int]]:
    """Return the probabilities of each quilt's tilings, and by quilt the index of its tiling in the likeliest pair."""
    separate = [_shares(each.log_weights) for each in tilings]
    if len(tilings) != 2:
        return separate, [0] * len(tilings)
    one, other = tilings
    copies = np.array([kind.copies for kind in all_kinds()])
    both = one.used[:_PAIRED, None].astype(np.intp) + other.used[None, :_PAIRED]
    pairs = one.log_weights[:_PAIRED, None] + other.log_weights[None, :_PAIRED]
    allowed = np.where((both <= copies).all(axis=2), pairs, -np.inf)
    if not np.isfinite(allowed).any():  # no likely tilings fit together: each quilt by itself
        return separate, [0, 0]
    shares = np.exp(allowed - allowed.max())
    shares /= shares.sum()
    row, column = divmod(int(shares.argmax()), len(other.log_weights[:_PAIRED]))
    return [shares.sum(axis=1), shares.sum(axis=0)], [row, column]


def _shares(log_weights: NDArray[np.float64]) -> NDArray[np.float64]:
    shares = np.exp(log_weights - log_weights.max())
    return np.asarray(shares / shares.sum())


def _reading(evidence: QuiltEvidence, shares: NDArray[np.float64], best: int) -> QuiltReading:
    count, tilings = len(shares), evidence.tilings
    tiled = (shares @ tilings.covered[:count]).reshape(SIDE, SIDE)
    leather = (shares @ _leather(tilings.placed[:count])).reshape(SIDE, SIDE)
    alone = (1 - leather) * (1 - np.exp(evidence.look.cells[..., BARE])) + leather * _leather_or_empty(evidence.look)
    placed = tilings.placed[best]
    pieces = [
        _piece(int(placed[first]), float(shares @ (tilings.placed[:count, first] == placed[first])))
        for first in np.flatnonzero(placed >= 0)
    ]
    kinds = all_kinds()
    income = sum(kinds[all_placements().kinds[number]].income for number in placed[placed >= 0])
    return QuiltReading(_TILING_SHARE * tiled + (1 - _TILING_SHARE) * alone, tuple(pieces), income)


def _leather(placed: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return the cells that hold leather in tilings, given as numbers of placements, -1 for none; (n, 81), bool."""
    # An index of -1 finds some placement, too; the first condition excludes it.
    return np.asarray((placed >= 0) & (all_placements().kinds[placed] == len(all_kinds()) - 1))


def _leather_or_empty(look: QuiltLook) -> NDArray[np.float64]:
    """Return the probability that a cell without a patch is leather rather than empty, shape (9, 9).

    By itself an empty cell that looks like its neighbour's print seems covered; but if no patch can lie there, it is
    leather or empty, and it does not look like leather.
    """
    leather, bare = np.exp(look.cells[..., LEATHER]), np.exp(look.cells[..., BARE])
    return np.asarray(leather / (leather + bare))


def _piece(number: int, confidence: float) -> ReadPiece:
    placed = all_placements()
    cells = tuple(divmod(int(cell), SIDE) for cell in np.flatnonzero(placed.masks[number]))
    return ReadPiece(all_kinds()[placed.kinds[number]].patches, cells, confidence)
