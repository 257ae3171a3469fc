"""Reading of quilts from rectified views: the covered cells, and the pieces of the one box on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.cells import SIDE, cell_name
from companion.patchwork.photograph.tiling import CELLS, Looks, Tilings, all_kinds, all_placements, best_tilings
from companion.patchwork.reading.twins import twin_likelihoods
from vision.geometry import Homography
from vision.quilt.network import BARE, LEATHER, LINE, PATCH, RIM, SPOT_MARGIN, QuiltLook, look_at_quilt


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
        income_confidence: probability of that income, 0..1.
    """

    likely: NDArray[np.float64]
    pieces: tuple[ReadPiece, ...]
    income: int
    income_confidence: float


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


# The number of tilings of each quilt whose pairs are compared.
_PAIRED: Final = 150
# Weight of the tilings in the probability of a cell; the rest is the cell's own evidence. Of 0.5 to 0.9, the value that
# left the fewest wrong cells without a doubt, on 44 quilts.
_TILING_SHARE: Final = 0.5
# Avoids division by 0 where a tiling that was missed may be far likelier than all that were found.
_LEAST_SHARE: Final = 1e-12


def read_together(all_evidence: Sequence[QuiltEvidence]) -> list[QuiltReading]:
    """Read one quilt, or the two of one box, on only one of which each patch can lie."""
    shares, best = _together([evidence.tilings for evidence in all_evidence])
    return [_reading(*each) for each in zip(all_evidence, shares, best, strict=True)]


def _together(tilings: Sequence[Tilings]) -> tuple[list[NDArray[np.float64]], Sequence[int]]:
    """Return the probabilities of each quilt's tilings, and by quilt the index of its tiling in the likeliest pair.

    The probabilities add up to less than 1 if a tiling that was not found may be as likely.
    """
    separate = [_shares(each.log_weights, each.missed) for each in tilings]
    if len(tilings) != 2:
        return separate, [0] * len(tilings)
    one, other = (_likeliest(each) for each in tilings)
    copies = np.array([kind.copies for kind in all_kinds()])
    both = one.used[:, None].astype(np.intp) + other.used[None]
    pairs = one.log_weights[:, None] + other.log_weights[None]
    allowed = np.where((both <= copies).all(axis=2), pairs, -np.inf)
    if not np.isfinite(allowed).any():  # no likely tilings fit together: each quilt by itself
        return separate, [0, 0]
    missed = max(one.missed + other.log_weights[0], one.log_weights[0] + other.missed)
    shares = _shares(allowed, missed)
    row, column = divmod(int(shares.argmax()), len(other.log_weights))
    return [shares.sum(axis=1), shares.sum(axis=0)], [row, column]


def _likeliest(tilings: Tilings) -> Tilings:
    """Return the `_PAIRED` likeliest tilings."""
    left_out = tilings.log_weights[_PAIRED:]
    return Tilings(
        tilings.covered[:_PAIRED],
        tilings.placed[:_PAIRED],
        tilings.used[:_PAIRED],
        tilings.log_weights[:_PAIRED],
        max(tilings.missed, float(left_out[0])) if len(left_out) else tilings.missed,
    )


def _shares(log_weights: NDArray[np.float64], missed: float) -> NDArray[np.float64]:
    """Return the probabilities of tilings beside one that was missed, of this log weight at most."""
    most = max(float(log_weights.max()), missed)
    shares = np.exp(log_weights - most)
    return np.asarray(shares / (shares.sum() + np.exp(missed - most)))


def _reading(evidence: QuiltEvidence, shares: NDArray[np.float64], best: int) -> QuiltReading:
    count, tilings = len(shares), evidence.tilings
    found = shares / max(float(shares.sum()), _LEAST_SHARE)
    tiled = (found @ tilings.covered[:count]).reshape(SIDE, SIDE)
    leather = (found @ _leather(tilings.placed[:count])).reshape(SIDE, SIDE)
    alone = (1 - leather) * (1 - np.exp(evidence.look.cells[..., BARE])) + leather * _leather_or_empty(evidence.look)
    placed = tilings.placed[best]
    pieces = [
        _piece(int(placed[first]), float(shares @ (tilings.placed[:count, first] == placed[first])))
        for first in np.flatnonzero(placed >= 0)
    ]
    incomes = tilings.used[:count] @ np.array([kind.income for kind in all_kinds()])
    return QuiltReading(
        _TILING_SHARE * tiled + (1 - _TILING_SHARE) * alone,
        tuple(pieces),
        int(incomes[best]),
        float(shares @ (incomes == incomes[best])),
    )


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


# Probability below which a place is not counted as a spot's middle: there are hundreds of such places.
_FLOOR: Final = 0.05
_BUTTON_REACH: Final = 1.5
# Radii in places of a quarter of a cell: buttons' middles lie at least 0.6 cells apart, labels' a little more.
_LABEL_REACH: Final = 2.5


@dataclass(frozen=True, slots=True)
class Trust:
    """Factors that reduce log-likelihoods, because cells and edges see the same print.

    Attributes:
        cell: factor of the cells' evidence on whether they are covered.
        kind: factor of their evidence on leather or patch, which edges do not see.
        edge: factor of the edges' evidence.
        least: limit of a single cell's or edge's log-likelihood, before these factors.
    """

    cell: float = 0.5
    kind: float = 1.0
    edge: float = 0.5
    least: float = -9.0


USUAL_TRUST: Final = Trust()


