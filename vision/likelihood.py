"""From cues to log-likelihood ratios: how much more likely is a cell's look if something was laid there?

A logistic model of a few transformed cues speaks for each small window; a cell's sixteen windows are added up. The
weights are the mean of those fitted on frames of the simulated table, under mild and harsh light, and of those fitted
on recordings of three other tables; `bench/fit_likelihood.py` fits them anew.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.evidence import by_cell, own_windows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.evidence import Cues

FEATURES: Final = (
    "constant",
    "discord against the board's noise",
    "discord against the textures",
    "leftover against the board's noise",
    "colour against the board's noise",
    "brightness against the board's unevenness",
    "root of colour",
    "leftover",
    "brightness",
    "gain of texture",
    "texture",
    "noise",
)
WEIGHTS: Final = np.array([-6.89, 0.12, 0.05, 0.51, 0.37, 1.06, 11.85, 0.66, 21.71, 0.59, -0.43, -0.34])
_LEAST: Final = 1e-3
_LEAST_NOISE: Final = 3e-3
SHIFTS: Final = tuple(product((0, -1, 1), repeat=2))
"""Shifts (down, right) of a patch as a whole, in windows; the first one is none."""
LIMIT: Final = 12.0
"""No single cell's evidence counts for more than this; a glare or a thread must not outvote all the others."""
_WINDOW_LIMIT: Final = 4.0
_BARE_HALF: Final = 0.7
"""What covers a cell covers both its halves: one that looks bare counts so much once more."""
_OUTER, _INNER = 0.7, 1.3
_IMPORTANCE: Final = np.outer(*[np.sqrt([_OUTER**2 / _INNER, _INNER, _INNER, _OUTER**2 / _INNER])] * 2)
"""Of a cell's windows: a neighbour's overhang and its shadow reach the outer ones."""
_SHARED: Final = 0.25
"""Neighbouring windows share a print: their evidence counts for less than its sum."""


def features(cues: Cues) -> NDArray[np.float64]:
    """The transformed cues that the model weighs, the cues' shape with len(FEATURES) appended, float64."""
    noise, colour_noise, unrest = (_floor(cue, 1 / 6) for cue in (cues.leftover, cues.colour, cues.discord))
    brightness = np.abs(cues.brightness)
    unevenness = _floor(brightness, 0.8)
    texture, new_texture = np.maximum(cues.texture, _LEAST), np.maximum(cues.new_texture, _LEAST)
    terms = (
        np.ones_like(texture),
        _log(cues.discord / unrest),
        cues.discord / (texture + new_texture + unrest),
        _log(cues.leftover / noise),
        np.log((cues.colour + colour_noise) / colour_noise),
        np.log((brightness + unevenness) / unevenness),
        np.sqrt(np.minimum(cues.colour, 0.4)),
        _log(cues.leftover),
        np.minimum(brightness, 0.5),
        _log((new_texture + noise) / (texture + noise)),
        _log(texture),
        np.full_like(texture, np.log(noise)),
    )
    return np.stack(terms, axis=-1).astype(np.float64)


def _floor(cue: NDArray[np.float32], share: float) -> float:
    """What a cue amounts to where nothing changed: its quantile over the quilt's own windows."""
    return max(float(np.quantile(own_windows(cue), share)), _LEAST_NOISE)


def _log(values: NDArray[np.floating]) -> NDArray[np.float64]:
    return np.asarray(np.log(np.maximum(values, _LEAST)), np.float64)


def log_likelihood_ratio(cues: Cues) -> NDArray[np.float64]:
    """Give log p(look | changed) - log p(look | as expected) for each cell of the lattice at each shift.

    Returns:
        Shape (len(SHIFTS), RING, RING), within +-LIMIT.
    """
    windows = features(cues) @ WEIGHTS
    return np.stack([cell_ratios(by_cell(windows, down, right)) for down, right in SHIFTS])


def core_ratio(cues: Cues) -> NDArray[np.float64]:
    """The mean ratio of the four windows in the middle of each cell, shape (RING, RING), within +-_WINDOW_LIMIT."""
    windows = by_cell(features(cues) @ WEIGHTS)[1:-1, 1:-1]
    return np.asarray(np.clip(windows, -_WINDOW_LIMIT, _WINDOW_LIMIT).mean(axis=(0, 1)))


def cell_ratios(windows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ratios of cells, shape (rows, columns), from those of their windows, shape (4, 4, rows, columns)."""
    weighed = np.clip(windows, -_WINDOW_LIMIT, _WINDOW_LIMIT) * (_SHARED * _IMPORTANCE[:, :, None, None])
    rows, columns = weighed.sum(axis=1), weighed.sum(axis=0)
    halves = np.stack([rows[:2].sum(axis=0), rows[2:].sum(axis=0), columns[:2].sum(axis=0), columns[2:].sum(axis=0)])
    bare = np.minimum(halves.min(axis=0), 0.0)
    return np.asarray(np.clip(rows.sum(axis=0) + _BARE_HALF * bare, -LIMIT, LIMIT))
