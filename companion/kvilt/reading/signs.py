"""The signs in a picture of a sheet besides marks: objects on it, and misleading light."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.kvilt import PageLayout, Region
from companion.games.kvilt.sheet.layout import Polygon, corners
from vision.sheet.lines import PrintedLines
from vision.sheet.page import FLAT_PX_PER_MM
from vision.sheet.pencil import full_scale
from vision.sheet.regions import (
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
