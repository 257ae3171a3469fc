"""Models of prints: normal distributions of colour and texture, learnt from a few points and compared with others.

A *look* is the feature vector of one point of a table: colour, surrounding colour, their variation, and orientation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import channels
from vision.pieces.maps import normalised
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
    colours = np.dstack([channels.mean(shown), 2 * (red - green), 2 * (blue - green)])
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
    def of(cls, looks: NDArray[np.float32]) -> Swatch:
        """Return the swatch of points with these looks, (n, LOOKS)."""
        exact = looks.astype(np.float64)
        return cls(len(exact), exact.sum(axis=0), exact.T @ exact)

    @classmethod
    def together(cls, swatches: Sequence[Swatch]) -> Swatch:
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
