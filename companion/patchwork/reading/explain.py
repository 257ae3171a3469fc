"""The explanations of a picture, weighed: a legal placement, a common mistake, or nothing.

A *placement* is one orientation of one shape at one place, with at least one cell on the quilt; it may overlap other
pieces: the rules are applied later. Cells beyond the ring cannot be observed and are left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from itertools import takewhile
from typing import Final, TypeAlias
from weakref import ReferenceType, ref

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.components import PATCHES, orientations, twins_of
from companion.games.patchwork.decisions import PlaceLeather, TakePatch
from companion.games.patchwork.rules import affordable, offers
from companion.games.patchwork.state import State
from companion.patchwork.watching.watch import lattice_of, mask_of_lattice
from vision.quilt.changes import SHIFTS
from vision.quilt.look import RING, WINDOW_PX


class ExplanationKind(IntEnum):
    """The event on the table that an explanation assumes."""

    LEGAL = 0
    NOT_AFFORDABLE = 1
    NOT_OFFERED = 2
    OVERLAP = 3
    OVER_THE_EDGE = 4
    NOTHING = 5
    IMPOSSIBLE = 6


@dataclass(frozen=True, slots=True)
class Explanation:
    """One explanation of the picture.

    Attributes:
        patches: the patches of the shape laid; empty for NOTHING.
        mask: the quilt's cells that the piece covers, as a bit mask.
        probability: posterior, among all explanations.
        shift: index into `vision.quilt.changes.SHIFTS`: the piece's most likely offset from the grid.
    """

    kind: ExplanationKind
    patches: tuple[str, ...]
    mask: int
    probability: float
    shift: int


PRIOR: Final = {
    ExplanationKind.LEGAL: 0.95,
    ExplanationKind.NOTHING: 0.03,
    ExplanationKind.NOT_AFFORDABLE: 0.005,
    ExplanationKind.NOT_OFFERED: 0.005,
    ExplanationKind.OVERLAP: 0.005,
    ExplanationKind.OVER_THE_EDGE: 0.01,
}
"""The prior of each kind, divided equally among its placements. Only orders of magnitude matter."""
# A cell and the eight around it.
_AROUND: Final = np.ones((3, 3), np.uint8)
# Standard deviation of a patch's offset from the grid, in view pixels: a tenth of a cell.
_SHIFT_SPREAD_PX: Final = 3.0
# Weight of the ring's evidence, which is weaker than the quilt's: it shows the mat, the table and sleeves.
_RING_WEIGHT: Final = 0.8
MISTAKES: Final = frozenset({ExplanationKind.OVERLAP, ExplanationKind.OVER_THE_EDGE})
"""The kinds that are illegal placements of a patch that may be taken."""
# Log-likelihood ratio of a cell's middle beyond which a patch covers more than half of it.
_CERTAIN_CORE: Final = 3.5
# Weight of the outline's evidence: on boards drawn for it, heavier ones made wrong explanations sure, because edges of
# shadows make steps as well.
_OUTLINE: Final = 0.2
# Limit of one step of light, so that the edge of a shadow cannot outweigh an outline.
_MOST_STEP: Final = 3.0
# Number of placements whose outlines are compared edge by edge: those with the most one-sided steps.
_LIKELY_OUTLINES: Final = 256
# Log probability that a patch is overlooked as a whole where its cells are seen badly.
_OVERLOOKED: Final = -5.0
SEEN_WELL: Final = 0.75
"""Visibility from which a patch is not overlooked; below, ratios are worth less than they say."""
# Probability below which a mistake is ruled out, whatever a single cell shows.
_WORTH_A_DOUBT: Final = 0.002
# The number of explanations that are returned.
_MOST: Final = 6


def _shift_prior() -> NDArray[np.float64]:
    away = np.array([right**2 + down**2 for right, down in SHIFTS]) * (WINDOW_PX / _SHIFT_SPREAD_PX) ** 2
    share = np.exp(-away / 2)
    return np.asarray(np.log(share / share.sum()))


_SHIFT_PRIOR: Final = _shift_prior()


def explain(ratios: NDArray[np.float64], state: State, seat: int, most: int = _MOST) -> list[Explanation]:
    """Return the likeliest explanations of the changes on a quilt, the best first.

    Args:
        ratios: log-likelihood ratios changed / as expected, shape (len(SHIFTS), RING, RING).
        state: the rules' state, which determines what may be laid.
        seat: the quilt's seat. On the quilt of the seat that is not to move, a placement is legal if any patch fits.
        most: the number of explanations to return.
    """
    return _likeliest(*_weigh(ratios), state, seat, most)


def explain_in_doubt(
    ratios: NDArray[np.float64], light: NDArray[np.float64], seen: NDArray[np.float64], state: State
) -> list[Explanation]:
    """Return the likeliest explanations of a quilt of the seat to move that the ratios alone do not explain surely.

    A patch changes the light of all its cells by the same step at its outline, whatever its print looks like. And where
    the quilt is seen badly, a patch may be overlooked as a whole, because its print looks like the board's.

    Args:
        ratios: as for `explain`.
        light: by how much the light of each cell has changed, as of `light_of_cells`.
        seen: the cells' visibility, shape (RING, RING).
        state: the rules' state.
    """
    evidence, weights = _weigh(ratios)
    weights, covered = weights.copy(), lattice_of(state.seat(state.mover).quilt)
    outward, steps, counts = _steps(light, covered)
    # All sums over the cells of each placement together.
    *sums, below, excess = _summed(np.stack([*np.moveaxis(outward, -1, 0), covered, seen - SEEN_WELL]))
    badly = excess < 0
    weights[badly] = np.logaddexp(weights[badly], _OVERLOOKED)
    whole = np.where(below == 0, sum(each**2 for each in sums) / all_lattice_placements().sizes, 0.0)
    likely = np.argpartition(-whole, _LIKELY_OUTLINES)[:_LIKELY_OUTLINES]
    likely = likely[below[likely] == 0]
    weights[likely] += _OUTLINE * _outlines(likely, steps, counts)
    return _likeliest(evidence, weights, state, state.mover, _MOST)


_Steps: TypeAlias = "list[NDArray[np.float64]]"
_Cells: TypeAlias = "list[NDArray[np.bool_]]"


def _steps(light: NDArray[np.float64], covered: NDArray[np.bool_]) -> tuple[NDArray[np.float64], _Steps, _Cells]:
    """Return the light's steps out of each cell, and those down and to the right, with which of these count.

    Steps to covered cells do not count: patches that have crept make such steps.
    """
    steps = [np.clip(np.diff(light, axis=axis), -_MOST_STEP, _MOST_STEP) for axis in (0, 1)]
    counts = [~(covered[1:] | covered[:-1]), ~(covered[:, 1:] | covered[:, :-1])]
    outward = np.zeros_like(light)
    for axis, step, counted in zip((0, 1), steps, counts, strict=True):
        # Between two cells of one placement the steps cancel out.
        outward -= np.diff(step * counted[..., None], axis=axis, prepend=0, append=0)
    return outward, steps, counts


def _outlines(likely: NDArray[np.int64], steps: _Steps, counts: _Cells) -> NDArray[np.float64]:
    """Return for some placements on bare cells how surely the light changes by one step at the outline.

    This is half the square of the mean step in standard deviations of that mean, summed over the light's channels.
    """
    lattices = all_lattice_placements().incidence[likely].reshape(-1, RING, RING)
    edges = np.concatenate(
        [np.diff(lattices, axis=axis + 1)[:, counted] for axis, counted in enumerate(counts)], axis=1
    )
    flat = np.concatenate([step[counted] for step, counted in zip(steps, counts, strict=True)])
    number = np.maximum(np.abs(edges).sum(axis=1), 1)[:, None]
    squared = (edges @ flat) ** 2 / number
    # The edge of a shadow makes steps at a part of an outline: then they spread more than noise does.
    spread = np.maximum((np.abs(edges) @ flat**2 - squared) / number, 1.0)
    return np.asarray((squared / (2 * spread)).sum(axis=1))


def _likeliest(
    evidence: NDArray[np.float32], weights: NDArray[np.float64], state: State, seat: int, most: int
) -> list[Explanation]:
    """Return the likeliest explanations from the evidence of each placement at each shift, and as a whole."""
    kinds, priors = _kinds(state, seat), _log_priors(state, seat)
    # The ratios are relative to NOTHING, whose own evidence is therefore 0.
    weights = np.append(weights, 0.0) + priors
    weights -= weights.max()
    posterior = np.exp(weights)
    posterior /= posterior.sum()
    # Equally likely ones keep the order of the placements, so that a replay comes to the same verdict.
    likely = np.flatnonzero(posterior >= np.partition(posterior, -most)[-most])
    best = likely[np.argsort(-posterior[likely], kind="stable")][:most]
    return [_explanation(int(each), kinds, posterior, evidence) for each in best]


def _explanation(
    index: int, kinds: NDArray[np.int64], posterior: NDArray[np.float64], evidence: NDArray[np.float32]
) -> Explanation:
    placements = all_lattice_placements()
    kind, probability = ExplanationKind(int(kinds[index])), float(posterior[index])
    if kind is ExplanationKind.NOTHING:
        return Explanation(kind, (), 0, probability, 0)
    shift = int(evidence[:, index].argmax())
    return Explanation(kind, placements.shapes[placements.shape[index]], placements.masks[index], probability, shift)


_Weighed: TypeAlias = "tuple[NDArray[np.float32], NDArray[np.float64]]"
# The latest ratios that were weighed, and the result: one look's are explained again in doubt, and for more of them.
_latest: tuple[ReferenceType[NDArray[np.float64]], _Weighed] | None = None


def _weigh(ratios: NDArray[np.float64]) -> _Weighed:
    """Return the evidence of each placement at each shift, (shifts, n), and as a whole, (n,); neither to be changed."""
    global _latest  # noqa: PLW0603 - a cache of one
    latest = _latest
    if latest is None or latest[0]() is not ratios:
        evidence = log_evidence(ratios)
        _latest = latest = ref(ratios), (evidence, _log_sum(evidence))
    return latest[1]


def log_evidence(ratios: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the log-likelihood ratio of each placement at each shift to NOTHING, with the prior, (shifts, n)."""
    weighted = ratios * _RING_WEIGHT
    weighted[:, 1:-1, 1:-1] = ratios[:, 1:-1, 1:-1]
    # Single precision suffices, and takes half the time; shifts come first, as reductions over them are quick then.
    evidence = _summed(weighted)
    evidence += _SHIFT_PRIOR[:, None]
    return evidence


