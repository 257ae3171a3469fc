"""A second look at the pieces of a table, by the difference between each one's print and the ground around it.

The network of `vision.pieces.maps` knows no print beforehand and is unsure of prints that are like the ground. But most
of a piece and the cloth beside it are already found: models of both are learnt from these and applied to the rest.

A *look* is the feature vector of one point of a table: colour, surrounding colour, their variation, and orientation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import reductions
from vision.pieces.fit import Fit
from vision.pieces.maps import MAP_PX, PieceMaps, label_places, normalised
from vision.table.plane import OverheadView

LOOK_PX: Final = 24
"""Pixels a cell of the view from which looks are computed."""
GRID_PX: Final = 12
"""Looks a cell."""
LOOKS: Final = 12
"""Length of a look: three colours, three of the surroundings, the variation of each, and three terms of the structure
tensor.
"""
# Pixels of the view per look.
_STRIDE: Final = LOOK_PX // GRID_PX
_NEAR_PX, _AROUND_PX = 0.8, 3.0
"""Sigmas of a point's colour and of that around it, in pixels of the view."""
# Added to variances, so that uniform cloth has no direction and no look has zero variance.
_FAINT: Final = 0.02
# Added before logarithms are taken, for cloth without texture.
_LEAST: Final = 1e-3
# The least number of points for a model of a print.
_FEWEST: Final = 60
# The greatest number of looks passed to k-means.
_MOST: Final = 2500
# Share of the total variance added to each component's covariance, as a regularisation against too few points.
_REGULAR: Final = 0.1
# Log-density below a print's peak from which a look is an outlier: twice the usual squared distance.
_STRANGE: Final = 12.0
# Log-likelihood by which an outlier is rather no part of the piece.
_STRANGERS: Final = 2.0
# Limit of one point's log-odds in either direction.
_MOST_ODDS: Final = 6.0


def looks_of(view: OverheadView) -> NDArray[np.float32]:
    """Return the look of each point.

    Args:
        view: the table from straight above, `LOOK_PX` pixels a cell.

    Returns:
        Shape (rows, columns, LOOKS), `GRID_PX` a cell.
    """
    shown = normalised(view.picture, view.seen)
    blue, green, red = np.moveaxis(shown, -1, 0)
    colours = np.dstack([reductions.mean(shown), 2 * (red - green), 2 * (blue - green)])
    near, around = (cv2.GaussianBlur(colours, (0, 0), sigma) for sigma in (_NEAR_PX, _AROUND_PX))
    varied = np.log(_sampled(cv2.GaussianBlur((colours - around) ** 2, (0, 0), _AROUND_PX)) + _LEAST)
    ways = _ways(np.asarray(near[..., 0], np.float32))
    return np.asarray(np.concatenate([_sampled(near), _sampled(around), ways, varied], axis=2), np.float32)


def _sampled(layers: NDArray[np.floating | np.integer]) -> NDArray[np.float32]:
    """Return layers of the view's resolution at the resolution of looks."""
    start = _STRIDE // 2
    return np.asarray(layers[start::_STRIDE, start::_STRIDE], np.float32)


