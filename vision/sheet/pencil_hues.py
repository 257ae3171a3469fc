"""Classification of a region's pencil, by comparison of its density's direction with those of the samples."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.sheet.paper import log_light
from vision.sheet.regions import RegionLook

SURE_ODDS: Final = float(np.log(99))
"""Log-odds from which a classification counts as settled."""
# Error of the paper's light, in density: the hue of a faint mark is less certain.
_PAPER_ERROR: Final = 0.04
# Factor on the uncertainty of a pencil without a sample.
_UNSEEN: Final = 3.0
# Weight of a guessed hue, in marks: two marks outweigh it.
_PRIOR_WEIGHT: Final = 1.5
# Iterations of assigning marks to the nearest hue and updating the hues.
_ROUNDS: Final = 3
# Distance from a pencil's hue at which a mark may as well be dirt, or another pencil.
_FOREIGN_DEG: Final = 24.0
# Difference of hue from which two halves are not of one pencil in one light.
_MIXED_DEG: Final = 8.0
# The greatest log-odds of one pencil against another for such a region, so that the players are asked.
_MIXED_ODDS: Final = 3.0
# The hue of grey, a unit vector.
_GREY: Final = np.full(3, 3**-0.5)
# The angle by which noise and the room's light turn the hue of a faint shadow.
_NEARLY_GREY_DEG: Final = 24.0
# Distance from grey below which a pencil cannot be distinguished from a shadow.
_GREY_PENCIL_DEG: Final = 2.0
# The least ratio of the grain of strokes to the paper's.
_SMOOTH: Final = 1.6


@dataclass(frozen=True, slots=True, eq=False)
class Pencils:
    """The pencils of a sheet.

    Attributes:
        keys: names.
        hues: the direction of each one's density, unit vectors, shape (n, 3).
        margin_deg: for each, the lead over the second pencil from which it is sure, shape (n,).
    """

    keys: tuple[str, ...]
    hues: NDArray[np.float64]
    margin_deg: NDArray[np.float64]

    def likelihoods(self, look: RegionLook) -> NDArray[np.float64]:
        """Return the log-likelihood of a hue for each pencil, and last for none of them.

        Shape (n + 1,); only differences are meaningful.
        """
        least = float(self.margin_deg.min())
        angles = np.append(angles_deg(self.hues, look.hue), _FOREIGN_DEG)
        faintness = np.hypot(1, np.degrees(_PAPER_ERROR / max(look.strength, _PAPER_ERROR)) / least)
        # The error of a guess is limited.
        near = np.minimum(angles, _FOREIGN_DEG) / np.append(self.margin_deg, least)
        far = np.maximum(angles - _FOREIGN_DEG, 0) / least
        ratios = np.asarray(-(near + far) * SURE_ODDS / faintness)
        return ratios if look.spread_deg <= _MIXED_DEG else _unsure(ratios)

    def is_greyish(self, look: RegionLook) -> bool:
        """Return whether a shadow may have this hue."""
        return float(angles_deg(_GREY[None], look.hue)[0]) <= _NEARLY_GREY_DEG

    def may_be_shadow(self, look: RegionLook, paper_grain: float) -> bool:
        """Return whether it may be a shadow's edge: nearer to grey than to a pencil, or greyish and smooth."""
        if not self.is_greyish(look):
            return False
        to_grey = float(angles_deg(_GREY[None], look.hue)[0])
        greyest = float(angles_deg(self.hues, _GREY).min())
        greyer = greyest > _GREY_PENCIL_DEG and to_grey < float(angles_deg(self.hues, look.hue).min())
        return greyer or look.grain < _SMOOTH * paper_grain

    def nearest_pair(self) -> tuple[str, str, float]:
        """Return the two pencils that are hardest to tell apart, and the angle between them in degrees."""
        gaps = np.degrees(np.arccos(np.clip(self.hues @ self.hues.T, -1, 1))) + 360 * np.eye(len(self.keys))
        first, second = np.unravel_index(int(np.argmin(gaps)), gaps.shape)
        return self.keys[first], self.keys[second], float(gaps[first, second])


def _unsure(ratios: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the likelihoods scaled so that the best one's lead over the second leaves a doubt."""
    second, best = np.sort(ratios)[-2:]
    return ratios * min(1.0, _MIXED_ODDS / max(float(best - second), 1e-9))


def angles_deg(hues: NDArray[np.float64], hue: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the angles between unit vectors, shape (n, 3), and one, in degrees."""
    return np.asarray(np.degrees(np.arccos(np.clip(hues @ hue, -1, 1))))


def reach_deg(hues: NDArray[np.float64]) -> float:
    """Return the largest angle between any two of some unit vectors, shape (n, 3), in degrees."""
    return float(np.degrees(np.arccos(np.clip((hues @ hues.T).min(), -1, 1))))


def screen_hue(screen: str) -> NDArray[np.float64]:
    """Return the direction of density of a display colour on white, "#rrggbb", as a guess at a pencil's."""
    bgr = np.array([[[int(screen[at : at + 2], 16) for at in (5, 3, 1)]]], np.uint8)
    density = np.maximum(log_light(np.full((1, 1, 3), 255, np.uint8)) - log_light(bgr), 1e-3)[0, 0].astype(np.float64)
    return np.asarray(density / np.linalg.norm(density))


def learn_pencils(
    samples: Mapping[str, RegionLook | None],
    guesses: Mapping[str, NDArray[np.float64]],
    marks: Sequence[RegionLook],
    margin_deg: float,
) -> Pencils:
    """Return the pencils by their samples; those without one by a guess, refined by the marks nearest to it.

    Args:
        samples: by name, the look of the sample; None if it was not coloured.
        guesses: for each name a unit vector.
        marks: the coloured regions.
        margin_deg: the lead over the second pencil from which one is sure, if both samples are present.
    """
    keys = tuple(samples)
    hues = np.array([guesses[key] if look is None else look.hue for key, look in samples.items()])
    unseen = np.array([look is None for look in samples.values()])
    margins = np.where(unseen, _UNSEEN, 1.0) * margin_deg
    if unseen.any() and marks:
        hues = _adapted(hues, unseen, np.array([mark.hue for mark in marks]))
    return Pencils(keys, hues, margins)


def _adapted(hues: NDArray[np.float64], unseen: NDArray[np.bool_], marks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the hues, with those without a sample moved towards the marks nearest to them."""
    guessed = hues.copy()
    for _ in range(_ROUNDS):
        nearest = np.argmax(marks @ hues.T, axis=1)
        for pencil in np.flatnonzero(unseen):
            towards = _PRIOR_WEIGHT * guessed[pencil] + marks[nearest == pencil].sum(axis=0)
            hues[pencil] = towards / np.linalg.norm(towards)
    return hues
