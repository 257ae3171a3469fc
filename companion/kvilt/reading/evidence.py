"""The evidence of a picture of a sheet: objects on it, misleading light, and each region's likely colours."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.kvilt.sheets.layout import PageLayout, Polygon, Region, corners
from vision.sheet.lines import PrintedLines
from vision.sheet.page import FLAT_PX_PER_MM
from vision.sheet.pencil import SURE_ODDS, Pencils, angles_deg, full_scale
from vision.sheet.regions import (
    RegionLook,
    Texture,
    Window,
    brighter_share,
    darkest,
    free_paper,
    make_window,
    paper_grain,
    paper_inside,
    paper_noise,
    texture_of,
    without,
)

SWATCH: Final = "swatch."
# For files that give none; the companion's own sheet has the same.
_DEFAULT_INSET_MM: Final = 0.6
# Additional inset of a region, because most strokes cross its outline a little.
_STRAY_MM: Final = 0.3
# The distance by which careless colouring of a picture extends into its background, but hardly at the corners.
_STRAY_ROUND_PICTURE_MM: Final = 2.2
_PRINT_MM: Final = 0.4
_BUSY_MM: Final = 0.35
_EDGE_MM: Final = 1.5
# Width of a fine line, including its blur.
_LINE_MM: Final = 0.7
# The number of fractional bits in OpenCV's fixed-point coordinates.
_SHIFT: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class SheetPlaces:
    """A sheet in flat space.

    Attributes:
        windows: the pixels of each region, including the samples.
        free: the mask of bare paper, shape (rows, columns).
    """

    windows: Mapping[str, Window]
    free: NDArray[np.bool_]


def sheet_places(layout: PageLayout, printed: NDArray[np.bool_] | None = None) -> SheetPlaces:
    """Compute a sheet's places.

    Args:
        layout: the sheet's layout.
        printed: the mask of print that makes a look uncertain, in flat space, or None if the layout describes all
            print.
    """
    regions = layout.regions()
    inset = layout.reading.get("erode", _DEFAULT_INSET_MM) + _STRAY_MM
    outlines = {outline for region in regions.values() for outline in region.outlines}
    windows = {name: _window(region, outlines, inset) for name, region in regions.items()}
    size_px = (round(layout.size[0] * FLAT_PX_PER_MM), round(layout.size[1] * FLAT_PX_PER_MM))
    if printed is None and layout.details:
        printed = _fine_lines(layout, size_px)
    busy = [*outlines, *_markers(layout)]
    free = free_paper(busy, _BUSY_MM, _EDGE_MM, size_px)
    if printed is None:
        return SheetPlaces(windows, free)
    return SheetPlaces({name: without(window, printed) for name, window in windows.items()}, free & ~printed)


def _fine_lines(layout: PageLayout, size_px: tuple[int, int]) -> NDArray[np.bool_]:
    """Return the mask of fine lines printed inside the pictures, in flat space: together they look like pencil."""
    mask = np.zeros(size_px[::-1], np.uint8)
    for (row, _), place in layout.cells.items():
        for line in layout.details.get(layout.pictures[row - 1], ()):
            points = (np.array(line) + place.middle) * FLAT_PX_PER_MM - 0.5
            fixed = np.round(points * (1 << _SHIFT)).astype(np.int32)
            cv2.polylines(mask, [fixed], False, (1,), round(_LINE_MM * FLAT_PX_PER_MM), cv2.LINE_8, _SHIFT)
    return mask > 0


def _window(region: Region, outlines: set[Polygon], inset_mm: float) -> Window:
    """Return a region's window; a hole that is a region itself may be coloured, others are print."""
    holes = [(hole, _STRAY_ROUND_PICTURE_MM if hole in outlines else _PRINT_MM) for hole in region.holes]
    return make_window(region.outlines, holes, inset_mm)