def looks_of(look: QuiltLook, trust: Trust = USUAL_TRUST) -> Looks:
    """Return the evidence of cells and edges, and the printed buttons and labels on each cell."""
    cells = _cells(look.cells, trust)
    beside, below = (trust.edge * np.maximum(edges, trust.least) for edges in (look.beside, look.below))
    for row in (0, -1):
        cells[row] += _outermost(below[row])
    for column in (0, -1):
        cells[:, column] += _outermost(beside[:, column])
    inner_beside, inner_below = np.zeros((SIDE, SIDE, 4)), np.zeros((SIDE, SIDE, 4))
    inner_beside[:, :-1], inner_below[:-1] = beside[:, 1:-1], below[1:-1]
    return Looks(
        cells=cells.reshape(CELLS, 3),
        beside=inner_beside.reshape(CELLS, 4),
        below=inner_below.reshape(CELLS, 4),
        buttons=_whole(look.buttons).reshape(-1),
        labels=_shared(look.labels).reshape(-1),
    )


LEATHER_NAME: Final = "leather"
"""The name of a leather patch in lists of patches' ids."""


@dataclass(frozen=True, slots=True)
class QuiltPiece:
    """A piece on a quilt.

    Attributes:
        patch: the patch's id, or LEATHER_NAME.
        cells: the names of its cells, row by row.
        confidence: probability of this piece in this place, 0..1; twins count as one.
    """

    patch: str
    cells: tuple[str, ...]
    confidence: float


def name_pieces(
    image: NDArray[np.uint8], places: Mapping[int, Homography], readings: Mapping[int, QuiltReading]
) -> dict[int, tuple[QuiltPiece, ...]]:
    """Name the pieces on each seat's quilt, which is mapped from cell space to pixels of the photograph."""
    listed = [(seat, piece) for seat, reading in readings.items() for piece in reading.pieces]
    names = [piece.patches[0] if piece.patches else LEATHER_NAME for _, piece in listed]
    for patches in {piece.patches for _, piece in listed if len(piece.patches) > 1}:
        alike = [index for index, (_, piece) in enumerate(listed) if piece.patches == patches]
        likelihoods = [
            twin_likelihoods(image, places[seat], _mask_of(piece), patches)
            for seat, piece in (listed[index] for index in alike)
        ]
        for index, name in zip(alike, name_twins(np.array(likelihoods), patches), strict=True):
            names[index] = name
    named = [(seat, _seen(piece, name)) for (seat, piece), name in zip(listed, names, strict=True)]
    return {seat: tuple(piece for owner, piece in named if owner == seat) for seat in readings}


def _seen(piece: ReadPiece, name: str) -> QuiltPiece:
    return QuiltPiece(name, tuple(cell_name(row * SIDE + column) for row, column in piece.cells), piece.confidence)


def _mask_of(piece: ReadPiece) -> int:
    return sum(1 << row * SIDE + column for row, column in piece.cells)


def name_twins(likelihoods: NDArray[np.float64], patches: Sequence[str]) -> list[str]:
    """Name pieces of equal shape by likelihoods, shape (pieces, patches), each name once if there are enough.

    Two quilts that were read independently may have more pieces than there are names.
    """
    pieces = len(likelihoods)
    rounds = -(-pieces // len(patches))
    ways = sorted(set(permutations([*range(len(patches))] * rounds, pieces)))
    best = max(ways, key=lambda way: float(likelihoods[range(pieces), way].sum()))
    return [patches[column] for column in best]


def _cells(logs: NDArray[np.float64], trust: Trust) -> NDArray[np.float64]:
    """Return the log-likelihoods of BARE, PATCH and LEATHER for each cell."""
    covered = np.logaddexp(logs[..., PATCH], logs[..., LEATHER])[..., None]
    kinds = np.concatenate([np.zeros_like(covered), logs[..., [PATCH, LEATHER]] - covered], axis=2)
    states = np.concatenate([logs[..., [BARE]], covered, covered], axis=2)
    return np.asarray(trust.cell * np.maximum(states, trust.least) + trust.kind * np.maximum(kinds, trust.least))


def _outermost(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the outermost edges' evidence on the cells beside them: a line if bare, a piece's rim otherwise."""
    return np.asarray(edges[:, [LINE, RIM, RIM]])


def _spots(places: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
    """Return the spots of a map, one by one, as rows of (x, y, probability), x and y in cells.

    The likeliest place is a spot; places within `reach` of it belong to the same spot.
    """
    left = np.where(places > _FLOOR, places, 0.0)
    rows, columns = np.indices(left.shape)
    found = []
    while left.any():
        row, column = np.unravel_index(int(left.argmax()), left.shape)
        near = np.hypot(rows - row, columns - column) <= reach
        mass = left * near
        total = float(mass.sum())
        middle = np.array([(mass * columns).sum(), (mass * rows).sum()]) / total
        found.append([*((middle + 0.5) / SPOT_MARGIN - 1), min(1.0, total)])
        left[near] = 0.0
    return np.array(found).reshape(-1, 3)


def _whole(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the number of buttons on each cell, shape (SIDE, SIDE)."""
    counts = np.zeros((SIDE, SIDE))
    for x, y, chance in _spots(places, _BUTTON_REACH):
        if 0 <= x < SIDE and 0 <= y < SIDE:
            counts[int(y), int(x)] += chance
    return counts


def _shared(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the labels per cell, shape (SIDE, SIDE); one between cells' middles is shared by distance."""
    counts = np.zeros((SIDE, SIDE))
    middles = np.arange(SIDE) + 0.5
    for x, y, chance in _spots(places, _LABEL_REACH):
        across, down = (np.maximum(0, 1 - np.abs(np.clip(at, 0.5, SIDE - 0.5) - middles)) for at in (x, y))
        counts += chance * down[:, None] * across
    return counts
