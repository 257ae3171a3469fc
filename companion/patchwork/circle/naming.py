"""Naming of the seen pieces: by shape, each patch once, twins by their print."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.components import PATCHES
from companion.patchwork.reading.twins import income_likelihoods, twin_likelihoods
from vision.geometry import Homography, translation
from vision.pieces.fit import Cells, Fit, ways_of
from vision.pieces.maps import Progress, ignore_progress
from vision.pieces.sightings import Sighting


def _by_shape() -> dict[Cells, tuple[str, ...]]:
    shapes: dict[Cells, tuple[str, ...]] = {}
    for patch in PATCHES.values():
        shape = min(ways_of(patch.cells))
        shapes[shape] = (*shapes.get(shape, ()), patch.id)
    return shapes


_BY_SHAPE: Final = _by_shape()
SHAPES: Final[tuple[Cells, ...]] = tuple(_BY_SHAPE)
"""The 30 different shapes, each in one of its orientations."""
PATCHES_OF: Final[tuple[tuple[str, ...], ...]] = tuple(_BY_SHAPE.values())
"""The patches of each shape; three shapes occur twice."""


_ROUNDS: Final = 100
# The share of the last message that is retained (damping): without it two pieces that claim one patch oscillate.
_CALM: Final = 0.5
_LEAST_UNSEEN, _MOST_UNSEEN = 0.01, 1.0
"""Limits of the odds that a patch is not among the pieces: as many as are missing, but some pieces are overlooked."""


def marginals(weights: NDArray[np.float64], none: NDArray[np.float64], firm: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the probability of each patch for each piece, shape (pieces, patches), each patch occurring at most once.

    Belief propagation over all assignments of one patch or none to each piece, and each patch to one piece at most (B.
    Huang and T. Jebara, Approximating the Permanent with Belief Propagation, 2009).

    Args:
        weights: the evidence for each patch, shape (pieces, patches); with `none` it sums to 1 per piece.
        none: the evidence for no patch, shape (pieces,).
        firm: shape (pieces,), bool, whether a piece's claim to a patch reduces the other pieces' claims.
    """
    pieces, patches = weights.shape
    unseen = float(np.clip((patches - pieces) / max(pieces, 1), _LEAST_UNSEEN, _MOST_UNSEEN))
    free = np.ones_like(weights)
    for _ in range(_ROUNDS):
        claimed = weights * free
        claims = firm[:, None] * weights / (none[:, None] + claimed.sum(axis=1, keepdims=True) - claimed)
        left = 1 / (unseen + claims.sum(axis=0, keepdims=True) - claims)
        free = free**_CALM * left ** (1 - _CALM)
    claimed = weights * free
    return np.asarray(claimed / (none[:, None] + claimed.sum(axis=1, keepdims=True)))