def _markers(layout: PageLayout) -> Iterator[Polygon]:
    """Return the outlines of the markers with half of the white around them, in page space."""
    fiducials = layout.fiducials
    margin, side = fiducials.quiet / 2, fiducials.side + fiducials.quiet
    return (corners((marker.at[0] - margin, marker.at[1] - margin, side, side)) for marker in fiducials.markers)


def printed_markers(layout: PageLayout) -> dict[int, NDArray[np.float64]]:
    """Return the corners of each marker in page space, by id; shape (4, 2) each, clockwise from the top left."""
    side = layout.fiducials.side
    return {marker.id: np.array(corners((*marker.at, side, side))) for marker in layout.fiducials.markers}


# Darkness of an outline, relative to what is typical of the sheet, below which it is hidden; dense pencil leaves a
# quarter of it.
_HIDDEN: Final = 0.22
# Share of a region that may be a reflection.
_GLARE: Final = 0.15
_PALE_PRINT: Final = 215


@dataclass(frozen=True, slots=True, eq=False)
class SheetSigns:
    """The signs in one picture besides marks.

    Attributes:
        density: the density of the page, shape (rows, columns, 3).
        windows: the pixels of each region.
        grain: the grain of bare paper.
        noise: the noise of bare paper, as returned by `paper_noise`.
        hidden: the regions whose outlines are not visible all around: an object lies on them, or they glare.
        glaring: the regions that a reflection hides.
    """

    density: NDArray[np.float32]
    windows: Mapping[str, Window]
    grain: float
    noise: NDArray[np.float64]
    hidden: frozenset[str]
    glaring: frozenset[str]
    _textures: dict[str, Texture] = field(default_factory=dict, init=False)

    def texture(self, region: str) -> Texture:
        """Return the texture of a region, measured once."""
        if region not in self._textures:
            self._textures[region] = texture_of(self.density, self.windows[region], self.noise)
        return self._textures[region]

    def brighter(self, region: str) -> float:
        """Return the share of a region that is brighter than the estimate of its paper, which is then wrong."""
        return brighter_share(self.density, self.windows[region])


class SignSeeker:
    """A detector of signs in pictures of one kind of sheet.

    Args:
        layout: the sheet's layout.
        places: the places of its regions.
        blank: the blank sheet, in flat space, if the sheet is located by its picture, else None.
    """

    def __init__(self, layout: PageLayout, places: SheetPlaces, blank: NDArray[np.uint8] | None) -> None:
        self._places = places
        regions = layout.regions()
        outlines = list(dict.fromkeys(outline for region in regions.values() for outline in region.outlines))
        numbers = {outline: number for number, outline in enumerate(outlines)}
        self._outlines = {
            name: [numbers[outline] for outline in (*region.outlines, *region.holes) if outline in numbers]
            for name, region in regions.items()
        }
        self._lines = PrintedLines(outlines, layout.size, blank)
        self._paper = paper_inside(places.free)

    def seek(self, flat: NDArray[np.uint8], density: NDArray[np.float32]) -> SheetSigns:
        """Return the signs of one picture.

        Args:
            flat: the page laid flat, shape (rows, columns, 3), uint8, BGR.
            density: its density, shape (rows, columns, 3).
        """
        places = self._places
        return SheetSigns(
            density,
            places.windows,
            paper_grain(density, places.free),
            paper_noise(density, self._paper),
            self._hidden(flat),
            self._glaring(flat),
        )

    def _hidden(self, flat: NDArray[np.uint8]) -> frozenset[str]:
        seen = self._lines.seen(flat)
        return frozenset(name for name, outlines in self._outlines.items() if seen[outlines].min() < _HIDDEN)

    def _glaring(self, flat: NDArray[np.uint8]) -> frozenset[str]:
        """Return the regions that are at full scale, including pale print around them."""
        full, windows = full_scale(flat), self._places.windows.items()
        bright = [name for name, window in windows if full[window.box][window.mask].mean() > _GLARE]
        return frozenset(name for name in bright if darkest(flat, self._places.windows[name]) > _PALE_PRINT)


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
