"""Gives each piece that was seen its patch: by shape, each patch once, twins by what is printed on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.games.patchwork import PATCHES, SIDE
from companion.market.assignment import assign
from companion.market.shapes import PATCHES_OF
from companion.reader.twins import twin_lean, twin_likelihoods
from vision.homography import Homography, translation
from vision.progress import unheard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from vision.piecefit import Fit
    from vision.progress import Progress
    from vision.sightings import Sighting

SURE: Final = 0.99
"""A name that is less likely right than this is doubtful."""
_PATCH_IDS: Final = tuple(PATCHES)
_BIAS: Final = -3.67
_WEIGHTS: Final = (0.54, -0.17, 1.32, -1.56, 2.0, -0.19, -0.69)
"""Of the cues, in their order; fitted by `bench.fit_naming` on 1732 pieces of 68 simulated circles, 50 named wrong by
the first look alone."""
_PER_LEAD: Final = 1.5
_LEAD_LIMIT: Final = 8.0
_LABEL_LIMIT: Final = 4.0
_PER_SCORE: Final = 0.6
"""How the rest of the chances falls off among the other shapes."""
_UNDECIDED: Final = 3.0
"""Log odds of one order of twins against the other from which on their blurred labels need not be compared."""
_PER_LEAN, _LEAN_LIMIT = 0.25, 3.0
"""Log odds for a difference of 1 in how labels lean, and how much it can tell: of 46 pairs of corners with a blur of 1
to 3 pixels 45 leaned the right way, by 6 to 19, one by 5 the wrong way."""
_NO_PATCH: Final = 0.002
_MAYBE_CUT: Final = 0.1
"""What a piece counts for that may go on beyond the picture, where it and another want one name."""
_LEAST: Final = 1e-5


@dataclass(frozen=True, slots=True)
class Name:
    """What a piece is called.

    Attributes:
        patch: None where every patch it may be lies elsewhere.
        chances: how likely each patch is, the likeliest first.
        sure: whether the name may be relied on.
    """

    patch: str | None
    chances: tuple[tuple[str, float], ...]
    sure: bool


def shape_chances(piece: Sighting) -> dict[int, float]:
    """How likely each shape is, by its number; what lacks to 1 stands for none of them."""
    best, rest = piece.fits[0], piece.fits[1:]
    right = right_chance(piece)
    if not rest:
        return {best.shape: right}
    # No other shape is likelier than the best, however little that one may be right.
    shares = right * np.exp(_PER_SCORE * np.array([fit.score - best.score for fit in rest]))
    shares *= min(1.0, (1 - right) / shares.sum())
    return {best.shape: right, **{fit.shape: float(share) for fit, share in zip(rest, shares, strict=True)}}


def right_chance(piece: Sighting) -> float:
    """How likely the likeliest shape is right: by all cues together, and never more than either lead alone allows."""
    seen = cues(piece)
    odds = np.array([_BIAS + seen @ np.array(_WEIGHTS), *(_PER_LEAD * seen[:2])])
    return float(np.prod(1 / (1 + np.exp(-odds))))


def cues(piece: Sighting) -> NDArray[np.float64]:
    """What says that the likeliest shape is right.

    Returns:
        Shape (7,): its lead over the next shape, the neighbourhood's loss without it, how well all of it fits, its
        worst cell, its worst edge, its label, and how much around it is left over.
    """
    best = piece.fits[0]
    lead = min([best.score - fit.score for fit in piece.fits[1:]], default=_LEAD_LIMIT)
    leads = np.clip([lead, piece.margin], -_LEAD_LIMIT, _LEAD_LIMIT)
    label = np.clip(piece.label, -_LABEL_LIMIT, _LABEL_LIMIT)
    return np.array([*leads, 10 * best.quality, piece.cell, piece.edge, label, 10 * piece.spill])


def name_pieces(
    image: NDArray[np.uint8],
    to_image: Homography,
    pieces: Sequence[Sighting],
    told: Callable[[Sighting], NDArray[np.float64]],
    progress: Progress = unheard,
) -> tuple[Name, ...]:
    """Name all pieces at once.

    Args:
        image: the picture, shape (height, width, 3), uint8, BGR.
        to_image: maps table space to it.
        pieces: whole ones.
        told: log-likelihoods of the patches by the label on a piece, shape (patches,), the greatest is 0.
        progress: told how far it has come.
    """
    if not pieces:
        return ()
    listed, labelled = [], []
    for piece in pieces:
        chances = _patch_chances(image, to_image, piece)
        label = told(piece) if chances.max() < SURE else np.zeros(len(_PATCH_IDS))
        listed.append(_by_label(chances, label))
        labelled.append(bool(label.any()))
        progress(len(listed) / len(pieces))
    at_edge = np.array([piece.at_edge for piece in pieces])
    chances = np.array(listed)
    chances[~at_edge] = _shared_out(chances[~at_edge], partial(_lean, image, to_image, [*compress(pieces, ~at_edge)]))
    picked = _assigned(chances, np.array(labelled), np.where(at_edge, _MAYBE_CUT, 1.0))
    names = (_name(number, chances, picked) for number in range(len(pieces)))
    return tuple(
        replace(name, sure=name.sure and piece.agreed and not piece.at_edge)
        for name, piece in zip(names, pieces, strict=True)
    )


def _patch_chances(image: NDArray[np.uint8], to_image: Homography, piece: Sighting) -> NDArray[np.float64]:
    """How likely each patch of the box is, shape (patches,), by its shape, and twins by what is printed on them."""
    chances = dict.fromkeys(_PATCH_IDS, 0.0)
    fits = {fit.shape: fit for fit in piece.fits}
    for shape, chance in shape_chances(piece).items():
        patches = PATCHES_OF[shape]
        shares = np.ones(1)
        if len(patches) > 1:
            likely = _twins(image, to_image, fits[shape], patches) if chance > 0.2 else np.zeros(len(patches))
            shares = np.exp(likely - likely.max())
            shares /= shares.sum()
        chances.update(zip(patches, chance * shares, strict=True))
    return np.array(list(chances.values()))


def _by_label(chances: NDArray[np.float64], told: NDArray[np.float64]) -> NDArray[np.float64]:
    """Chances, with what the label says where it was read; what lacks to 1 stays as it is."""
    if not told.any():
        return chances
    weighed = (chances + _LEAST) * np.exp(told)
    return np.asarray(weighed / max(1.0, float(weighed.sum() + 1 - chances.sum())))


def _twins(image: NDArray[np.uint8], to_image: Homography, fit: Fit, patches: Sequence[str]) -> NDArray[np.float64]:
    return twin_likelihoods(image, *_cell_space(to_image, fit), patches)


def _cell_space(to_image: Homography, fit: Fit) -> tuple[Homography, int]:
    """A map from cell space to the picture, as if a fit lay on a quilt, and the cells that it covers there."""
    left = min(column for _, column in fit.cells)
    mask = sum(1 << (row * SIDE + column - left) for row, column in fit.cells)
    pose = fit.pose
    first, along, down = pose.place(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    turn = np.column_stack([along - first, down - first, first])
    to_table = Homography(np.vstack([turn, [0.0, 0.0, 1.0]])).after(translation(left - 0.5, -0.5))
    return to_image.after(to_table), mask


def _lean(
    image: NDArray[np.uint8], to_image: Homography, pieces: Sequence[Sighting], number: int, twins: tuple[str, ...]
) -> float:
    """How much the label of one of the pieces is rather that of the first of two twins than that of the second."""
    fit = next(fit for fit in pieces[number].fits if PATCHES_OF[fit.shape] == twins)
    one, other = twins
    return twin_lean(image, *_cell_space(to_image, fit), one, other)


def _shared_out(
    chances: NDArray[np.float64], lean: Callable[[int, tuple[str, ...]], float]
) -> NDArray[np.float64]:
    """Where two pieces have one shape of twins, what is printed on the one says something about the other, too.

    Of pieces that are wholly in view: what may go on beyond the picture may have another shape.
    """
    shared = chances.copy()
    for patches in PATCHES_OF:
        if len(patches) < 2:
            continue
        columns = np.array([_PATCH_IDS.index(patch) for patch in patches])
        rows = np.flatnonzero(chances[:, columns].sum(axis=1) > 0.5)
        if len(rows) != 2:
            continue
        pair = chances[np.ix_(rows, columns)] + _LEAST
        odds = float(np.log(pair[0, 0] * pair[1, 1] / (pair[0, 1] * pair[1, 0])))
        if abs(odds) < _UNDECIDED:
            apart = lean(int(rows[0]), patches) - lean(int(rows[1]), patches)
            odds += float(np.clip(_PER_LEAN * apart, -_LEAN_LIMIT, _LEAN_LIMIT))
        share = 1 / (1 + np.exp(-odds))
        whole = pair.sum(axis=1)
        shared[np.ix_(rows, columns)] = whole[:, None] * np.array([[share, 1 - share], [1 - share, share]])
    return shared


def _assigned(
    chances: NDArray[np.float64], labelled: NDArray[np.bool_], counts: NDArray[np.float64]
) -> NDArray[np.intp]:
    """The likeliest names together, each patch once; numbers beyond the patches' stand for none.

    Where as many pieces are seen as there are patches, what is left over is the patch that is left over: what no shape
    explains of a piece speaks for all patches alike. What has a label that was read is a patch: where two may have one
    name, it comes before what has none.

    Args:
        chances: of each patch for each piece, shape (pieces, patches).
        labelled: on which pieces a label was read.
        counts: how much each piece counts for.
    """
    complete = len(chances) == len(_PATCH_IDS)
    unexplained = np.clip(1 - chances.sum(axis=1), 0, 1) / len(_PATCH_IDS) if complete else np.zeros(len(chances))
    nones = np.log(np.where(labelled | complete, _LEAST / 10, _NO_PATCH))
    likely = np.log(chances + unexplained[:, None] + _LEAST)
    return assign(counts[:, None] * np.hstack([likely, np.tile(nones[:, None], len(chances))]))


def _name(number: int, chances: NDArray[np.float64], picked: NDArray[np.intp]) -> Name:
    own = chances[number]
    column = int(picked[number])
    order = [int(each) for each in np.argsort(-own) if own[each] > 0.005 or each == column][:5]
    listed = tuple((_PATCH_IDS[each], float(own[each])) for each in order)
    if column >= len(_PATCH_IDS):
        return Name(None, listed, sure=False)
    rivals = np.delete(chances[:, column], number)
    contested = bool((rivals > 0.25).any()) and not _is_twin(column)
    return Name(_PATCH_IDS[column], listed, sure=bool(own[column] >= SURE) and not contested)


def _is_twin(column: int) -> bool:
    return any(_PATCH_IDS[column] in patches and len(patches) > 1 for patches in PATCHES_OF)
