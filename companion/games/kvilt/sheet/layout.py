"""The layout of a sheet's page, in millimetres: for the printer that draws it and the reader that reads it.

The origin is the page's top left corner, x to the right, y down. A page that is printed larger needs no other layout:
the markers carry the scale.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import TYPE_CHECKING, Final, TypeAlias

from companion.games.kvilt.sheet.sheet import Cell, Colour, cell_name
from companion.games.kvilt.sheet.tables import Point, Rect

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Polygon: TypeAlias = tuple[Point, ...]
"""The corners of a closed outline, in millimetres."""

_DISC_CORNERS: Final = 48
_PATCH_NUMBER_MM: Final = (7.0, 4.0)


@dataclass(frozen=True, slots=True)
class Region:
    """A region that is coloured as one: the inside of the outlines, less the holes (print, and other regions)."""

    name: str
    outlines: tuple[Polygon, ...]
    holes: tuple[Polygon, ...] = ()


@dataclass(frozen=True, slots=True)
class Marker:
    """A printed marker: its number in the dictionary and the top left corner of its black square."""

    id: int
    at: Point


@dataclass(frozen=True, slots=True)
class Fiducials:
    """The marks by which the page is found in a picture.

    Attributes:
        kind: "aruco" (printed on the sheet), "frame" (printed on a frame round it) or "corners" (shown by the owner).
        dictionary: of the markers, such as "DICT_4X4_50"; empty without markers.
        side: of a marker's black square.
        quiet: white that is kept round it.
        markers: top left, top right, bottom right, bottom left.
        blank: the picture of the blank sheet, laid flat, for an owner's sheet; else empty.
    """

    kind: str
    dictionary: str = ""
    side: float = 0.0
    quiet: float = 0.0
    markers: tuple[Marker, ...] = ()
    blank: str = ""


@dataclass(frozen=True, slots=True)
class ColourLook:
    """The names of a colour and its display. `code` and `name` are by language; `screen` is "#rrggbb"."""

    key: Colour
    code: Mapping[str, str]
    name: Mapping[str, str]
    screen: str


@dataclass(frozen=True, slots=True)
class CellLayout:
    """A cell: its frame, the outline of its picture, the places of its points and of its marks, side by side."""

    frame: Rect
    picture: Polygon
    points: Rect
    bonus: Rect

    @property
    def middle(self) -> Point:
        """The centre of the frame."""
        x, y, width, height = self.frame
        return x + width / 2, y + height / 2


@dataclass(frozen=True, slots=True)
class PatchLayout:
    """A patch: what is coloured, and the point with which it points at its column (None: the print shows that)."""

    region: Rect
    tip: Point | None

    @property
    def number(self) -> Rect:
        """The middle of its points' place."""
        x, y, width, height = self.region
        wide, high = (min(size, room) for size, room in zip(_PATCH_NUMBER_MM, (width, height), strict=True))
        return x + (width - wide) / 2, y + (height - high) / 2, wide, high


@dataclass(frozen=True, slots=True)
class SpoolLayout:
    """A spool: its flanges, its thread, and the place of its points (None: the print shows them)."""

    body: tuple[Rect, ...]
    thread: Rect
    points: Rect | None


@dataclass(frozen=True, slots=True)
class PageLayout:
    """A page.

    Attributes:
        sheet: the id of the sheet.
        title: by language.
        size: width and height.
        outline: the width of printed lines.
        ink: the one grey of all print, from 0 (black) to 1.
        largest_scale: the greatest enlargement.
        fiducials: the markers by which the page is located.
        white: bare paper.
        name_line: for the player's name, or None without one.
        colours: in the order of the sheet.
        swatches: the box to be filled with each pencil, by colour; empty where an owner's sheet has no room for them.
        cells: by row and cell, from 1.
        pictures: the name of each row's picture, empty where cells have their own outlines.
        patches: by id.
        spools: from the left.
        parts: centre of each part of an embroidery, by region.
        radius: of the parts.
        row_scores: a box for each row's points, where there is one.
        scores: boxes for the totals, by name.
        reading: the reader's thresholds, by name.
        theme: the name of its pictures' theme; empty for the usual ones.
        details: fine lines inside the pictures, for the printer alone: by a picture's name, round its cell's centre.
        others: the same sheet in other themes, each with markers of its own; any of them may be coloured instead.
    """

    sheet: str
    title: Mapping[str, str]
    size: tuple[float, float]
    outline: float
    ink: float
    largest_scale: float
    fiducials: Fiducials
    white: tuple[Rect, ...]
    name_line: Rect | None
    colours: tuple[ColourLook, ...]
    swatches: Mapping[Colour, Rect]
    cells: Mapping[Cell, CellLayout]
    pictures: tuple[str, ...]
    patches: Mapping[str, PatchLayout]
    spools: tuple[SpoolLayout, ...]
    parts: Mapping[str, Point]
    radius: float
    row_scores: tuple[Rect | None, ...]
    scores: Mapping[str, Rect]
    reading: Mapping[str, float]
    theme: str = ""
    details: Mapping[str, tuple[Polygon, ...]] = field(default_factory=dict)
    others: tuple[PageLayout, ...] = ()

    @property
    def themes(self) -> tuple[PageLayout, ...]:
        """This sheet and the others that may be coloured in its place."""
        return (self, *self.others)

    def in_theme(self, theme: str) -> PageLayout:
        """Return the sheet in a theme; "" is the usual one.

        Raises:
            KeyError: it does not come in that theme.
        """
        return {layout.theme: layout for layout in self.themes}[theme]

    def regions(self) -> dict[str, Region]:
        """Return every region that a player colours, by name, in the sheet's order; "swatch.red" etc. come last."""
        return {region.name: region for region in self._regions()}

    def _regions(self) -> Iterator[Region]:
        for cell, place in self.cells.items():
            tags = tuple(corners(tag) for tag in (place.points, place.bonus) if tag[2] > 0)
            yield Region(f"{cell_name(cell)}.picture", (place.picture,), tags)
            yield Region(f"{cell_name(cell)}.background", (corners(place.frame),), (place.picture, *tags))
        for patch, spot in self.patches.items():
            # A sheet that is known by its picture has its print there.
            yield Region(patch, (corners(spot.region),), () if self.fiducials.blank else (corners(spot.number),))
        for number, spool in enumerate(self.spools, start=1):
            yield Region(f"spool{number}.body", tuple(map(corners, spool.body)))
            yield Region(f"spool{number}.thread", (corners(spool.thread),))
        for part, centre in self.parts.items():
            yield Region(part, (disc(centre, self.radius),))
        for colour, box in self.swatches.items():
            yield Region(f"swatch.{colour}", (corners(box),))


def corners(rect: Rect) -> Polygon:
    """Return a rectangle's corners, clockwise from the top left."""
    x, y, width, height = rect
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def disc(centre: Point, radius: float) -> Polygon:
    """Return a disc as a polygon."""
    steps = [2 * pi * step / _DISC_CORNERS for step in range(_DISC_CORNERS)]
    return tuple((centre[0] + radius * cos(step), centre[1] + radius * sin(step)) for step in steps)