def _ways(light: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the strength and orientation of the brightness gradient around each look: the structure tensor."""
    across, down = cv2.Sobel(light, -1, 1, 0), cv2.Sobel(light, -1, 0, 1)
    products = (across * across, down * down, across * down)
    xx, yy, xy = (_sampled(cv2.GaussianBlur(each, (0, 0), _AROUND_PX)) for each in products)
    strength = xx + yy
    return np.dstack([np.log(strength + _LEAST), (xx - yy) / (strength + _FAINT), 2 * xy / (strength + _FAINT)])


@dataclass(frozen=True, slots=True, eq=False)
class PrintModel:
    """A model of a print: one or a few normal distributions of looks.

    Attributes:
        means: shape (kinds, LOOKS).
        whitening: a factor of each covariance's inverse, which transforms looks to uncorrelated ones of unit variance,
            shape (kinds, LOOKS, LOOKS).
        peaks: logarithms of each component's weight times its peak density, shape (kinds,).
    """

    means: NDArray[np.float32]
    whitening: NDArray[np.float32]
    peaks: NDArray[np.float32]

    def logs(self, looks: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return log-densities of looks (n, LOOKS), shape (n,)."""
        total = np.full(len(looks), -np.inf, np.float32)
        for mean, whitening, peak in zip(self.means, self.whitening, self.peaks, strict=True):
            apart = (looks - mean) @ whitening
            total = np.logaddexp(total, peak - 0.5 * np.einsum("ij,ij->i", apart, apart))
        return total


@dataclass(frozen=True, slots=True, eq=False)
class Swatch:
    """Moment sums over a set of points from which a print is learnt; several can be added.

    Attributes:
        count: number of points.
        first: the sum of their looks, shape (LOOKS,).
        second: the sum of their looks' products, shape (LOOKS, LOOKS).
    """

    count: int
    first: NDArray[np.float64]
    second: NDArray[np.float64]

    @classmethod
    def of(cls, looks: NDArray[np.float32]) -> "Swatch":
        """Return the swatch of points with these looks, (n, LOOKS)."""
        exact = looks.astype(np.float64)
        return cls(len(exact), exact.sum(axis=0), exact.T @ exact)

    @classmethod
    def together(cls, swatches: "Sequence[Swatch]") -> "Swatch":
        """Return the sum of several swatches."""
        return cls(
            sum(each.count for each in swatches),
            np.sum([each.first for each in swatches], axis=0) if swatches else np.zeros(LOOKS),
            np.sum([each.second for each in swatches], axis=0) if swatches else np.zeros((LOOKS, LOOKS)),
        )

    def as_print(self) -> PrintModel | None:
        """Return one normal distribution, or None if there are too few points for it."""
        if self.count < _FEWEST:
            return None
        mean = self.first / self.count
        covariance = self.second / self.count - np.outer(mean, mean)
        return _mixed([mean], [covariance], [1.0], np.diag(covariance))


def mixed_print(looks: NDArray[np.float32], kinds: int) -> PrintModel | None:
    """Return a mixture of normal distributions, for a ground of different parts, or None if there are too few points.

    Args:
        looks: of points, shape (n, LOOKS).
        kinds: the greatest number of components.
    """
    if len(looks) < _FEWEST:
        return None
    chosen = looks[:: max(1, len(looks) // _MOST)]
    groups = [group for group in _grouped(chosen, kinds) if len(group) >= _FEWEST // 2] or [chosen]
    means, covariances = [group.mean(axis=0) for group in groups], [np.cov(group.T) for group in groups]
    return _mixed(means, covariances, [len(group) / len(chosen) for group in groups], chosen.var(axis=0))


def _mixed(
    means: Sequence[NDArray[np.float64]],
    covariances: Sequence[NDArray[np.float64]],
    shares: Sequence[float],
    spread: NDArray[np.float64],
) -> PrintModel:
    firm = [covariance + _REGULAR * np.diag(spread + _FAINT) for covariance in covariances]
    peaks = [np.log(share) - 0.5 * np.linalg.slogdet(each)[1] for share, each in zip(shares, firm, strict=True)]
    whitening = [np.linalg.cholesky(np.linalg.inv(each)) for each in firm]
    return PrintModel(np.array(means, np.float32), np.array(whitening, np.float32), np.array(peaks, np.float32))


def _grouped(looks: NDArray[np.float32], kinds: int) -> list[NDArray[np.float32]]:
    """Split looks into groups by k-means, initialised by brightness, so that the result is deterministic."""
    order = np.argsort(looks[:, 0], kind="stable")
    begun = np.empty((len(looks), 1), np.int32)
    begun[order, 0] = np.arange(len(looks)) * kinds // len(looks)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 15, 0.1)
    _, labels, _ = cv2.kmeans(looks, kinds, begun, stop, 1, cv2.KMEANS_USE_INITIAL_LABELS)
    return [looks[labels[:, 0] == kind] for kind in range(kinds)]


def log_odds(looks: NDArray[np.float32], own: PrintModel, others: Sequence[PrintModel]) -> NDArray[np.float32]:
    """Return the log-odds that points are of one print and of none of the others; outliers of all count against it.

    Args:
        looks: shape (..., LOOKS).
        own: the print.
        others: the prints and grounds that may lie there instead, at least one.

    Returns:
        Shape (...), between -6 and 6.
    """
    flat = looks.reshape(-1, looks.shape[-1])
    return odds_against(own.logs(flat), best_logs(flat, others), own).reshape(looks.shape[:-1])


def best_logs(looks: NDArray[np.float32], prints: Sequence[PrintModel]) -> NDArray[np.float32]:
    """Return the greatest of several prints' log-densities of looks (n, LOOKS), shape (n,)."""
    return np.asarray(np.max([each.logs(looks) for each in prints], axis=0), np.float32)


def odds_against(mine: NDArray[np.float32], others: NDArray[np.float32], own: PrintModel) -> NDArray[np.float32]:
    """Return the result of `log_odds` from log-densities that are already known, each of shape (n,).

    Args:
        mine: by the print itself.
        others: by `best_logs` of the alternatives.
        own: the print.
    """
    floor = float(own.peaks.max()) - _STRANGE
    odds = np.logaddexp(mine, floor - _STRANGERS) - np.logaddexp(others, floor)
    return np.asarray(np.clip(odds, -_MOST_ODDS, _MOST_ODDS), np.float32)


Window: TypeAlias = tuple[slice, slice]

_AROUND_CELLS, _GROUND_CELLS = 2.0, 3.5
"""Distances from a piece, in cells, within which its print is searched for, and the ground is learnt."""
_SURE_PIECE, _SURE_GROUND, _MAYBE_LABEL = 1.0, -2.0, -1.0
"""The network's log-odds from which a point is used as a piece's, below which as ground, and from which as a label."""
# The greatest number of components of the ground's model.
_GROUND_KINDS: Final = 4
# Median log-odds of the other cells' print below which a cell is not of the piece.
_ANOTHER: Final = -1.0
_ALL_ALIKE, _WELL_APART = 0.6, 0.9
"""Shares of points that distinguish a print from the ground: from which evidence counts, and counts fully."""
# The least number of points for a judgement on a cell's print.
_FEW: Final = 10
# Sigma that smooths a print's log-odds, on the grid of looks.
_CALM_PX: Final = 1.0
# Limit of log-odds, for the network and for prints.
_LIMIT: Final = 4.0
# Width of a rim in the network's output.
_RIM_PX: Final = 5
# Weight of a print's border against the network's rim.
_RIM_WEIGHT: Final = 0.5
# Margin around a label that may belong to the same piece.
_BESIDE_LABEL_CELLS: Final = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """A table with the pieces found so far, in arrays of shape (rows, columns), `GRID_PX` a cell.

    Attributes:
        looks: each point's features, (rows, columns, LOOKS).
        owner: number of each point's region, -1 for none.
        cell: number of the region's cell.
        labelled: whether a label may be printed there.
        printed: whether it is used to learn a region's print.
        bare: whether it is used to learn the ground.
    """

    looks: NDArray[np.float32]
    owner: NDArray[np.int32]
    cell: NDArray[np.int32]
    labelled: NDArray[np.bool_]
    printed: NDArray[np.bool_]
    bare: NDArray[np.bool_]


@dataclass(slots=True, eq=False)
class _PrintEvidence:
    """Evidence of prints at each point: log-odds of any piece; a print's border and its surety, each 0..1."""

    piece: NDArray[np.float32]
    edge: NDArray[np.float32]
    known: NDArray[np.float32]

    def add(self, window: Window, odds: NDArray[np.float32]) -> None:
        """Add one print's evidence to a window."""
        judged, around = np.tanh(odds / 2), np.ones((_RIM_PX, _RIM_PX), np.uint8)
        most, least = cv2.dilate(judged, around), cv2.erode(judged, around)
        for layer, values in (
            (self.piece, odds),
            (self.edge, (most - least) / 2),
            (self.known, np.maximum(most, -least)),
        ):
            layer[window] = np.maximum(layer[window], values)


def look_again(view: OverheadView, maps: PieceMaps, fits: Sequence[Fit]) -> PieceMaps:
    """Return the maps, with the evidence of prints added to pieces and rims.

    Args:
        view: the table from straight above, `vision.pieces.prints.LOOK_PX` pixels a cell.
        maps: the network's output for it.
        fits: the pieces found so far, which may be wrong in part.
    """
    regions = [fit.squares for fit in fits]
    regions += [[corners] for corners in _around_labels(maps, regions)]
    ground = _ground(view, maps, regions, len(fits))
    size = ground.owner.shape
    edge, known = np.zeros(size, np.float32), np.zeros(size, np.float32)
    evidence = _PrintEvidence(np.full(size, -np.inf, np.float32), edge, known)
    swatches = [_swatches(ground, number, region) for number, region in enumerate(regions)]
    prints = [Swatch.together(each).as_print() for each in swatches]
    for number, region in enumerate(regions):
        _add_evidence(evidence, ground, number, region, swatches[number], prints)
    return _with(maps, evidence, view.seen)


def _ground(
    view: OverheadView, maps: PieceMaps, regions: Sequence[Sequence[NDArray[np.float64]]], found: int
) -> _Ground:
    """Return the table; regions from number `found` on are guesses, of which the network was not sure."""
    looks = looks_of(view)
    size = (looks.shape[0], looks.shape[1])
    piece, label = (_on_grid(each, size) for each in (maps.piece, maps.label))
    owner, cell = np.full(size, -1, np.int32), np.full(size, -1, np.int32)
    for number, region in enumerate(regions):
        for at, corners in enumerate(region):
            cv2.fillPoly(owner, [_pixels(corners)], number)
            cv2.fillPoly(cell, [_pixels(corners)], at)
    labelled = cv2.dilate((label > _MAYBE_LABEL).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    free = cv2.dilate((owner >= 0).astype(np.uint8), np.ones((5, 5), np.uint8)) == 0
    printed = (owner >= 0) & ((piece > _SURE_PIECE) | (owner >= found)) & ~labelled
    return _Ground(looks, owner, cell, labelled, printed, free & (piece < _SURE_GROUND))


def _swatches(ground: _Ground, number: int, region: Sequence[NDArray[np.float64]]) -> list[Swatch]:
    """Return a swatch for each cell of a region."""
    window = _window(np.concatenate(region), 0.5, ground.owner.shape)
    mine = ground.printed[window] & (ground.owner[window] == number)
    looks, cell = ground.looks[window], ground.cell[window]
    return [Swatch.of(looks[mine & (cell == at)]) for at in range(len(region))]


def _add_evidence(
    evidence: _PrintEvidence,
    ground: _Ground,
    number: int,
    region: Sequence[NDArray[np.float64]],
    swatches: Sequence[Swatch],
    prints: Sequence[PrintModel | None],
) -> None:
    """Add the evidence of one region's print for its surroundings."""
    corners = np.concatenate(region)
    window, wide = (_window(corners, reach, ground.owner.shape) for reach in (_AROUND_CELLS, _GROUND_CELLS))
    cloth = mixed_print(ground.looks[wide][ground.bare[wide]], _GROUND_KINDS)
    if cloth is None or prints[number] is None:
        return
    beside = np.unique(ground.owner[window])
    others = [prints[other] for other in beside.tolist() if other not in (-1, number)]
    rest = [cloth, *(other for other in others if other is not None)]
    kept, alike = _alike(ground, number, window, swatches, rest)
    own = Swatch.together([swatches[at] for at in kept]).as_print()
    if own is None:
        return
    odds = log_odds(ground.looks[window], own, rest)
    apart = min(alike, float((odds[ground.bare[window]] < 0).mean()) if ground.bare[window].any() else 0.0)
    odds *= np.clip((apart - _ALL_ALIKE) / (_WELL_APART - _ALL_ALIKE), 0, 1)
    odds[ground.labelled[window]] = 0
    evidence.add(window, np.asarray(cv2.GaussianBlur(odds, (0, 0), _CALM_PX), np.float32))


def _alike(
    ground: _Ground, number: int, window: Window, swatches: Sequence[Swatch], rest: Sequence[PrintModel]
) -> tuple[list[int], float]:
    """Return the numbers of the cells that share one print, at least half of them, and the share of points with it.

    Each cell is compared with the print of all others, because an object beside a piece, or the ground, may have been
    taken for one of its cells, and a print with large pictures varies.
    """
    kept = list(range(len(swatches)))
    mine = ground.printed[window] & (ground.owner[window] == number)
    looks = [ground.looks[window][mine & (ground.cell[window] == at)] for at in kept]
    theirs = [best_logs(each, rest) for each in looks]
    while True:
        odds = {
            at: _compared_with(looks[at], [swatches[other] for other in kept if other != at], theirs[at]) for at in kept
        }
        judged = {at: each for at, each in odds.items() if len(each) >= _FEW}
        worst = min(judged, key=lambda at: float(np.median(judged[at])), default=None)
        if worst is None or np.median(judged[worst]) > _ANOTHER or len(kept) <= max(1, len(swatches) / 2):
            break
        kept.remove(worst)
    points = np.concatenate([*odds.values(), np.zeros(0, np.float32)])
    return kept, float((points > 0).mean()) if len(points) else 1.0


def _compared_with(
    looks: NDArray[np.float32], others: Sequence[Swatch], rest: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the log-odds that one cell's points are of the other cells' print; empty if there are too few points.

    `rest` holds the points' log-densities by the alternatives, shape (n,).
    """
    without = Swatch.together(others).as_print()
    if without is None or not len(looks):
        return np.zeros(0, np.float32)
    return odds_against(without.logs(looks), rest, without)


def _around_labels(maps: PieceMaps, regions: Sequence[Sequence[NDArray[np.float64]]]) -> list[NDArray[np.float64]]:
    """Return boxes around the labels that lie on no region.

    Each label is on a piece, however little of it was found.
    """
    covered = np.zeros(maps.label.shape, np.uint8)
    for region in regions:
        cv2.fillPoly(covered, [np.rint(c * MAP_PX - 0.5).astype(np.int32).reshape(-1, 1, 2) for c in region], 1)
    bare = []
    for place in label_places(maps):
        column, row = np.clip((place.at * MAP_PX).astype(int), 0, np.array(covered.shape[::-1]) - 1)
        if not covered[row, column]:
            bare.append(place.box(_BESIDE_LABEL_CELLS))
    return bare


def _with(maps: PieceMaps, evidence: _PrintEvidence, seen: NDArray[np.bool_]) -> PieceMaps:
    """Return the maps with the evidence of prints added inside the photograph."""
    shape = maps.piece.shape
    shown = cv2.resize(seen.astype(np.uint8), shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
    piece = np.clip(np.where(np.isfinite(evidence.piece), evidence.piece, 0), -_LIMIT, _LIMIT)
    rim = _RIM_WEIGHT * _LIMIT * evidence.known * (2 * evidence.edge - 1)
    layers = ((maps.piece, piece), (maps.rim, rim))
    joined = (np.clip(network, -_LIMIT, _LIMIT) + _on_map(each, shape) * shown for network, each in layers)
    return replace(maps, **dict(zip(("piece", "rim"), (each.astype(np.float32) for each in joined), strict=True)))


def _on_grid(layer: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    """Return a map at the resolution of the looks."""
    scale = GRID_PX / MAP_PX
    matrix = np.array([[scale, 0, (scale - 1) / 2], [0, scale, (scale - 1) / 2]])
    fine = cv2.warpAffine(layer, matrix, size[::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(fine, np.float32)


def _on_map(layer: NDArray[np.float32], shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Return an array at the looks' resolution resampled to the maps' shape; 0 beyond."""
    rows, columns = layer.shape[0] * MAP_PX // GRID_PX, layer.shape[1] * MAP_PX // GRID_PX
    small = cv2.resize(layer, (columns, rows), interpolation=cv2.INTER_AREA)
    fitted = np.zeros(shape, np.float32)
    rows, columns = min(rows, shape[0]), min(columns, shape[1])
    fitted[:rows, :columns] = small[:rows, :columns]
    return fitted


def _pixels(corners: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.rint(corners * GRID_PX - 0.5).astype(np.int32).reshape(-1, 1, 2)


def _window(corners: NDArray[np.float64], reach_cells: float, size: tuple[int, ...]) -> Window:
    left, top = np.maximum(np.floor((corners.min(axis=0) - reach_cells) * GRID_PX), 0).astype(int).tolist()
    right, bottom = np.ceil((corners.max(axis=0) + reach_cells) * GRID_PX).astype(int).tolist()
    return slice(top, max(top, min(bottom, size[0]))), slice(left, max(left, min(right, size[1])))