def _summed(values: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the sums of values, shape (m, RING, RING), over the cells of each placement, shape (m, n)."""
    # A zero for the cells that smaller placements lack; so sums take less time than products with the incidence.
    padded = np.pad(values.reshape(len(values), -1).astype(np.float32), ((0, 0), (0, 1)))
    first, *others = all_lattice_placements().cells
    sums = padded.take(first, axis=1)
    more = np.empty_like(sums)
    for cells in others:
        padded.take(cells, axis=1, out=more, mode="clip")
        sums += more
    return np.asarray(sums)


def _log_sum(evidence: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the logarithm of the sum of exponentials over the first axis."""
    top = evidence.max(axis=0)
    less = evidence - top
    return np.asarray(top + np.log(np.exp(less, out=less).sum(axis=0)), np.float64)


@lru_cache(maxsize=2)
def _kinds(state: State, seat: int) -> NDArray[np.int64]:
    """Return the kind of each placement, and NOTHING at the end, shape (n + 1,); not to be changed."""
    placements = all_lattice_placements()
    kinds = _shape_kinds(placements.shapes, state, seat)[placements.shape]
    possible = kinds != ExplanationKind.IMPOSSIBLE
    overlaps = (placements.words & np.array(words_of(state.seat(seat).quilt), np.uint64)).any(axis=1)
    # In this order: a patch that overlaps others and also leaves the quilt is over the edge.
    kinds[possible & overlaps] = ExplanationKind.OVERLAP
    kinds[possible & (placements.outside > 0)] = ExplanationKind.OVER_THE_EDGE
    return np.append(kinds, ExplanationKind.NOTHING)


def can_hide(cells: int, state: State, seat: int) -> bool:
    """Return whether a legal placement lies on these cells alone, given as a bit mask of the quilt."""
    legal = _kinds(state, seat)[:-1] == ExplanationKind.LEGAL
    outside = np.bitwise_not(np.array(words_of(cells), np.uint64))
    return bool((legal & ~(all_lattice_placements().words & outside).any(axis=1)).any())


def offered_on(cells: int, state: State) -> tuple[str, ...]:
    """Return the patches that the seat to move may lay on exactly these cells, a bit mask: one, twins, or none."""
    placements = all_lattice_placements()
    fits = (placements.words == np.array(words_of(cells), np.uint64)).all(axis=1) & (placements.outside == 0)
    fitting = np.flatnonzero(fits & (_kinds(state, state.mover)[:-1] == ExplanationKind.LEGAL))
    patches = placements.shapes[placements.shape[fitting[0]]] if len(fitting) else ()
    return tuple(patch for patch in affordable(state) if patch in patches)


def _shape_kinds(shapes: Sequence[tuple[str, ...]], state: State, seat: int) -> NDArray[np.int64]:
    """Return the kind of an explanation that lays each shape inside the grid on empty cells, shape (shapes,)."""
    left = set(state.unbought)
    # On the other quilt every unbought patch counts as legal: it is only reported to be on the wrong board.
    payable, offered = (left, left) if seat != state.turn else (set(affordable(state)), set(offers(state)))

    def kind(patches: tuple[str, ...]) -> ExplanationKind:
        if patches == (LEATHER,):
            return ExplanationKind.LEGAL if state.leather_due else ExplanationKind.IMPOSSIBLE
        if left.isdisjoint(patches):
            return ExplanationKind.IMPOSSIBLE
        if not payable.isdisjoint(patches):
            return ExplanationKind.LEGAL
        return ExplanationKind.NOT_OFFERED if offered.isdisjoint(patches) else ExplanationKind.NOT_AFFORDABLE

    return np.array([kind(patches) for patches in shapes])


@lru_cache(maxsize=2)
def _log_priors(state: State, seat: int) -> NDArray[np.float64]:
    """Return the logarithm of the prior of each placement, and of NOTHING at the end; not to be changed."""
    kinds = _kinds(state, seat)
    priors = np.full(len(kinds), -np.inf)
    for kind, share in PRIOR.items():
        of_kind = kinds == kind
        if of_kind.any():
            priors[of_kind] = np.log(share / np.count_nonzero(of_kind))
    return priors


def unexplained(ratios: NDArray[np.float64], core: NDArray[np.float64], found: Explanation, beyond: float) -> int:
    """Return the quilt's cells that changed although the explanation does not cover them, as a bit mask.

    A patch laid off the grid overlaps neighbouring cells and casts a shadow. So a cell beside it counts only if its
    ratio exceeds `beyond` both unshifted and at the patch's shift; any cell counts only if its middle has changed, too.
    """
    laid = lattice_of(found.mask)
    beside = cv2.dilate(laid.astype(np.uint8), _AROUND) > 0
    changed = (ratios[0] > beyond) & ((ratios[found.shift] > beyond) | ~beside) & (core > 0) & ~laid
    return mask_of_lattice(changed)


def rather(
    ratios: NDArray[np.float64], core: NDArray[np.float64], found: Sequence[Explanation], beyond: float
) -> Explanation:
    """Return the best explanation, or a mistake among the others that alone covers all cells that certainly changed.

    A patch whose offset from the grid is halfway between two shifts fits several placements almost equally, and players
    seldom err, so the legal one ranks first. But the middle of a cell that it leaves uncovered may show that the patch
    lies there.

    Args:
        ratios: as for `explain`.
        core: log-likelihood ratios of the cells' middles alone, shape (RING, RING).
        found: the explanations, the best first.
        beyond: log-likelihood ratio beyond which a cell has certainly changed.
    """
    sure = mask_of_lattice((ratios[0] > beyond) & (core > _CERTAIN_CORE))
    best = found[0]
    if not sure & ~best.mask:
        return best
    mistakes = (each for each in found[1:] if each.kind in MISTAKES and each.patches == best.patches)
    covering = (each for each in mistakes if each.probability > _WORTH_A_DOUBT and not sure & ~each.mask)
    return next(covering, best)


MOST_OPTIONS: Final = 4
"""The most options that the light strip can distinguish and that one push-button can step through."""
MOST_RANKED: Final = 4 * MOST_OPTIONS
"""The most decisions to rank: enough for four questions in a row whose options are all refused."""
# Limit of one cell's log-likelihood ratio, so that the cells complained about do not outweigh the patch's own.
_SUPPORT: Final = 6.0
# The least difference from the usual cell that stands out; without it, noise would be offered as a leather patch.
_STANDS_OUT: Final = 1.5
# Numbers of explanations to try before all: they nearly always contain enough legal ones; all take half a second.
_AT_FIRST: Final = (40, 600)


def decisions_of(state: State, seat: int, found: Explanation) -> tuple[TakePatch | PlaceLeather, ...]:
    """Return the legal decisions that fit the explanation: one, or one per twin."""
    if found.patches == (LEATHER,):
        return (PlaceLeather(seat, found.mask),)
    return tuple(TakePatch(seat, patch, found.mask) for patch in affordable(state) if patch in found.patches)


def most_supported(
    ratios: NDArray[np.float64], state: State, first: Sequence[TakePatch | PlaceLeather] = ()
) -> tuple[TakePatch | PlaceLeather, ...]:
    """Return the decisions that players who reject a complaint may mean, the likeliest first, `MOST_RANKED` at most.

    Only what the picture supports is offered: on a quilt on which nothing stands out there is none.

    Args:
        ratios: log-likelihood ratios changed / as expected, shape (len(SHIFTS), RING, RING).
        state: the rules' state; the result is empty if the seat to move may lay nothing.
        first: decisions already known to be likely; they rank first.
    """
    seat = state.mover
    free = ~lattice_of(state.seat(seat).quilt)
    free[[0, -1], :] = free[:, [0, -1]] = False
    # Covered cells and the ring around the board are taken to be unchanged.
    support = np.where(free, np.clip(ratios, -_SUPPORT, _SUPPORT), 0.0)
    # If nothing seems to have been laid, what stands out most was: a patch may look much like the board.
    usual = np.median(support[:, free], axis=1)[:, None, None] if free.any() else 0.0
    contrast = np.where(free, support - usual - _STANDS_OUT, 0.0)
    ranked = (*_ranked(support, state, seat), *_ranked(contrast, state, seat))
    decisions = (decision for each in ranked for decision in decisions_of(state, seat, each))
    return tuple(dict.fromkeys((*first, *decisions)))[:MOST_RANKED]


def _ranked(ratios: NDArray[np.float64], state: State, seat: int) -> list[Explanation]:
    """Return the best legal explanations that are likelier than that nothing was laid, most likely first."""
    for most in (*_AT_FIRST, len(all_lattice_placements().masks) + 1):
        found = explain(ratios, state, seat, most=most)
        better = list(takewhile(lambda each: each.kind is not ExplanationKind.NOTHING, found))
        legal = [each for each in better if each.kind is ExplanationKind.LEGAL][:MOST_RANKED]
        if len(legal) == MOST_RANKED or len(better) < len(found):
            break
    return legal


LEATHER: Final = "leather"
"""Stands for the one-cell leather patch among shapes."""


@dataclass(frozen=True, slots=True, eq=False)
class LatticePlacements:
    """All placements of all shapes; row i of each array belongs to placement i.

    Attributes:
        incidence: shape (n, RING * RING), float32, 1 where the placement covers a cell of the lattice.
        cells: the same cells as indices into the lattice, shape (most cells, n); RING * RING for none.
        sizes: shape (n,), the number of these cells.
        shape: shape (n,), index into `shapes`.
        outside: shape (n,), the number of the placement's cells off the quilt.
        masks: the covered cells of the quilt, as the rules' bit masks.
        words: these masks, shape (n, 2), uint64: the low 64 bits and the rest.
        shapes: for each shape the ids of the patches that have it; the last is `(LEATHER,)`.
    """

    incidence: NDArray[np.float32]
    cells: NDArray[np.int64]
    sizes: NDArray[np.int64]
    shape: NDArray[np.int64]
    outside: NDArray[np.int64]
    masks: tuple[int, ...]
    words: NDArray[np.uint64]
    shapes: tuple[tuple[str, ...], ...]


@cache
def all_lattice_placements() -> LatticePlacements:
    """Return every placement of the 30 shapes and of the leather patch; built once."""
    shapes = [*dict.fromkeys(_with_twins(patch) for patch in PATCHES), (LEATHER,)]
    placements = [(number, cells) for number, patches in enumerate(shapes) for cells in _placements_of(patches[0])]
    words = np.concatenate([_words(cells) for _, cells in placements])
    incidence = np.concatenate([_incidence(cells) for _, cells in placements])
    sizes = np.count_nonzero(incidence, axis=1)
    numbers = np.arange(sizes.max())[:, None]
    return LatticePlacements(
        incidence=incidence,
        cells=np.where(numbers < sizes, np.argsort(-incidence, axis=1, kind="stable")[:, : sizes.max()].T, RING**2),
        sizes=sizes,
        shape=np.concatenate([np.full(len(cells), number) for number, cells in placements]),
        outside=np.concatenate([np.count_nonzero(~_on_quilt(cells), axis=1) for _, cells in placements]),
        masks=tuple(low | high << 64 for low, high in words.tolist()),
        words=words,
        shapes=tuple(shapes),
    )


def words_of(mask: int) -> tuple[int, int]:
    """Return a quilt's bit mask as two words: the low 64 bits and the rest."""
    return mask & 0xFFFF_FFFF_FFFF_FFFF, mask >> 64


def _with_twins(patch: str) -> tuple[str, ...]:
    return tuple(sorted((patch, *twins_of(patch))))


def _placements_of(patch: str) -> Iterator[NDArray[np.int64]]:
    """Yield for each orientation its placements with a cell on the quilt, shape (n, cells, 2): row and column."""
    for cells in [((0, 0),)] if patch == LEATHER else [orientation.cells for orientation in orientations(patch)]:
        height, width = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
        down, right = np.meshgrid(np.arange(1 - height, SIDE), np.arange(1 - width, SIDE), indexing="ij")
        placements = np.array(cells) + np.stack([down, right], axis=-1).reshape(-1, 1, 2)
        yield placements[_on_quilt(placements).any(axis=1)]


def _on_quilt(placements: NDArray[np.int64]) -> NDArray[np.bool_]:
    return np.asarray(((placements >= 0) & (placements < SIDE)).all(axis=2))


def _words(placements: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return the placements' cells on the quilt in the form of `words_of`, shape (placements, 2)."""
    # A quilt's 81 cells need two words, because numpy's integers have at most 64 bits.
    bits = placements[..., 0] * SIDE + placements[..., 1]
    word, bit = np.divmod(np.where(_on_quilt(placements), bits, 0), 64)
    values = np.where(_on_quilt(placements), np.left_shift(np.uint64(1), bit.astype(np.uint64)), np.uint64(0))
    return np.stack([np.where(word == each, values, np.uint64(0)).sum(axis=1) for each in range(2)], axis=1)


def _incidence(placements: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return a 1 for each cell of the lattice that a placement covers, shape (placements, RING * RING)."""
    incidence = np.zeros((len(placements), RING, RING), np.float32)
    number, cell = np.nonzero(((placements >= -1) & (placements <= SIDE)).all(axis=2))
    row, column = placements[number, cell].T + 1
    incidence[number, row, column] = 1.0
    return incidence.reshape(len(placements), -1)
