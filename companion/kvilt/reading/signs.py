"""The signs in a picture of a sheet besides marks: objects on it, and misleading light."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from vision.sheet.lines import PrintedLines
from vision.sheet.paper import full_scale
from vision.sheet.regions import brighter_share, darkest, paper_grain
from vision.sheet.texture import paper_inside, paper_noise, texture_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from companion.games.kvilt import PageLayout
    from companion.kvilt.reading.places import SheetPlaces
    from vision.sheet.regions import Window
    from vision.sheet.texture import Texture

_HIDDEN: Final = 0.22
"""Darkness of an outline, relative to what is typical of the sheet, below which it is hidden; dense pencil leaves a
quarter of it."""
_GLARE: Final = 0.15
"""Share of a region that may be a reflection."""
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
