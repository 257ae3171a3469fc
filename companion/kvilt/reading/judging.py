"""The probabilities that a region is white or of each colour, by its look and by other signs around it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.kvilt.reading.signs import SheetSigns
from vision.sheet.pencil import SURE_ODDS, Pencils, angles_deg
from vision.sheet.regions import RegionLook, Texture

_MOST_ODDS: Final = 12.0
# The greatest log odds in favour of white of greyish strokes.
_UNSURE_ODDS: Final = 1.5
_NOT_BLANK, _ROUGH = 0.5, 4.0
"""Density, and roughness relative to paper, from which a region is hardly blank: faint strokes of a greyish pencil."""
# Share of a region with strokes that may be brighter than its paper.
_BRIGHT: Final = 0.05
# Clearness of texture, in units of the paper's, that shows strokes; blank paper's, even in noise, is a tenth of it.
_STROKES: Final = 0.3
# Clearness from which texture identifies the pencil.
_CLEAR: Final = 1.0
# Share of its sample's texture, squared, below which a mark is not of the same pencil.
_SMOOTH: Final = 0.06
# The angle by which a mark's texture must be nearer to another pencil's sample to be that pencil's.
_NEARER_DEG: Final = 4.0
# Difference in hue between faint and dense strokes; within one pencil it is at most half as much.
_STRAYED_DEG: Final = 8.0
# Probability that a seemingly covered region has another state than it seems.
_HIDDEN_SHARE: Final = 0.15


def odds_of(name: str, look: RegionLook, figures: Mapping[str, float]) -> float:
    """Return the log-odds that a region is coloured, by how much of it is covered."""
    kind = "background_" if name.endswith(".background") else ""
    empty, marked = figures[f"{kind}empty"], figures[f"{kind}marked"]
    place = (2 * look.coverage - marked - empty) / max(marked - empty, 0.01)
    return float(np.clip(place * SURE_ODDS, -_MOST_ODDS, _MOST_ODDS))


def veiled(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a hidden region's log-probabilities, shape (7,), given those of its apparent state."""
    anything = np.append(0.5, np.full(len(weights) - 1, 0.5 / (len(weights) - 1)))
    return np.asarray(np.log((1 - _HIDDEN_SHARE) * np.exp(weights) + _HIDDEN_SHARE * anything))


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """A judge of the regions of one picture.

    Attributes:
        figures: the thresholds of the sheet, by name.
        pencils: the pencils that coloured the sheet.
        textures: the textures of their samples, None for a missing one.
        signs: the signs in the picture besides marks.
    """

    figures: Mapping[str, float]
    pencils: Pencils
    textures: Sequence[Texture | None]
    signs: SheetSigns

    def weights(self, name: str, look: RegionLook) -> NDArray[np.float64]:
        """Return the log-probabilities: not coloured, then each of the pencils; shape (7,)."""
        odds = self._odds(name, look)
        weights = self._weights_of(odds, look)
        # Each further hue weighs as much as those before it together: the picture does not say which is right.
        for hue in self._other_hues(name, look, int(weights[1:].argmax())) if odds > 0 else ():
            own = self._weights_of(odds, replace(look, hue=hue, spread_deg=0.0))
            weights = np.logaddexp(weights, own) - np.log(2)
        return veiled(weights) if self.is_hidden(name, look) else weights

    def is_hidden(self, name: str, look: RegionLook) -> bool:
        """Return whether an object lies on a region, or the light does not let it be seen."""
        if name in self.signs.hidden or name in self.signs.glaring:
            return True
        if self.signs.brighter(name) < _BRIGHT:
            return False
        # A seemingly white region may be a mark in a light that the paper around it does not show.
        return odds_of(name, look, self.figures) > 0 or self.signs.texture(name).clearness > _STROKES

    def _other_hues(self, name: str, look: RegionLook, pencil: int) -> Iterator[NDArray[np.float64]]:
        """Yield the hues that a mark may have besides the one seen, which is `pencil`'s."""
        # A shadow, a reflection or a stain changes the hue of a mark, not that of its texture.
        other = self._other(pencil, self.signs.texture(name))
        if other is not None:
            yield self.pencils.hues[other]
        # A neighbour's pencil that strays over a mark mixes with it to the look of a third one.
        if look.faint_hue is not None and float(angles_deg(look.faint_hue[None], look.hue)[0]) > _STRAYED_DEG:
            yield look.faint_hue

    def _other(self, pencil: int, texture: Texture) -> int | None:
        """Return another pencil whose sample is nearer to the mark's texture than its own pencil's, or None."""
        own = self.textures[pencil]
        if texture.clearness < _CLEAR or own is None or own.clearness < _CLEAR:
            return None
        hues = [own.hue if sample is None or sample.clearness < _CLEAR else sample.hue for sample in self.textures]
        angles = angles_deg(np.array(hues), texture.hue)
        nearest = int(angles.argmin())
        return nearest if angles[nearest] + _NEARER_DEG < angles[pencil] else None

    def _odds(self, name: str, look: RegionLook) -> float:
        odds = odds_of(name, look, self.figures)
        if odds > 0 and (self.pencils.may_be_shadow(look, self.signs.grain) or self._is_smooth(name, look)):
            odds = 0.0
        if look.strength > _NOT_BLANK and look.grain > _ROUGH * self.signs.grain:
            odds = max(odds, -_UNSURE_ODDS)
        return odds

    def _is_smooth(self, name: str, look: RegionLook) -> bool:
        """Return whether a greyish mark has almost none of its sample's texture, as a shadow."""
        if not self.pencils.is_greyish(look):
            return False
        sample = self.textures[int(self.pencils.likelihoods(look)[:-1].argmax())]
        least = 0.0 if sample is None or sample.clearness < _CLEAR else _SMOOTH * sample.clearness
        return least > 0 and self.signs.texture(name).clearness < least

    def _weights_of(self, odds: float, look: RegionLook) -> NDArray[np.float64]:
        white, coloured = -np.logaddexp(0, odds), -np.logaddexp(0, -odds)
        hues = self.pencils.likelihoods(look)
        # The probability of a trace that no pencil leaves reduces the certainty of all pencils.
        return np.append(white, coloured + hues[:-1] - np.logaddexp.reduce(hues))
