"""From cues to log-likelihood ratios: how much more likely is a cell's look if something was laid there?

A logistic model of a few transformed cues. Its weights were fitted on frames of the simulated table under mild and
harsh light and held against recordings of other tables; `bench/fit_likelihood.py` fits them anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.evidence import Cues

FEATURES: Final = (
    "constant",
    "correlation",
    "correlation lost beyond what noise explains",
    "leftover against the board's noise",
    "frame against the board's noise",
    "colour against the board's noise",
    "root of colour",
    "leftover",
    "frame",
    "brightness",
    "gain of texture",
    "texture",
    "noise",
)
_WEIGHTS: Final = np.array([7.89, -4.64, 2.76, 0.06, 0.46, 0.54, 9.59, 0.28, 1.31, 0.40, 2.47, -0.18, 1.20])
_LEAST: Final = 1e-3
_LEAST_NOISE: Final = 3e-3
LIMIT: Final = 8.0
"""No single cell's evidence counts for more than this; a glare or a thread must not outvote all the others."""


def features(cues: Cues) -> NDArray[np.float64]:
    """The transformed cues that the model weighs, shape (RING, RING, len(FEATURES)), float64."""
    noise, frame_noise, colour_noise = _floor(cues.leftover), _floor(cues.frame), _floor(cues.colour)
    texture, new_texture = np.maximum(cues.texture, _LEAST), np.maximum(cues.new_texture, _LEAST)
    terms = (
        np.ones_like(texture),
        cues.correlation,
        texture**2 / (texture**2 + noise**2) - cues.correlation,
        _log(cues.leftover / noise),
        _log(cues.frame / frame_noise),
        np.log((cues.colour + colour_noise) / colour_noise),
        np.sqrt(np.minimum(cues.colour, 0.4)),
        _log(cues.leftover),
        _log(cues.frame),
        np.minimum(np.abs(cues.brightness), 0.5),
        _log((new_texture + noise) / (texture + noise)),
        _log(texture),
        np.full_like(texture, np.log(noise)),
    )
    return np.stack(terms, axis=-1).astype(np.float64)


def _floor(cue: NDArray[np.float32]) -> float:
    """What a cue amounts to where nothing changed: this frame's noise, in the calmest sixth of the quilt's cells."""
    return max(float(np.quantile(cue[1:-1, 1:-1], 1 / 6)), _LEAST_NOISE)


def _log(values: NDArray[np.floating]) -> NDArray[np.float64]:
    return np.asarray(np.log(np.maximum(values, _LEAST)), np.float64)


def log_likelihood_ratio(cues: Cues) -> NDArray[np.float64]:
    """Log p(look | changed) - log p(look | as expected) for each cell, shape (RING, RING), within +-LIMIT."""
    return np.asarray(np.clip(features(cues) @ _WEIGHTS, -LIMIT, LIMIT))