def assign(worth: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the column assigned to each row, no column twice, with the greatest sum.

    The Hungarian method by shortest augmenting paths: rows join one after another, each along the cheapest chain of
    reassignments (R. Jonker and A. Volgenant, Computing 38, 1987).

    Args:
        worth: shape (rows, columns), finite, with at least as many columns as rows.

    Raises:
        ValueError: if there are fewer columns than rows.
    """
    rows, columns = worth.shape
    if columns < rows:
        raise ValueError(f"{rows} rows cannot have {columns} columns, one each")
    row_price, column_price = np.zeros(rows), np.zeros(columns)
    owner = np.full(columns, -1, np.intp)
    for row in range(rows):
        _admit(row, -worth, owner, row_price, column_price)
    picked = np.full(rows, -1, np.intp)
    taken = np.flatnonzero(owner >= 0)
    picked[owner[taken]] = taken
    return picked


def _admit(
    row: int,
    cost: NDArray[np.float64],
    owner: NDArray[np.intp],
    row_price: NDArray[np.float64],
    column_price: NDArray[np.float64],
) -> None:
    """Assign a column to a row, reassigning others at the least cost. Owners and prices change in place."""
    columns = cost.shape[1]
    distance, before = np.full(columns, np.inf), np.full(columns, -1, np.intp)
    reached = np.zeros(columns, np.bool_)
    current, last, length = row, -1, 0.0
    while True:
        through = length + cost[current] - row_price[current] - column_price
        shorter = ~reached & (through < distance)
        distance[shorter], before[shorter] = through[shorter], last
        last = int(np.where(reached, np.inf, distance).argmin())
        length = float(distance[last])
        if owner[last] < 0:
            break
        reached[last] = True
        current = int(owner[last])
    inner = np.flatnonzero(reached)
    row_price[row] += length
    row_price[owner[inner]] += length - distance[inner]
    column_price[inner] -= length - distance[inner]
    while last >= 0:
        previous = int(before[last])
        owner[last] = row if previous < 0 else owner[previous]
        last = previous


SURE: Final = 0.99
"""Probability below which a name is doubtful."""
_PATCH_IDS: Final = tuple(PATCHES)
_BIAS: Final = -3.67
# The weights of the cues, in their order; fitted by `bench.pieces.fit_naming` on 1732 pieces of 68 simulated circles,
# of which 50 were named wrong by the first look alone.
_WEIGHTS: Final = (0.54, -0.17, 1.32, -1.56, 2.0, -0.19, -0.69)
_PER_LEAD: Final = 1.5
_LEAD_LIMIT: Final = 8.0
_LABEL_LIMIT: Final = 4.0
# Decrease of the probability of other shapes with their score.
_PER_SCORE: Final = 0.6
# Probability of a shape below which its twins are not distinguished.
_WORTH_A_LOOK: Final = 0.2
# Probability that a piece which no shape explains is none of the box's patches.
_STRANGER: Final = 0.1
# Log-likelihood ratio by the label, to the likeliest patch, below which the label contradicts a name.
_OBJECTS: Final = -3.0
# Evidence for no name if no label was read and more pieces may lie out of view.
_NO_PATCH: Final = 0.002
_CANDIDATE, _CANDIDATES = 0.005, 5
"""The least probability of a listed candidate, and the most candidates."""
# The least probability of a sure name by the piece's own evidence, without the joint evidence of other names.
_ALONE: Final = 0.5
# Probability below which a piece gets no name, unless there are as many pieces as patches.
_MEANT: Final = 0.15
# Weight of a piece that may extend beyond the picture, if another piece competes for its name.
_MAYBE_CUT: Final = 0.1
# Added to every probability, so that its logarithm is finite.
_LEAST: Final = 1e-5


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a piece, or None if no patch is probable enough, and the chance of each patch, likeliest first."""

    patch: str | None
    chances: tuple[tuple[str, float], ...]
    sure: bool


def shape_chances(piece: Sighting) -> dict[int, float]:
    """Return the probability of each shape, by its number; the remainder to 1 is for none of them."""
    best, rest = piece.fits[0], piece.fits[1:]
    right = right_chance(piece)
    if not rest:
        return {best.shape: right}
    # No other shape is likelier than the best, however unlikely that one is.
    shares = right * np.exp(_PER_SCORE * np.array([fit.score - best.score for fit in rest]))
    shares *= min(1.0, (1 - right) / shares.sum())
    return {best.shape: right, **{fit.shape: float(share) for fit, share in zip(rest, shares, strict=True)}}


def right_chance(piece: Sighting) -> float:
    """Return the probability that the likeliest shape is right: by all cues, and limited by each lead alone."""
    seen = cues(piece)
    odds = np.array([_BIAS + seen @ np.array(_WEIGHTS), *(_PER_LEAD * seen[:2])])
    return float(np.prod(1 / (1 + np.exp(-odds))))


def cues(piece: Sighting) -> NDArray[np.float64]:
    """Return the cues on whether the likeliest shape is right.

    Returns:
        Shape (7,): its lead over the next shape, the neighbourhood's loss without it, its overall fit, its worst cell,
        its worst edge, its label, and the evidence around it that is left over.
    """
    best = piece.fits[0]
    lead = min([best.score - fit.score for fit in piece.fits[1:]], default=_LEAD_LIMIT)
    leads = np.clip([lead, piece.margin], -_LEAD_LIMIT, _LEAD_LIMIT)
    label = np.clip(piece.label, -_LABEL_LIMIT, _LABEL_LIMIT)
    return np.array([*leads, 10 * best.quality, piece.cell, piece.edge, label, 10 * piece.spill])


def label_surety(piece: Sighting, by_label: NDArray[np.float64]) -> float:
    """Return the probability, by all cues and its label, that the likeliest shape of a piece is right, 0..1.

    The label's log-likelihoods of the patches are of shape (patches,); the greatest is 0.
    """
    by_shape = {shape: float(_likeliest(by_label, PATCHES_OF[shape])) for shape in range(len(PATCHES_OF))}
    chances = shape_chances(piece)
    weighed = {shape: chance * by_shape[shape] for shape, chance in chances.items()}
    unexplained = max(0.0, 1 - sum(chances.values())) * float(np.exp(by_label).mean())
    return weighed[piece.fits[0].shape] / (sum(weighed.values()) + unexplained)


def _likeliest(by_label: NDArray[np.float64], patches: Sequence[str]) -> float:
    return max(float(np.exp(by_label[_PATCH_IDS.index(patch)])) for patch in patches)


def name_pieces(
    image: NDArray[np.uint8],
    to_image: Homography,
    pieces: Sequence[Sighting],
    by_label: Callable[[Sighting], NDArray[np.float64]],
    progress: Progress = ignore_progress,
) -> tuple[Name, ...]:
    """Name all pieces at once.

    Args:
        image: the picture, shape (height, width, 3), uint8, BGR.
        to_image: maps table space to it.
        pieces: the pieces, all entirely in the picture.
        by_label: log-likelihoods of the patches by the label on a piece, shape (patches,), the greatest is 0.
        progress: called with the share done, 0..1.
    """
    if not pieces:
        return ()
    weights, labels = [], []
    for piece in pieces:
        label = by_label(piece)
        weights.append(_weights(_patch_chances(image, to_image, piece, read=bool(label.any())), label))
        labels.append(label)
        progress(len(weights) / len(pieces))
    at_edge = np.array([piece.at_edge for piece in pieces])
    alone, none = np.array([patches for patches, _ in weights]), np.array([none for _, none in weights])
    chances = marginals(alone, none, ~at_edge)
    picked = _assigned(chances, np.array([bool(label.any()) for label in labels]), np.where(at_edge, _MAYBE_CUT, 1.0))
    names = (_name(number, alone, chances, picked) for number in range(len(pieces)))
    return tuple(
        replace(name, sure=name.sure and piece.agreed and not piece.at_edge and not _objects(label, name.patch))
        for name, piece, label in zip(names, pieces, labels, strict=True)
    )


def _objects(by_label: NDArray[np.float64], patch: str | None) -> bool:
    """Return whether a label contradicts a name."""
    return patch is not None and bool(by_label[_PATCH_IDS.index(patch)] <= _OBJECTS)


def _patch_chances(
    image: NDArray[np.uint8], to_image: Homography, piece: Sighting, *, read: bool
) -> NDArray[np.float64]:
    """Return the probability of each patch, shape (patches,), by its shape, and of twins also by their other print.

    If the label was not `read` at the place where it was seen, twins are distinguished by a label anywhere on them,
    too.
    """
    chances = dict.fromkeys(_PATCH_IDS, 0.0)
    fits = {fit.shape: fit for fit in piece.fits}
    for shape, chance in shape_chances(piece).items():
        patches = PATCHES_OF[shape]
        shares = np.ones(1)
        if len(patches) > 1:
            likely = np.zeros(len(patches))
            if chance > _WORTH_A_LOOK:
                by_print = income_likelihoods if read else twin_likelihoods
                likely = by_print(image, *_cell_space(to_image, fits[shape]), patches)
            shares = np.exp(likely - likely.max())
            shares /= shares.sum()
        chances.update(zip(patches, chance * shares, strict=True))
    return np.array(list(chances.values()))


def _weights(chances: NDArray[np.float64], by_label: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Return the weights of each patch, (patches,), and of no patch: by shape and label, with a sum of 1.

    The probability that no shape explains is shared by all patches equally, with a little for no patch.
    """
    unexplained = float(np.clip(1 - chances.sum(), 0, 1))
    patches = (chances + (1 - _STRANGER) * unexplained / len(chances) + _LEAST) * np.exp(by_label)
    none = (_STRANGER * unexplained + _LEAST) * float(np.exp(by_label).mean())
    total = float(patches.sum()) + none
    return patches / total, none / total


def _cell_space(to_image: Homography, fit: Fit) -> tuple[Homography, int]:
    """Return a map from cell space to the picture, as if a fit lay on a quilt, and the mask of its cells there."""
    left = min(column for _, column in fit.cells)
    mask = sum(1 << (row * SIDE + column - left) for row, column in fit.cells)
    pose = fit.pose
    first, along, down = pose.place(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    turn = np.column_stack([along - first, down - first, first])
    to_table = Homography(np.vstack([turn, [0.0, 0.0, 1.0]])).after(translation(left - 0.5, -0.5))
    return to_image.after(to_table), mask


def _assigned(
    chances: NDArray[np.float64], labelled: NDArray[np.bool_], counts: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Return the jointly likeliest names, each patch once; numbers beyond the patches' stand for none.

    Pieces with a label that was read are patches: they take precedence over unlabelled ones if both may have one name.
    The chances are of shape (pieces, patches); `counts` are the weights of the pieces.
    """
    complete = len(chances) == len(_PATCH_IDS)
    # Below all that a patch can have: such a piece goes without a name only if no name is left for it.
    nones = np.log(np.where(labelled | complete, _LEAST / 10, _NO_PATCH))
    likely = np.log(chances + _LEAST)
    return assign(counts[:, None] * np.hstack([likely, np.tile(nones[:, None], len(chances))]))


def _name(number: int, alone: NDArray[np.float64], chances: NDArray[np.float64], picked: NDArray[np.intp]) -> Name:
    """Return the name of one piece, by each piece's own weights and the joint probabilities, (pieces, patches)."""
    own, column = chances[number], int(picked[number])
    named = column < len(_PATCH_IDS) and (own[column] >= _MEANT or len(chances) == len(_PATCH_IDS))
    ranked = np.argsort(-own, kind="stable").tolist()
    order = [each for each in ranked if own[each] > _CANDIDATE or (named and each == column)][:_CANDIDATES]
    listed = tuple((_PATCH_IDS[each], float(own[each])) for each in order)
    if not named:
        return Name(None, listed, sure=False)
    rivals = np.delete(alone[:, column], number)
    # The print may not tell twins apart: each piece then has a share in both names.
    contested = bool((rivals > 0.25).any()) and not _is_twin(column)
    sure = min(own[column] / SURE, alone[number, column] / _ALONE) >= 1 and not contested
    return Name(_PATCH_IDS[column], listed, sure=bool(sure))


def _is_twin(column: int) -> bool:
    return any(_PATCH_IDS[column] in patches and len(patches) > 1 for patches in PATCHES_OF)
